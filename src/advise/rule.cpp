// What several rules need; see rule.hpp.
#include "advise/rule.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace refrain::advise {

bool matters(const View& view, uint64_t time_ns) {
  constexpr uint64_t least_ns = 1'000'000;
  return view.io_time_ns() == 0 || (time_ns >= least_ns && time_ns >= view.io_time_ns() / 100);
}

Finding finding_at(const View& view, const Call& call) {
  Finding finding;
  finding.place = view.place(call);
  finding.time_ns = call.time_ns;
  for (const Sample& sample : call.samples)
    if (sample.file != none && finding.file.empty()) finding.file = view.files()[sample.file].name;
  return finding;
}

double share_of(const View& view, const Call& call, const File& file) {
  size_t here = 0, anywhere = 0;
  for (const Sample& sample : call.samples) {
    anywhere += sample.file != none;
    here += sample.file != none && &view.files()[sample.file] == &file;
  }
  return anywhere == 0 ? 1 : static_cast<double>(here) / static_cast<double>(anywhere);
}

bool repeats_on(const View& view, const Call& call, const File& file) {
  std::set<uint32_t> ranks;
  return std::any_of(call.samples.begin(), call.samples.end(), [&](const Sample& sample) {
    bool here = sample.file != none && &view.files()[sample.file] == &file;
    return here && !ranks.insert(sample.rank).second;
  });
}

void Sum::add(const Call& call, double share) {
  auto part = [&](uint64_t n) { return static_cast<uint64_t>(std::llround(static_cast<double>(n) * share)); };
  calls += part(call.calls);
  bytes += part(call.bytes);
  time_ns += part(call.time_ns);
  if (most == nullptr || call.calls > most->calls) most = &call;
  if (slowest == nullptr || call.time_ns > slowest->time_ns) slowest = &call;
}

void Sum::limit(uint64_t most_calls) {
  if (calls <= most_calls) return;
  double part = static_cast<double>(most_calls) / static_cast<double>(calls);
  calls = most_calls;
  bytes = static_cast<uint64_t>(std::llround(static_cast<double>(bytes) * part));
  time_ns = static_cast<uint64_t>(std::llround(static_cast<double>(time_ns) * part));
}

bool opened_with(const View& view, const File& file, api::Trait trait) {
  const std::vector<size_t>& objects = file.opened.sample.objects;
  return std::any_of(objects.begin(), objects.end(), [&](size_t number) {
    return number != none && view.setting(view.objects()[number], trait) != nullptr;
  });
}

bool is_parallel(const View& view, const File& file) {
  return opened_with(view, file, api::Trait::opens_for_ranks);
}

bool is_collective(const View& view, const Call& call) {
  return std::any_of(call.samples.begin(), call.samples.end(), [&](const Sample& sample) {
    const Object* list = view.object(call, sample, "plist");
    const Object::Use* mode = list ? view.setting(*list, api::Trait::sets_transfer_mode) : nullptr;
    return mode != nullptr && view.calls()[mode->call].has_name("H5FD_MPIO_COLLECTIVE");
  });
}

bool moves_elements(const Call& call) {
  return call.moves_data() && (call.is(api::Trait::writes_elements) || call.is(api::Trait::reads_elements));
}

}  // namespace refrain::advise
