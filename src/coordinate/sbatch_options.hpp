// sbatch's command line and its lines in a script, as far as `refrain submit` has to understand them: where
// the options end and the script begins, and how many ranks the job will have.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::coordinate {

/// How many words the option takes that stands at `at`, itself included. 0 if there is none: the script.
size_t option_words(const std::vector<std::string>& words, size_t at);

struct SbatchLine {
  std::vector<std::string> options{};
  std::vector<std::string> script{};  ///< and its arguments; empty if it comes from standard input
};
SbatchLine split_sbatch_line(const std::vector<std::string>& words);

/// Options by their long names without dashes, the last value of each; a flag has an empty one.
using OptionValues = std::map<std::string, std::string>;
OptionValues option_values(const std::vector<std::string>& options);

/// The words of the script's #SBATCH lines.
std::vector<std::string> script_options(std::string_view script);

/// The number of ranks these options ask for: --ntasks, or --nodes times --ntasks-per-node. Nothing if they
/// don't say.
std::optional<uint32_t> ranks_asked(const OptionValues& values);

}  // namespace refrain::coordinate
