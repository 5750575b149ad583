// See replay_processes.hpp.
#include "cli/replay_processes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace refrain::cli {

std::vector<std::string> own_words(const std::string& file) {
  std::vector<std::string> words;
  std::ifstream own("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(own, word, '\0');)
    words.push_back(word == file ? std::filesystem::absolute(file).string() : word);
  return words;
}

Result<plan::Chosen> choose_for_replay(const trace::Trace& trace, const ReplayChoice& choice) {
  if (!choice.one_layer)
    if (auto possible = plan::check_repeatable(trace); !possible) return tl::unexpected(possible.error());
  Result<plan::Chosen> chosen = plan::choose_processes(trace, choice.process, choice.rank);
  if (!chosen) return chosen;
  if (chosen->tree && (choice.one_layer || choice.repeats))
    return fail(
        ErrorKind::usage,
        fmt::format("several processes are replayed together once, and with all their layers: choose one "
                    "with --process for --{}",
                    choice.repeats ? "repeat" : "layer"));
  size_t members = chosen->tree ? chosen->tree->members.size() : 1;
  if (choice.tree_number < 0 || static_cast<size_t>(choice.tree_number) >= members)
    return fail(ErrorKind::usage, "REFRAIN_TREE names a process that the trace doesn't have");
  return chosen;
}

plan::Inputs inputs_of(const trace::Trace& trace, const plan::Chosen& chosen, int tree_number) {
  if (!chosen.tree) return plan::find_inputs(trace, trace.processes[chosen.process]);
  if (tree_number > 0) return {};
  std::vector<const trace::Process*> all;
  for (const trace::ProcessTree::Member& member : chosen.tree->members)
    all.push_back(&trace.processes[member.process]);
  return plan::find_inputs(trace, all);
}

}  // namespace refrain::cli
