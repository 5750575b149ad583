// The view of one process; see view.hpp. Trees are copied once, with the number of the call in the place of
// each signature, so that what a single rank runs of them (at_rank) leads back to the calls.
#include "advise/view.hpp"

#include <algorithm>

#include "advise/sample_run.hpp"
#include "advise/totals.hpp"
#include "trace/at_rank.hpp"
#include "trace/text.hpp"

namespace refrain::advise {

using trace::Node;
using trace::NodeKind;
using trace::RankSet;

bool Call::has_name(std::string_view name) const {
  return std::any_of(signature->operands.begin(), signature->operands.end(), [&](const trace::Operand& o) {
    return o.kind == trace::OperandKind::name && o.text == name;
  });
}

bool Call::moves_attribute() const {
  auto is_attribute = [](const trace::Operand& o) {
    return o.kind == trace::OperandKind::slot && o.text == "attribute";
  };
  return in_group("attribute") ||
         std::any_of(signature->operands.begin(), signature->operands.end(), is_attribute);
}

class ViewBuilder {
 public:
  explicit ViewBuilder(View& view) : view_(view), rules_(measure::access_rules(view.trace_.signatures)) {}

  void run() {
    for (const trace::Stream& s : view_.process_.streams) {
      view_.streams_.push_back({&s, trace::ranks_of(s, view_.process_)});
      trees_.push_back(s.nodes);
      collect(s.nodes, trees_.back(), view_.streams_.back().ranks);
    }
    Totals totals(view_.calls_, view_.bytes_by_rank_);
    for (size_t i = 0; i < trees_.size(); ++i)
      totals.add(trees_[i], view_.streams_[i].ranks, view_.streams_[i].stream->layer.empty());
    SampleRun samples(view_.trace_, view_.calls_, view_.objects_, view_.files_);
    for (uint32_t rank : witnesses()) run_rank(samples, rank);
    view_.complete_ = totals.complete();
    for (Call& call : view_.calls_) settle(call);
  }

 private:
  /// Makes calls of the events, and has the copies of these be numbered.
  void collect(const std::vector<Node>& nodes, std::vector<Node>& copies, const RankSet& around) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = nodes[i];
      const RankSet& ranks = trace::ranks_of(node, around);
      if (!node.ranks.empty()) fronts_.insert(node.ranks.first());
      path_.push_back(static_cast<uint32_t>(i));
      if (node.kind == NodeKind::event)
        copies[i].signature = add(node, ranks);
      else
        collect(node.body, copies[i].body, ranks);
      path_.pop_back();
    }
  }

  uint32_t add(const Node& node, const RankSet& ranks) {
    Call& call = view_.calls_.emplace_back();
    call.stream = view_.streams_.size() - 1;
    call.node = &node;
    call.signature = &view_.trace_.signatures[node.signature];
    call.row = api::find_row(call.signature->function);
    call.rule = rules_[node.signature];
    call.path = path_;
    call.ranks = std::max<uint64_t>(1, ranks.size());
    call.time_ns = node.timing.duration.sum_ns();
    return static_cast<uint32_t>(view_.calls_.size() - 1);
  }

  /// Ranks that differ, as far as that shows without running them: the first two, one in the middle, the
  /// last, and the first of those that do something of their own.
  std::set<uint32_t> witnesses() const {
    constexpr size_t most = 10;
    const RankSet& ranks = view_.process_.ranks;
    if (ranks.empty()) return {0};
    uint64_t n = ranks.size();
    std::set<uint32_t> out;
    for (uint64_t k : {uint64_t{0}, uint64_t{1}, n / 2, n - 1})
      if (k < n) out.insert(ranks.at(k));
    for (uint32_t rank : fronts_)
      if (out.size() < most) out.insert(rank);
    return out;
  }

  void run_rank(SampleRun& samples, uint32_t rank) {
    std::vector<std::vector<Node>> plain;
    for (size_t i = 0; i < trees_.size(); ++i)
      plain.push_back(at_rank(trees_[i], view_.streams_[i].ranks, rank));
    samples.begin(rank);
    for (size_t i = 0; i < trees_.size(); ++i) {
      const trace::Stream& s = *view_.streams_[i].stream;
      auto place = view_.streams_[i].ranks.position(rank);
      int64_t prefix = s.prefix.at(rank, place.value_or(0));
      if (prefix > 0)
        for (size_t o = 0; o < trees_.size(); ++o)
          if (const trace::Stream& outer = *view_.streams_[o].stream;
              outer.layer.empty() && outer.thread == s.thread)
            samples.skip(plain[o], s, static_cast<uint64_t>(prefix));
      samples.run(plain[i], s);
    }
  }

  /// What could not be summed is estimated by its samples.
  void settle(Call& call) {
    if (call.calls == 0) call.calls = call.node->timing.duration.count();
    if (view_.outer(call) && api::layer_named(call.signature->layer).has_files)
      view_.io_time_ns_ += call.time_ns;
    if (!call.moves_data() || call.bytes > 0 || call.samples.empty()) return;
    double sum = 0;
    for (const Sample& s : call.samples)
      for (uint32_t i = 0; i < call.rule.byte_parameters; ++i)
        sum += static_cast<double>(s.parameters[call.rule.bytes + i]);
    call.bytes = static_cast<uint64_t>(
        std::max(0.0, sum / static_cast<double>(call.samples.size()) * static_cast<double>(call.calls)));
  }

  View& view_;
  std::vector<measure::AccessRule> rules_;
  std::vector<std::vector<Node>> trees_;  ///< of the streams, numbered
  std::vector<uint32_t> path_;
  std::set<uint32_t> fronts_;  ///< first ranks of nodes that only some run
};

View::View(const trace::Trace& trace, size_t process, FileCalls* file_calls)
    : trace_(trace), number_(process), process_(trace.processes[process]), file_calls_(file_calls) {
  ViewBuilder(*this).run();
}

uint64_t View::most_calls_on(const File& file) const {
  std::optional<uint64_t> calls = file_calls_ ? file_calls_->on(file.name, process_.directory) : std::nullopt;
  return calls.value_or(UINT64_MAX);
}

Place View::place(const Call& call) const {
  constexpr size_t longest = 200;
  const StreamView& s = streams_[call.stream];
  Place out{number_, s.stream->thread, s.stream->layer, call.path, {}};
  const std::vector<Node>* list = &s.stream->nodes;
  const RankSet* around = &s.ranks;
  size_t loops = 0;
  for (uint32_t i : call.path) {
    const Node& node = (*list)[i];
    std::string line = trace::node_text(trace_, *list, node, *around, loops);
    if (line.size() > longest) line = line.substr(0, longest) + "...";
    if (node.kind != NodeKind::group) out.lines.push_back(std::move(line));
    loops += node.kind == NodeKind::loop ? 1 : 0;
    around = &trace::ranks_of(node, *around);
    list = &node.body;
  }
  return out;
}

const Object* View::object(const Call& call, const Sample& sample, std::string_view handle_class) const {
  for (size_t i = 0; i < sample.objects.size(); ++i)
    if (sample.objects[i] != none && call.signature->operands[i].text == handle_class)
      return &objects_[sample.objects[i]];
  return nullptr;
}

const Object::Use* View::setting(const Object& object, api::Trait trait) const {
  auto found = object.settings.find(trait);
  return found == object.settings.end() ? nullptr : &found->second;
}

}  // namespace refrain::advise
