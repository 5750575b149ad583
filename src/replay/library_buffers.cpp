// The memory that transfers of MPI-IO and HDF5 take data from or put it into: what the libraries' own types
// say of it, because calls give elements, not bytes.
#include <algorithm>
#include <cstring>

#include "replay/argument_words.hpp"
#include "replay/hdf5_elements.hpp"
#include "replay/library_facts.hpp"
#include "replay/replay_error.hpp"

namespace refrain::replay {
namespace {

/// Large enough for a reference of any kind.
constexpr uint64_t smallest_memory = 64;

}  // namespace

uint64_t Arguments::mpi_buffer(const GivenArgument& g, bool writes) {
  auto memory = [&](uint64_t bytes) {
    const void* at = writes ? stage_.buffers.to_write(bytes) : stage_.buffers.to_read(bytes);
    return reinterpret_cast<uint64_t>(at);
  };
  if (!api::facts_of(g.argument->kind).counts_bytes) return memory(0);
  return mpi_memory(static_cast<int64_t>(word("count")), word("datatype"), memory);
}

/// Memory for elements of a datatype, whatever its lower bound and extent are.
uint64_t Arguments::mpi_memory(int64_t elements, uint64_t type,
                               const std::function<uint64_t(uint64_t)>& memory) {
  int64_t low = 0, extent = 0, true_low = 0, true_extent = 0;
  using Extent = int(uint64_t, int64_t*, int64_t*);
  {
    Quiet quiet;
    stage_.libraries.get<Extent>("MPI_Type_get_extent")(type, &low, &extent);
    stage_.libraries.get<Extent>("MPI_Type_get_true_extent")(type, &true_low, &true_extent);
  }
  auto turns = static_cast<uint64_t>(elements > 0 ? elements - 1 : 0);
  auto size = [](int64_t v) { return Buffers::bytes_of(1, static_cast<uint64_t>(std::max<int64_t>(v, 0))); };
  uint64_t ahead = Buffers::bytes_of(turns, size(extent)), back = Buffers::bytes_of(turns, size(-extent));
  uint64_t before = size(-true_low) + back;
  uint64_t behind = size(true_low) + size(true_extent) + ahead;
  return memory(before + behind) + before;
}

/// Memory that an earlier call of HDF5 has filled, or that a later one will read.
uint64_t Arguments::memory(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind == trace::OperandKind::name) return 0;
  bool fills = api::facts_of(g.argument->kind).fills;
  const GivenArgument* size = size_near(g);
  uint64_t bytes = size == nullptr ? smallest_memory : number(*size);
  if (o.kind != trace::OperandKind::slot) {
    if (fills || !signature_.error.empty()) return reinterpret_cast<uint64_t>(stage_.buffers.scratch(bytes));
    throw ReplayError{"takes a reference, an encoded object or a link's value that no recorded call made"};
  }
  if (o.text != plan::memory_class(signature_)) throw ReplayError{"memory of another sort than it takes"};
  if (o.thread != Operand::own_thread) throw ReplayError{"takes what another thread has in its memory"};
  std::vector<char>& kept = stage_.buffers.kept(o.text, parameters_[g.parameter]);
  if (!fills && kept.empty()) throw ReplayError{"takes what no call has left there"};
  bool encodes =
      plan_.row->traits.has_any({api::Trait::keeps_type, api::Trait::keeps_space, api::Trait::keeps_list});
  if (fills && encodes) {
    Quiet quiet;
    size_t needed = 0;
    using Encode = int(int64_t, void*, size_t*, int64_t);  // the last one since 1.12; others don't look at it
    auto object = static_cast<int64_t>(word(plan_.arguments.front()));
    stage_.libraries.get<Encode>(signature_.function)(object, nullptr, &needed, 0);
    bytes = needed;
  }
  bytes = std::max(bytes, smallest_memory);
  if (kept.size() < bytes) kept.resize(Buffers::bytes_of(1, bytes));
  return reinterpret_cast<uint64_t>(kept.data());
}

/// The size of memory for an encoded object; sufficient if it was in the recorded call.
uint64_t Arguments::room(const GivenArgument& g) {
  if (operand(g).kind == trace::OperandKind::name) return 0;
  auto* bytes = stage_.buffers.list<size_t>(1);
  *bytes = operand(plan_.named("buf")).kind == trace::OperandKind::slot ? Buffers::max_bytes : 0;
  return reinterpret_cast<uint64_t>(bytes);
}

/// The value of an attribute, as it was recorded: `text:` and a string, or `hex:` and bytes.
uint64_t Arguments::kept_value(const GivenArgument& g, uint64_t bytes) {
  GivenArgument value = g;
  value.first += 1;
  value.parameter += operand(g).parameters();
  std::string text = string(value);
  char* at = stage_.buffers.to_read(bytes);
  memset(at, 0, bytes);
  if (text.starts_with("text:")) {
    text.copy(at, bytes, 5);
  } else {
    for (size_t i = 0; i < bytes && 4 + 2 * i + 1 < text.size(); ++i)
      at[i] = static_cast<char>(strtoul(text.substr(4 + 2 * i, 2).c_str(), nullptr, 16));
  }
  return reinterpret_cast<uint64_t>(at);
}

/// Memory for elements of datasets and attributes. Types that hold addresses or references get zeros.
uint64_t Arguments::hdf5_buffer(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind == trace::OperandKind::name && o.text == "NULL") return 0;
  uint64_t bytes =
      o.kind == trace::OperandKind::sized_data ? static_cast<uint64_t>(parameters_[g.parameter]) : 0;
  Kind kind = g.argument->kind;
  bool is_dataset = kind == Kind::h5_data_in || kind == Kind::h5_data_out;
  uint64_t type = word(is_dataset ? "mem_type_id" : "type_id");
  uint64_t space = is_dataset ? word("mem_space_id") : 0;
  Hdf5Elements elements =
      hdf5_elements(stage_.libraries, type, space, is_dataset ? word("dset_id") : ~uint64_t{0});
  bytes = std::max(bytes, elements.bytes);
  if (g.count == 2 && operand(g, 1).kind == trace::OperandKind::text) return kept_value(g, bytes);
  bool writes = !api::facts_of(g.argument->kind).fills;
  if (writes && elements.plain) return reinterpret_cast<uint64_t>(stage_.buffers.to_write(bytes));
  char* at = stage_.buffers.to_read(bytes);
  memset(at, 0, bytes);
  if (g.count == 2 && signature_.error.empty()) {
    WrittenElements written{at, word(is_dataset ? "dset_id" : "attr_id"), type, !is_dataset};
    if (is_dataset) written.space = space, written.file_space = word("file_space_id");
    put_contents(stage_, written, numbers(member(g, 1)));
  }
  return reinterpret_cast<uint64_t>(at);
}

}  // namespace refrain::replay
