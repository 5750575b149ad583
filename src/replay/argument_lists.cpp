// Lists among the arguments of a call; see arguments.hpp.
#include <fmt/format.h>
#include <sys/uio.h>

#include <algorithm>
#include <iterator>

#include "api/names.hpp"
#include "plan/expand_names.hpp"
#include "plan/list_lengths.hpp"
#include "replay/argument_words.hpp"
#include "replay/async_requests.hpp"
#include "replay/library_facts.hpp"
#include "replay/replay_error.hpp"
#include "trace/text.hpp"

namespace refrain::replay {
namespace {

using trace::OperandKind;

uint64_t address_of(const void* p) { return reinterpret_cast<uint64_t>(p); }
uint64_t unsigned_of(int64_t v) { return static_cast<uint64_t>(v); }

}  // namespace

Arguments::GivenArgument Arguments::member(const GivenArgument& g, size_t k) const {
  GivenArgument one = g;
  one.count = 1;
  for (; k > 0; --k) one.parameter += operand(one).parameters(), ++one.first;
  return one;
}

std::vector<int64_t> Arguments::numbers(const GivenArgument& g) const {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::list) {
    auto first = parameters_.begin() + static_cast<std::ptrdiff_t>(g.parameter);
    return {first, first + o.width};
  }
  if (o.kind != OperandKind::long_list) return {};
  auto index = unsigned_of(parameters_[g.parameter]);
  if (index >= stage_.trace.lists.size()) throw ReplayError{"a list that the trace doesn't hold"};
  return stage_.trace.lists[index].expand();
}

uint64_t Arguments::vector(const GivenArgument& g) {
  if (operand(g).kind == OperandKind::name) return 8;  // unreadable, when it was recorded
  std::vector<int64_t> sizes = numbers(g);
  uint64_t all = 0;
  for (int64_t n : sizes) all += n > 0 ? std::min<uint64_t>(unsigned_of(n), Buffers::max_bytes) : 0;
  bool fills = api::facts_of(g.argument->kind).fills;
  char* at = fills ? stage_.buffers.to_read(all) : stage_.buffers.to_write(all);
  auto* pieces = stage_.buffers.list<iovec>(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    pieces[i] = {at, unsigned_of(std::max<int64_t>(sizes[i], 0))};
    at += pieces[i].iov_len;
  }
  return address_of(pieces);
}

uint64_t Arguments::list(const GivenArgument& g, size_t element_bytes) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::name) {
    if (o.text == "NULL") return 0;
    if (o.text == "MPI_UNWEIGHTED" || o.text == "MPI_WEIGHTS_EMPTY")
      return mpi_weights(stage_.libraries, o.text);
    throw ReplayError{"a list that was too long to be kept"};
  }
  std::vector<int64_t> values = numbers(g);
  if (g.argument->kind == Kind::distribution_arguments)
    std::replace(values.begin(), values.end(), int64_t{api::default_distribution_argument},
                 int64_t{stage_.libraries.mpi().default_argument});
  char* at = stage_.buffers.scratch(values.size() * element_bytes);
  for (size_t i = 0; i < values.size(); ++i) memcpy(at + i * element_bytes, &values[i], element_bytes);
  return address_of(at);
}

/// How many elements an argument has that is a list of numbers; nothing if it is none.
std::optional<uint64_t> Arguments::elements(const GivenArgument& g) const {
  if (g.count == 0) return std::nullopt;
  const Operand& o = operand(g);
  if (o.kind == OperandKind::list) return o.width;
  if (o.kind != OperandKind::long_list) return std::nullopt;
  auto index = unsigned_of(parameters_[g.parameter]);
  if (index >= stage_.trace.lists.size()) throw ReplayError{"a list that the trace doesn't hold"};
  return stage_.trace.lists[index].size();
}

/// The length is that of the first list that follows. Lists of the same length must have it: the library
/// takes as many elements of them, whatever a trace says.
uint64_t Arguments::list_length(const GivenArgument& g) {
  std::optional<uint64_t> length;
  for (const GivenArgument* other = &g + 1; other != plan_.arguments.data() + plan_.arguments.size();
       ++other) {
    if (other->form == Form::list_length) break;
    bool names_something = other->form == Form::handle_list || other->form == Form::name_list;
    std::optional<uint64_t> here = names_something ? names(*other).size() : elements(*other);
    if (!here) continue;
    if (other->form == Form::range_list) *here /= 3;
    if (!length) length = here;
    if (*here != *length && plan::has_common_length(other->argument->kind))
      throw ReplayError{"takes lists of different lengths"};
  }
  return length.value_or(0);
}

/// The list is a word of the signature or, if it is long, a string.
std::vector<std::string> Arguments::names(const GivenArgument& g) {
  auto names = plan::names_of(operand(g).kind == OperandKind::text ? string(g) : operand(g).text);
  if (!names) throw ReplayError{names.error().message};
  return std::move(*names);
}

/// Handles one behind the other, as the library has them in memory.
uint64_t Arguments::handles_in_memory(api::HandleClass c, const std::vector<uint64_t>& handles) {
  size_t bytes = stage_.libraries.handle_bytes(c);
  char* at = stage_.buffers.scratch(handles.size() * bytes);
  for (size_t i = 0; i < handles.size(); ++i) memcpy(at + i * bytes, &handles[i], bytes);
  return address_of(at);
}

/// The library takes as many elements of every list as the first one has, whatever a trace says of the
/// others.
void Arguments::need_length_of_lists(size_t length) {
  for (const GivenArgument& other : plan_.arguments)
    if (other.form == Form::handle_list && names(other).size() != length)
      throw ReplayError{"takes lists of different lengths"};
}

/// Datatypes or info objects: names of predefined ones, then the slots of the others.
uint64_t Arguments::handle_list(const GivenArgument& g) {
  auto names = this->names(g);
  need_length_of_lists(names.size());
  api::HandleClass c = api::facts_of(g.argument->kind).handle;
  std::string_view own = api::facts_of(c).name;
  std::vector<uint64_t> handles;
  std::vector<int64_t> numbers_of_slots = numbers(member(g, 1));
  size_t next = 0;
  for (const std::string& name : names) {
    if (name != own) {
      handles.push_back(stage_.libraries.predefined(name));
      continue;
    }
    if (next == numbers_of_slots.size()) throw ReplayError{"a list of handles that can't be read"};
    handles.push_back(
        stage_.handles.shelf(own, stage_.thread).get(numbers_of_slots[next++], Handles::If::open));
  }
  return handles_in_memory(c, handles);
}

uint64_t Arguments::name_list(const GivenArgument& g) {
  auto names = this->names(g);
  int* values = stage_.buffers.list<int>(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    auto value = api::value_of(g.argument->kind, names[i]);
    if (!value) throw ReplayError{fmt::format("the unknown name {}", trace::plain_name(names[i]))};
    values[i] = static_cast<int>(library_value(g.argument->kind, *value));
  }
  return address_of(values);
}

uint64_t Arguments::request_list(const GivenArgument& g) {
  std::vector<uint64_t> handles;
  Handles::Shelf& shelf = stage_.handles.shelf("request", stage_.thread);
  for (int64_t slot : numbers(g))
    handles.push_back(slot < 0 ? stage_.libraries.predefined("MPI_REQUEST_NULL")
                               : shelf.get(slot, Handles::If::open));
  return handles_in_memory(api::HandleClass::request, handles);
}

uint64_t Arguments::aio_list(const GivenArgument& g) {
  std::vector<int64_t> slots = numbers(g);
  auto* words = stage_.buffers.list<uint64_t>(slots.size());
  Handles::Shelf& shelf = stage_.handles.shelf("aio", stage_.thread);
  for (size_t i = 0; i < slots.size(); ++i)
    words[i] = slots[i] < 0 ? 0 : shelf.get(slots[i], Handles::If::open);
  return address_of(words);
}

/// Requests that the call starts: their slots, descriptors, operations, sizes and offsets.
uint64_t Arguments::started_list(const GivenArgument& g) {
  std::vector<int64_t> part[5];
  for (size_t k = 0; k < std::size(part); ++k) part[k] = numbers(member(g, k));
  const auto& [slots, files, operations, sizes, offsets] = part;
  for (const auto& p : part)
    if (p.size() != slots.size()) throw ReplayError{"takes a list of requests that can't be read"};
  auto** list = stage_.buffers.list<aiocb*>(slots.size() + 1);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] < 0) continue;
    aiocb* request = list[i] = new_async_request(slots[i]);
    auto bytes = Buffers::bytes_of(1, unsigned_of(std::max<int64_t>(sizes[i], 0)));
    uint64_t file = files[i] < 0 ? ~uint64_t{0}
                                 : stage_.handles.shelf("fd", stage_.thread).get(files[i], Handles::If::open);
    request->aio_fildes = static_cast<int>(file);
    request->aio_lio_opcode = static_cast<int>(operations[i]);
    request->aio_buf =
        operations[i] == LIO_READ ? stage_.buffers.to_read(bytes) : stage_.buffers.to_write(bytes);
    request->aio_nbytes = bytes;
    request->aio_offset = offsets[i];
    stage_.handles.shelf("aio", stage_.thread).put(slots[i], address_of(request));
  }
  return address_of(list);
}

/// Descriptors by their slots.
uint64_t Arguments::descriptor_list(const GivenArgument& g) {
  std::vector<int64_t> slots = numbers(g);
  int* files = stage_.buffers.list<int>(slots.size() + 1);
  for (size_t i = 0; i < slots.size(); ++i)
    files[i] =
        slots[i] < 0
            ? -1
            : static_cast<int>(stage_.handles.shelf("fd", stage_.thread).get(slots[i], Handles::If::open));
  return address_of(files);
}

/// Settings for each file of an HDF5 driver with several files.
uint64_t Arguments::driver_members(const GivenArgument& g) {
  if (g.count == 1 && operand(g).kind == OperandKind::name) return 0;
  if (g.argument->kind == Kind::h5_multi_map) return list(g, 4);
  if (g.argument->kind == Kind::h5_multi_offsets) return list(g, 8);
  auto* words = stage_.buffers.list<uint64_t>(g.count);
  for (size_t k = 0; k < g.count; ++k) {
    GivenArgument one = member(g, k);
    bool is_text = operand(one).kind == OperandKind::text;
    if (g.argument->kind == Kind::h5_multi_plists)
      words[k] = library_handle(one);
    else
      words[k] = is_text ? address_of(stage_.buffers.text(extension(one))) : 0;
  }
  return address_of(words);
}

uint64_t Arguments::made_ids(const GivenArgument& g) {
  if (g.count == 1 && operand(g).text == "NULL") return 0;
  auto* words = stage_.buffers.list<uint64_t>(std::max<size_t>(g.count, 16));
  for (size_t k = 0; k < g.count; ++k) {
    GivenArgument one = member(g, k);
    if (homes_[one.first].shelf != nullptr)
      pending_.push_back({homes_[one.first].shelf, parameters_[one.parameter], words + k});
  }
  return address_of(words);
}

}  // namespace refrain::replay
