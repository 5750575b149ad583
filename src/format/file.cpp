// Traces as sections: HEAD, in a scale-free trace FREE, TMPL, LIST, SIGN, PROC once each, then a TREE per
// stream in the order of PROC, then a TIME per stream, HEAT if there are heat maps, STEP if processes start
// each other, in a scale-free trace MODL if times have laws, then the end. The order is fixed, so equal
// traces are equal files.
#include "format/file.hpp"

#include <algorithm>
#include <optional>

#include "api/table.hpp"
#include "format/consistency.hpp"
#include "format/file_code.hpp"
#include "format/heat_code.hpp"
#include "format/node_code.hpp"
#include "format/section.hpp"
#include "format/timing_code.hpp"
#include "trace/long_list.hpp"
#include "trace/made_names.hpp"
#include "trace/powers_in.hpp"

namespace refrain::format {

using namespace trace;

namespace {

/// The versions of traces in which nothing stands closely: of those that aren't scale-free, of those without
/// laws of times, of those without lists whose length has a law, and of those with. Then those in which
/// something does, those with laws of names, those with powers, those with what calls make up or write that
/// differs from run to run, those that have logarithms without being scale-free, those with heat maps, and
/// those whose processes start each other.
constexpr uint32_t plain_version = 2, timeless_version = 3, listless_version = 4, free_version = 5,
                   close_version = 6, names_version = 7, powers_version = 8, contents_version = 9,
                   logarithms_version = 10, heat_version = 11;

bool has_steps(const Trace& t) {
  return std::any_of(t.processes.begin(), t.processes.end(),
                     [](const Process& p) { return !p.steps.empty(); });
}

/// Names that calls made up, or what elements of HDF5 hold.
bool has_contents(const Trace& t) {
  auto is_list = [](const Operand& o) {
    return o.kind == OperandKind::list || o.kind == OperandKind::long_list || o.kind == OperandKind::law_list;
  };
  return std::any_of(t.templates.begin(), t.templates.end(),
                     [](const Template& name) {
                       return std::any_of(name.literals.begin(), name.literals.end(), holds_made_name);
                     }) ||
         std::any_of(t.signatures.begin(), t.signatures.end(), [&](const Signature& s) {
           return api::traits_of(s.function).has(api::Trait::writes_elements) &&
                  std::any_of(s.operands.begin(), s.operands.end(), is_list);
         });
}

uint32_t version_of(const Trace& t, const Closeness& close) {
  if (has_steps(t)) return Trace::format_version;
  if (has_heat(t)) return heat_version;
  if (!t.scale_free() && has_logarithms(t)) return logarithms_version;
  if (has_contents(t)) return contents_version;
  if (has_powers(t)) return powers_version;
  if (std::any_of(t.signatures.begin(), t.signatures.end(), has_law_names)) return names_version;
  if (close.used) return close_version;
  if (!t.scale_free()) return plain_version;
  if (std::any_of(t.signatures.begin(), t.signatures.end(), has_law_lists)) return free_version;
  return has_time_laws(t) ? listless_version : timeless_version;
}

void write_strings(ByteWriter& out, const std::vector<std::string>& strings) {
  out.varint(strings.size());
  for (const std::string& s : strings) out.string(s);
}

std::string read_text(ByteReader& in) { return std::string(in.string(FileLimits::section_bytes)); }

std::vector<std::string> read_strings(ByteReader& in) {
  std::vector<std::string> strings;
  size_t n = in.count(1, "more strings than bytes");
  for (size_t i = 0; i < n && in.ok(); ++i) strings.push_back(read_text(in));
  return strings;
}

template <class T>
void write_table(ByteWriter& out, const std::vector<T>& table) {
  out.varint(table.size());
  for (const T& x : table) x.write(out);
}

template <class T>
std::vector<T> read_table(ByteReader& in, T (*read)(ByteReader&) = T::read) {
  std::vector<T> table;
  size_t n = in.count(1, "more entries than bytes");
  for (size_t i = 0; i < n && in.ok(); ++i) table.push_back(read(in));
  return table;
}

void write_head(ByteWriter& out, const Trace& t) {
  out.string(t.command);
  out.string(t.host);
  out.string(t.recorder);
  write_strings(out, t.layers);
  write_strings(out, t.notes);
  out.varint(t.nprocs);
}

void write_free(ByteWriter& out, const Trace& t) {
  out.varint(t.sizes.size());
  for (uint32_t size : t.sizes) out.varint(size);
  out.varint(t.doubts.size());
  for (const Doubt& d : t.doubts) {
    out.string(d.where);
    out.string(d.reason);
    for (const RankExpression* e : {&d.chosen, &d.other, &d.ranks}) e->write(out);
  }
}

uint32_t read_u32(ByteReader& in) {
  return static_cast<uint32_t>(in.bounded(UINT32_MAX, "number out of range"));
}

void read_head(ByteReader& in, Trace& t) {
  t.command = read_text(in);
  t.host = read_text(in);
  t.recorder = read_text(in);
  t.layers = read_strings(in);
  t.notes = read_strings(in);
  t.nprocs = read_u32(in);
}

void read_free(ByteReader& in, Trace& t) {
  size_t sizes = in.count(1, "more sizes than bytes");
  if (sizes == 0) in.fail("a scale-free trace of no runs");
  for (size_t i = 0; i < sizes && in.ok(); ++i)
    t.sizes.push_back(
        static_cast<uint32_t>(in.bounded(RankSet::most_listed, "number of ranks out of range")));
  size_t doubts = in.count(5, "more doubts than bytes");
  for (size_t i = 0; i < doubts && in.ok(); ++i) {
    Doubt& d = t.doubts.emplace_back();
    d.where = read_text(in);
    d.reason = read_text(in);
    for (RankExpression* e : {&d.chosen, &d.other, &d.ranks})
      if (in.ok()) *e = RankExpression::read(in);
  }
}

void write_loss(ByteWriter& out, const Loss& loss) {
  for (uint64_t n : {loss.no_space, loss.in_handlers, loss.abandoned, loss.unknown}) out.varint(n);
}

Loss read_loss(ByteReader& in) {
  Loss loss;
  for (uint64_t* n : {&loss.no_space, &loss.in_handlers, &loss.abandoned, &loss.unknown}) *n = in.varint();
  return loss;
}

void write_process(ByteWriter& out, const Process& p) {
  p.ranks.write(out);
  out.varint(p.pid);
  out.varint(p.parent_pid);
  out.string(p.program);
  write_strings(out, p.arguments);
  out.string(p.directory);
  out.varint(p.start_ns);
  out.varint(p.elapsed_ns);
  out.u8(static_cast<uint8_t>(p.ending));
  p.ended_early.write(out);
  write_loss(out, p.loss);
  out.varint(p.losses.size());
  for (const RankLoss& lost : p.losses) {
    out.varint(lost.rank);
    write_loss(out, lost.loss);
  }
  out.varint(p.empty_tests);
  out.varint(p.streams.size());
  for (const Stream& s : p.streams) {
    out.varint(s.thread);
    out.string(s.layer);
    s.ranks.write(out);
    s.prefix.write(out);
  }
}

std::vector<RankLoss> read_losses(ByteReader& in) {
  std::vector<RankLoss> losses;
  size_t n = in.count(5, "more losses than bytes");
  for (size_t i = 0; i < n && in.ok(); ++i) {
    auto rank = static_cast<uint32_t>(in.bounded(RankSet::max_rank, "rank out of range"));
    losses.push_back({rank, read_loss(in)});
  }
  return losses;
}

/// Version 1 knew no merged processes.
Stream read_stream(ByteReader& in, uint32_t version) {
  Stream s;
  s.thread = read_u32(in);
  s.layer = read_text(in);
  if (version == 1) {
    s.prefix = static_cast<int64_t>(in.bounded(INT64_MAX, "prefix out of range"));
    return s;
  }
  s.ranks = RankSet::read(in);
  s.prefix = Number::read(in);
  if (s.prefix.is_constant() && s.prefix.constant() < 0) in.fail("prefix out of range");
  return s;
}

Process read_process(ByteReader& in, uint32_t version) {
  Process p;
  p.ranks = RankSet::read(in);
  p.pid = read_u32(in);
  p.parent_pid = read_u32(in);
  p.program = read_text(in);
  p.arguments = read_strings(in);
  p.directory = read_text(in);
  p.start_ns = in.varint();
  p.elapsed_ns = in.varint();
  uint8_t ending = in.u8();
  if (ending > static_cast<uint8_t>(Ending::early)) in.fail("unknown ending of a process");
  p.ending = in.ok() ? static_cast<Ending>(ending) : Ending::early;
  if (version > 1) p.ended_early = RankSet::read(in);
  p.loss = read_loss(in);
  if (version > 1) {
    p.losses = read_losses(in);
    p.empty_tests = in.varint();
  }
  size_t streams = in.count(3, "more streams than bytes");
  for (size_t i = 0; i < streams && in.ok(); ++i) p.streams.push_back(read_stream(in, version));
  return p;
}

void write_steps(ByteWriter& out, const Trace& t) {
  for (const Process& p : t.processes) {
    out.varint(p.steps.size());
    uint64_t before = 0;
    for (const Step& step : p.steps) {
      out.u8(static_cast<uint8_t>(step.kind));
      out.varint(step.at - before);
      out.varint(step.number);
      before = step.at;
    }
  }
}

void read_steps(ByteReader& in, Trace& t) {
  for (Process& p : t.processes) {
    uint64_t at = 0;
    for (size_t left = in.count(3, "more steps than bytes"); left > 0 && in.ok(); --left) {
      uint8_t kind = in.u8();
      if (kind > static_cast<uint8_t>(Step::Kind::hears)) in.fail("unknown kind of step");
      at += in.bounded(Limits::trips, "step after too many calls");
      if (at > Limits::trips) in.fail("step after too many calls");
      auto number = static_cast<uint32_t>(in.bounded(UINT32_MAX, "step to what can't be"));
      if (in.ok()) p.steps.push_back({static_cast<Step::Kind>(kind), at, number});
    }
  }
}

template <class Fill>
void add_section(SectionWriter& out, std::string_view tag, Fill fill) {
  ByteWriter content;
  fill(content);
  out.add(tag, content.bytes());
}

/// The content of each stream's section.
std::vector<ByteWriter> write_trees(const Trace& t, Closeness* close) {
  std::vector<ByteWriter> trees;
  for (const Process& p : t.processes)
    for (const Stream& s : p.streams) write_nodes(trees.emplace_back(), s.nodes, close);
  return trees;
}

std::vector<uint8_t> encode_sections(const Trace& t, const Codec* codec, bool& over_limit) {
  Closeness close;
  std::vector<ByteWriter> trees = write_trees(t, codec ? &close : nullptr);
  SectionWriter out(version_of(t, close), codec);
  add_section(out, "HEAD", [&](ByteWriter& w) { write_head(w, t); });
  if (t.scale_free()) add_section(out, "FREE", [&](ByteWriter& w) { write_free(w, t); });
  add_section(out, "TMPL", [&](ByteWriter& w) { write_table(w, t.templates); });
  add_section(out, "LIST", [&](ByteWriter& w) { write_table(w, t.lists); });
  add_section(out, "SIGN", [&](ByteWriter& w) { write_table(w, t.signatures); });
  add_section(out, "PROC", [&](ByteWriter& w) {
    w.varint(t.processes.size());
    for (const Process& p : t.processes) write_process(w, p);
  });
  for (const ByteWriter& tree : trees) out.add("TREE", tree.bytes());
  for (const Process& p : t.processes)
    for (const Stream& s : p.streams)
      add_section(out, "TIME", [&](ByteWriter& w) { write_timings(w, s.nodes); });
  if (has_heat(t)) add_section(out, "HEAT", [&](ByteWriter& w) { write_heat(w, t); });
  if (has_steps(t)) add_section(out, "STEP", [&](ByteWriter& w) { write_steps(w, t); });
  if (has_time_laws(t)) add_section(out, "MODL", [&](ByteWriter& w) { write_time_laws(w, t); });
  over_limit = out.over_limit();
  return out.finish();
}

constexpr std::string_view known_tags[] = {"HEAD", "FREE", "TMPL", "LIST", "SIGN", "PROC",
                                           "TREE", "TIME", "HEAT", "STEP", "MODL", "END."};

/// Takes the sections in their order; remembers the first thing that went wrong.
class FileDecoder {
 public:
  FileDecoder(std::span<const uint8_t> bytes, const Codec* codec) : reader_(bytes, codec) {}

  Result<Trace> run() {
    auto version = reader_.open(Trace::format_version);
    if (!version) return tl::unexpected(version.error());
    section("HEAD", [&](ByteReader& in) { read_head(in, trace_); });
    if (*version > plain_version && next_is("FREE"))
      section("FREE", [&](ByteReader& in) { read_free(in, trace_); });
    section("TMPL", [&](ByteReader& in) { trace_.templates = read_table<Template>(in); });
    section("LIST", [&](ByteReader& in) { trace_.lists = read_table(in, trace::read_long_list); });
    section("SIGN", [&](ByteReader& in) { trace_.signatures = read_table<Signature>(in); });
    section("PROC", [&](ByteReader& in) { trace_.processes = read_table_of_processes(in, *version); });
    trees(*version);
    if (*version > logarithms_version && !trace_.scale_free() && next_is("HEAT"))
      section("HEAT", [&](ByteReader& in) { read_heat(in, trace_); });
    if (*version > heat_version && !trace_.scale_free() && next_is("STEP"))
      section("STEP", [&](ByteReader& in) { read_steps(in, trace_); });
    if (*version > timeless_version && trace_.scale_free() && next_is("MODL"))
      section("MODL", [&](ByteReader& in) { read_time_laws(in, trace_); });
    section(SectionReader::end_tag, [](ByteReader& in) { in.u64(); });
    if (error_.message.empty()) {
      auto consistent = check(trace_);
      if (!consistent) error_ = consistent.error();
    }
    if (!error_.message.empty()) return tl::unexpected(std::move(error_));
    return std::move(trace_);
  }

 private:
  static std::vector<Process> read_table_of_processes(ByteReader& in, uint32_t version) {
    std::vector<Process> table;
    size_t n = in.count(13, "more processes than bytes");
    for (size_t i = 0; i < n && in.ok(); ++i) table.push_back(read_process(in, version));
    return table;
  }

  void trees(uint32_t version) {
    std::vector<uint32_t> parameters;
    for (const Signature& s : trace_.signatures) parameters.push_back(s.parameters());
    for (Process& p : trace_.processes)
      for (Stream& s : p.streams)
        section("TREE", [&](ByteReader& in) { s.nodes = read_nodes(in, parameters); });
    for (Process& p : trace_.processes)
      for (Stream& s : p.streams)
        section("TIME", [&](ByteReader& in) { read_timings(in, version, s.nodes); });
  }

  /// Takes the next section, unless it was looked at already.
  const Result<Section>& ahead() {
    if (!ahead_) ahead_ = reader_.next();
    return *ahead_;
  }
  bool next_is(std::string_view tag) { return error_.message.empty() && ahead() && ahead()->tag == tag; }

  template <class Read>
  void section(std::string_view tag, Read read) {
    if (!error_.message.empty()) return;
    ahead();
    Result<Section> found = std::move(*ahead_);
    ahead_.reset();
    if (!found) {
      error_ = found.error();
      return;
    }
    if (found->tag != tag) return unexpected_tag(*found, tag);
    ByteReader in(found->content);
    read(in);
    if (in.ok() && in.left() > 0) in.fail("content continues after its end");
    if (in.ok()) return;
    error_ = {ErrorKind::bad_input,
              std::string(in.reason()) + " (at " + std::to_string(in.offset()) + " of " +
                  std::to_string(found->content.size()) + " bytes of content)",
              found->where()};
  }

  void unexpected_tag(const Section& found, std::string_view tag) {
    bool known = false;
    for (std::string_view k : known_tags) known |= k == found.tag;
    error_ = {
        ErrorKind::bad_input,
        known ? "out of place or repeated: " + std::string(tag) + " belongs here" : "unknown kind of section",
        found.where()};
  }

  SectionReader reader_;
  std::optional<Result<Section>> ahead_;
  Trace trace_;
  Error error_;
};

}  // namespace

std::vector<uint8_t> encode_with(const Trace& trace, const Codec* codec, bool& over_limit) {
  return encode_sections(trace, codec, over_limit);
}

Result<Trace> decode_with(std::span<const uint8_t> bytes, const Codec* codec) {
  return FileDecoder(bytes, codec).run();
}

std::vector<uint8_t> encode_raw(const Trace& trace) {
  bool over_limit = false;
  return encode_with(trace, nullptr, over_limit);
}

Result<Trace> decode_raw(std::span<const uint8_t> bytes) { return decode_with(bytes, nullptr); }

}  // namespace refrain::format
