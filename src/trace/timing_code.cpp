// Times as bytes; see timing_code.hpp. Numbers of one meaning stand together, where they compress best.
#include "trace/timing_code.hpp"

#include <bit>
#include <cmath>

namespace refrain::trace {
namespace {

using Moments = Histogram::Moments;

/// The timings of all events, in the order of the tree.
template <class Nodes, class TimingPointer>
void gather_timings(Nodes& nodes, std::vector<TimingPointer>& out) {
  for (auto& node : nodes) {
    if (node.kind == NodeKind::event) out.push_back(&node.timing);
    gather_timings(node.body, out);
  }
}

/// Gap and duration are measured together: their numbers hardly ever differ.
void write_histograms(ByteWriter& out, const std::vector<const Timing*>& timings) {
  std::vector<const Histogram*> histograms;
  std::vector<Moments> moments;
  for (const Timing* t : timings) {
    out.varint(t->gap.count());
    out.svarint(static_cast<int64_t>(t->duration.count() - t->gap.count()));
    for (const Histogram* h : {&t->gap, &t->duration}) {
      histograms.push_back(h);
      moments.push_back(h->moments());
    }
  }
  for (const Moments& m : moments)
    if (m.count > 0) out.varint(m.sum);
  for (const Moments& m : moments)
    if (m.count > 1) out.varint(m.min);
  for (const Moments& m : moments)
    if (m.count > 1) out.varint(m.max > m.min ? m.max - m.min : 0);
  for (const Moments& m : moments)
    if (m.count > 1) out.u64(std::bit_cast<uint64_t>(m.squares));
  for (const Histogram* h : histograms) h->write_shares(out);
}

double read_squares(ByteReader& in) {
  auto squares = std::bit_cast<double>(in.u64());
  if (!std::isfinite(squares) || squares < 0) in.fail("bad sum of squares");
  return squares;
}

void read_histograms(ByteReader& in, const std::vector<Timing*>& timings) {
  std::vector<Moments> moments;
  for (size_t i = 0; i < timings.size() && in.ok(); ++i) {
    uint64_t gaps = in.varint();
    moments.push_back({.count = gaps});
    moments.push_back({.count = gaps + static_cast<uint64_t>(in.svarint())});
  }
  for (Moments& m : moments)
    if (m.count > 0 && in.ok()) m.sum = m.min = m.max = in.varint();
  for (Moments& m : moments)
    if (m.count > 1 && in.ok()) m.min = in.varint();
  for (Moments& m : moments) {
    if (m.count <= 1 || !in.ok()) continue;
    m.max = m.min + in.varint();
    if (m.max < m.min) in.fail("bad longest time");
  }
  for (Moments& m : moments) {
    if (!in.ok()) return;
    m.squares = m.count > 1 ? read_squares(in) : static_cast<double>(m.sum) * static_cast<double>(m.sum);
  }
  for (size_t i = 0; i < timings.size() && in.ok(); ++i) {
    timings[i]->gap = Histogram::read_shares(moments[2 * i], in);
    timings[i]->duration = Histogram::read_shares(moments[2 * i + 1], in);
  }
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
    t->communication.write(out);
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
    timings[at]->communication = Communication::read(in);
  }
}

}  // namespace refrain::trace
