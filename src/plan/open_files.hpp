// What a thread's handles stand for, and what its calls on them show about the files behind: positions, how
// far a file was read and written, lines, entries of folders. FileFacts, one per file, keeps the findings.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "measure/access_rule.hpp"
#include "plan/arguments.hpp"
#include "plan/file_facts.hpp"
#include "plan/open_file.hpp"

namespace refrain::plan {

/// A call that succeeded.
struct FileCall {
  const CallPlan& plan;
  const measure::AccessRule& rule;
  api::Traits traits;
  const trace::Signature& signature;
  uint32_t number = 0;  ///< of the signature
  std::span<const int64_t> parameters;
  Actor actor = FileFacts::nobody;

  bool is(api::Trait trait) const { return traits.has(trait); }
  int64_t result() const { return parameters[plan.result_parameter]; }
  /// The value of the argument `length`, which the call must have.
  uint64_t length() const;
};

class OpenFiles {
 public:
  explicit OpenFiles(std::map<std::string, FileFacts>& files) : files_(files) {}
  void begin_rank() { left_open_.clear(); }
  void begin_thread(int32_t thread);

  /// The file of a handle; null if it isn't known. For a handle of another thread: the file that it had last.
  std::shared_ptr<OpenFile> find(const trace::Operand& o, int64_t slot) const;
  /// `opened`: the file that the call names by its path, or nothing.
  void take(const FileCall& call, const std::string& opened);

  std::string current{};  ///< folder in which the program is

 private:
  using Handles = std::map<std::tuple<int32_t, std::string, int64_t>,
                           std::shared_ptr<OpenFile>>;  ///< by thread, class and number

  std::shared_ptr<OpenFile> find(const FileCall& call, std::string_view argument) const;
  void keep(const FileCall& call, std::shared_ptr<OpenFile> file);
  FileFacts& facts(const OpenFile& file) { return files_[file.path]; }
  bool reach(const FileCall& call, const OpenFile& file, int64_t end);

  void copied(const FileCall& call, const GivenArgument& from);
  void seek(const FileCall& call, OpenFile& file);
  void data(const FileCall& call, OpenFile& file, size_t operand);
  void read(const FileCall& call, OpenFile& file, int64_t begin, int64_t bytes, size_t operand);
  void scanned(const FileCall& call, OpenFile& file);
  void asynchronous(const FileCall& call);
  void list(const FileCall& call, OpenFile& file);
  void other(const FileCall& call, OpenFile& file);

  std::map<std::string, FileFacts>& files_;
  Handles handles_{};    ///< of the thread that is looked at
  Handles left_open_{};  ///< of all threads of the rank, each as it was last
  std::map<int64_t, std::pair<std::shared_ptr<OpenFile>, int64_t>> requests_{};  ///< with their offsets
  int32_t thread_ = 0;
};

}  // namespace refrain::plan
