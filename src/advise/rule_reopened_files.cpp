// Files that are opened and closed around every access.
#include <map>

#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace reopened_files_rule {

constexpr uint64_t least_opens = 16, most_accesses = 2, enough_bytes = 16 * mib;

/// Whether a rank opens the same file again: samples have fewer files than openings.
bool opens_again(const Call& call) {
  std::map<std::pair<uint32_t, size_t>, uint64_t> opened;
  for (const Sample& sample : call.samples)
    if (++opened[{sample.rank, sample.file}] > 1) return true;
  return false;
}

void check(const View& view, Findings& findings) {
  for (const File& file : view.files()) {
    Sum opens = sum_of_calls(view, file, [&](const Call& call) {
      return view.outer(call) && call.is(api::Trait::opens_file) && !call.failed() &&
             !call.is(api::Trait::takes_folder) && opens_again(call);
    });
    if (opens.calls == 0 || opens.calls / opens.most->ranks < least_opens) continue;
    Sum accesses =
        sum_of_calls(view, file, [&](const Call& call) { return view.outer(call) && call.moves_data(); });
    if (accesses.calls == 0 || accesses.calls > most_accesses * opens.calls) continue;
    Sum all = sum_of_calls(view, file, [&](const Call& call) {
      return view.outer(call) && (call.in_group("open") || call.in_group("close"));
    });
    if (accesses.bytes / opens.calls >= enough_bytes || !matters(view, all.time_ns)) continue;
    Finding finding = finding_at(view, *opens.most);
    finding.file = file.name;
    finding.title = "the file is opened and closed around every access";
    finding.figures = {
        {"openings", opens.calls},
        {"accesses", accesses.calls},
        {"moved per opening", static_cast<double>(accesses.bytes) / static_cast<double>(opens.calls), "B"},
        {"time to open and close", all.time_ns, "ns"}};
    finding.time_ns = all.time_ns;
    finding.cost = "opening and closing asks the metadata server, and what was cached is given up";
    finding.change = "open the file once, before the loop, and close it after";
    findings.push_back(std::move(finding));
  }
}

}  // namespace reopened_files_rule
}  // namespace

const Rule reopened_files{"reopened-files", "files that are opened and closed around every access",
                          reopened_files_rule::check};

}  // namespace refrain::advise
