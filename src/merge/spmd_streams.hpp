// The parallel programs that merging is judged by, for tests and benchmarks: one function per program gives
// the calls of one rank, deterministic in the rank and the number of ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "fold/acceptance.hpp"
#include "fold/folder.hpp"
#include "trace/trace.hpp"

namespace refrain::merge::spmd {

enum Function : uint32_t {
  file_create,
  file_close,
  space_create,
  space_close,
  dataset_create,
  dataset_close,
  dataset_write,
  select_1d,
  select_3d,
  attribute_write,
  group_create,
  group_close,
  open_numbered,
  open_shared,
  close_file,
  pwrite,
  pread,
  seek,
  barrier,
  header_write,
  group_write,
  exchange,
  function_count
};

struct Call {
  uint32_t function;
  std::vector<int64_t> values;
  bool operator==(const Call&) const = default;
};
using Calls = std::vector<Call>;

struct Rank {
  int64_t number, ranks;
};

struct Prototype {
  const char* name;
  uint32_t parameters;
  trace::Bracket bracket = trace::Bracket::neither;
};

inline const std::array<Prototype, function_count>& prototypes() {
  using trace::Bracket;
  static const std::array<Prototype, function_count> all{{{"H5Fcreate", 1, Bracket::opens},
                                                          {"H5Fclose", 1, Bracket::closes},
                                                          {"H5Screate_simple", 1, Bracket::opens},
                                                          {"H5Sclose", 1, Bracket::closes},
                                                          {"H5Dcreate2", 1, Bracket::opens},
                                                          {"H5Dclose", 1, Bracket::closes},
                                                          {"H5Dwrite", 1},
                                                          {"H5Sselect_hyperslab", 2},
                                                          {"H5Sselect_hyperslab", 6},
                                                          {"H5Awrite", 2},
                                                          {"H5Gcreate2", 1, Bracket::opens},
                                                          {"H5Gclose", 1, Bracket::closes},
                                                          {"open", 1, Bracket::opens},
                                                          {"open", 0, Bracket::opens},
                                                          {"close", 1, Bracket::closes},
                                                          {"pwrite", 2},
                                                          {"pread", 2},
                                                          {"lseek", 1},
                                                          {"MPI_Barrier", 0},
                                                          {"pwrite", 2},
                                                          {"pwrite", 2},
                                                          {"MPI_Sendrecv", 2}}};
  return all;
}

inline std::vector<trace::Signature> signatures() {
  std::vector<trace::Signature> list;
  for (const Prototype& p : prototypes()) {
    trace::Signature s{.function = p.name, .layer = "mpi", .site = list.size() + 1, .bracket = p.bracket};
    s.operands.assign(p.parameters, {.kind = trace::OperandKind::integer});
    list.push_back(std::move(s));
  }
  return list;
}

/// Sides of a balanced grid, largest first.
inline std::array<int64_t, 3> grid_3d(int64_t ranks) {
  std::vector<int64_t> factors;
  for (int64_t p = 2; ranks > 1; ++p)
    for (; ranks % p == 0; ranks /= p) factors.push_back(p);
  std::array<int64_t, 3> sides{1, 1, 1};
  for (; !factors.empty(); factors.pop_back())
    *std::min_element(sides.begin(), sides.end()) *= factors.back();
  std::sort(sides.rbegin(), sides.rend());
  return sides;
}

/// `n` elements over `parts`, the first ones getting one more: where part `k` starts, and its size.
inline int64_t block_start(int64_t n, int64_t parts, int64_t k) {
  return k * (n / parts) + std::min(k, n % parts);
}
inline int64_t block_size(int64_t n, int64_t parts, int64_t k) { return n / parts + (k < n % parts); }

/// Particles in one dimension: `variables` datasets per step, rank 0 writes attributes if asked to.
inline void particle_steps(Calls& c, int64_t start, int64_t count, int64_t total, bool attributes) {
  c.push_back({file_create, {0}});
  for (int64_t step = 0; step < 2; ++step) {
    c.push_back({group_create, {step}});
    for (int64_t a = 0; attributes && a < 3; ++a) c.push_back({attribute_write, {a, step * 10 + a}});
    c.push_back({space_create, {total}});
    for (int64_t v = 0; v < 8; ++v) {
      c.push_back({dataset_create, {v}});
      c.push_back({select_1d, {start, count}});
      c.push_back({dataset_write, {v}});
      c.push_back({dataset_close, {v}});
    }
    c.push_back({space_close, {0}});
    c.push_back({group_close, {step}});
  }
  c.push_back({file_close, {0}});
}

inline Calls vpic(Rank r) {
  constexpr int64_t particles = 8 << 20;
  Calls c;
  particle_steps(c, r.number * particles, particles, r.ranks * particles, r.number == 0);
  return c;
}

/// Every rank has another number of particles; it starts where those before it end.
inline Calls vpicv(Rank r) {
  int64_t start = 0, count = 0;
  for (int64_t q = 0; q <= r.number; ++q) {
    start += count;
    count = 8'000'000 + static_cast<int64_t>(mix64(static_cast<uint64_t>(q) + 5) % 1'000'003);
  }
  Calls c;
  particle_steps(c, start, count, -1, false);
  return c;
}

inline Calls blocks_3d(const std::vector<int64_t>& block) {
  Calls c{{file_create, {0}}};
  for (int64_t step = 0; step < 20; ++step) {
    c.push_back({group_create, {step}});
    for (int64_t component = 0; component < 3; ++component) {
      c.push_back({dataset_create, {component}});
      c.push_back({select_3d, block});
      c.push_back({dataset_write, {component}});
      c.push_back({dataset_close, {component}});
    }
    c.push_back({group_close, {step}});
  }
  c.push_back({file_close, {0}});
  return c;
}

inline std::array<int64_t, 3> place_3d(Rank r, const std::array<int64_t, 3>& grid) {
  return {r.number % grid[0], r.number / grid[0] % grid[1], r.number / (grid[0] * grid[1])};
}

inline Calls vorpal(Rank r) {
  auto at = place_3d(r, grid_3d(r.ranks));
  return blocks_3d({at[0] * 60, at[1] * 100, at[2] * 300, 60, 100, 300});
}

/// A grid that the ranks don't divide.
inline Calls vorpalu(Rank r) {
  constexpr std::array<int64_t, 3> cells{1000, 1001, 777};
  auto grid = grid_3d(r.ranks);
  auto at = place_3d(r, grid);
  std::vector<int64_t> block;
  for (size_t d = 0; d < 3; ++d) block.push_back(block_start(cells[d], grid[d], at[d]));
  for (size_t d = 0; d < 3; ++d) block.push_back(block_size(cells[d], grid[d], at[d]));
  return blocks_3d(block);
}

inline Calls gcrm(Rank r) {
  constexpr int64_t blocks = 40960, cells = 64, levels = 25;
  int64_t first = block_start(blocks, r.ranks, r.number), own = block_size(blocks, r.ranks, r.number);
  Calls c{{file_create, {1}}};
  auto dataset = [&](int64_t name, int64_t start, int64_t count) {
    c.push_back({dataset_create, {name}});
    c.push_back({select_1d, {start, count}});
    c.push_back({dataset_write, {name}});
    c.push_back({dataset_close, {name}});
  };
  if (r.number < 3) dataset(100 + r.number, 0, blocks * cells);
  for (int64_t step = 0; step < 4; ++step)
    for (int64_t field = 0; field < 8; ++field)
      dataset(field, (step * blocks + first) * cells * levels, own * cells * levels);
  c.push_back({file_close, {1}});
  return c;
}

/// Every 16th rank writes for the others.
inline Calls agg(Rank r) {
  constexpr int64_t mebi = 1 << 20;
  Calls c;
  for (int64_t step = 0; step < 10; ++step) {
    c.push_back({barrier, {}});
    if (r.number % 16 != 0) {
      c.push_back({exchange, {r.number / 16 * 16, mebi}});
      continue;
    }
    c.push_back({open_numbered, {r.number / 16}});
    if (r.number == 0) c.push_back({header_write, {step * 512, 512}});
    for (int64_t k = 0; k < 16; ++k) c.push_back({group_write, {step * 16 * mebi + k * mebi, mebi}});
    c.push_back({close_file, {r.number / 16}});
  }
  return c;
}

/// Interleaved segments, read back by the next rank.
inline Calls ior(Rank r) {
  constexpr int64_t size = 262144;
  Calls c{{open_shared, {}}};
  for (int64_t i = 0; i < 16; ++i) {
    int64_t offset = (i * r.ranks + r.number) * size;
    c.push_back({seek, {offset}});
    c.push_back({pwrite, {offset, size}});
  }
  c.push_back({close_file, {0}});
  c.push_back({barrier, {}});
  c.push_back({open_shared, {}});
  for (int64_t i = 0; i < 16; ++i)
    c.push_back({pread, {(i * r.ranks + (r.number + 1) % r.ranks) * size, size}});
  c.push_back({close_file, {0}});
  return c;
}

/// A fixed amount over all ranks, in chunks: trip counts differ, and there is a rest.
inline Calls strong1d(Rank r) {
  constexpr int64_t n = 1'000'003, bytes = 8, chunk = 1024;
  int64_t first = block_start(n, r.ranks, r.number), own = block_size(n, r.ranks, r.number);
  Calls c{{open_numbered, {r.number}}};
  for (int64_t step = 0; step < 3; ++step) {
    for (int64_t i = 0; i < own / chunk; ++i)
      c.push_back({pwrite, {(step * n + first + i * chunk) * bytes, chunk * bytes}});
    if (own % chunk != 0)
      c.push_back({group_write, {(step * n + first + own / chunk * chunk) * bytes, own % chunk * bytes}});
  }
  c.push_back({close_file, {r.number}});
  return c;
}

inline Calls hyper(Rank r) {
  Calls c;
  for (int64_t step = 0; step < 5; ++step) {
    for (int64_t k = 1; k < r.ranks; k *= 2) c.push_back({exchange, {r.number ^ k, k * 4096}});
    c.push_back({pwrite, {(step * r.ranks + r.number) * 4096, 4096}});
  }
  return c;
}

/// All at once: rank 0 does more, so does every 16th, trip counts are 1 to 4, the last rank ends differently.
inline Calls mix(Rank r) {
  Calls c{{open_shared, {}}};
  for (int64_t a = 0; r.number == 0 && a < 5; ++a) c.push_back({attribute_write, {a, a * a}});
  for (int64_t step = 0; step < 6; ++step) {
    for (int64_t i = 0; i < r.number % 4 + 1; ++i) {
      int64_t offset = step * 1'000'000 + r.number * 5000 + i * 100;
      c.push_back({seek, {offset}});
      c.push_back({pwrite, {offset, 100}});
    }
    if (r.number % 16 == 0) c.push_back({group_write, {step * 77 + r.number / 16, 16}});
    c.push_back({barrier, {}});
  }
  if (r.number == r.ranks - 1) c.push_back({header_write, {r.ranks * 8, 8}});
  c.push_back({close_file, {0}});
  return c;
}

/// Table I of Luo et al., "ScalaIOExtrap".
inline Calls paper1(Rank r) {
  Calls c;
  for (int64_t i = 0; i < 3; ++i) {
    int64_t offset = r.number * (960 / r.ranks) + 960 * i;
    c.push_back({seek, {offset}});
    c.push_back({pwrite, {offset, 960 / r.ranks}});
  }
  return c;
}

/// Numbers and sizes of patches without any rule.
inline Calls amrp(Rank r) {
  fold::acceptance::Random random(static_cast<uint64_t>(r.number) * 7919 + 13);
  int64_t offset = r.number << 30;
  Calls c{{open_numbered, {r.number}}};
  for (int64_t step = 0; step < 5; ++step) {
    for (int64_t left = random.below(12); left > 0; --left) {
      int64_t size = 4096 * (1 + random.below(50));
      c.push_back({pwrite, {offset, size}});
      offset += size;
    }
    c.push_back({barrier, {}});
  }
  c.push_back({close_file, {r.number}});
  return c;
}

struct Program {
  std::string_view name;
  Calls (*calls)(Rank);
  size_t nodes;  ///< of the prototype's merged tree, at 60 ranks
};

inline const std::vector<Program>& programs() {
  static const std::vector<Program> all{
      {"vpic", vpic, 14},  {"vpicv", vpicv, 12}, {"vorpal", vorpal, 10}, {"vorpalu", vorpalu, 10},
      {"gcrm", gcrm, 12},  {"agg", agg, 8},      {"ior", ior, 10},       {"strong1d", strong1d, 6},
      {"hyper", hyper, 4}, {"mix", mix, 11},     {"paper1", paper1, 3},  {"amrp", amrp, 26}};
  return all;
}

/// Folded, as the recorder would leave it.
inline trace::Trace trace_of(const Calls& calls, Rank r) {
  fold::Folder folder;
  for (uint32_t f = 0; f < function_count; ++f)
    folder.declare(f, {.parameters = prototypes()[f].parameters, .bracket = prototypes()[f].bracket});
  for (const Call& call : calls) folder.event(call.function, call.values.data(), {10, 20});
  trace::Trace t{.command = "app", .nprocs = static_cast<uint32_t>(r.ranks)};
  t.layers = {"mpi"};
  t.signatures = signatures();
  trace::Process& p = t.processes.emplace_back();
  p.ranks = trace::RankSet::range(static_cast<uint32_t>(r.number), 1);
  p.program = "/bin/app";
  p.ending = trace::Ending::exited;
  p.streams.push_back({.nodes = folder.finish()});
  return t;
}

inline std::vector<trace::Trace> traces_of(const Program& program, int64_t ranks) {
  std::vector<trace::Trace> parts;
  for (int64_t r = 0; r < ranks; ++r) parts.push_back(trace_of(program.calls({r, ranks}), {r, ranks}));
  return parts;
}

}  // namespace refrain::merge::spmd
