// Accesses are counted alike whether loops are run or leapt over, and by the definitions of Darshan.
#include "measure/accesses.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/test_rounds.hpp"
#include "trace/sample.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

using sample::affine;
using sample::column;
using sample::event;
using sample::loop;
using sample::number;

enum Calls : uint32_t {
  openat_call,
  read_call,
  write_call,
  open_call,
  pwrite_call,
  close_call,
  stat_call,
  lseek_call
};

Trace of(std::vector<Node> nodes) {
  Trace t = sample::copy();
  t.processes[0].streams[0].nodes = std::move(nodes);
  return t;
}

Node open(int64_t path, int64_t slot) { return event(openat_call, {number(path), number(slot)}); }
Node read(int64_t slot, int64_t bytes) {
  return event(read_call, {number(slot), number(bytes), number(bytes)});
}
Node write(int64_t slot, int64_t bytes) {
  return event(write_call, {number(slot), number(bytes), number(bytes)});
}
Node pwrite(Value offset, int64_t bytes) {
  return event(pwrite_call, {number(0), number(bytes), offset, number(bytes)});
}
Node lseek(Value to) { return event(lseek_call, {number(0), to, to}); }

LayerAccesses posix(const Trace& t, AccessOptions options = {}) {
  Accesses a = count_accesses(t, options);
  EXPECT_TRUE(a.complete);
  return a.outer.empty() ? LayerAccesses{} : a.outer[0];
}

TEST(Accesses, SizeClassesAreDarshans) {
  EXPECT_EQ(size_class(0), 0u);
  EXPECT_EQ(size_class(100), 0u);
  EXPECT_EQ(size_class(101), 1u);
  EXPECT_EQ(size_class(1024), 1u);
  EXPECT_EQ(size_class(1025), 2u);
  EXPECT_EQ(size_class(4194304), 5u);
  EXPECT_EQ(size_class(4194305), 6u);
  EXPECT_EQ(size_class(1073741824), 8u);
  EXPECT_EQ(size_class(~uint64_t{0}), 9u);
}

TEST(Accesses, ReadsAndWritesFollowEachOtherApart) {
  LayerAccesses p = posix(of({open(0, 0), read(0, 10), write(0, 5), read(0, 10), pwrite(number(30), 5)}));
  EXPECT_EQ(p.reads.accesses, 2u);
  EXPECT_EQ(p.reads.sequential, 1u);  // at 15, behind byte 9
  EXPECT_EQ(p.reads.consecutive, 0u);
  EXPECT_EQ(p.writes.accesses, 2u);
  EXPECT_EQ(p.writes.sequential, 2u);  // at 10 behind byte 0, at 30 behind byte 14
  EXPECT_EQ(p.writes.consecutive, 0u);
  EXPECT_EQ(p.writes.sizes[0], 2u);
}

TEST(Accesses, TheFirstByteBehindNothingIsByteOne) {
  EXPECT_EQ(posix(of({open(0, 0), pwrite(number(0), 5)})).writes.sequential, 0u);
  EXPECT_EQ(posix(of({open(0, 0), pwrite(number(1), 5)})).writes.consecutive, 1u);
}

TEST(Accesses, FilesAreKnownByTheirPath) {
  Node close = event(close_call, {number(0), number(0)});
  LayerAccesses p = posix(of({open(0, 0), write(0, 10), close, open(0, 0), lseek(number(10)), write(0, 10),
                              close, open(1, 0), lseek(number(5)), write(0, 10)}));
  EXPECT_EQ(p.writes.consecutive, 1u);
  EXPECT_EQ(p.writes.sequential, 2u);
}

TEST(Accesses, PositionsUnderAViewAreNotKnown) {
  Trace t = of({open(0, 0), write(0, 10), write(0, 10)});
  t.signatures[write_call].layer = "mpiio";
  LayerAccesses a = posix(t);
  EXPECT_EQ(a.layer, "mpiio");
  EXPECT_EQ(a.writes.accesses, 2u);
  EXPECT_EQ(a.writes.sizes[0], 2u);
  EXPECT_EQ(a.writes.sequential, 0u);
}

TEST(Accesses, HugeRegularLoopsCostNothing) {
  auto pairs = loop(number(1'000'000'000), {pwrite(affine(0, {16}), 8), pwrite(affine(8, {16}), 8)});
  LayerAccesses p = posix(of({open(0, 0), pairs, pwrite(number(16'000'000'000), 2000)}));
  EXPECT_EQ(p.writes.accesses, 2'000'000'001u);
  EXPECT_EQ(p.writes.consecutive, 2'000'000'000u);
  EXPECT_EQ(p.writes.sizes[0], 2'000'000'000u);
  EXPECT_EQ(p.writes.sizes[2], 1u);
  p = posix(of({open(0, 0), loop(number(1'000'000), {loop(number(1'000'000), {read(0, 512)})})}));
  EXPECT_EQ(p.reads.consecutive, 999'999'999'999u);
  p = posix(of({open(0, 0), loop(number(1'000'000'000), {pwrite(affine(0, {-16}), 8)})}));
  EXPECT_EQ(p.writes.sequential, 0u);
}

TEST(Accesses, InnerCallsCountInTheirLayer) {
  Accesses a = count_accesses(sample::everything());
  ASSERT_EQ(a.layers.size(), 1u);
  EXPECT_EQ(a.layers[0].layer, "posix");
}

TEST(Accesses, OfAllRanks) {
  Trace t = of({open(0, 0), loop(number(10), {pwrite(affine(0, {8}), 8)})});
  t.processes[0].ranks = RankSet::range(0, 1000);
  EXPECT_EQ(posix(t).writes.consecutive, 9'000u);
  Value place = affine(0, {8});
  place.base = Number(Column({{0, 4096, 1000, 0}}, {}));
  t.processes[0].streams[0].nodes[1].body = {pwrite(place, 8)};
  EXPECT_EQ(posix(t).writes.accesses, 10'000u);
  EXPECT_EQ(posix(t).writes.sequential, 9'999u);
  EXPECT_EQ(posix(t).writes.consecutive, 9'000u);
  EXPECT_FALSE(count_accesses(t, {.ranks = 10}).complete);
}

TEST(Accesses, SaysWhenItGaveUp) {
  Trace t = of({open(0, 0), loop(number(1000), {pwrite(column(std::vector<int64_t>(1000, 7)), 8)})});
  EXPECT_TRUE(count_accesses(t).complete);
  EXPECT_FALSE(count_accesses(t, {.walked_events = 100}).complete);
  t = of({open(0, 0), loop(number(1000), {open(1, 1), write(1, 8)})});
  EXPECT_FALSE(count_accesses(t, {.walked_events = 100}).complete);
}

/// Random nests of loops over reads, writes, seeks and opens whose values are affine.
class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {}
  std::vector<Node> nodes(size_t depth) {
    std::vector<Node> list;
    for (int64_t n = 1 + below(3); n > 0; --n) list.push_back(node(depth));
    return list;
  }

 private:
  int64_t below(unsigned n) { return static_cast<int64_t>(random_() % n); }
  Value place(size_t depth) {
    std::vector<int64_t> slopes;
    for (size_t d = 0; d < depth; ++d) slopes.push_back(8 * below(3));
    return affine(8 * below(4), slopes);
  }
  Node node(size_t depth) {
    switch (depth < 3 && below(3) > 0 ? 0 : 1 + below(6)) {
      case 0: {
        Value trips = below(4) == 0 && depth > 0 ? affine(below(4), {1}) : number(below(12));
        return loop(trips, nodes(depth + 1));
      }
      case 1:
        return event(open_call, {number(2), below(2) == 0 ? number(0) : place(depth), number(below(2))});
      case 2:
        return below(4) == 0 ? lseek(place(depth)) : read(below(2), 8);
      case 3: {
        Node call = write(below(2), 8);
        if (below(3) == 0) call.parameters[0] = affine(0, std::vector<int64_t>(depth, 1));
        return call;
      }
      default:
        return pwrite(place(depth), 8 * (1 + below(2)));
    }
  }

  std::mt19937 random_;
};

TEST(Accesses, LeapingAgreesWithRunning) {
  uint64_t counted = 0;
  for (int seed = 0; seed < test_rounds(3000); ++seed) {
    Trace t = of(RandomTree(static_cast<unsigned>(seed)).nodes(0));
    LayerAccesses leapt = posix(t), run = posix(t, {.closed_forms = false});
    EXPECT_EQ(leapt, run) << "seed " << seed;
    counted += run.writes.accesses;
  }
  EXPECT_GT(counted, test_rounds(10'000u));
}

}  // namespace
}  // namespace refrain::measure
