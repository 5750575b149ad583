// Recorder's text, one file per rank (recorder2text):
//
//   0.0012 0.0013 pwrite 0 0 ( /a/b 0x55d2 4096 0 )
//
// start, end, function, depth of the call, kind of the function, arguments. Recorder writes names of files
// where programs gave descriptors, and no results: transfers are taken to have moved all that was asked for.
// Functions of HDF5 stand there with addresses in place of their arguments, and can't be made again; the
// calls of MPI-IO and of the system below them are then the outermost that are known.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "api/names.hpp"
#include "exchange/free_slots.hpp"
#include "exchange/importers.hpp"
#include "exchange/input_lines.hpp"
#include "exchange/trace_builder.hpp"
#include "trace/notes.hpp"
#include "trace/text.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

/// What stands at a place of Recorder's arguments, by letter:
///   n name of a file whose descriptor the call takes      p path          f flags, by value
///   m MPI file, by Recorder's name of it                  # number        - nothing of a trace
///   z bytes of a buffer                                   w word: a mode of fopen, MPI_SEEK_SET
//   v bytes of all buffers of a vector                    l length of a text, with the zero behind it
///   c count of elements, whose type stands behind it      t that type
///   g communicator
struct RecorderRow {
  std::string_view function, arguments;
  bool opens = false, closes = false;
};
constexpr std::array recorder_rows{
    RecorderRow{"open", "pff", true},
    RecorderRow{"creat", "pf", true},
    RecorderRow{"close", "n", false, true},
    RecorderRow{"read", "n-z"},
    RecorderRow{"write", "n-z"},
    RecorderRow{"pread", "n-z#"},
    RecorderRow{"pwrite", "n-z#"},
    RecorderRow{"readv", "nv"},
    RecorderRow{"writev", "nv"},
    RecorderRow{"lseek", "n#f"},
    RecorderRow{"access", "pf"},
    RecorderRow{"truncate", "p#"},
    RecorderRow{"fsync", "n"},
    RecorderRow{"fdatasync", "n"},
    RecorderRow{"ftruncate", "n#"},
    RecorderRow{"unlink", "p"},
    RecorderRow{"remove", "p"},
    RecorderRow{"rmdir", "p"},
    RecorderRow{"mkdir", "pf"},
    RecorderRow{"rename", "pp"},
    RecorderRow{"fopen", "pw", true},
    RecorderRow{"fclose", "n", false, true},
    RecorderRow{"fread", "-##n"},
    RecorderRow{"fwrite", "-##n"},
    RecorderRow{"fprintf", "nl"},
    RecorderRow{"fseek", "n#f"},
    RecorderRow{"fseeko", "n#f"},
    RecorderRow{"fflush", "n"},
    RecorderRow{"MPI_Barrier", "g"},
    RecorderRow{"MPI_File_open", "gpf-m", true},
    RecorderRow{"MPI_File_close", "m", false, true},
    RecorderRow{"MPI_File_sync", "m"},
    RecorderRow{"MPI_File_set_size", "m#"},
    RecorderRow{"MPI_File_read_at", "m#-ct"},
    RecorderRow{"MPI_File_read_at_all", "m#-ct"},
    RecorderRow{"MPI_File_write_at", "m#-ct"},
    RecorderRow{"MPI_File_write_at_all", "m#-ct"},
    RecorderRow{"MPI_File_read", "m-ct"},
    RecorderRow{"MPI_File_read_all", "m-ct"},
    RecorderRow{"MPI_File_write", "m-ct"},
    RecorderRow{"MPI_File_write_all", "m-ct"},
    RecorderRow{"MPI_File_seek", "m#w"},
    RecorderRow{"MPI_File_seek_shared", "m#w"},
    RecorderRow{"MPI_File_read_shared", "m-ct"},
    RecorderRow{"MPI_File_write_shared", "m-ct"},
    RecorderRow{"MPI_File_read_ordered", "m-ct"},
    RecorderRow{"MPI_File_write_ordered", "m-ct"},
};

struct TypeSize {
  std::string_view name;
  int64_t bytes;
};
constexpr std::array type_sizes{
    TypeSize{"MPI_BYTE", 1},          TypeSize{"MPI_CHAR", 1},   TypeSize{"MPI_SIGNED_CHAR", 1},
    TypeSize{"MPI_UNSIGNED_CHAR", 1}, TypeSize{"MPI_SHORT", 2},  TypeSize{"MPI_INT", 4},
    TypeSize{"MPI_UNSIGNED", 4},      TypeSize{"MPI_FLOAT", 4},  TypeSize{"MPI_LONG", 8},
    TypeSize{"MPI_UNSIGNED_LONG", 8}, TypeSize{"MPI_DOUBLE", 8}, TypeSize{"MPI_LONG_LONG", 8},
    TypeSize{"MPI_LONG_LONG_INT", 8},
};

struct RecorderCall {
  uint64_t start_ns = 0, end_ns = 0;
  const RecorderRow* row = nullptr;
  int64_t depth = 0;
  std::vector<std::string> arguments{};
  std::string place{};  ///< file and line
};

/// What all ranks of an import leave out.
struct LeftOut {
  std::map<std::string, uint64_t> functions{};
  uint64_t unknown_types = 0;
};

/// The calls of one file that can be made again, in the order of their starts.
Result<std::vector<RecorderCall>> read_recorder(const std::filesystem::path& file, LeftOut& left_out) {
  InputLines lines;
  if (Result<void> opened = lines.open(file); !opened) return tl::unexpected(opened.error());
  std::vector<RecorderCall> calls;
  Result<void> done = for_each_line(lines, [&]() -> Result<void> {
    std::vector<std::string_view> words = split_words(lines.line());
    if (words.empty()) return {};
    auto open = std::find(words.begin(), words.end(), "(");
    if (words.size() < 6 || open == words.end() || words.back() != ")" || open - words.begin() < 4)
      return lines.bad("not a line of recorder2text: START END FUNCTION DEPTH KIND ( ARGUMENTS )");
    std::optional<uint64_t> start = seconds_as_ns(words[0]), end = seconds_as_ns(words[1]);
    std::optional<int64_t> depth = decimal(words[3]);
    if (!start || !end) return lines.bad("bad time");
    if (!depth) return lines.bad("bad depth of a call");
    std::string_view name = words[2];
    if (name.ends_with("64")) name.remove_suffix(2);
    auto row = std::find_if(recorder_rows.begin(), recorder_rows.end(),
                            [&](const RecorderRow& r) { return r.function == name; });
    if (row == recorder_rows.end()) {
      constexpr size_t most_names = 4096;
      if (left_out.functions.size() < most_names) ++left_out.functions[std::string(words[2])];
      return {};
    }
    RecorderCall call{*start, *end, row, *depth, {}, lines.place()};
    call.arguments.assign(open + 1, words.end() - 1);
    calls.push_back(std::move(call));
    return {};
  });
  if (!done) return tl::unexpected(done.error());
  std::stable_sort(calls.begin(), calls.end(), [](const RecorderCall& a, const RecorderCall& b) {
    return std::pair(a.start_ns, a.depth) < std::pair(b.start_ns, b.depth);
  });
  return calls;
}

/// The calls of one rank in one stream: descriptors become slots again.
class RecorderStream {
 public:
  RecorderStream(MemberBuilder& member, std::string layer, LeftOut& left_out)
      : member_(member), layer_(std::move(layer)), left_out_(left_out) {}

  Result<void> add(const RecorderCall& call) {
    Result<void> done = add_call(call);
    if (!done) return fail(done.error().kind, done.error().message, call.place);
    return {};
  }

 private:
  struct File {
    std::vector<int64_t> slots{};  ///< those open, the latest last
    int64_t position = 0, end = 0;
  };

  Result<void> add_call(const RecorderCall& call) {
    const RecorderRow& row = *call.row;
    std::vector<Given> given;
    File* file = nullptr;
    int64_t bytes = 0, result = 0;
    for (size_t i = 0; i < row.arguments.size(); ++i) {
      if (i >= call.arguments.size()) {
        bool optional = i == 2 && row.function == "open";
        if (optional) break;
        return fail(ErrorKind::bad_input, fmt::format("{} has too few arguments", row.function));
      }
      const std::string& text = call.arguments[i];
      std::optional<int64_t> number = decimal(text);
      switch (row.arguments[i]) {
        case 'p':
          given.push_back({0, text});
          if (row.opens) file = &files_[text];
          break;
        case 'w':
          given.push_back({0, text});
          break;
        case 'g':
          // Others have names that Recorder gave them. A barrier of some ranks is left out; a file of theirs
          // is opened by each for itself.
          if (!text.starts_with("MPI_COMM_") && !row.opens) return {};
          given.push_back({0, text.starts_with("MPI_COMM_") ? text : "MPI_COMM_SELF"});
          break;
        case 'n':
        case 'm':
          file = &files_[file_name(row, call, text)];
          if (!row.opens) {
            if (Result<void> opened = ensure_open(call, *file, text); !opened) return opened;
            given.push_back({file->slots.back()});
          }
          break;
        case 't': {
          Result<bool> known = typed(given, text, bytes);
          if (!known) return tl::unexpected(known.error());
          if (!*known) return {};
          break;
        }
        case '-':
          given.push_back({0, row.function == "MPI_File_open" ? "MPI_INFO_NULL" : ""});
          break;
        default:
          if (!number) return fail(ErrorKind::bad_input, "'" + plain_name(text) + "' is no number");
          given.push_back(number_given(row.arguments[i], *number));
          if (row.arguments[i] == 'z' || row.arguments[i] == 'v') result = bytes = *number;
          if (row.arguments[i] == 'l') result = wrap_sub(*number, 1);
      }
    }
    if (row.opens && file != nullptr) result = opened(row, *file, call);
    if (row.function == "lseek" && file != nullptr) result = seek(*file, given);
    if (file != nullptr && bytes > 0) moved(row, *file, given, bytes);
    if (row.function == "fread" || row.function == "fwrite") {
      given[0].number = wrap_mul(given[1].number, given[2].number);
      result = given[2].number;
    }
    if (Result<void> done = put(row, given, result, call); !done) return done;
    if (row.closes && file != nullptr) closed(row, *file);
    return {};
  }

  /// Vectors stand there by their sum: one buffer takes their place.
  static Given number_given(char letter, int64_t number) {
    if (letter == 'v') return {.list = {number}};
    if (letter == 'l') return {};
    return {number};
  }

  /// Where the file is then, and its end, which calls of lseek go by.
  static void moved(const RecorderRow& row, File& file, const std::vector<Given>& given, int64_t bytes) {
    bool placed = row.function == "pread" || row.function == "pwrite";
    int64_t to = wrap_add(placed ? given.back().number : file.position, bytes);
    if (!placed) file.position = to;
    file.end = std::max(file.end, to);
  }

  /// Files of MPI-IO have a name that Recorder gave them, which stands last when they are opened.
  std::string file_name(const RecorderRow& row, const RecorderCall& call, const std::string& text) const {
    if (row.arguments.find('m') == row.arguments.npos) return text;
    return "MPI " + (row.opens ? call.arguments.back() : text);
  }

  /// A count of elements becomes the bytes of the buffer before it; false if nobody knows how large they are.
  Result<bool> typed(std::vector<Given>& given, const std::string& type, int64_t& bytes) {
    auto known =
        std::find_if(type_sizes.begin(), type_sizes.end(), [&](const TypeSize& t) { return t.name == type; });
    if (known == type_sizes.end()) {
      ++left_out_.unknown_types;
      return false;
    }
    int64_t count = given.back().number;
    if (count < 0 || count > (int64_t{1} << 40)) return fail(ErrorKind::bad_input, "a bad count of elements");
    bytes = count * known->bytes;
    given[given.size() - 2] = {bytes};
    given.push_back({0, type});
    return true;
  }

  FreeSlots& slots(const RecorderRow& row) {
    const api::Row* known = api::find_row(row.function);
    return free_[std::string(known->layer)];
  }

  int64_t opened(const RecorderRow& row, File& file, const RecorderCall&) {
    file.slots.push_back(slots(row).take());
    file.position = 0;
    return file.slots.back();
  }

  void closed(const RecorderRow& row, File& file) {
    slots(row).give_back(file.slots.back());
    file.slots.pop_back();
  }

  /// What was opened by a call that isn't there is opened before its first use.
  Result<void> ensure_open(const RecorderCall& call, File& file, const std::string& path) {
    if (!file.slots.empty()) return {};
    if (call.row->arguments.find('m') != std::string_view::npos)
      return fail(ErrorKind::bad_input, "the MPI file '" + plain_name(path) + "' was not opened");
    constexpr int64_t usual_mode = 0644;
    bool is_stream = call.row->function[0] == 'f' && api::find_row(call.row->function)->layer == "stdio";
    const RecorderRow opening{is_stream ? "fopen" : "open", "", true};
    std::vector<Given> given{{0, path}};
    if (is_stream)
      given.push_back({0, "r+"});
    else
      given.insert(given.end(), {{0, "O_RDWR|O_CREAT"}, {usual_mode}});
    RecorderCall made = call;
    made.end_ns = made.start_ns;
    return put(opening, given, opened(opening, file, call), made);
  }

  static int64_t seek(File& file, const std::vector<Given>& given) {
    constexpr int64_t from_start = 0, from_here = 1;
    int64_t whence = given[2].number, offset = given[1].number;
    file.position = whence == from_start  ? offset
                    : whence == from_here ? wrap_add(file.position, offset)
                                          : wrap_add(file.end, offset);
    return file.position;
  }

  Result<void> put(const RecorderRow& row, const std::vector<Given>& given, int64_t result,
                   const RecorderCall& from) {
    Result<ImportedCall> call = call_of_row(row.function, given, result);
    if (!call) return tl::unexpected(call.error());
    call->start_ns = from.start_ns;
    call->end_ns = from.end_ns;
    return member_.add(*call, 0, layer_);
  }

  MemberBuilder& member_;
  std::string layer_;
  LeftOut& left_out_;
  std::map<std::string, File> files_;
  std::map<std::string, FreeSlots> free_;
};

/// The rank in a name like "_text/007.txt"; nothing if there is none.
std::optional<int64_t> rank_of(const std::filesystem::path& file) {
  std::string stem = file.stem().string();
  if (stem.empty() || stem.find_first_not_of("0123456789") != stem.npos || stem.size() > 6) return {};
  return decimal(stem);
}

Result<Trace> recorder_rank(const std::filesystem::path& file, uint32_t rank, uint32_t ranks,
                            LeftOut& left_out) {
  Result<std::vector<RecorderCall>> calls = read_recorder(file, left_out);
  if (!calls) return tl::unexpected(calls.error());
  MemberBuilder member(Process{.ranks = RankSet::range(rank, 1), .directory = "/", .ending = Ending::exited});
  RecorderStream outer(member, "", left_out);
  LeftOut counted_already;
  std::map<std::string, std::unique_ptr<RecorderStream>> layers;
  uint64_t running_until = 0;
  int64_t running_depth = 0;
  auto is_inner = [&](const RecorderCall& c) {
    return c.start_ns < running_until && c.end_ns <= running_until && c.depth > running_depth;
  };
  std::map<std::string, bool> has_inner;
  for (const RecorderCall& call : *calls) {
    if (is_inner(call)) {
      has_inner[std::string(api::find_row(call.row->function)->layer)] = true;
      continue;
    }
    running_until = call.end_ns;
    running_depth = call.depth;
    if (Result<void> done = outer.add(call); !done) return tl::unexpected(done.error());
  }
  for (const auto& [layer, yes] : has_inner) {
    RecorderStream stream(member, layer, counted_already);
    for (const RecorderCall& call : *calls)
      if (api::find_row(call.row->function)->layer == layer)
        if (Result<void> done = stream.add(call); !done) return tl::unexpected(done.error());
  }
  Trace piece = member.finish();
  piece.nprocs = ranks;
  return piece;
}

}  // namespace

Result<Trace> import_recorder(const std::vector<std::filesystem::path>& files, const ImportOptions&) {
  LeftOut left_out;
  std::map<int64_t, std::filesystem::path> by_rank;
  for (const std::filesystem::path& file : files) {
    std::optional<int64_t> rank = rank_of(file);
    if (!rank)
      return fail(ErrorKind::usage, "its name is not that of a rank, 0.txt for instance", file.string());
    if (!by_rank.emplace(*rank, file).second)
      return fail(ErrorKind::usage, fmt::format("a second file of rank {}", *rank), file.string());
  }
  auto ranks = static_cast<uint32_t>(by_rank.rbegin()->first + 1);
  std::vector<Trace> members;
  for (const auto& [rank, file] : by_rank) {
    Result<Trace> one = recorder_rank(file, static_cast<uint32_t>(rank), ranks, left_out);
    if (!one) return one;
    members.push_back(std::move(*one));
  }
  std::vector<std::string> notes{
      "imported from Recorder, which keeps no results: transfers are taken to have moved all that was asked "
      "for, and calls to have worked"};
  if (left_out.unknown_types > 0)
    notes.push_back(fmt::format("{}{} transfers of MPI-IO with datatypes that Recorder doesn't describe",
                                missing_note, left_out.unknown_types));
  if (left_out.functions.contains("MPI_File_set_view"))
    notes.push_back(
        "where transfers through views of MPI-IO are is only known of the system calls below: Recorder "
        "doesn't "
        "describe views");
  if (!left_out.functions.empty()) notes.push_back("left out: " + counted_names(left_out.functions));
  return assemble_members(std::move(members), "Recorder", std::move(notes));
}

}  // namespace refrain::exchange
