// The memory that transfers of MPI-IO and HDF5 take data from or put it into: what the libraries' own types
// say of it, because calls give elements, not bytes.
#include <algorithm>
#include <cstring>

#include "replay/arguments.hpp"
#include "replay/library_facts.hpp"
#include "replay/trouble.hpp"

namespace refrain::replay {

/// Memory for elements of a datatype, wherever in them its data is.
uint64_t Arguments::mpi_buffer(const Given& g, bool writes) {
  auto memory = [&](uint64_t bytes) {
    const void* at = writes ? stage_.buffers.to_write(bytes) : stage_.buffers.to_read(bytes);
    return reinterpret_cast<uint64_t>(at);
  };
  if (g.argument->kind == Kind::data_in || g.argument->kind == Kind::data_out) return memory(0);
  auto elements = static_cast<int64_t>(word("count"));
  int64_t low = 0, extent = 0, true_low = 0, true_extent = 0;
  using Extent = int(uint64_t, int64_t*, int64_t*);
  uint64_t type = word("datatype");
  {
    Quiet quiet;
    stage_.libraries.get<Extent>("mpi", "MPI_Type_get_extent")(type, &low, &extent);
    stage_.libraries.get<Extent>("mpi", "MPI_Type_get_true_extent")(type, &true_low, &true_extent);
  }
  auto turns = static_cast<uint64_t>(elements > 0 ? elements - 1 : 0);
  auto size = [](int64_t v) { return Buffers::bytes_of(1, static_cast<uint64_t>(std::max<int64_t>(v, 0))); };
  uint64_t ahead = Buffers::bytes_of(turns, size(extent)), back = Buffers::bytes_of(turns, size(-extent));
  uint64_t before = size(-true_low) + back;
  uint64_t behind = size(true_low) + size(true_extent) + ahead;
  return memory(before + behind) + before;
}

/// What an earlier call of HDF5 left there, or a later one will find.
uint64_t Arguments::kept_memory(const Given& g, plan::Kept which) {
  if (which == plan::Kept::length) {
    auto* room = stage_.buffers.list<size_t>(1);
    *room = plan::kept_bytes;
    return reinterpret_cast<uint64_t>(room);
  }
  uint64_t bytes = plan::kept_bytes;
  const Given* size = which == plan::Kept::link_value ? size_near(g) : nullptr;
  if (size != nullptr) bytes = std::max(bytes, number(*size));
  bool takes = g.argument->kind == Kind::data_in;
  std::vector<char>& memory = stage_.buffers.kept(static_cast<size_t>(which));
  if (takes && memory.empty()) throw Trouble{"it takes what a call before recording made, or a file held"};
  if (memory.size() < bytes) memory.resize(Buffers::bytes_of(1, bytes));
  return reinterpret_cast<uint64_t>(memory.data());
}

/// Memory for elements of datasets and attributes. Types that hold addresses or references get zeros.
uint64_t Arguments::hdf5_buffer(const Given& g) {
  const Operand& o = operand(g);
  if (o.kind == trace::OperandKind::name && o.text == "NULL") return 0;
  uint64_t bytes =
      o.kind == trace::OperandKind::sized_data ? static_cast<uint64_t>(parameters_[g.parameter]) : 0;
  bool is_dataset = signature_.function == "H5Dread" || signature_.function == "H5Dwrite";
  uint64_t type = word(is_dataset ? "mem_type_id" : "type_id");
  uint64_t space = is_dataset ? word("mem_space_id") : 0;
  Hdf5Elements elements =
      hdf5_elements(stage_.libraries, type, space, is_dataset ? word("dset_id") : ~uint64_t{0});
  bytes = std::max(bytes, elements.bytes);
  bool writes = g.argument->kind == Kind::h5_data_in || g.argument->kind == Kind::h5_attribute_in;
  if (writes && elements.plain) return reinterpret_cast<uint64_t>(stage_.buffers.to_write(bytes));
  char* at = stage_.buffers.to_read(bytes);
  memset(at, 0, bytes);
  return reinterpret_cast<uint64_t>(at);
}

}  // namespace refrain::replay
