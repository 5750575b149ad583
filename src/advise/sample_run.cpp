// See sample_run.hpp.
#include "advise/sample_run.hpp"

#include <algorithm>
#include <utility>

namespace refrain::advise {

using trace::Node;
using trace::NodeKind;

namespace {

constexpr size_t most_samples = 12;        ///< of a call, for each rank
constexpr size_t most_objects = 1 << 18;   ///< of all ranks together
constexpr uint64_t least_events = 20'000;  ///< that are run of a stream

/// What a property list, a dataspace or a file is asked for later.
constexpr api::Trait settings[] = {api::Trait::opens_for_ranks,    api::Trait::sets_view,
                                   api::Trait::sets_transfer_mode, api::Trait::sets_alignment,
                                   api::Trait::sets_chunks,        api::Trait::reads_together,
                                   api::Trait::writes_together,    api::Trait::selects_hyperslab};

/// Cuts loops whose trip count is the same every time.
uint64_t cut(std::vector<Node>& nodes, size_t depth) {
  constexpr int64_t most_turns[] = {16, 8, 4};
  uint64_t count = 0;
  for (Node& node : nodes) {
    bool loop = node.kind == NodeKind::loop;
    int64_t most = depth < std::size(most_turns) ? most_turns[depth] : 2;
    if (loop && node.count.is_constant() && node.count.constant_value() > most)
      node.count = trace::Value::constant(most);
    count += 1 + cut(node.body, depth + (loop ? 1 : 0));
  }
  return count;
}

}  // namespace

void SampleRun::begin(uint32_t rank) {
  rank_ = rank;
  slots_.clear();
  kept_.clear();
}

void SampleRun::run(const std::vector<Node>& nodes, const trace::Stream& stream) {
  std::vector<Node> short_tree = nodes;
  uint64_t left = least_events + 4 * cut(short_tree, 0);
  trace::Expander expander(short_tree);
  for (; left > 0; --left) {
    auto e = expander.next();
    if (e.node == nullptr || expander.idle_steps() > left) return;
    event(e, stream.thread, true);
  }
}

void SampleRun::skip(const std::vector<Node>& outer, const trace::Stream& stream, uint64_t events) {
  trace::Expander expander(outer);
  for (uint64_t done = 0; done < events && events <= least_events;) {
    auto e = expander.next();
    if (e.node == nullptr) return;
    if (!calls_[e.node->signature].signature->in_stream_of(stream.layer)) continue;
    event(e, stream.thread, false);
    ++done;
  }
}

SampleRun::Slot SampleRun::slot(const trace::Operand& operand, int64_t number, uint32_t thread) const {
  int64_t creator = operand.thread == trace::Operand::own_thread ? int64_t{thread} : operand.thread;
  return {operand.text, creator, number};
}

void SampleRun::event(const trace::Expander::Event& e, uint32_t thread, bool keep) {
  size_t number = e.node->signature;
  Call& call = calls_[number];
  Sample sample{.rank = rank_, .parameters = {e.parameters.begin(), e.parameters.end()}};
  size_t at = 0;
  for (const trace::Operand& o : call.signature->operands) {
    size_t object = none;
    if (o.kind == trace::OperandKind::slot)
      if (auto known = slots_.find(slot(o, e.parameters[at], thread)); known != slots_.end())
        object = known->second;
    if (object != none && sample.file == none) sample.file = objects_[object].file;
    sample.objects.push_back(object);
    at += o.parameters();
  }
  if (call.is(api::Trait::opens_file) && !call.failed()) {
    sample.file = file(call.signature->layer, path(call, sample));
    files_[sample.file].opened = {number, sample};
  }
  if (!call.failed() && call.rule.made) make(number, sample, thread);
  if (!call.failed()) set(call, number, sample);
  if (sample.file != none && keep) {
    files_[sample.file].ranks.insert(rank_);
    files_[sample.file].calls.insert(number);
  }
  if (keep && kept_[number]++ < most_samples) call.samples.push_back(std::move(sample));
}

void SampleRun::make(size_t number, const Sample& sample, uint32_t thread) {
  const Call& call = calls_[number];
  const trace::Operand& result = call.signature->result;
  if (objects_.size() >= most_objects || call.rule.made.parameter >= sample.parameters.size()) return;
  Object made{.file = sample.file, .made = {number, sample}};
  // A copy is as its original was.
  auto original =
      std::find_if(sample.objects.begin(), sample.objects.end(), [](size_t o) { return o != none; });
  if (original != sample.objects.end()) {
    auto place = static_cast<size_t>(original - sample.objects.begin());
    if (call.signature->operands[place].text == result.text) made.settings = objects_[*original].settings;
  }
  slots_[slot(result, sample.parameters[call.rule.made.parameter], thread)] = objects_.size();
  objects_.push_back(std::move(made));
}

void SampleRun::set(const Call& call, size_t number, const Sample& sample) {
  auto first = std::find_if(sample.objects.begin(), sample.objects.end(), [](size_t o) { return o != none; });
  if (first == sample.objects.end()) return;
  Object& object = objects_[*first];
  for (api::Trait trait : settings)
    if (call.is(trait)) object.settings[trait] = {number, sample};
  if (call.is(api::Trait::changes_selection)) object.settings.erase(api::Trait::selects_hyperslab);
}

std::string SampleRun::path(const Call& call, const Sample& sample) const {
  if (call.rule.path == measure::AccessRule::absent) return {};
  return text_at(trace_.templates, std::span(sample.parameters).subspan(call.rule.path),
                 call.rule.path_fields)
      .value_or("");
}

size_t SampleRun::file(const std::string& layer, std::string name) {
  auto [known, fresh] = file_numbers_.try_emplace({layer, name}, files_.size());
  if (fresh) files_.push_back({.layer = layer, .name = std::move(name)});
  return known->second;
}

}  // namespace refrain::advise
