#include "plan/inputs.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "measure/access_rule.hpp"
#include "plan/arguments.hpp"
#include "plan/file_calls.hpp"
#include "plan/file_facts.hpp"
#include "plan/hdf5_inputs.hpp"
#include "plan/links.hpp"
#include "plan/netcdf_inputs.hpp"
#include "plan/open_files.hpp"
#include "plan/rank_classes.hpp"
#include "plan/shared_openings.hpp"
#include "plan/slice.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"
#include "trace/made_names.hpp"
#include "trace/path_image.hpp"

namespace refrain::plan {
namespace {

using api::Kind;
using api::Trait;
using measure::AccessRule;
using trace::OperandKind;
using trace::Signature;
using Parameters = std::span<const int64_t>;

std::string parent_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// What is known of a signature, computed once.
struct Rules {
  AccessRule access;
  std::optional<CallPlan> plan;
};

class Finder {
 public:
  explicit Finder(const trace::Trace& trace) : trace_(trace), objects_(trace), open_(files_), shared_(trace) {
    auto access = measure::access_rules(trace.signatures);
    for (size_t i = 0; i < trace.signatures.size(); ++i) {
      auto plan = plan_call(trace.signatures[i]);
      rules_.push_back({access[i], plan ? std::optional(*plan) : std::nullopt});
      traits_.push_back(api::traits_of(trace.signatures[i].function));
    }
  }

  /// Which calls can change what is found, by signature.
  std::vector<bool> matters() const {
    bool reads = false, opens_below = false, opens_objects = false, leaves = false, opens_formats = false;
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (!counts(i)) continue;
      const Signature& s = trace_.signatures[i];
      reads |= tells_size(i);
      opens_below |= is_relative(*rules_[i].plan, s);
      opens_objects |= Hdf5Inputs::opens_object(s);
      opens_formats |= opens_format(s);
      leaves |= making(s, 0) == Making::if_missing && opens_to_read(s);
    }
    std::vector<bool> out(rules_.size());
    for (size_t i = 0; i < out.size(); ++i) {
      if (!counts(i)) continue;
      const Signature& s = trace_.signatures[i];
      if (names_file(*rules_[i].plan, s) || shared_.concerns(s) || (opens_formats && limits_span(i)))
        out[i] = true;
      else if (has_objects(s))
        out[i] = opens_objects && Hdf5Inputs::concerns(s);
      else
        out[i] = (reads && (tells_size(i) || moves(rules_[i].access) || (leaves && writes(i)))) ||
                 ((reads || opens_below) && hands_on(rules_[i].access));
    }
    return out;
  }

  /// The next streams are those of another rank.
  void begin_rank(uint32_t rank) {
    open_.begin_rank();
    shared_.begin_rank();
    rank_ = rank;
  }
  /// The folder in which the next streams begin; "" is the one that the program was started in.
  void begin_in(std::string folder) { start_ = std::move(folder); }
  /// Files that libraries opened, by rank and in the order of each.
  const std::vector<Turn>& turns() const { return turns_; }
  /// False when there are more than `left` events.
  bool run(const trace::Stream& stream, uint64_t& left) {
    ++actor_;
    thread_ = static_cast<int32_t>(stream.thread);
    open_.begin_thread(thread_);
    open_.current = start_;
    spans_.clear();
    barriers_ = 0;
    objects_.begin_stream();
    trace::Expander expander(stream.nodes);
    for (auto event = expander.next(); event.node != nullptr; event = expander.next()) {
      if (left-- == 0) return false;
      take(*event.node, event.parameters);
    }
    while (!spans_.empty()) end_span(spans_.begin());
    return true;
  }

  /// `complete`: all events were run.
  Inputs finish(bool complete) {
    Inputs inputs;
    inputs.complete = complete;
    for (auto& [path, facts] : files_) {
      if (trace::holds_made_name(path)) continue;
      bool input = facts.is_input(complete);
      bool in_turns = is_opened_alone(facts) && !facts.is_open_at_once();
      if (!input) facts.await(inputs.awaited, in_turns);
      if (input && in_turns) facts.await_turns(inputs.awaited);
      facts.find_races(inputs.races, inputs.awaited);
      if (facts.is_known()) need_folder(inputs, parent_of(path));
      if (!input || path == ".") continue;
      if (facts.folder)
        inputs.folders[path] = std::max(inputs.folders[path], facts.entries);
      else
        inputs.files.push_back({path, facts.size(), facts.lines, facts.hdf5, facts.hdf5 && facts.is_changed(),
                                facts.link, facts.header, facts.names, facts.must_be_copied && !facts.hdf5});
    }
    std::erase_if(inputs.files, [&](const InputFile& f) { return inputs.folders.count(f.path) > 0; });
    for (const auto& [path, entries] : std::map(inputs.folders))
      if (auto k = files_.find(path);
          k != files_.end() && k->second.is_made() && !k->second.is_input(complete))
        inputs.folders.erase(path);
    inputs.objects =
        objects_.finish([&](const std::string& path) { return files_[path].is_input(complete); });
    return inputs;
  }

 private:
  using Effect = AccessRule::Effect;

  /// Whether calls of a signature are examined: they succeeded, or failed because a file existed or did not.
  bool counts(size_t i) const {
    const Signature& s = trace_.signatures[i];
    return rules_[i].plan && (s.error.empty() || shows_existence(s.error) || shows_absence(s.error));
  }
  /// Whether they show the size of a file or of a folder.
  bool tells_size(size_t i) const {
    const Signature& s = trace_.signatures[i];
    const AccessRule& rule = rules_[i].access;
    if (has_objects(s)) return false;
    return (rule.effect == Effect::data && !rule.writes) || concerns_folder(s) ||
           copies_file(*rules_[i].plan) ||
           (rule.effect == Effect::seek && rule.whence == AccessRule::Whence::end) ||
           traits_[i].has_any({Trait::tells_size, Trait::tells_position, Trait::scans_text});
  }
  /// Whether they change where the next read begins.
  static bool moves(const AccessRule& rule) {
    return rule.effect == Effect::seek || (rule.effect == Effect::data && rule.offset == AccessRule::absent);
  }
  /// Whether they change what is in a file.
  bool writes(size_t i) const {
    return (rules_[i].access.effect == Effect::data && rules_[i].access.writes) ||
           changes_file(trace_.signatures[i]);
  }
  static bool hands_on(const AccessRule& rule) {
    return rule.effect == Effect::open || rule.effect == Effect::share || rule.effect == Effect::close;
  }

  /// Whether each opening of the file is for one rank only. A call that also opens other files for several
  /// must not wait for its turn: the others would wait for it.
  bool is_opened_alone(const FileFacts& facts) const {
    return !facts.openings.empty() &&
           std::none_of(facts.openings.begin(), facts.openings.end(),
                        [&](const auto& argument) { return opens_together_.contains(argument); });
  }
  bool is(Trait trait) const { return traits_[signature_].has(trait); }
  /// Whether calls of a signature close the file of a library, or are barriers of all ranks.
  bool limits_span(size_t i) const {
    const Signature& s = trace_.signatures[i];
    if (traits_[i].has(Trait::closes_file)) return api::layer_named(s.layer).has_format;
    return traits_[i].has(Trait::is_barrier) && !s.operands.empty() &&
           s.operands.front().text == "MPI_COMM_WORLD";
  }
  static bool has_objects(const Signature& s) { return api::layer_named(s.layer).has_objects; }

  static void need_folder(Inputs& inputs, const std::string& folder) {
    if (!folder.empty()) inputs.folders.try_emplace(folder, 0);
  }

  std::string text(const GivenArgument& g, const Signature& s, Parameters p) const {
    const auto& o = s.operands[g.first];
    return text_at(trace_.templates, p.subspan(g.parameter), o.width).value_or("");
  }

  /// The canonical name of the file that a path argument leads to.
  std::string path(const CallPlan& plan, const GivenArgument& g, const Signature& s, Parameters p) {
    std::string folder = open_.current;
    if (const GivenArgument* at = folder_of(s, plan, g); at != nullptr) {
      auto file = open_.find(s.operands[at->first], p[at->parameter]);
      folder = file ? file->path : std::string();
    }
    std::string name = text(g, s, p);
    if (name == "<stdout>" || name == "<stderr>")
      folder.clear();  // of the recording, wherever the process is
    return links_.resolve(folder, name, follows_link(s, g));
  }

  /// The folder in which a call makes up a name must exist.
  void need_made(const std::string& folder, size_t operand) {
    if (folder.empty() || trace::holds_made_name(folder)) return;
    FileFacts& facts = files_[folder];
    facts.need(actor_, signature_, operand, Awaited::folder);
    facts.folder = true;
    facts.use(actor_);
  }

  void take(const trace::Node& node, Parameters p) {
    signature_ = node.signature;
    const Signature& s = trace_.signatures[signature_];
    const Rules& rules = rules_[signature_];
    bool in_the_way = shows_existence(s.error), missing = shows_absence(s.error);
    if (!counts(signature_)) return;
    if (has_objects(s) && s.error.empty()) objects_.take(*rules.plan, s, p);
    if (s.error.empty()) shared_.take(*rules.plan, s, thread_, p);
    if (s.error.empty() && limits_span(signature_)) limit_span(*rules.plan, s, p);
    std::string opened;
    size_t number = 0;
    for (const GivenArgument& g : rules.plan->arguments) {
      if (g.argument->kind == Kind::made_path && s.error.empty())
        need_made(parent_of(path(*rules.plan, g, s, p)), g.first);
      if (g.argument->kind != Kind::path || g.count == 0 || s.operands[g.first].kind != OperandKind::text)
        continue;
      size_t k = number++;
      if (is_link_target(*rules.plan, g)) continue;  // what it leads to need not exist
      opened = path(*rules.plan, g, s, p);
      if (opened.empty() || trace::holds_made_name(opened)) continue;  // the program makes it, under any name
      if (Contest how = contest(s, k); how != Contest::none)
        files_[opened].contend(
            {actor_, signature_, g.first, how, s.bracket == trace::Bracket::opens, !s.error.empty()});
      if (missing) continue;
      named(opened, g, in_the_way ? Making::no : making(s, k), p);
      if (!in_the_way && removes(s, k)) {
        files_[opened].remove(actor_);
        links_.remove(opened);
      }
    }
    if (!s.error.empty()) return;
    if (is(Trait::makes_symlink)) links_.make(opened, text(rules.plan->named("target"), s, p));
    FileCall call{*rules.plan, rules.access, traits_[signature_], s, signature_, p, actor_};
    bool by_path = names_file(*rules.plan, s);
    if (by_path && is(Trait::enters_folder)) open_.current = opened;
    if (by_path && is(Trait::sets_size)) files_[opened].write(actor_, call.length());
    if (!has_objects(s)) open_.take(call, opened);
  }

  /// A call with a path succeeded, or failed because the file existed.
  void named(const std::string& name, const GivenArgument& g, Making made, Parameters p) {
    const Signature& s = trace_.signatures[signature_];
    const CallPlan& plan = *rules_[signature_].plan;
    FileFacts& facts = files_[name];
    bool makes = made != Making::no;
    if (!is_relative(plan, s) && name.find(':') == std::string::npos) {
      if (std::string folder = parent_of(name); makes && !folder.empty())
        files_[folder].need(actor_, signature_, g.first, Awaited::folder);
      if (!makes) facts.need(actor_, signature_, g.first, Awaited::file);
      if (made != Making::anew && opens_to_append(s))
        facts.need(actor_, signature_, g.first, Awaited::end_of_writing);
    }
    facts.folder |= is_folder_call(s);
    makes ? facts.make(actor_, made == Making::anew) : facts.use(actor_);
    facts.hdf5 |= has_objects(s);
    if (has_objects(s)) facts.write(actor_, FileFacts::unmeasured);
    if (opens_format(s)) {
      facts.openings.insert({signature_, g.first});
      bool alone = takes_it_alone(s, g);
      facts.openers[actor_] |= alone;
      if (shared_.opens_together(plan, s, thread_, p)) opens_together_.insert({signature_, g.first});
      if (s.error.empty()) {
        turns_.push_back(
            {rank_, static_cast<uint32_t>(thread_), name, text(g, s, p), signature_, g.first, alone, makes});
        if (s.result.kind == OperandKind::slot)
          spans_[{s.result.text, p[plan.result_parameter]}] = {name, {actor_, alone, barriers_, barriers_}};
      }
    }
    if (s.error.empty() && facts.header.empty()) keep_netcdf_header(facts, trace_, plan, s, p);
    if (is(Trait::reads_symlink) && s.result.kind == OperandKind::integer)
      facts.link = static_cast<uint64_t>(std::max<int64_t>(0, p[plan.result_parameter]));
  }

  using Spans = std::map<std::pair<std::string, int64_t>, std::pair<std::string, FileFacts::Span>>;
  void end_span(Spans::iterator at) {
    FileFacts::Span& span = at->second.second;
    span.closed = barriers_;
    auto& spans = files_[at->second.first].spans;
    auto same = [&](const FileFacts::Span& s) {
      return std::tuple(s.actor, s.alone, s.opened, s.closed) ==
             std::tuple(span.actor, span.alone, span.opened, span.closed);
    };
    if (spans.empty() || !same(spans.back())) spans.push_back(span);
    spans_.erase(at);
  }
  /// The call is a barrier, or closes a file.
  void limit_span(const CallPlan& plan, const Signature& s, Parameters p) {
    if (is(Trait::is_barrier)) {
      ++barriers_;
      return;
    }
    const GivenArgument& g = plan.arguments.front();
    if (s.operands[g.first].kind != OperandKind::slot) return;
    auto found = spans_.find({s.operands[g.first].text, p[g.parameter]});
    if (found != spans_.end()) end_span(found);
  }

  const trace::Trace& trace_;
  std::vector<Rules> rules_;
  std::vector<api::Traits> traits_;  ///< of the functions, by signature
  Hdf5Inputs objects_;
  Links links_;
  std::map<std::string, FileFacts> files_;
  OpenFiles open_;
  std::string start_;
  std::vector<Turn> turns_;
  Spans spans_;            ///< files of libraries that the thread has open, by class and number of the handle
  uint64_t barriers_ = 0;  ///< of all ranks that the thread has passed
  Actor actor_ = 0;
  uint32_t rank_ = 0;
  int32_t thread_ = 0;
  uint32_t signature_ = 0;
  SharedOpenings shared_;
  std::set<std::pair<uint32_t, size_t>> opens_together_;  ///< arguments
};

}  // namespace

namespace {

/// Runs the outer streams on the ranks given; false when there are more than `events` events.
bool run_on(Finder& finder, const trace::Process& part, const std::vector<uint32_t>& ranks, uint64_t events) {
  auto run = [&](const trace::Process& alone, uint32_t rank) {
    finder.begin_rank(rank);
    return std::all_of(alone.streams.begin(), alone.streams.end(),
                       [&](const trace::Stream& stream) { return finder.run(stream, events); });
  };
  if (part.ranks.empty()) return run(part, 0);
  return std::all_of(ranks.begin(), ranks.end(),
                     [&](uint32_t rank) { return run(trace::at_rank(part, rank), rank); });
}

/// In which order ranks use the files of libraries that they hand on.
TurnPlaces find_turns(const trace::Trace& trace, const trace::Process& process, const trace::Process& part,
                      const AwaitedPaths& awaited, uint64_t events) {
  auto is_turn = [](const auto& path) { return path.second == Awaited::turn; };
  if (part.ranks.empty() || std::none_of(awaited.begin(), awaited.end(), is_turn)) return {};
  Finder all(trace);
  if (!run_on(all, part, part.ranks.expand(), events))
    return {.doubt = "the trace is too long to find out in which order ranks hand files on"};
  std::vector<Turn> turns;
  for (const Turn& t : all.turns())
    if (auto found = awaited.find({t.signature, t.operand}); found != awaited.end() && is_turn(*found))
      turns.push_back(t);
  return place_turns(trace, process, turns);
}

}  // namespace

Inputs find_inputs(const trace::Trace& trace, const trace::Process& process, uint64_t events) {
  Finder finder(trace);
  std::vector<bool> matters = finder.matters();
  trace::Process part{.ranks = process.ranks};
  for (const trace::Stream& s : process.streams)
    if (s.layer.empty())
      part.streams.push_back({.thread = s.thread, .ranks = s.ranks, .nodes = slice(s.nodes, matters)});
  std::vector<uint32_t> typical = part.ranks.empty() ? std::vector<uint32_t>() : typical_ranks(part);
  Inputs inputs = finder.finish(run_on(finder, part, typical, events));
  inputs.turns = find_turns(trace, process, part, inputs.awaited, events);
  return inputs;
}

namespace {

/// Where a process begins, as a path in the folder of the first one.
std::string folder_below(const std::string& first, const std::string& folder) {
  if (folder == first) return {};
  if (folder.size() > first.size() && folder.starts_with(first) && folder[first.size()] == '/')
    return folder.substr(first.size() + 1);
  return trace::path_image(folder);
}

}  // namespace

Inputs find_inputs(const trace::Trace& trace, const std::vector<const trace::Process*>& processes,
                   uint64_t events) {
  Finder finder(trace);
  std::vector<bool> matters = finder.matters();
  bool complete = true;
  for (const trace::Process* process : processes) {
    finder.begin_in(folder_below(processes[0]->directory, process->directory));
    trace::Process part;
    for (const trace::Stream& s : process->streams)
      if (s.layer.empty()) part.streams.push_back({.thread = s.thread, .nodes = slice(s.nodes, matters)});
    complete = complete && run_on(finder, part, {}, events);
  }
  Inputs inputs = finder.finish(complete);
  inputs.awaited.clear();  // they wait for each other as the recorded ones did
  inputs.races.clear();
  return inputs;
}

}  // namespace refrain::plan
