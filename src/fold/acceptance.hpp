// The streams of events that folding is judged by, for tests and benchmarks: deterministic, one function
// per kind of program. Times are made up from the position in the stream.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "fold/folder.hpp"

namespace refrain::fold::acceptance {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(mix64(seed + increment)) {}
  uint64_t next() { return mix64(state_ += increment); }
  int64_t below(uint64_t n) { return static_cast<int64_t>(next() % n); }
  bool chance(double p) { return static_cast<double>(next() >> 11) * 0x1p-53 < p; }

 private:
  static constexpr uint64_t increment = 0x9e3779b97f4a7c15ULL;
  uint64_t state_;
};

/// Signatures with the meaning they have in these streams.
enum Call : uint32_t {
  file_open,
  file_close,
  data_open,
  data_create,
  data_close,
  pwrite,
  pread,
  seek,
  sync,
  attribute,
  meta,
  extra1,
  extra2,
  extra3,
  barrier,
  numbered = 18,
  call_count = numbered + 24,
};

inline Shape shape_of(uint32_t call) {
  using trace::Bracket;
  switch (call) {
    case file_open:
    case data_open:
      return {1, Bracket::opens};
    case data_create:
      return {2, Bracket::opens};
    case file_close:
    case data_close:
      return {1, Bracket::closes};
    case pwrite:
    case pread:
      return {3, Bracket::neither};
    case attribute:
    case meta:
      return {2, Bracket::neither};
    case sync:
    case extra2:
    case barrier:
      return {0, Bracket::neither};
    default:
      return {1, Bracket::neither};
  }
}

/// What a process did, flat.
struct Recording {
  std::vector<uint32_t> calls;
  std::vector<int64_t> parameters;

  void add(uint32_t call, std::initializer_list<int64_t> values) {
    calls.push_back(call);
    parameters.insert(parameters.end(), values);
  }
  size_t size() const { return calls.size(); }
  bool operator==(const Recording&) const = default;
};

inline uint64_t gap_of(size_t event) { return mix64(event) >> 54; }
inline uint64_t duration_of(size_t event) { return 200 + (mix64(event + 1) >> 56); }

/// Some have none.
inline trace::Communication communication_of(size_t event) {
  uint64_t spent = mix64(event + 2) >> 57;
  return event % 5 == 0 ? trace::Communication{{0, spent, spent / 2}} : trace::Communication{};
}

inline void declare_all(Folder& folder) {
  for (uint32_t call = 0; call < call_count; ++call) folder.declare(call, shape_of(call));
}

/// Feeds events [from, to) of the recording, whose parameters start at `parameters`; returns where they end.
inline const int64_t* feed(Folder& folder, const Recording& r, size_t from, size_t to,
                           const int64_t* parameters) {
  for (size_t i = from; i < to; ++i) {
    trace::Communication communication = communication_of(i);
    folder.event(r.calls[i], parameters,
                 {gap_of(i), duration_of(i), communication.empty() ? nullptr : &communication});
    parameters += shape_of(r.calls[i]).parameters;
  }
  return parameters;
}

/// 1000 steps × 8 variables × 16 chunks.
inline Recording checkpoint() {
  Recording r;
  for (int64_t step = 0; step < 1000; ++step) {
    r.add(file_open, {step});
    for (int64_t v = 0; v < 8; ++v) {
      r.add(data_create, {v, 16 << 20});
      for (int64_t c = 0; c < 16; ++c) r.add(pwrite, {3, 2048 + v * (int64_t{64} << 20) + c * 65536, 65536});
      r.add(data_close, {v});
    }
    r.add(sync, {});
    r.add(file_close, {step});
  }
  return r;
}

inline Recording nest_of_three() {
  Recording r;
  for (int64_t i = 0; i < 100; ++i) {
    r.add(data_open, {i});
    for (int64_t j = 0; j < 60; ++j) {
      r.add(seek, {i * 1000003 + j * 7001});
      for (int64_t k = 0; k < 70; ++k) {
        r.add(pread, {4, 512 + i * 1000003 + j * 7001 + k * 97, 97});
        r.add(pwrite, {5, i * 13 + j * 1009 + k * 100003, 64});
      }
    }
    r.add(data_close, {i});
  }
  return r;
}

/// An extra event in every tenth iteration.
inline Recording every_tenth() {
  Recording r;
  for (int64_t i = 0; i < 100000; ++i) {
    r.add(pread, {3, i * 4096, 4096});
    if (i % 10 == 9) r.add(extra1, {i});
    r.add(pwrite, {4, i * 8192, 8192});
  }
  return r;
}

inline Recording triangle() {
  Recording r;
  for (int64_t i = 0; i < 1000; ++i) {
    r.add(data_open, {i});
    for (int64_t j = 0; j <= i; ++j) r.add(pwrite, {3, (i * (i + 1) / 2 + j) * 512, 512});
    r.add(data_close, {i});
  }
  return r;
}

inline Recording random_trips() {
  Recording r;
  Random random(12345);
  int64_t offset = 0;
  for (int64_t i = 0; i < 100000; ++i) {
    r.add(data_open, {i});
    for (int64_t n = random.below(8); n > 0; --n, offset += 512) r.add(pwrite, {3, offset, 512});
    r.add(data_close, {i});
  }
  return r;
}

/// Regular structure, slopes and sizes that change.
inline Recording piecewise() {
  Recording r;
  int64_t offset = 0;
  for (int64_t i = 0; i < 200000; ++i) {
    r.add(seek, {offset});
    r.add(pwrite, {3, offset, i < 120000 ? 4096 : 1024});
    offset += i < 70000 ? 4096 : i < 140000 ? 65536 : 1024;
  }
  return r;
}

/// The same irregular list of handles in every iteration.
inline Recording handles() {
  Recording r;
  Random random(12345);
  int64_t handle[24];
  for (int64_t& h : handle) h = random.below(1000);
  for (int64_t i = 0; i < 8000; ++i) {
    r.add(file_open, {i});
    for (int64_t v = 0; v < 24; ++v) r.add(pwrite, {handle[v], i * 24 * 512 + v * 512, 512});
    r.add(file_close, {i});
  }
  return r;
}

/// Adaptive mesh: random numbers of levels, patches, sizes.
inline Recording mesh() {
  Recording r;
  Random random(12345);
  int64_t offset = 0;
  for (int64_t step = 0; step < 4000; ++step) {
    r.add(file_open, {step});
    for (int64_t level = 0, levels = 1 + random.below(4); level < levels; ++level) {
      r.add(data_create, {level, 0});
      for (int64_t n = random.below(40); n > 0; --n) {
        int64_t size = 512 * (1 + random.below(64));
        r.add(seek, {offset});
        r.add(pwrite, {3, offset, size});
        offset += size;
      }
      r.add(data_close, {level});
    }
    r.add(file_close, {step});
  }
  return r;
}

/// A body of 20; after each event, with probability 2 %, one of three extra events.
inline Recording noise() {
  Recording r;
  Random random(12345);
  for (int64_t i = 0; i < 10000; ++i) {
    for (uint32_t k = 0; k < 20; ++k) {
      r.add(numbered + k, {i * 64 + k});
      if (!random.chance(0.02)) continue;
      switch (random.below(3)) {
        case 0:
          r.add(extra1, {i});
          break;
        case 1:
          r.add(extra2, {});
          break;
        default:
          r.add(extra3, {k});
      }
    }
  }
  return r;
}

/// A body of 20, each event missing with probability 2 %.
inline Recording drop() {
  Recording r;
  Random random(12345);
  for (int64_t i = 0; i < 10000; ++i)
    for (uint32_t k = 0; k < 20; ++k)
      if (!random.chance(0.02)) r.add(numbered + k, {i * 64 + k});
  return r;
}

/// Four procedures in random order.
inline Recording phases() {
  Recording r;
  Random random(12345);
  for (int64_t i = 0; i < 6000; ++i) {
    switch (random.below(4)) {
      case 0:
        r.add(file_open, {i});
        for (int64_t j = 0; j < 10; ++j) r.add(pwrite, {3, i * 65536 + j * 4096, 4096});
        r.add(file_close, {i});
        break;
      case 1:
        for (uint32_t k = 0; k < 12; ++k) r.add(numbered + k, {k * 3});
        break;
      case 2:
        for (int64_t j = 0; j < 20; ++j) {
          r.add(seek, {j * 512});
          r.add(pread, {5, j * 512, 512});
        }
        break;
      default:
        r.add(barrier, {});
        r.add(meta, {i * 96, 96});
        r.add(sync, {});
    }
  }
  return r;
}

/// Nothing to find: 16 signatures and 20-bit values.
inline Recording pure_noise(size_t events = 200000) {
  Recording r;
  Random random(12345);
  for (size_t i = 0; i < events; ++i) {
    auto call = static_cast<uint32_t>(numbered + random.below(16));
    r.add(call, {random.below(1 << 20)});
  }
  return r;
}

/// A long body of few signatures.
inline Recording long_body(int64_t body, int64_t events = 1000000) {
  Recording r;
  for (int64_t i = 0; i < events / body; ++i)
    for (int64_t k = 0; k < body; ++k)
      r.add(static_cast<uint32_t>(numbered + mix64(static_cast<uint64_t>(k * 7 + 1)) % 20), {i * 3 + k});
  return r;
}

struct Named {
  std::string_view name;
  Recording (*make)();
  uint64_t nodes;  ///< of the prototype's tree
  uint64_t bytes;  ///< of the prototype's encoding
  double ns;       ///< of the prototype, per event, without times
};

/// Where the prototype has a figure for alternatives, that counts.
inline constexpr Named all[] = {
    {"ckpt", checkpoint, 9, 72, 20.3},       {"nest3", nest_of_three, 8, 77, 16.4},
    {"every10", every_tenth, 7, 89, 29.1},   {"tri", triangle, 5, 38, 16.1},
    {"rtrip", random_trips, 5, 37541, 27.3}, {"piecewise", piecewise, 3, 67, 12.2},
    {"handles", handles, 5, 78, 22.4},       {"amr", mesh, 14, 154681, 26.1},
    {"noise", noise, 263, 28797, 112.5},     {"drop", drop, 816, 48501, 95.0},
    {"phases", phases, 1449, 8778, 85.0},    {"random", [] { return pure_noise(); }, 198675, 618487, 126.0},
};

}  // namespace refrain::fold::acceptance
