// Lists of names as a trace holds them: `[MPI_INT, 2 x mpitype]`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace refrain::trace {

/// A name and how often it stands there.
struct NameRun {
  std::string name{};
  uint64_t repeats = 1;
};

/// The names one after the other, at most 65,536; an error if the text is no such list.
Result<std::vector<NameRun>> name_runs(std::string_view text);

/// Makes the text from its names, one by one or several at once.
class NameList {
 public:
  /// Lists that are printed longer are no names of a signature any more.
  static constexpr size_t longest_word = 256;

  void add(std::string_view name, uint64_t repeats = 1);
  std::string finish();

 private:
  void flush();
  std::string text_ = "[";
  NameRun last_{.repeats = 0};
};

}  // namespace refrain::trace
