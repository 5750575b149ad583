// First the steps are checked: a process is started once, a link has one end that tells and one that hears.
// Then processes without calls go as far as they can, one after the other:
//
//   sh  starts A, awaits A           A has no calls: sh itself stays
//   A   becomes B                    B takes A's place: sh starts B, awaits B
//   B   calls of its own
//
// and sh, which does nothing but start B and await it, gives its place to B as well. A process without calls
// stays where its steps order others: it starts two processes, or reads from a pipe before it starts one. In
// the end the steps are gone through as if the processes ran, to see that nobody waits for ever.
#include "trace/process_tree.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "trace/text.hpp"

namespace refrain::trace {
namespace {

constexpr size_t nobody = SIZE_MAX;
using StepKind = Step::Kind;

bool names_process(const Step& step) { return step.kind <= StepKind::awaits; }
bool begets(const Step& step) { return step.kind <= StepKind::becomes; }

class TreeBuilder {
 public:
  explicit TreeBuilder(const Trace& trace) : trace_(trace), nodes_(trace.processes.size()) {}

  Result<ProcessTree> build() {
    for (size_t p = 0; p < nodes_.size(); ++p) {
      if (!trace_.processes[p].ranks.empty())
        return fail(ErrorKind::limit, "some of its processes are ranks of a parallel job");
      nodes_[p] = {trace_.processes[p].steps, is_idle(trace_.processes[p])};
    }
    if (Result<void> good = check(); !good) return tl::unexpected(good.error());
    reduce();
    size_t root = nobody;
    for (size_t p = 0; p < nodes_.size(); ++p) {
      if (nodes_[p].gone || nodes_[p].parent != nobody) continue;
      if (root != nobody) return fail(ErrorKind::limit, "who started process " + named(p) + " isn't known");
      root = p;
    }
    if (root == nobody) return fail(ErrorKind::limit, "it holds no calls");
    ProcessTree tree = numbered(root);
    if (size_t stuck = stuck_at(tree); stuck != nobody)
      return fail(ErrorKind::bad_input,
                  "process " + named(tree.members[stuck].process) + " waits for what comes after it");
    return tree;
  }

 private:
  struct Node {
    std::vector<Step> steps{};
    bool idle = false;
    bool gone = false;
    size_t parent = nobody;  ///< who starts it, or becomes it
  };

  std::string named(size_t p) const {
    std::string_view program = trace_.processes[p].program;
    return std::to_string(p) + " " + quoted(program.substr(program.rfind('/') + 1));
  }

  Result<void> check() {
    std::map<uint32_t, std::pair<int, int>> links;  // times told and heard
    for (size_t p = 0; p < nodes_.size(); ++p)
      for (const Step& step : nodes_[p].steps) {
        bool last = &step == &nodes_[p].steps.back();
        if (!names_process(step)) {
          auto& [told, heard] = links[step.number];
          ++(step.kind == StepKind::tells ? told : heard);
          continue;
        }
        if (step.number >= nodes_.size() || step.number == p || (step.kind == StepKind::becomes && !last))
          return wrong(p);
        if (!begets(step)) continue;
        if (nodes_[step.number].parent != nobody) return wrong(p);
        nodes_[step.number].parent = p;
      }
    for (size_t p = 0; p < nodes_.size(); ++p)
      for (const Step& step : nodes_[p].steps)
        if (step.kind == StepKind::awaits && !has_child(p, step.number)) return wrong(p);
    for (const auto& [number, ends] : links)
      if (ends != std::pair(1, 1))
        return fail(ErrorKind::bad_input,
                    "link " + std::to_string(number) + " between processes has no two ends");
    return {};
  }
  /// It started the process itself, or as one of the programs that it was before.
  bool has_child(size_t p, size_t child) const {
    for (size_t steps = 0; steps < nodes_.size() && p != nobody; ++steps) {
      if (nodes_[child].parent == p) return true;
      size_t before = nodes_[p].parent;
      if (before == nobody || nodes_[before].steps.back().kind != StepKind::becomes ||
          nodes_[before].steps.back().number != p)
        return false;
      p = before;
    }
    return false;
  }
  /// Calls `change` with the steps of a process and of the programs that it becomes.
  template <class Change>
  void for_image(size_t p, Change change) {
    for (size_t left = nodes_.size(); p != nobody && left > 0; --left) {
      std::vector<Step>& steps = nodes_[p].steps;
      size_t next = !steps.empty() && steps.back().kind == StepKind::becomes ? steps.back().number : nobody;
      change(steps);
      p = next;
    }
  }
  Result<void> wrong(size_t p) const {
    return fail(ErrorKind::bad_input, "the steps of process " + named(p) + " contradict each other");
  }

  void reduce() {
    std::vector<size_t> work(nodes_.size());
    for (size_t p = 0; p < work.size(); ++p) work[p] = p;
    while (!work.empty()) {
      size_t p = work.back();
      work.pop_back();
      Node& node = nodes_[p];
      if (node.gone || !node.idle) continue;
      size_t parent = node.parent;
      bool changed = node.steps.empty() ? drop(p) : give_place(p);
      if (changed && parent != nobody) work.push_back(parent);
    }
  }

  /// Nobody notices that the process isn't there.
  bool drop(size_t p) {
    if (nodes_[p].parent == nobody && alone(p)) return false;
    nodes_[p].gone = true;
    for_image(nodes_[p].parent, [&](std::vector<Step>& steps) {
      std::erase_if(steps, [&](const Step& step) { return names_process(step) && step.number == p; });
    });
    return true;
  }
  bool alone(size_t p) const {
    return std::all_of(nodes_.begin(), nodes_.end(),
                       [&](const Node& n) { return n.gone || &n == &nodes_[p]; });
  }

  /// The process that it becomes, or starts without doing anything else, takes its place.
  bool give_place(size_t p) {
    std::vector<Step>& steps = nodes_[p].steps;
    bool becomes = steps.back().kind == StepKind::becomes;
    bool only_starts = steps[0].kind == StepKind::starts &&
                       (steps.size() == 1 || (steps.size() == 2 && steps[1].kind == StepKind::awaits));
    if (!becomes && !only_starts) return false;
    bool awaits = becomes || steps.size() == 2;
    size_t heir = becomes ? steps.back().number : steps[0].number;
    Node& next = nodes_[heir];
    if (becomes) {
      steps.pop_back();
      for (const Step& step : steps)
        if (begets(step)) nodes_[step.number].parent = heir;
      for (Step& step : steps) step.at = 0;
      next.steps.insert(next.steps.begin(), steps.begin(), steps.end());
    }
    next.parent = nodes_[p].parent;
    nodes_[p].gone = true;
    for_image(next.parent, [&](std::vector<Step>& above) {
      for (Step& step : above)
        if (names_process(step) && step.number == p) step.number = static_cast<uint32_t>(heir);
      if (awaits) return;
      std::erase_if(above,
                    [&](const Step& step) { return step.kind == StepKind::awaits && step.number == heir; });
    });
    return true;
  }

  /// Members in the order in which a walk over the tree meets them.
  ProcessTree numbered(size_t root) const {
    ProcessTree tree;
    std::map<size_t, uint32_t> members;
    std::vector<size_t> ahead{root};
    while (!ahead.empty()) {
      size_t p = ahead.back();
      ahead.pop_back();
      members.emplace(p, static_cast<uint32_t>(tree.members.size()));
      tree.members.push_back({p, nodes_[p].steps});
      for (auto step = nodes_[p].steps.rbegin(); step != nodes_[p].steps.rend(); ++step)
        if (begets(*step)) ahead.push_back(step->number);
    }
    std::map<uint32_t, uint32_t> links;
    for (ProcessTree::Member& member : tree.members)
      for (Step& step : member.steps)
        step.number = names_process(step) ? members.at(step.number)
                                          : links.emplace(step.number, links.size()).first->second;
    tree.links = static_cast<uint32_t>(links.size());
    return tree;
  }

  /// A member whose next step is never due, if there is one.
  static size_t stuck_at(const ProcessTree& tree) {
    std::vector<size_t> at(tree.members.size());
    std::vector<bool> started(tree.members.size()), told(tree.links);
    started[0] = true;
    auto over = [&](size_t m) {
      while (at[m] == tree.members[m].steps.size()) {
        if (tree.members[m].steps.empty() || tree.members[m].steps.back().kind != StepKind::becomes)
          return true;
        m = tree.members[m].steps.back().number;
      }
      return false;
    };
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t m = 0; m < at.size(); ++m)
        for (const auto& steps = tree.members[m].steps; started[m] && at[m] < steps.size(); moved = true) {
          const Step& step = steps[at[m]];
          if (step.kind == StepKind::awaits && !over(step.number)) break;
          if (step.kind == StepKind::hears && !told[step.number]) break;
          if (step.kind == StepKind::tells) told[step.number] = true;
          if (begets(step)) started[step.number] = true;
          ++at[m];
        }
    }
    for (size_t m = 0; m < at.size(); ++m)
      if (at[m] < tree.members[m].steps.size()) return m;
    return nobody;
  }

  const Trace& trace_;
  std::vector<Node> nodes_;
};

}  // namespace

bool ProcessTree::is_last(size_t member) const {
  size_t last = 0;
  while (!members[last].steps.empty() && members[last].steps.back().kind == StepKind::becomes)
    last = members[last].steps.back().number;
  return last == member;
}

bool is_idle(const Process& process) {
  return process.loss.total() == 0 &&
         std::all_of(process.streams.begin(), process.streams.end(),
                     [](const Stream& s) { return s.nodes.empty() && s.prefix == 0; });
}

Result<ProcessTree> process_tree(const Trace& trace) { return TreeBuilder(trace).build(); }

}  // namespace refrain::trace
