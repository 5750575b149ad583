// The calls of examples/vpicio.c, vorpalio.c and gcrmio.c on any number of ranks, as the recorder would have
// them: for measuring what becomes of them at sizes that can't be run here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fold/folder.hpp"
#include "merge/spmd_streams.hpp"
#include "trace/trace.hpp"

namespace refrain::bench {

/// One operand of a call with its numbers.
struct Part {
  trace::Operand operand{};
  std::vector<int64_t> numbers{};
  std::string text{};  ///< of a string
};
inline Part slot(const char* handle_class, int64_t number) {
  return {{.kind = trace::OperandKind::slot, .text = handle_class}, {number}};
}
inline Part name(const char* text) { return {{.kind = trace::OperandKind::name, .text = text}}; }
inline Part text(std::string value) { return {{.kind = trace::OperandKind::text}, {}, std::move(value)}; }
inline Part number(int64_t n) { return {{.kind = trace::OperandKind::integer}, {n}}; }
inline Part list(std::vector<int64_t> numbers) {
  return {{.kind = trace::OperandKind::list,
           .role = trace::Role::extent,
           .width = static_cast<uint32_t>(numbers.size())},
          std::move(numbers)};
}
inline Part written(int64_t bytes) {
  return {{.kind = trace::OperandKind::sized_data, .role = trace::Role::bytes_written}, {bytes}};
}

/// One rank's trace, call by call.
class RankRecording {
 public:
  RankRecording(const std::string& program, int64_t rank, int64_t ranks) {
    trace_.command = "mpirun -n " + std::to_string(ranks) + " " + program;
    trace_.layers = {"hdf5", "mpi"};
    trace_.nprocs = static_cast<uint32_t>(ranks);
    trace::Process& p = trace_.processes.emplace_back();
    p.ranks = trace::RankSet::range(static_cast<uint32_t>(rank), 1);
    p.program = "/bin/" + program;
    p.ending = trace::Ending::exited;
  }

  void call(const char* function, std::vector<Part> arguments, Part result = {}) {
    trace::Signature s{.function = function,
                       .layer = std::string(function).starts_with("MPI") ? "mpi" : "hdf5"};
    bool opens = result.operand.kind == trace::OperandKind::slot;
    bool closes = s.function.ends_with("close");
    s.bracket = opens ? trace::Bracket::opens : closes ? trace::Bracket::closes : trace::Bracket::neither;
    std::vector<int64_t> numbers;
    for (Part& part : arguments) {
      if (part.operand.kind == trace::OperandKind::text) fill(part);
      numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
      s.operands.push_back(part.operand);
    }
    numbers.insert(numbers.end(), result.numbers.begin(), result.numbers.end());
    s.result = result.operand;
    folder_.event(number_of(s), numbers.data(), {.gap_ns = 1000, .duration_ns = 1000});
  }

  trace::Trace finish() {
    trace_.processes[0].streams.push_back({.nodes = folder_.finish()});
    return std::move(trace_);
  }

 private:
  void fill(Part& part) {
    std::vector<int64_t> fields;
    trace::Template t = trace::Template::parse(part.text, fields);
    size_t index = 0;
    while (index < trace_.templates.size() && !(trace_.templates[index] == t)) ++index;
    if (index == trace_.templates.size()) trace_.templates.push_back(t);
    part.operand.width = static_cast<uint32_t>(fields.size());
    part.numbers = {static_cast<int64_t>(index)};
    part.numbers.insert(part.numbers.end(), fields.begin(), fields.end());
  }

  uint32_t number_of(const trace::Signature& s) {
    ByteWriter key;
    s.write(key);
    auto bytes = key.take();
    auto [found, fresh] = numbers_.try_emplace(std::string(bytes.begin(), bytes.end()),
                                               static_cast<uint32_t>(trace_.signatures.size()));
    if (fresh) {
      folder_.declare(found->second, {.parameters = s.parameters(), .bracket = s.bracket});
      trace_.signatures.push_back(s);
    }
    return found->second;
  }

  trace::Trace trace_;
  fold::Folder folder_;
  std::map<std::string, uint32_t> numbers_;
};

inline Part standard() { return name("H5P_DEFAULT"); }

inline void begin_file(RankRecording& r, const std::string& path) {
  r.call("MPI_Init", {});
  r.call("H5Pcreate", {name("H5P_FILE_ACCESS")}, slot("plist", 0));
  r.call("H5Pset_fapl_mpio", {slot("plist", 0), name("MPI_COMM_WORLD"), name("MPI_INFO_NULL")});
  r.call("H5Fcreate", {text(path), name("H5F_ACC_TRUNC"), standard(), slot("plist", 0)}, slot("file", 0));
  r.call("H5Pclose", {slot("plist", 0)});
}

inline void begin_transfer(RankRecording& r) {
  r.call("H5Pcreate", {name("H5P_DATASET_XFER")}, slot("plist", 0));
  r.call("H5Pset_dxpl_mpio", {slot("plist", 0), name("H5FD_MPIO_COLLECTIVE")});
}

inline void end_file(RankRecording& r) {
  r.call("H5Pclose", {slot("plist", 0)});
  r.call("H5Fclose", {slot("file", 0)});
}

inline void attribute(RankRecording& r, Part object, const char* called, const char* type, int64_t count,
                      int64_t bytes) {
  r.call("H5Screate_simple", {number(1), list({count}), name("NULL")}, slot("space", 0));
  r.call("H5Acreate2",
         {std::move(object), text(called), name(type), slot("space", 0), standard(), standard()},
         slot("attribute", 0));
  r.call("H5Awrite", {slot("attribute", 0), name(type), written(bytes)});
  r.call("H5Aclose", {slot("attribute", 0)});
  r.call("H5Sclose", {slot("space", 0)});
}

inline void group(RankRecording& r, Part parent, const std::string& called, int64_t number) {
  r.call("H5Gcreate2", {std::move(parent), text(called), standard(), standard(), standard()},
         slot("group", number));
}

inline trace::Trace vpicio(int64_t rank, int64_t ranks) {
  constexpr int64_t particles = 8 << 20;
  RankRecording r("vpicio", rank, ranks);
  begin_file(r, "vpic.h5part");
  begin_transfer(r);
  for (int step = 0; step < 4; ++step) {
    group(r, slot("file", 0), "Step#" + std::to_string(step), 0);
    attribute(r, slot("group", 0), "TimeValue", "H5T_NATIVE_DOUBLE", 1, 8);
    r.call("H5Screate_simple", {number(1), list({particles}), name("NULL")}, slot("space", 0));
    r.call("H5Screate_simple", {number(1), list({particles * ranks}), name("NULL")}, slot("space", 1));
    r.call("H5Sselect_hyperslab", {slot("space", 1), name("H5S_SELECT_SET"), list({rank * particles}),
                                   name("NULL"), list({particles}), name("NULL")});
    for (const char* variable : {"x", "y", "z", "ux", "uy", "uz", "q", "id"}) {
      const char* type = std::string(variable) == "id" ? "H5T_NATIVE_INT32" : "H5T_NATIVE_FLOAT";
      r.call("H5Dcreate2",
             {slot("group", 0), text(variable), name(type), slot("space", 1), standard(), standard(),
              standard()},
             slot("dataset", 0));
      r.call("H5Dwrite", {slot("dataset", 0), name(type), slot("space", 0), slot("space", 1),
                          slot("plist", 0), written(4 * particles)});
      r.call("H5Dclose", {slot("dataset", 0)});
    }
    r.call("H5Sclose", {slot("space", 1)});
    r.call("H5Sclose", {slot("space", 0)});
    r.call("H5Gclose", {slot("group", 0)});
  }
  end_file(r);
  if (rank == 0) {
    r.call("H5Fopen", {text("vpic.h5part"), name("H5F_ACC_RDWR"), standard()}, slot("file", 0));
    for (const char* called : {"ranks", "particles_per_rank"})
      attribute(r, slot("file", 0), called, "H5T_NATIVE_INT", 1, 4);
    r.call("H5Fclose", {slot("file", 0)});
  }
  r.call("MPI_Finalize", {});
  return r.finish();
}

inline trace::Trace vorpalio(int64_t rank, int64_t ranks) {
  constexpr int64_t edge[3] = {60, 100, 300};
  auto blocks = merge::spmd::grid_3d(ranks);
  std::vector<int64_t> grid, start, size(edge, edge + 3);
  int64_t place[3] = {rank / (blocks[1] * blocks[2]), rank / blocks[2] % blocks[1], rank % blocks[2]};
  for (size_t d = 0; d < 3; ++d) {
    grid.push_back(blocks[d] * edge[d]);
    start.push_back(place[d] * edge[d]);
  }
  RankRecording r("vorpalio", rank, ranks);
  begin_file(r, "vorpal.h5");
  begin_transfer(r);
  for (int step = 0; step < 20; ++step) {
    group(r, slot("file", 0), "Step#" + std::to_string(step), 0);
    group(r, slot("group", 0), "Block", 1);
    for (const char* field : {"E", "B"}) {
      group(r, slot("group", 1), field, 2);
      for (int component = 0; component < 3; ++component) {
        r.call("H5Screate_simple", {number(3), list(grid), name("NULL")}, slot("space", 0));
        r.call("H5Screate_simple", {number(3), list(size), name("NULL")}, slot("space", 1));
        r.call("H5Dcreate2",
               {slot("group", 2), text(std::to_string(component)), name("H5T_NATIVE_DOUBLE"),
                slot("space", 0), standard(), standard(), standard()},
               slot("dataset", 0));
        r.call("H5Sselect_hyperslab", {slot("space", 0), name("H5S_SELECT_SET"), list(start), name("NULL"),
                                       list(size), name("NULL")});
        r.call("H5Dwrite", {slot("dataset", 0), name("H5T_NATIVE_DOUBLE"), slot("space", 1), slot("space", 0),
                            slot("plist", 0), written(8 * edge[0] * edge[1] * edge[2])});
        r.call("H5Dclose", {slot("dataset", 0)});
        r.call("H5Sclose", {slot("space", 1)});
        r.call("H5Sclose", {slot("space", 0)});
      }
      attribute(r, slot("group", 2), "__Origin__", "H5T_NATIVE_DOUBLE", 3, 24);
      attribute(r, slot("group", 2), "__Spacing__", "H5T_NATIVE_DOUBLE", 3, 24);
      r.call("H5Gclose", {slot("group", 2)});
    }
    r.call("H5Gclose", {slot("group", 1)});
    r.call("H5Gclose", {slot("group", 0)});
  }
  end_file(r);
  r.call("MPI_Finalize", {});
  return r.finish();
}

struct Quantity {
  const char* called;
  int64_t per_cell, columns;
};

inline void gcrm_quantity(RankRecording& r, const Quantity& q, int64_t rank, int64_t ranks) {
  constexpr int64_t blocks = 163840, cells = 16, poles = 2;
  int64_t rows = cells * q.per_cell, first = merge::spmd::block_start(blocks, ranks, rank);
  int64_t count = merge::spmd::block_size(blocks, ranks, rank), own = count * rows;
  r.call("H5Screate_simple",
         {number(2), list({(blocks * cells + poles) * q.per_cell, q.columns}), name("NULL")},
         slot("space", 0));
  r.call("H5Pcreate", {name("H5P_DATASET_CREATE")}, slot("plist", 1));
  r.call("H5Pset_chunk", {slot("plist", 1), number(2), list({rows, q.columns})});
  r.call("H5Dcreate2",
         {slot("group", 0), text(q.called), name("H5T_NATIVE_FLOAT"), slot("space", 0), standard(),
          slot("plist", 1), standard()},
         slot("dataset", 0));
  r.call("H5Pclose", {slot("plist", 1)});
  r.call("H5Sclose", {slot("space", 0)});
  r.call("H5Dget_space", {slot("dataset", 0)}, slot("space", 0));
  r.call("H5Sselect_none", {slot("space", 0)});
  r.call("H5Sselect_hyperslab", {slot("space", 0), name("H5S_SELECT_SET"), list({first * rows, 0}),
                                 list({rows, 1}), list({count, 1}), list({rows, q.columns})});
  if (rank + 1 == ranks) {
    r.call("H5Sselect_hyperslab", {slot("space", 0), name("H5S_SELECT_OR"), list({blocks * rows, 0}),
                                   name("NULL"), list({poles * q.per_cell, q.columns}), name("NULL")});
    own += poles * q.per_cell;
  }
  r.call("H5Screate_simple", {number(2), list({own, q.columns}), name("NULL")}, slot("space", 1));
  r.call("H5Dwrite", {slot("dataset", 0), name("H5T_NATIVE_FLOAT"), slot("space", 1), slot("space", 0),
                      slot("plist", 0), written(4 * own * q.columns)});
  r.call("H5Sclose", {slot("space", 1)});
  r.call("H5Sclose", {slot("space", 0)});
  r.call("H5Dclose", {slot("dataset", 0)});
}

inline trace::Trace gcrmio(int64_t rank, int64_t ranks) {
  RankRecording r("gcrmio", rank, ranks);
  begin_file(r, "gcrm.h5");
  attribute(r, slot("file", 0), "resolution", "H5T_NATIVE_INT", 1, 4);
  attribute(r, slot("file", 0), "layers", "H5T_NATIVE_INT", 1, 4);
  begin_transfer(r);
  for (int step = 0; step < 3; ++step) {
    group(r, slot("file", 0), "Step#" + std::to_string(step), 0);
    for (Quantity q : {Quantity{"temperature", 1, 25}, Quantity{"pressure", 1, 26},
                       Quantity{"vorticity", 2, 25}, Quantity{"heat_flux", 1, 26}})
      gcrm_quantity(r, q, rank, ranks);
    r.call("H5Gclose", {slot("group", 0)});
  }
  end_file(r);
  r.call("MPI_Finalize", {});
  return r.finish();
}

}  // namespace refrain::bench
