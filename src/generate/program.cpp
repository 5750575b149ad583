// Functions and main; see program.hpp.
#include "generate/program.hpp"

#include <algorithm>
#include <utility>

#include "generate/calls.hpp"
#include "generate/doubts_text.hpp"
#include "generate/inputs_text.hpp"
#include "generate/pieces.hpp"
#include "generate/refusal.hpp"
#include "generate/stream_printer.hpp"
#include "plan/first_data.hpp"
#include "plan/levels.hpp"
#include "plan/threads.hpp"
#include "scale/at_size.hpp"
#include "trace/at_rank.hpp"

namespace refrain::generate {
namespace {

using trace::Node;
using trace::NodeKind;
using trace::RankSet;
using trace::Signature;

/// A start-up with fewer calls and loops stays with the rest.
constexpr size_t shortest_startup = 20;

/// Whether the program changes its working directory.
bool moves(const trace::Trace& trace) {
  return std::any_of(trace.signatures.begin(), trace.signatures.end(), [](const Signature& s) {
    return api::traits_of(s.function).has(api::Trait::enters_folder) && s.error.empty();
  });
}

/// The variables of values, in a structure that --repeat can clear.
std::string state_text(const std::string& name, const Values& values) {
  if (values.variables().empty()) return {};
  std::string text = "static struct {\n  long long ";
  for (size_t i = 0; i < values.variables().size(); ++i) text += (i == 0 ? "" : ", ") + values.variables()[i];
  return text + ";\n} " + name + ";\n";
}

class ProgramPrinter {
 public:
  ProgramPrinter(const trace::Trace& trace, const trace::Process& process, const TreePlace* place)
      : trace_(trace),
        process_(process),
        place_(place),
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
  /// Finds the inputs, and which files ranks make for each other.
  InputsText inputs() {
    if (trace_.scale_free()) {
      InputLaws laws = input_laws(trace_);
      awaited_ = laws.awaited;
      races_ = laws.races;
      if (std::any_of(awaited_.begin(), awaited_.end(),
                      [](const auto& path) { return path.second == plan::Awaited::turn; }))
        turns_.doubt = "ranks hand files on: on any number of ranks, they have them in any order";
      add_doubt(laws.doubt);
      return inputs_text(laws, ranks_);
    }
    plan::Inputs found = plan::find_inputs(trace_, process_);
    awaited_ = found.awaited;
    turns_ = found.turns;
    races_ = found.races;
    if (place_ != nullptr) found = place_->number == 0 ? place_->inputs : plan::Inputs{};
    if (turns_.doubt.empty()) turns_.doubt = found.changed_note();
    add_doubt(found.copied_note());
    return inputs_text(found, tables_);
  }

  void add_doubt(const std::string& more) {
    if (!more.empty()) turns_.doubt += (turns_.doubt.empty() ? "" : "; ") + more;
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
    std::string text = "\n" + beginning() + std::string(file_.empty() ? "" : "  at_start = map_tables;\n") +
                       "  kernel_begin(argc, argv, recorded_ns);\n" + before;
    if (cut_off) text += "  meet_ranks();\n";
    bool in_turns = (functions + startup_).find(" HELD(") != std::string::npos;
    text += "  for (long long turn = 0; turn < repeat; ++turn) {\n";
    if (in_turns) text += parallel ? "    begin_turns(turn);\n" : "    turns_round = turn;\n";
    text += repeated + "  }\n";
    if (cut_off) text += "  wait_for_ranks();\n";
    if (place_ != nullptr) text += "  tree_rest();\n";
    text += "  kernel_end();\n";
    if (in_turns) text += "  end_turns();\n";
    if ((functions + startup_).find("abort_in_the_end(") != std::string::npos)
      text += "  abort_as_recorded();\n";
    text += after;
    bool hdf5 = (functions + startup_).find("H5(") != std::string::npos;
    if (parallel && !all_end && hdf5) text += "  h5_quietly_off();\n";
    if (parallel && !all_end) text += "  mpi_quietly_off();\n";
    if (place_ == nullptr) return text + "  return exit_code();\n}\n";
    // A process that was cut off, or left by _exit, never wrote what its streams still held.
    std::string leaving = process_.ending == trace::Ending::early ? "  _exit(tree_code(exit_code()));\n"
                                                                  : "  return tree_code(exit_code());\n";
    return text + "  tree_change();\n" + leaving + "}\n";
  }

  /// The head of main, or of the function that is the program of one process of a tree.
  std::string beginning() const {
    if (place_ == nullptr) return "int main(int argc, char **argv) {\n";
    const trace::ProcessTree& tree = place_->tree;
    const std::vector<trace::Step>& steps = tree.members[place_->number].steps;
    std::string text = "int " + process_function(place_->number) + "(int argc, char **argv) {\n";
    if (!steps.empty())
      text += "  /* What it does with other processes: after so many calls, what, with whom. */\n";
    if (!steps.empty()) text += "  static const struct tree_step steps[] = {\n";
    for (const trace::Step& step : steps)
      text += "    {" + std::to_string(step.at) + ", " + step_name(step) + ", " +
              std::to_string(step.number) + "},\n";
    if (!steps.empty()) text += "  };\n";
    return text + "  tree_begin(" + (steps.empty() ? "NULL" : "steps") + ", " + std::to_string(steps.size()) +
           ", argv, " + std::to_string(tree.members.size()) + ", " + std::to_string(tree.links) + ", " +
           (tree.is_last(place_->number) ? "1" : "0") + ");\n";
  }

  std::string step_name(const trace::Step& step) const {
    static constexpr const char* names[] = {"tree_starts", "tree_becomes", "tree_awaits", "tree_tells",
                                            "tree_hears"};
    if (step.kind != trace::Step::Kind::starts) return names[static_cast<size_t>(step.kind)];
    const trace::Process& other = trace_.processes[place_->tree.members[step.number].process];
    bool same = other.program == process_.program && other.arguments == process_.arguments;
    return same ? "tree_forks" : "tree_starts";
  }

  /// The end of the start-up if that is long enough for a file of its own; otherwise 0.
  size_t find_startup(const trace::Stream& main) const {
    size_t end = plan::first_data(trace_, process_, main).value_or(0);
    auto init = plan::find_start(trace_, main.nodes);
    if (init && *init >= end) end = 0;
    return count_statements(main.nodes, 0, end) >= shortest_startup ? end : 0;
  }

  /// Moves the functions of pieces that begin in a range into the file of the start-up. Returns the
  /// statements that call them.
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

  /// Whether all ranks reached the end of MPI. If its calls were not recorded, the trace says which ranks
  /// ended early.
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
  const TreePlace* place_;  ///< null if there is no tree
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
  size_t startup_end_ = 0;  ///< index of the first node of the main thread after it
  std::string startup_;
  std::string constants_, states_, clears_;
  ThinkTimes think_;
};

}  // namespace

std::string process_function(size_t number) { return "process_" + std::to_string(number); }

ProgramText print_program(const trace::Trace& trace, const trace::Process& process, const TreePlace* place) {
  return ProgramPrinter(trace, process, place).print();
}

}  // namespace refrain::generate
