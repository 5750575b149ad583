// Selections that cut through the chunks of a dataset.
#include <optional>

#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace crossed_chunks_rule {

constexpr uint64_t least_calls = 2;

using Numbers = std::vector<int64_t>;

/// The lists among the arguments of a call, in their order; nothing stands for an argument that is none.
std::vector<std::optional<Numbers>> lists_of(const Call& call, const Sample& sample) {
  std::vector<std::optional<Numbers>> lists;
  size_t at = 0;
  for (const trace::Operand& o : call.signature->operands) {
    if (o.kind == trace::OperandKind::list)
      lists.emplace_back(Numbers(sample.parameters.begin() + static_cast<std::ptrdiff_t>(at),
                                 sample.parameters.begin() + static_cast<std::ptrdiff_t>(at + o.width)));
    else if (o.kind == trace::OperandKind::name)
      lists.emplace_back(std::nullopt);
    at += o.parameters();
  }
  return lists;
}

/// The chunks of the dataset that a transfer works on.
std::optional<Numbers> chunks_of(const View& view, const Call& call, const Sample& sample) {
  const Object* dataset = view.object(call, sample, "dataset");
  if (dataset == nullptr || dataset->made.call == none) return {};
  for (size_t number : dataset->made.sample.objects) {
    if (number == none) continue;
    const Object::Use* chunks = view.setting(view.objects()[number], api::Trait::sets_chunks);
    if (chunks == nullptr) continue;
    for (auto& list : lists_of(view.calls()[chunks->call], chunks->sample))
      if (list) return list;
  }
  return {};
}

/// Whether a selection begins or ends inside a chunk.
bool crosses(const View& view, const Call& call, const Sample& sample) {
  auto chunks = chunks_of(view, call, sample);
  if (!chunks) return false;
  // The last dataspace among the arguments is the one in the file.
  const Object* space = nullptr;
  for (size_t i = 0; i < sample.objects.size(); ++i)
    if (sample.objects[i] != none && call.signature->operands[i].text == "space")
      space = &view.objects()[sample.objects[i]];
  const Object::Use* selection = space ? view.setting(*space, api::Trait::selects_hyperslab) : nullptr;
  if (selection == nullptr) return false;
  auto lists = lists_of(view.calls()[selection->call], selection->sample);
  if (lists.size() < 5 || !lists[1] || !lists[3]) return false;  // the first is the operation
  const Numbers &start = *lists[1], &count = *lists[3];
  if (start.size() != chunks->size() || count.size() != chunks->size()) return false;
  for (size_t d = 0; d < start.size(); ++d)
    if ((*chunks)[d] > 0 && start[d] % (*chunks)[d] != 0) return true;
  return false;
}

void check(const View& view, Findings& findings) {
  for (const Call& call : view.calls()) {
    if (!view.outer(call) || !moves_elements(call) || call.calls < least_calls || call.samples.empty())
      continue;
    uint64_t crossing = 0;
    for (const Sample& sample : call.samples) crossing += crosses(view, call, sample) ? 1 : 0;
    double share = 100.0 * static_cast<double>(crossing) / static_cast<double>(call.samples.size());
    if (share < 25 || !matters(view, call.time_ns)) continue;
    Finding finding = finding_at(view, call);
    finding.title = "selections begin inside chunks";
    finding.figures = {
        {"calls", call.calls}, {"that cross chunks", share, "%"}, {"mean size", call.mean_bytes(), "B"}};
    finding.cost = "a chunk is read, changed and written again by each access, or by several ranks in turn";
    finding.change = "choose chunks (H5Pset_chunk) of which each rank's part is a multiple";
    findings.push_back(std::move(finding));
  }
}

}  // namespace crossed_chunks_rule
}  // namespace

const Rule crossed_chunks{"crossed-chunks", "selections that cut through the chunks of a dataset",
                          crossed_chunks_rule::check};

}  // namespace refrain::advise
