// Statements, functions and main; see program.hpp.
#include "generate/program.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "generate/c_text.hpp"
#include "generate/calls.hpp"
#include "generate/doubts_text.hpp"
#include "generate/executions.hpp"
#include "generate/inputs_text.hpp"
#include "generate/pieces.hpp"
#include "generate/refusal.hpp"
#include "generate/statements.hpp"
#include "plan/first_data.hpp"
#include "plan/levels.hpp"
#include "plan/threads.hpp"
#include "scale/at_size.hpp"
#include "trace/at_rank.hpp"
#include "trace/expression.hpp"

namespace refrain::generate {
namespace {

using trace::Node;
using trace::NodeKind;
using trace::RankSet;
using trace::Signature;

/// What is known of the time before calls, in the order in which they are printed.
struct Think {
  std::vector<Thinking> ns{};
  std::vector<trace::TimeModel> laws{};  ///< of a scale-free trace

  void add(const Node& event, const plan::Levels& levels) {
    uint64_t count = event.timing.gap.count();
    Thinking mean{count == 0 ? 0 : plan::computing_ns(event.timing) / count};
    if (levels.own.contains(&event)) mean.role = Thinking::Role::own;
    if (auto level = levels.shared.find(&event); level != levels.shared.end())
      mean = {static_cast<uint64_t>(level->second.ns), Thinking::Role::up_to};
    ns.push_back(mean);
    laws.push_back(event.time_law ? event.time_law->of(trace::TimeClass::compute) : trace::TimeModel());
  }
  void append(Think& other) {
    ns.insert(ns.end(), other.ns.begin(), other.ns.end());
    laws.insert(laws.end(), other.laws.begin(), other.laws.end());
    other = {};
  }
};

/// A body with more calls and loops than this is cut into functions, of more than that.
constexpr size_t longest_body = 40, shortest_function = 8;
/// A start-up with fewer stays with the rest.
constexpr size_t shortest_startup = 20;

size_t count_statements(const std::vector<Node>& nodes, size_t begin, size_t end) {
  size_t count = end - begin;
  for (size_t i = begin; i < end; ++i) count += count_statements(nodes[i].body, 0, nodes[i].body.size());
  return count;
}

/// Whether the text holds the name as a word of its own.
bool mentions(std::string_view text, std::string_view name) {
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

/// Where statements stand: the loops around them, and who runs them.
struct Scope {
  std::vector<LoopScope> loops{};
  const RankSet* ranks = nullptr;
  bool regular = true;
  int64_t executions = 1;  ///< at most so many
};

class StreamPrinter {
 public:
  StreamPrinter(const CallContext& context, RankText& ranks, Think& think, plan::Levels levels,
                PieceNames& names)
      : c_(context), ranks_(ranks), think_(think), levels_(std::move(levels)), names_(names) {}

  std::string constants() const { return constants_; }

  /// The function of a piece, behind those that it calls.
  std::string function(const std::vector<Node>& list, const Piece& piece, const RankSet& around) {
    function(list, piece, Scope{.ranks = &around});
    return std::exchange(functions_, {});
  }

 private:
  /// Times are known by the order in which calls stand in the text: what stands inside comes first. Returns
  /// the call of the function.
  std::string function(const std::vector<Node>& list, const Piece& piece, const Scope& scope) {
    Statements outer_lines = std::exchange(lines_, {});
    Think outer_think = std::exchange(here_, {});
    print(list, piece.begin, piece.end, scope);
    std::string text = lines_.take(), declared, passed;
    for (size_t d = 0; d < scope.loops.size(); ++d) {
      std::string name = trace::loop_variable(d);
      if (!mentions(text, name)) continue;
      declared += (declared.empty() ? "long long " : ", long long ") + name;
      passed += (passed.empty() ? "" : ", ") + name;
    }
    functions_ +=
        "\nstatic void " + piece.name + "(" + (declared.empty() ? "void" : declared) + ") {\n" + text + "}\n";
    think_.append(here_);
    lines_ = std::move(outer_lines);
    here_ = std::move(outer_think);
    return piece.name + "(" + passed + ");";
  }

  /// What stands in a loop: in functions by file, if it is long.
  void body(const std::vector<Node>& list, const Scope& scope) {
    if (count_statements(list, 0, list.size()) <= longest_body) return print(list, 0, list.size(), scope);
    for (const Piece& piece : cut(c_.trace, list, {}, names_)) {
      bool whole = piece.begin == 0 && piece.end == list.size();
      bool alone = piece.end == piece.begin + 1;  // a loop, whose body is looked at in its turn
      if (whole || alone || count_statements(list, piece.begin, piece.end) < shortest_function)
        print(list, piece.begin, piece.end, scope);
      else
        lines_.put(function(list, piece, scope));
    }
  }

  void print(const std::vector<Node>& list, size_t begin, size_t end, const Scope& scope,
             bool with_siblings = true) {
    for (size_t i = begin; i < end;) {
      size_t same = i + 1;
      while (same < end && list[same].ranks == list[i].ranks) ++same;
      Expression condition = ranks_.condition(list[i].ranks, *scope.ranks);
      if (condition.is_constant(0)) {
        i = same;
        continue;
      }
      bool some = !condition.is_constant();
      if (some) lines_.open("if (" + condition.text + ")");
      for (; i < same; ++i) {
        Place place{.loops = scope.loops,
                    .ranks = &trace::ranks_of(list[i], *scope.ranks),
                    .around = scope.ranks,
                    .siblings = with_siblings ? &list : nullptr,
                    .node = &list[i],
                    .regular = scope.regular,
                    .executions = scope.executions};
        node(place);
      }
      if (some) lines_.close();
    }
  }

  const Signature& signature(const Node& node) const { return c_.trace.signatures[node.signature]; }
  bool starts_mpi(const Node& n) const {
    return n.kind == NodeKind::event && api::traits_of(signature(n).function).has(api::Trait::starts_mpi);
  }
  bool ends_mpi(const Node& n) const {
    return n.kind == NodeKind::event && api::traits_of(signature(n).function).has(api::Trait::ends_mpi);
  }

  void node(const Place& place) {
    switch (place.node->kind) {
      case NodeKind::event:
        return event(place);
      case NodeKind::loop:
        return loop(place);
      case NodeKind::choice:
        return choice(place);
      case NodeKind::group:
        return body(place.node->body, {place.loops, place.ranks, place.regular, place.executions});
    }
  }

  /// A statement between what its values need.
  template <class Print>
  void with_upkeep(const Node& node, Print print) {
    Values::Upkeep upkeep = c_.values.take_upkeep();
    for (const std::string& line : upkeep.before) lines_.put(line);
    print();
    for (const std::string& line : upkeep.after) lines_.put(line);
    if (auto counter = c_.values.counter(node)) lines_.put("++" + *counter + ";");
  }

  void event(const Place& place) {
    std::string statement;
    try {
      statement = call_statement(c_, place);
      c_.values.keep_for_others(place);
    } catch (const Refusal& refusal) {
      throw Refusal{comment_text(signature(*place.node).function) + " can't be generated: " + refusal.reason};
    }
    here_.add(*place.node, levels_);
    if (ends_mpi(*place.node) && !place.loops.empty()) lines_.put("kernel_end();");  // before main() does
    with_upkeep(*place.node, [&] { lines_.put(statement); });
    if (starts_mpi(*place.node)) lines_.put("kernel_ranks();");
    if (starts_mpi(*place.node) && trace::has_time_laws(c_.trace)) lines_.put("estimate_times();");
    if (starts_mpi(*place.node) && has_doubts(c_.trace)) lines_.put("say_doubts();");
  }

  void loop(const Place& place) {
    Expression count = c_.values.count(place);
    const auto& body = place.node->body;
    with_upkeep(*place.node, [&] {
      Scope inside{place.loops, place.ranks, place.regular,
                   turns(place.node->count, count.range, place.executions)};
      if (count.range.within(0, 1)) {
        inside.loops.push_back(
            {constant(0), count.is_constant(1) ? std::optional(constant(1)) : std::nullopt});
        inside.regular = inside.regular && count.is_constant(1);
        if (!count.is_constant(1)) lines_.open("if (" + count.text + ")");
        this->body(body, inside);
        if (!count.is_constant(1)) lines_.close();
        return;
      }
      std::string name = trace::loop_variable(place.loops.size());
      std::string limit = count.at_least(Binding::shift), initial = "long long " + name + " = 0";
      inside.regular = inside.regular && count.is_constant();
      std::optional<Expression> trips;
      if (count.is_constant()) {
        trips = named_count(count.range.low);
        limit = trips->text;
      } else if (limit.find_first_of("([") != std::string::npos) {
        limit = name + "_end";
        initial += ", " + limit + " = " + count.text;
      }
      int64_t last = std::max<int64_t>(count.range.high, 1) - 1;
      inside.loops.push_back({variable(name, {0, last}), trips});
      lines_.open("for (" + initial + "; " + name + " < " + limit + "; ++" + name + ")");
      this->body(body, inside);
      lines_.close();
    });
  }

  /// A name for how often a loop turns, to be changed at the top of the program.
  Expression named_count(int64_t count) {
    std::string of = c_.thread == 0 ? "" : "OF" + std::to_string(c_.thread) + "_";
    std::string name = "TIMES_" + of + std::to_string(++counts_);
    constants_ += "#define " + name + " " + std::to_string(count) + "\n";
    return {name, Binding::unary, {count, count}, count <= INT32_MAX};
  }

  void choice(const Place& place) {
    Expression which = c_.values.count(place);
    const auto& arms = place.node->body;
    with_upkeep(*place.node, [&] {
      lines_.open("switch (" + which.text + ")");
      for (size_t k = 0; k < arms.size(); ++k) {
        lines_.open("case " + std::to_string(k) + ":");
        print(arms, k, k + 1,
              {place.loops, place.ranks, false,
               takings(place.node->count, static_cast<int64_t>(k), place.executions)},
              false);
        lines_.put("break;");
        lines_.close();
      }
      lines_.close();
    });
  }

  const CallContext& c_;
  RankText& ranks_;
  Think& think_;
  plan::Levels levels_;
  PieceNames& names_;
  Statements lines_;  ///< of the function that is being printed
  Think here_;        ///< of its calls
  std::string functions_;
  std::string constants_;
  size_t counts_ = 0;
};

/// Whether the program goes to another folder.
bool moves(const trace::Trace& trace) {
  return std::any_of(trace.signatures.begin(), trace.signatures.end(), [](const Signature& s) {
    return api::traits_of(s.function).has(api::Trait::enters_folder) && s.error.empty();
  });
}

/// The variables that values need, as a structure that --repeat can clear.
std::string state_text(const std::string& name, const Values& values) {
  if (values.variables().empty()) return {};
  std::string text = "static struct {\n  long long ";
  for (size_t i = 0; i < values.variables().size(); ++i) text += (i == 0 ? "" : ", ") + values.variables()[i];
  return text + ";\n} " + name + ";\n";
}

class ProgramPrinter {
 public:
  ProgramPrinter(const trace::Trace& trace, const trace::Process& process)
      : trace_(trace),
        process_(process),
        silent_(plan::silent_threads(process)),
        nprocs_(process.ranks.empty() ? 1 : trace.nprocs),  // 0: any number
        ranks_(nprocs_, tables_),
        strings_(trace.templates, tables_, moves(trace)) {
    for (const trace::Stream& stream : process.streams)
      if (stream.layer.empty()) streams_.push_back(&stream);
    for (const trace::Stream& stream : silent_) streams_.push_back(&stream);
    auto by_thread = [](const auto* a, const auto* b) { return a->thread < b->thread; };
    std::stable_sort(streams_.begin(), streams_.end(), by_thread);
    for (const auto* stream : streams_) slots_.look(trace, stream->nodes, stream->thread);
  }

  ProgramText print() {
    InputsText making = inputs();
    const trace::Stream nothing;
    const trace::Stream& main = !streams_.empty() && streams_[0]->thread == 0 ? *streams_[0] : nothing;
    std::vector<const trace::Stream*> others(streams_.begin() + (&main == &nothing ? 0 : 1), streams_.end());
    Result<plan::ThreadTimes> found = plan::thread_times(trace_, main, others);
    if (!found) throw Refusal{"this can't be generated: " + found.error().message};
    const plan::ThreadTimes& times = *found;
    std::vector<size_t> cuts;
    if (!others.empty()) cuts = {times.start, times.join};
    if (others.empty()) startup_end_ = find_startup(main);
    if (startup_end_ > 0) cuts.push_back(startup_end_);
    std::string functions;
    for (const auto* stream : others) functions += thread_function(*stream);
    std::string body = main_function(main, others, times, cuts, functions, making.calls);
    std::string text =
        section("/* What you may want to change: names of files, sizes, and how often loops turn. */\n",
                strings_.definitions() + sizes_.definitions() + constants_);
    text += section("/* Handles, by class and number. */\n", slots_.declarations());
    text += section("/* Where values depend on how often calls were made before. */\n", states_);
    text += section("", tables_.text());
    ProgramText program{.definitions = text,
                        .startup = startup_,
                        .functions = functions + making.functions + body,
                        .parallel = !process_.ranks.empty(),
                        .inputs = making.files,
                        .doubt = turns_.doubt,
                        .threads = others.size()};
    if (!file_.empty()) program.tables = file_.written();
    if (!trace_.scale_free()) program.think_ns = std::move(think_.ns);
    if (trace::has_time_laws(trace_)) program.think_laws = std::move(think_.laws);
    return program;
  }

 private:
  /// What must be there, and, on the way, which files ranks make for each other.
  InputsText inputs() {
    if (trace_.scale_free()) {
      InputLaws laws = input_laws(trace_);
      awaited_ = laws.awaited;
      races_ = laws.races;
      if (std::any_of(awaited_.begin(), awaited_.end(),
                      [](const auto& path) { return path.second == plan::Awaited::turn; }))
        turns_.doubt = "ranks hand HDF5 files on: on any number of ranks, they have them in any order";
      return inputs_text(laws, ranks_);
    }
    plan::Inputs found = plan::find_inputs(trace_, process_);
    awaited_ = found.awaited;
    turns_ = found.turns;
    if (turns_.doubt.empty()) turns_.doubt = found.changed_note();
    races_ = found.races;
    return inputs_text(found, tables_);
  }

  static std::string section(const std::string& title, const std::string& text) {
    return text.empty() ? "" : "\n" + title + text;
  }

  /// The functions of a stream's pieces.
  std::vector<std::string> pieces_of(const trace::Stream& stream, const std::vector<Piece>& pieces) {
    std::string state = stream.thread == 0 ? "at" : "at_of" + std::to_string(stream.thread);
    Values values(ranks_, tables_, state);
    CallContext context{trace_, values,   strings_, slots_, tables_,
                        sizes_, awaited_, turns_,   races_, stream.thread};
    const RankSet& around = trace::ranks_of(stream, process_);
    StreamPrinter printer(context, ranks_, think_,
                          plan::find_levels(stream.nodes, around, 0, plan::computing_ns), names_);
    std::vector<std::string> text;
    for (const Piece& piece : pieces) text.push_back(printer.function(stream.nodes, piece, around));
    constants_ += printer.constants();
    states_ += state_text(state, values);
    if (!values.variables().empty()) clears_ += "    memset(&" + state + ", 0, sizeof " + state + ");\n";
    return text;
  }

  std::string thread_function(const trace::Stream& stream) {
    std::string name = "thread_" + std::to_string(stream.thread);
    return pieces_of(stream, {{0, stream.nodes.size(), name}})[0];
  }

  std::string main_function(const trace::Stream& main, const std::vector<const trace::Stream*>& others,
                            const plan::ThreadTimes& times, const std::vector<size_t>& cuts,
                            std::string& functions, const std::string& preparing) {
    std::vector<Piece> pieces = cut(trace_, main.nodes, cuts, names_);
    std::vector<std::string> texts = pieces_of(main, pieces);
    auto init = plan::find_start(trace_, main.nodes);
    auto finalize = plan::find_call(trace_, main.nodes, api::Trait::ends_mpi);
    bool parallel = !process_.ranks.empty();
    size_t first = init ? *init + 1 : 0;
    size_t last = std::max(first, finalize ? *finalize : main.nodes.size());
    std::string before = preparing, repeated = clears_, after;
    if (parallel && !init) before += "  mpi_quietly_on();\n";
    bool all_start = init && made_by_all(main.nodes[*init]);
    bool all_end = finalize && made_by_all(main.nodes[*finalize]);
    if (parallel && !init && trace::has_time_laws(trace_)) before += "  estimate_times();\n";
    if (parallel && !init && has_doubts(trace_)) before += "  say_doubts();\n";
    bool cut_off = parallel && !ended_together(main, init, finalize);
    auto threads_at = [&](size_t node) {
      if (!others.empty() && times.start == node)
        for (const auto* stream : others) repeated += start_text(*stream);
      if (!others.empty() && times.join == node) repeated += "    join_threads();\n";
    };
    if (startup_end_ > 0) {
      before += startup_text(pieces, texts, 0, first, "start_up", "  ");
      repeated += startup_text(pieces, texts, first, startup_end_, "first_calls", "    ");
    }
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      if (piece.begin < startup_end_) continue;
      functions += texts[i];
      std::string call = piece.name + "();\n";
      if (piece.begin >= first && piece.begin < last) threads_at(piece.begin);
      if (piece.begin < first)
        before += "  " + call;
      else if (piece.begin < last)
        repeated += "    " + call;
      else
        after += "  " + call;
    }
    if (parallel && init && !all_start) before += "  mpi_quietly_on();\n";
    if (times.start >= last || main.nodes.empty()) threads_at(times.start);
    if (times.join >= last && times.join != times.start) threads_at(times.join);
    std::string text = "\nint main(int argc, char **argv) {\n" +
                       std::string(file_.empty() ? "" : "  at_start = map_tables;\n") +
                       "  kernel_begin(argc, argv, recorded_ns);\n" + before;
    if (cut_off) text += "  meet_ranks();\n";
    bool in_turns = (functions + startup_).find(" = H5_HELD(") != std::string::npos;
    text += "  for (long long turn = 0; turn < repeat; ++turn) {\n";
    text += (in_turns ? "    begin_turns(turn);\n" : "") + repeated + "  }\n";
    if (cut_off) text += "  wait_for_ranks();\n";
    text += "  kernel_end();\n";
    if (in_turns) text += "  end_turns();\n";
    if ((functions + startup_).find("abort_in_the_end(") != std::string::npos)
      text += "  abort_as_recorded();\n";
    text += after;
    if (parallel && !all_end) text += "  mpi_quietly_off();\n";
    return text + "  return exit_code();\n}\n";
  }

  /// Where a start-up ends that is long enough for a file of its own; 0 if it isn't.
  size_t find_startup(const trace::Stream& main) const {
    size_t end = plan::first_data(trace_, process_, main).value_or(0);
    auto init = plan::find_start(trace_, main.nodes);
    if (init && *init >= end) end = 0;
    return count_statements(main.nodes, 0, end) >= shortest_startup ? end : 0;
  }

  /// Puts the functions of pieces that begin in a range into the file of the start-up; what calls them.
  std::string startup_text(const std::vector<Piece>& pieces, const std::vector<std::string>& texts,
                           size_t begin, size_t end, const std::string& name, const std::string& indent) {
    std::string calls;
    size_t count = 0;
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].begin < begin || pieces[i].begin >= end) continue;
      startup_ += texts[i];
      calls += "  " + pieces[i].name + "();\n";
      ++count;
    }
    if (count <= 1) return count == 0 ? "" : indent.substr(2) + calls;
    startup_ += "\nstatic void " + name + "(void) {\n" + calls + "}\n";
    return indent + name + "();\n";
  }

  /// Whether a node is a call that every rank makes there.
  static bool made_by_all(const Node& node) { return node.kind == NodeKind::event && node.ranks.empty(); }

  /// Whether all ranks came to the end of MPI. Where its calls were not recorded, the trace says who ended
  /// early.
  bool ended_together(const trace::Stream& main, std::optional<size_t> init,
                      std::optional<size_t> finalize) const {
    if (!init) return process_.ending != trace::Ending::early && process_.ended_early.empty();
    return finalize && main.nodes[*finalize].ranks.empty();
  }

  std::string start_text(const trace::Stream& stream) {
    std::string start = "start_thread(thread_" + std::to_string(stream.thread) + ");\n";
    Expression condition = ranks_.condition(stream.ranks, process_.ranks);
    return "    " + (condition.is_constant() ? "" : "if (" + condition.text + ") ") + start;
  }

  const trace::Trace& trace_;
  const trace::Process& process_;
  std::vector<trace::Stream> silent_;
  uint32_t nprocs_;
  std::vector<const trace::Stream*> streams_;
  TableFile file_;
  Tables tables_{"table", &file_};
  RankText ranks_;
  Strings strings_;
  Slots slots_;
  Sizes sizes_;
  plan::AwaitedPaths awaited_;
  plan::TurnPlaces turns_;
  trace::Races races_;
  PieceNames names_{{"start_up", 1}, {"first_calls", 1}};
  size_t startup_end_ = 0;  ///< number of the first node of the main thread behind it
  std::string startup_;
  std::string constants_, states_, clears_;
  Think think_;
};

}  // namespace

ProgramText print_program(const trace::Trace& trace, const trace::Process& process) {
  return ProgramPrinter(trace, process).print();
}

}  // namespace refrain::generate
