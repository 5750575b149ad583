// Times as bytes; see timing_code.hpp. Numbers of one meaning stand together, where they compress best.
#include "format/timing_code.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/leading_bits.hpp"

namespace refrain::format {

using namespace trace;

namespace {

using Moments = Histogram::Moments;

/// Sums are what times are compared by; of the others it is enough to know them to half a percent.
constexpr int bits_of_sums = 16, bits_of_others = 8;
constexpr int widest_time = 64, widest_squares = 255;

void write_below(ByteWriter& out, uint16_t below, int kept) {
  for (int at = 0; at < kept; at += 8) out.u8(static_cast<uint8_t>(below >> at));
}

uint16_t read_below(ByteReader& in, int kept) {
  int below = 0;
  for (int at = 0; at < kept; at += 8) below |= in.u8() << at;
  return static_cast<uint16_t>(below);
}

/// How wide a number is; 0 after a failure.
uint8_t read_width(ByteReader& in, int widest) {
  uint8_t width = in.u8();
  if (width > widest) in.fail("a time with too many bits");
  return in.ok() ? width : 0;
}

/// A sum of squares is a whole number with at most so many bits, followed by zeros.
constexpr int bits_of_double = std::numeric_limits<double>::digits;
constexpr double largest_squares = 0x1p254;

LeadingBits leading_bits_of_squares(double squares) {
  squares = std::min(squares, largest_squares);
  int width = 0;
  std::frexp(squares, &width);
  int zeros = std::max(0, width - bits_of_double);
  LeadingBits leading = leading_bits(static_cast<uint64_t>(std::ldexp(squares, -zeros)), bits_of_others);
  leading.width = static_cast<uint8_t>(leading.width + zeros);
  return leading;
}

double squares_of(LeadingBits leading) {
  int zeros = std::max(0, leading.width - bits_of_double);
  leading.width = static_cast<uint8_t>(leading.width - zeros);
  return std::ldexp(static_cast<double>(number_of(leading, bits_of_others)), zeros);
}

/// The timings of all events, in the order of the tree.
template <class Nodes, class TimingPointer>
void gather_timings(Nodes& nodes, std::vector<TimingPointer>& out) {
  for (auto& node : nodes) {
    if (node.kind == NodeKind::event) out.push_back(&node.timing);
    gather_timings(node.body, out);
  }
}

/// Those with at least so many samples.
std::vector<Moments*> with_samples(std::vector<Moments>& all, uint64_t least) {
  std::vector<Moments*> found;
  for (Moments& m : all)
    if (m.count >= least) found.push_back(&m);
  return found;
}

/// One number of each histogram, as `leading` gives it: first how wide all are, then the bits.
template <class Leading>
void write_column(ByteWriter& out, const std::vector<Moments*>& moments, int kept, Leading leading) {
  for (const Moments* m : moments) out.u8(leading(*m).width);
  for (const Moments* m : moments) write_below(out, leading(*m).below, kept);
}

/// Hands the numbers of a column to `take`.
template <class Take>
void read_column(ByteReader& in, const std::vector<Moments*>& moments, int kept, int widest, Take take) {
  std::vector<uint8_t> widths;
  for (size_t i = 0; i < moments.size() && in.ok(); ++i) widths.push_back(read_width(in, widest));
  for (size_t i = 0; i < moments.size() && in.ok(); ++i)
    take(*moments[i], LeadingBits{widths[i], read_below(in, kept)});
}

/// Gap and duration are measured together: their numbers hardly ever differ.
void write_histograms(ByteWriter& out, const std::vector<const Timing*>& timings) {
  std::vector<const Histogram*> histograms;
  std::vector<Moments> moments;
  for (const Timing* t : timings) {
    out.varint(t->gap.count());
    for (const Histogram* h : {&t->gap, &t->duration}) {
      histograms.push_back(h);
      moments.push_back(h->moments());
    }
  }
  for (const Timing* t : timings) out.svarint(static_cast<int64_t>(t->duration.count() - t->gap.count()));
  auto several = with_samples(moments, 2);
  write_column(out, with_samples(moments, 1), bits_of_sums,
               [](const Moments& m) { return leading_bits(m.sum, bits_of_sums); });
  write_column(out, several, bits_of_others,
               [](const Moments& m) { return leading_bits(m.min, bits_of_others); });
  write_column(out, several, bits_of_others,
               [](const Moments& m) { return leading_bits(std::max(m.min, m.max), bits_of_others); });
  write_column(out, several, bits_of_others,
               [](const Moments& m) { return leading_bits_of_squares(m.squares); });
  for (const Histogram* h : histograms) h->write_shares(out);
}

void read_histograms(ByteReader& in, const std::vector<Timing*>& timings) {
  std::vector<Moments> moments;
  for (size_t i = 0; i < timings.size() && in.ok(); ++i)
    moments.resize(moments.size() + 2, {.count = in.varint()});
  for (size_t i = 1; i < moments.size() && in.ok(); i += 2)
    moments[i].count += static_cast<uint64_t>(in.svarint());
  auto several = with_samples(moments, 2);
  read_column(in, with_samples(moments, 1), bits_of_sums, widest_time, [](Moments& m, LeadingBits sum) {
    m.sum = m.min = m.max = number_of(sum, bits_of_sums);
    m.squares = static_cast<double>(m.sum) * static_cast<double>(m.sum);
  });
  read_column(in, several, bits_of_others, widest_time,
              [](Moments& m, LeadingBits min) { m.min = number_of(min, bits_of_others); });
  read_column(in, several, bits_of_others, widest_time, [&](Moments& m, LeadingBits max) {
    m.max = number_of(max, bits_of_others);
    if (m.max < m.min) in.fail("bad longest time");
  });
  read_column(in, several, bits_of_others, widest_squares,
              [](Moments& m, LeadingBits squares) { m.squares = squares_of(squares); });
  for (size_t i = 0; i < timings.size() && in.ok(); ++i) {
    timings[i]->gap = Histogram::read_shares(moments[2 * i], in);
    timings[i]->duration = Histogram::read_shares(moments[2 * i + 1], in);
  }
}

void write_communication(ByteWriter& out, const Communication& communication) {
  for (uint64_t ns : communication.ns) {
    LeadingBits leading = leading_bits(ns, bits_of_sums);
    out.u8(leading.width);
    if (leading.width > 0) write_below(out, leading.below, bits_of_sums);
  }
}

Communication read_communication(ByteReader& in) {
  Communication communication;
  for (uint64_t& ns : communication.ns) {
    uint8_t width = read_width(in, widest_time);
    if (width > 0) ns = number_of({width, read_below(in, bits_of_sums)}, bits_of_sums);
  }
  return communication;
}

void read_first_version(ByteReader& in, const std::vector<Timing*>& timings) {
  for (Timing* t : timings) {
    if (!in.ok()) return;
    t->gap = Histogram::read(in);
    t->duration = Histogram::read(in);
  }
}

}  // namespace

void write_timings(ByteWriter& out, const std::vector<Node>& nodes) {
  std::vector<const Timing*> timings;
  gather_timings(nodes, timings);
  write_histograms(out, timings);
  uint64_t skipped = 0;
  for (const Timing* t : timings) {
    if (t->communication.empty()) {
      ++skipped;
      continue;
    }
    out.varint(skipped);
    write_communication(out, t->communication);
    skipped = 0;
  }
}

void read_timings(ByteReader& in, uint32_t version, std::vector<Node>& nodes) {
  std::vector<Timing*> timings;
  gather_timings(nodes, timings);
  if (version == 1)
    read_first_version(in, timings);
  else
    read_histograms(in, timings);
  for (size_t at = 0; in.ok() && in.left() > 0; ++at) {
    uint64_t skipped = in.varint();
    if (skipped >= timings.size() - at) return in.fail("communication of an unknown event");
    at += skipped;
    timings[at]->communication = version == 1 ? Communication::read(in) : read_communication(in);
  }
}

}  // namespace refrain::format
