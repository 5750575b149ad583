#include "plan/threads.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "api/table.hpp"

namespace refrain::plan {
namespace {

using trace::Node;
using trace::NodeKind;
using trace::Operand;
using trace::OperandKind;
using trace::Signature;
using trace::Trace;

using Handle = std::pair<std::string, int64_t>;  ///< class and slot; -1: the slot is computed

/// Files by template, handles of the main thread by slot.
struct Things {
  std::set<int64_t> made_files{}, used_files{};
  std::set<Handle> made{}, used{}, closed{};
};

bool makes_file(const Signature& s) {
  const api::Row* row = api::find_row(s.function);
  bool makes_up = row != nullptr && !row->arguments.empty() && row->arguments[0].kind == api::Kind::made_path;
  if (makes_up || (row != nullptr && row->is(api::Trait::makes_file) && !row->is(api::Trait::makes_symlink)))
    return true;
  for (const Operand& o : s.operands)
    if (o.kind == OperandKind::name &&
        (o.text.find("_CREAT") != std::string::npos || o.text.starts_with("w")))
      return true;
  return false;
}

void look(const Trace& trace, const Node& node, bool main, Things& things) {
  for (const Node& inner : node.body) look(trace, inner, main, things);
  if (node.kind != NodeKind::event) return;
  const Signature& s = trace.signatures[node.signature];
  if (!s.error.empty()) return;
  size_t at = 0;
  auto one = [&](const Operand& o, bool result) {
    const trace::Value* v = o.parameters() > 0 ? &node.parameters[at] : nullptr;
    at += o.parameters();
    if (v == nullptr) return;
    int64_t number = v->is_constant() ? v->constant_value() : -1;
    if (o.kind == OperandKind::text) (makes_file(s) ? things.made_files : things.used_files).insert(number);
    bool of_main = main ? o.thread == Operand::own_thread : o.thread == 0;
    if (o.kind != OperandKind::slot || !of_main) return;
    auto& set = result ? things.made : s.bracket == trace::Bracket::closes ? things.closed : things.used;
    set.insert({o.text, number});
  };
  for (const Operand& o : s.operands) one(o, false);
  one(s.result, true);
}

template <class T>
bool meet(const std::set<T>& a, const std::set<T>& b) {
  return std::any_of(a.begin(), a.end(), [&](const T& x) { return b.count(x) > 0; });
}

}  // namespace

std::optional<size_t> find_call(const Trace& trace, const std::vector<Node>& nodes, api::Trait trait) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].kind == NodeKind::event &&
        api::traits_of(trace.signatures[nodes[i].signature].function).has(trait))
      return i;
    if (find_call(trace, nodes[i].body, trait)) return i;
  }
  return {};
}

std::optional<size_t> find_start(const Trace& trace, const std::vector<Node>& nodes) {
  for (size_t i = nodes.size(); i-- > 0;)
    if (find_call(trace, {nodes[i]}, api::Trait::starts_mpi)) return i;
  return {};
}

Result<ThreadTimes> thread_times(const Trace& trace, const trace::Stream& main,
                                 const std::vector<const trace::Stream*>& others) {
  Things needed;
  for (const trace::Stream* stream : others)
    for (const Node& node : stream->nodes) look(trace, node, false, needed);
  needed.used.insert(needed.closed.begin(), needed.closed.end());
  ThreadTimes times{0, main.nodes.size()};
  if (auto init = find_start(trace, main.nodes)) times.start = *init + 1;
  std::set<int64_t> files;
  std::set<Handle> handles;
  for (size_t i = 0; i < main.nodes.size(); ++i) {
    Things here;
    look(trace, main.nodes[i], true, here);
    auto news = [&](const auto& made, const auto& wanted, auto& before) {
      bool found = false;
      for (const auto& x : made) found |= wanted.count(x) > 0 && before.insert(x).second;
      return found;
    };
    bool first = news(here.made_files, needed.used_files, files);
    first |= news(here.made, needed.used, handles);
    if (first) times.start = std::max(times.start, i + 1);
  }
  for (size_t i = times.start; i < main.nodes.size() && i < times.join; ++i) {
    Things here;
    look(trace, main.nodes[i], true, here);
    bool ends = meet(here.closed, needed.used) || meet(here.used_files, needed.made_files) ||
                find_call(trace, {main.nodes[i]}, api::Trait::ends_mpi);
    if (ends) times.join = i;
  }
  for (size_t i = 0; i < times.start; ++i) {
    Things here;
    look(trace, main.nodes[i], true, here);
    if (meet(here.closed, needed.used) && meet(here.made, needed.used))
      return fail(ErrorKind::limit, "threads use what the main thread opens and closes in one loop");
  }
  return times;
}

std::vector<trace::Stream> silent_threads(const trace::Process& process) {
  constexpr uint32_t most = 1024;
  std::set<uint32_t> seen{0};
  for (const trace::Stream& stream : process.streams) seen.insert(stream.thread);
  std::vector<trace::Stream> silent;
  for (uint32_t thread = 1; thread < std::min(*seen.rbegin(), most); ++thread)
    if (seen.count(thread) == 0) silent.push_back({.thread = thread});
  return silent;
}

}  // namespace refrain::plan
