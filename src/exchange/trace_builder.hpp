// A trace from calls that somebody else recorded: per member of the run the calls are folded as a recorder
// would have done, then the members are merged. Calls of functions that Refrain knows get the operands that
// its recorder gives them, so that kernels and replays of an imported trace work.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/table.hpp"
#include "exchange/operand_text.hpp"
#include "fold/folder.hpp"
#include "part/heat_bins.hpp"
#include "trace/trace.hpp"

namespace refrain::exchange {

/// A call as a source tells it.
struct ImportedCall {
  std::string function{};
  std::string layer{};
  std::string error{};
  trace::Bracket bracket = trace::Bracket::neither;
  std::vector<OperandValue> arguments{};
  OperandValue result{};
  uint64_t start_ns = 0, end_ns = 0;  ///< since the process began
};

/// An argument of a call that a row describes: a number, a string, a name, or lengths of buffers.
struct Given {
  int64_t number = 0;
  std::string text{};
  int32_t thread = trace::Operand::own_thread;  ///< handles: the thread that made it
  std::vector<int64_t> list{};
};

/// The call of a row with these arguments, one for each of the row's that stands in a trace, in its order:
/// handles by their slots, data by the bytes moved, flags by their names or, if there is no text, their
/// values. `result` is a slot or a number, as the row says. An argument that is given as nothing at the end
/// is left out. Fails if the row has arguments of other kinds.
Result<ImportedCall> call_of_row(std::string_view function, const std::vector<Given>& arguments,
                                 int64_t result);

/// The calls of one member.
class MemberBuilder {
 public:
  explicit MemberBuilder(trace::Process process) : process_(std::move(process)) {}

  /// Appends a call to a stream (outer: empty layer) of a thread.
  Result<void> add(const ImportedCall& call, uint32_t thread = 0, const std::string& layer = {});
  uint64_t calls() const { return calls_; }
  trace::Process& process() { return process_; }
  /// The trace of the member; the builder is used up.
  trace::Trace finish();

 private:
  struct Stream {
    fold::Folder folder{};
    uint32_t declared = 0;
    uint64_t last_end_ns = 0;
  };
  int64_t template_number(const std::string& text, std::vector<int64_t>& fields);
  int64_t list_number(const std::vector<int64_t>& values);
  uint32_t signature_number(const trace::Signature& signature);
  trace::Operand put(const OperandValue& value, std::vector<int64_t>& parameters);
  void add_heat(const ImportedCall& call, const trace::Signature& signature, const int64_t* parameters);

  trace::Process process_;
  trace::Trace trace_;
  std::map<std::string, int64_t> templates_;  ///< by their bytes
  std::map<std::vector<int64_t>, int64_t> lists_;
  std::map<std::string, uint32_t> signatures_;  ///< by their bytes
  std::map<std::pair<uint32_t, std::string>, Stream> streams_;
  record::HeatBins heat_;
  uint64_t calls_ = 0;
};

/// "fcntl (3), ioctl (1)", for a note; cut where there are very many.
std::string counted_names(const std::map<std::string, uint64_t>& counts);

/// Members become one trace, merged over their ranks. `source` is the tool's name.
trace::Trace assemble_members(std::vector<trace::Trace> members, const std::string& source,
                              std::vector<std::string> notes);

}  // namespace refrain::exchange
