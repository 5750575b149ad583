// See tree_member.hpp.
#include "replay/tree_member.hpp"

namespace refrain::replay {
namespace {

using trace::Step;

/// What is summed up behind the four numbers of each layer.
enum Sum : int { failures = 64, surprises, races, short_reads, bytes_missing };

int kind_of(const Step& step, const trace::Process& mine, const trace::Trace& trace,
            const trace::ProcessTree& tree) {
  switch (step.kind) {
    case Step::Kind::becomes:
      return refrain_tree_becomes;
    case Step::Kind::awaits:
      return refrain_tree_awaits;
    case Step::Kind::tells:
      return refrain_tree_tells;
    case Step::Kind::hears:
      return refrain_tree_hears;
    case Step::Kind::starts:
      break;
  }
  const trace::Process& other = trace.processes[tree.members[step.number].process];
  bool same = other.program == mine.program && other.arguments == mine.arguments;
  return same ? refrain_tree_forks : refrain_tree_starts;
}

uint64_t added(int place, uint64_t more) {
  return static_cast<uint64_t>(refrain_tree_add(place, static_cast<long long>(more)));
}

}  // namespace

TreeMember::TreeMember(const trace::Trace& trace, const trace::ProcessTree& tree, int number,
                       std::vector<std::string> words)
    : tree_(tree),
      process_(trace.processes[tree.members[static_cast<size_t>(number)].process]),
      number_(number),
      words_(std::move(words)) {
  const std::vector<Step>& steps = tree.members[static_cast<size_t>(number)].steps;
  for (const Step& step : steps)
    steps_.push_back({static_cast<long long>(step.at), kind_of(step, process_, trace, tree),
                      static_cast<int>(step.number)});
  bool becomes = !steps.empty() && steps.back().kind == Step::Kind::becomes;
  drops_streams_ = becomes || process_.ending == trace::Ending::early;
  for (std::string& word : words_) arguments_.push_back(word.data());
  arguments_.push_back(nullptr);
}

Result<void> TreeMember::begin() {
  if (is_first())
    if (const char* reason =
            refrain_tree_make(static_cast<int>(tree_.members.size()), static_cast<int>(tree_.links)))
      return fail(ErrorKind::io, std::string("what the processes share can't be made: ") + reason);
  refrain_tree_follow(steps_.data(), steps_.size(), arguments_.data());
  return {};
}

void TreeMember::attach(PlayOptions& options) {
  options.before_call = refrain_tree_call;
  options.after_calls = refrain_tree_rest;
}

bool TreeMember::sum_up(Totals& totals) {
  bool last = is_last();
  if (last) refrain_tree_wait_for_all();
  for (size_t l = 0; l < totals.layers.size(); ++l) {
    LayerTotal& layer = totals.layers[l];
    auto place = static_cast<int>(4 * l);
    layer.calls = added(place, layer.calls);
    layer.read = added(place + 1, layer.read);
    layer.written = added(place + 2, layer.written);
    layer.seconds = static_cast<double>(added(place + 3, static_cast<uint64_t>(layer.seconds * 1e9))) * 1e-9;
  }
  totals.failures = added(failures, totals.failures + (last && refrain_tree_has_failed() ? 1 : 0));
  totals.surprises = added(surprises, totals.surprises);
  totals.races = added(races, totals.races);
  totals.short_reads = added(short_reads, totals.short_reads);
  totals.bytes_missing = added(bytes_missing, totals.bytes_missing);
  totals.processes = static_cast<uint32_t>(tree_.members.size());
  totals.phases.clear();
  return last;
}

void TreeMember::change() { refrain_tree_change(); }

}  // namespace refrain::replay
