// Which file a call works on, as measure::NamedFiles has it, and where in it. Positions follow from the calls
// as far as they tell them; a view of MPI-IO, a shared file pointer or a selection of HDF5 hides them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "exchange/call_walk.hpp"
#include "measure/access_rule.hpp"
#include "measure/named_files.hpp"

namespace refrain::exchange {

/// What calls of a signature do to files.
struct CallFacts {
  measure::AccessRule rule{};
  measure::FileRule file{};
  const trace::Operand* handle = nullptr;  ///< that the call works on; null: none
  const trace::Operand* made = nullptr;    ///< the new one
  bool opens = false;
  bool closes = false;
  bool is_data = false;
  bool moves_together = false;
  bool is_barrier = false;  ///< of all ranks
  bool sets_view = false;
  bool asks_about_file = false;
  bool settles = false;           ///< fsync and the like
  bool tells_place = false;       ///< data: offset or position count bytes, unless there is a view
  bool marks_lists = false;       ///< makes a property list ask for collective transfers
  std::vector<uint32_t> lists{};  ///< parameters that are property lists
};

/// By signature. The trace must outlive them.
std::vector<CallFacts> call_facts(const trace::Trace& trace);

/// The files of a trace, numbered in the order in which they are met.
class FileTable {
 public:
  static constexpr size_t most_files = 4'000'000;
  struct File {
    std::string path{};
    uint64_t id = 0;  ///< the same in every export of any trace: a hash of the path, never 0
  };
  size_t number(const std::string& path);
  const File& operator[](size_t number) const { return files_[number]; }
  size_t size() const { return files_.size(); }
  bool is_full() const { return files_.size() >= most_files; }

 private:
  std::vector<File> files_;
  std::unordered_map<std::string, size_t> by_path_;
};

/// The identifier of a file in formats that number files: 63 bits, never 0.
uint64_t file_id(std::string_view path);

struct Access {
  enum class Kind : uint8_t { other, open, close, read, write, barrier };
  Kind kind = Kind::other;
  std::optional<size_t> file{};     ///< number in the table, if the call works on one
  std::optional<int64_t> offset{};  ///< read, write: first byte, if it is known
  uint64_t bytes = 0;               ///< read, write
  bool together = false;            ///< read, write: collective
  bool is_data() const { return kind == Kind::read || kind == Kind::write; }
};

/// For the calls of one member, in order.
class FileTracker {
 public:
  /// A member of this process.
  FileTracker(const trace::Trace& trace, const trace::Process& process, const std::vector<CallFacts>& facts,
              FileTable& files);
  Access call(const Call& call);

 private:
  using Key = std::tuple<std::string_view, uint32_t, int64_t>;  ///< class, thread that made it, slot
  struct Handle {
    size_t position = 0;  ///< number of the position, which copies of a descriptor share
    bool appends = false;
    bool has_view = false;
    bool was_opened = false;  ///< by a call that opens a file; copies and objects are not
  };
  Key key(const trace::Operand& operand, uint32_t parameter, const Call& call) const;
  std::optional<size_t> file(const CallFacts& facts, const Call& call);
  Handle& handle(const CallFacts& facts, const Call& call);
  Handle opened();
  void open(const CallFacts& facts, const Call& call);
  void share(const CallFacts& facts, const Call& call);
  void seek(const CallFacts& facts, const Call& call, size_t file);
  void transfer(const CallFacts& facts, const Call& call, Access& access);

  const std::vector<CallFacts>& facts_;
  FileTable& files_;
  measure::NamedFiles names_;
  std::vector<size_t> numbers_;  ///< in the table, of the files that have names
  std::map<Key, Handle> handles_;
  std::vector<int64_t> positions_;
  std::unordered_map<size_t, int64_t> ends_;    ///< of files, as far as this member knows
  std::unordered_map<int64_t, bool> together_;  ///< property lists
};

}  // namespace refrain::exchange
