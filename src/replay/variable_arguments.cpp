// Arguments of netCDF that say which parts of variables move, and where in memory they are.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "replay/argument_words.hpp"
#include "replay/replay_error.hpp"

namespace refrain::replay {
namespace {

using trace::OperandKind;

uint64_t at_least_zero(int64_t n) { return static_cast<uint64_t>(std::max<int64_t>(n, 0)); }

/// The distance in bytes from the first to the last element of a part whose elements are not contiguous.
uint64_t span(uint64_t bytes, const std::vector<int64_t>& counts, const std::vector<int64_t>& distances) {
  uint64_t elements = 1, last = 0;
  for (size_t d = 0; d < std::min(counts.size(), distances.size()); ++d) {
    if (counts[d] <= 0) return 0;
    auto count = static_cast<uint64_t>(counts[d]);
    elements = Buffers::bytes_of(elements, count);
    last += Buffers::bytes_of(count - 1, static_cast<uint64_t>(std::llabs(distances[d])));
  }
  return Buffers::bytes_of(last + 1, bytes / elements);
}

}  // namespace

/// The argument of this kind, or null.
const Arguments::GivenArgument* Arguments::given(Kind kind) const {
  for (const GivenArgument& g : plan_.arguments)
    if (g.argument->kind == kind) return &g;
  return nullptr;
}

/// `hex:0000c03f`
uint64_t Arguments::bytes(const GivenArgument& g) {
  const std::string& text = operand(g).text;
  if (text == "NULL") return 0;
  if (operand(g).kind != OperandKind::name || !text.starts_with("hex:") || text.size() > 64)
    throw ReplayError{"a value that can't be read"};
  char* at = stage_.buffers.scratch(64);
  for (size_t i = 0; 4 + 2 * i + 1 < text.size(); ++i)
    at[i] = static_cast<char>(strtoul(text.substr(4 + 2 * i, 2).c_str(), nullptr, 16));
  return reinterpret_cast<uint64_t>(at);
}

uint64_t Arguments::variable_memory(uint64_t bytes, bool writes) {
  return reinterpret_cast<uint64_t>(writes ? stage_.buffers.numbers_to_write(bytes)
                                           : stage_.buffers.to_read(bytes));
}

uint64_t Arguments::variable_data(const GivenArgument& g) {
  const Operand& o = operand(g);
  bool writes = !api::facts_of(g.argument->kind).fills;
  auto memory = [&](uint64_t bytes) { return variable_memory(bytes, writes); };
  if (o.kind != OperandKind::sized_data) return variable_memory(0, writes);
  uint64_t moved = at_least_zero(parameters_[g.parameter]);
  if (g.count == 2 && operand(g, 1).kind != OperandKind::text)
    throw ReplayError{"a value that can't be read"};
  if (g.count == 2) return kept_value(g, moved);
  if (const GivenArgument* count = given(Kind::nc_buffer_count); count != nullptr) {
    const GivenArgument& type = *(count + 1);
    if (operand(type).text != "MPI_DATATYPE_NULL")
      return mpi_memory(static_cast<int64_t>(word(*count)), word(type), memory);
  }
  const GivenArgument *distances = given(Kind::nc_map), *counts = given(Kind::nc_count);
  bool spread = distances != nullptr && operand(*distances).kind != OperandKind::name;
  uint64_t room = Buffers::bytes_of(1, spread ? span(moved, numbers(*counts), numbers(*distances)) : moved);
  if (!writes || !may_hold_addresses(g)) return variable_memory(room, writes);
  char* zeros = stage_.buffers.to_read(room);
  memset(zeros, 0, room);
  return reinterpret_cast<uint64_t>(zeros);
}

/// Whether elements have a type that is defined in the file; these are filled with zeros.
bool Arguments::may_hold_addresses(const GivenArgument& g) {
  if (g.argument->kind != Kind::nc_own_in && g.argument->kind != Kind::nc_attribute_in) return false;
  constexpr int first_of_others = 12;  // NC_STRING
  int type = 0;
  if (const GivenArgument* said = given(Kind::nc_type); said != nullptr) {
    type = g.argument->type == "const void*" ? static_cast<int>(word(*said)) : 0;
  } else if (g.argument->kind == Kind::nc_own_in) {
    Quiet quiet;
    stage_.libraries.get<int(int, int, int*)>("nc_inq_vartype")(
        static_cast<int>(word(plan_.arguments[0])), static_cast<int>(word(plan_.arguments[1])), &type);
  }
  return type >= first_of_others;
}

/// Strings of the recorded lengths.
uint64_t Arguments::string_data(const GivenArgument& g) {
  std::vector<int64_t> lengths = numbers(member(g, 1));
  auto** list = stage_.buffers.list<char*>(lengths.size());
  int64_t longest = 0;
  for (int64_t n : lengths) longest = std::max(longest, n);
  uint64_t room = Buffers::bytes_of(1, static_cast<uint64_t>(longest) + 1);
  char* text = stage_.buffers.scratch(room);
  memset(text, 'x', room - 1);
  text[room - 1] = 0;
  for (size_t i = 0; i < lengths.size(); ++i)
    list[i] = lengths[i] < 0 ? nullptr : text + (longest - lengths[i]);
  return reinterpret_cast<uint64_t>(list);
}

uint64_t Arguments::several_data(const GivenArgument& g) {
  bool writes = !api::facts_of(g.argument->kind).fills;
  auto memory = [&](uint64_t bytes) { return variable_memory(bytes, writes); };
  std::vector<int64_t> each = numbers(member(g, 1));
  const GivenArgument* counts = given(Kind::nc_buffer_counts);
  if (counts == nullptr) need_length_of_lists(each.size());
  auto* list = stage_.buffers.list<uint64_t>(each.size());
  bool typed = counts != nullptr && operand(*counts).kind != OperandKind::name;
  std::vector<int64_t> elements = typed ? numbers(*counts) : std::vector<int64_t>{};
  auto* types = typed ? reinterpret_cast<const uint64_t*>(word(*(counts + 1))) : nullptr;
  size_t type_count = typed ? names(*(counts + 1)).size() : 0;
  for (bool grown : {false, true}) {  // the first time, memory may still move as it grows
    for (size_t i = 0; i < each.size(); ++i) {
      bool has_type = i < std::min(elements.size(), type_count) &&
                      types[i] != stage_.libraries.predefined("MPI_DATATYPE_NULL");
      bool zeros = each[i] < 0 && each[i] != INT64_MIN;  // of HDF5: elements that hold more than bytes
      uint64_t room = Buffers::bytes_of(1, at_least_zero(zeros ? -each[i] : each[i]));
      list[i] =
          has_type ? mpi_memory(elements[i], types[i], memory) : variable_memory(room, writes && !zeros);
      if (zeros && grown) memset(reinterpret_cast<void*>(list[i]), 0, room);
    }
  }
  return reinterpret_cast<uint64_t>(list);
}

/// For each of several parts, one number per dimension of the variable.
uint64_t Arguments::number_rows(const GivenArgument& g) {
  if (operand(g).kind == OperandKind::name) {
    if (operand(g).text == "NULL") return 0;
    throw ReplayError{"a part of a variable that can't be told"};
  }
  std::vector<int64_t> all = numbers(g);
  const GivenArgument* variables = given(Kind::int_list);
  std::vector<int64_t> several = variables != nullptr ? numbers(*variables) : std::vector<int64_t>{};
  size_t count = variables != nullptr ? several.size() : at_least_zero(static_cast<int64_t>(word("number")));
  if (count > all.size() + 1'000'000) throw ReplayError{"more parts of a variable than the trace holds"};
  auto* rows = stage_.buffers.list<int64_t*>(count);
  auto* numbers_of_rows = stage_.buffers.list<int64_t>(all.size());
  std::copy(all.begin(), all.end(), numbers_of_rows);
  Quiet quiet;
  auto* ask = stage_.libraries.get<int(int, int, int*)>("ncmpi_inq_varndims");
  size_t next = 0;
  for (size_t i = 0; i < count; ++i) {
    int dimensions = 0;
    auto variable =
        static_cast<int>(variables != nullptr ? several[i] : static_cast<int64_t>(word(plan_.arguments[1])));
    if (ask(static_cast<int>(word(plan_.arguments[0])), variable, &dimensions) != 0) dimensions = 0;
    if (static_cast<size_t>(dimensions) > all.size() - next)
      throw ReplayError{"a part of a variable that can't be told"};
    rows[i] = numbers_of_rows + next;
    next += static_cast<size_t>(dimensions);
  }
  return reinterpret_cast<uint64_t>(rows);
}

}  // namespace refrain::replay
