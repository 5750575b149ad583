#include "record/recorded_handles.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace refrain::record {
namespace {

Handle slot(uint32_t n) { return {Handle::State::tracked, HandleClass::stream, 3, n}; }

TEST(Handles, PackAndUnpack) {
  Handle h = Handle::unpack(slot(77).pack());
  EXPECT_TRUE(h.tracked());
  EXPECT_EQ(h.handle_class(), HandleClass::stream);
  EXPECT_EQ(h.lane(), 3);
  EXPECT_EQ(h.slot(), 77u);
}

TEST(SlotPool, GivesTheLowestFreeNumber) {
  auto pool = std::make_unique<SlotPool>();
  for (uint32_t i = 0; i < 200; ++i) EXPECT_EQ(pool->take(), i);
  pool->release(130);
  pool->release(7);
  EXPECT_EQ(pool->take(), 7u);
  EXPECT_EQ(pool->take(), 130u);
  EXPECT_EQ(pool->take(), 200u);
}

TEST(SlotPool, IsTheSameWithoutOthers) {
  auto alone = std::make_unique<SlotPool>(), shared = std::make_unique<SlotPool>();
  uint32_t state = 1;
  std::vector<uint32_t> taken;
  for (int i = 0; i < 5000; ++i) {
    state = state * 1664525 + 1013904223;
    if (taken.empty() || state >> 31 != 0) {
      uint32_t slot = alone->take_from(0, Others::none);
      EXPECT_EQ(slot, shared->take_from(0, Others::some));
      taken.push_back(slot);
    } else {
      std::swap(taken[(state >> 8) % taken.size()], taken.back());
      alone->release(taken.back(), Others::none);
      shared->release(taken.back(), Others::some);
      taken.pop_back();
    }
  }
}

TEST(SlotPool, NeverGivesANumberTwiceToRacingThreads) {
  auto pool = std::make_unique<SlotPool>();
  std::vector<uint32_t> got[4];
  std::vector<std::thread> threads;
  for (auto& mine : got)
    threads.emplace_back([&pool, &mine] {
      for (int i = 0; i < 2000; ++i) mine.push_back(pool->take());
    });
  for (auto& t : threads) t.join();
  std::vector<bool> seen(8000);
  for (auto& mine : got)
    for (uint32_t n : mine) {
      ASSERT_LT(n, 8000u);
      EXPECT_FALSE(seen[n]);
      seen[n] = true;
    }
}

TEST(DescriptorTable, TellsWhatItHeldWithAndWithoutOthers) {
  auto table = std::make_unique<DescriptorTable>();
  for (Others others : {Others::none, Others::some})
    for (int fd : {5, 1023, 1024, 70'000}) {
      EXPECT_EQ(table->exchange(fd, slot(1), others).state(), Handle::State::unknown);
      EXPECT_EQ(table->exchange(fd, slot(2), others).slot(), 1u);
      EXPECT_EQ(table->get(fd).slot(), 2u);
      EXPECT_EQ(table->take(fd, others).slot(), 2u);
      EXPECT_EQ(table->get(fd).state(), Handle::State::unknown);
    }
}

TEST(DescriptorTable, RemembersAndForgets) {
  auto table = std::make_unique<DescriptorTable>();
  EXPECT_EQ(table->get(5).state(), Handle::State::unknown);
  table->set(5, slot(1));
  table->set(70'000, Handle::ignored());
  EXPECT_TRUE(table->get(5).tracked());
  EXPECT_EQ(table->get(70'000).state(), Handle::State::ignored);
  EXPECT_EQ(table->take(5).slot(), 1u);
  EXPECT_EQ(table->get(5).state(), Handle::State::unknown);
  table->set(-1, slot(1));
  table->set(1 << 30, slot(1));
  EXPECT_EQ(table->get(-1).state(), Handle::State::unknown);
  EXPECT_EQ(table->get(1 << 30).state(), Handle::State::unknown);
}

/// Where a key was found last says nothing once it is gone, or is somewhere else.
TEST(AddressTable, FindsKeysThatMoveBehindOthers) {
  auto table = std::make_unique<AddressTable>();
  constexpr uint64_t keys = 3000;
  auto key = [](uint64_t k) { return 0x500'0000'0000'0000 + k * 7; };
  for (int round = 0; round < 3; ++round) {
    for (uint64_t k = 0; k < keys; ++k) ASSERT_TRUE(table->set(key(k), slot(static_cast<uint32_t>(k))));
    for (uint64_t k = 0; k < keys; ++k)
      for (int again = 0; again < 2; ++again) ASSERT_EQ(table->get(key(k)).slot(), k);
    for (uint64_t k = 0; k < keys; k += 2) EXPECT_EQ(table->take(key(k)).slot(), k);
    for (uint64_t k = 0; k < keys; ++k)
      ASSERT_EQ(table->get(key(k)).state(), k % 2 == 0 ? Handle::State::unknown : Handle::State::tracked);
    for (uint64_t k = keys; k-- > 0;) ASSERT_TRUE(table->set(key(k), slot(static_cast<uint32_t>(k) + 9)));
    for (uint64_t k = 0; k < keys; ++k) ASSERT_EQ(table->get(key(k)).slot(), k + 9);
    EXPECT_EQ(table->get(uint64_t{0}).state(), Handle::State::unknown);
    if (round == 1) {
      table->clear();
      for (uint64_t k = 0; k < keys; ++k) ASSERT_EQ(table->get(key(k)).state(), Handle::State::unknown);
    }
  }
}

TEST(AddressTable, SurvivesManyComingsAndGoings) {
  auto table = std::make_unique<AddressTable>();
  std::vector<char> places(100'000);
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(table->set(&places[i], slot(i))) << i;
    if (i < 100) continue;
    EXPECT_EQ(table->take(&places[i - 100]).slot(), static_cast<uint32_t>(i - 100));
  }
  EXPECT_EQ(table->get(&places[99'950]).slot(), 99'950u);
  EXPECT_EQ(table->get(&places[5]).state(), Handle::State::unknown);
}

TEST(AddressTable, HoldsManyAtOnceAndForgetsThemAll) {
  auto table = std::make_unique<AddressTable>();
  constexpr uint64_t many = 60'000, first = uint64_t{5} << 56;  // as HDF5 counts
  for (uint64_t i = 0; i < many; ++i) ASSERT_TRUE(table->set(first + i, slot(static_cast<uint32_t>(i)))) << i;
  for (uint64_t i = 0; i < many; ++i) ASSERT_EQ(table->get(first + i).slot(), i);
  for (uint64_t i = 0; i < many; ++i) ASSERT_EQ(table->take(first + i).slot(), i);
  EXPECT_EQ(table->get(first + 7).state(), Handle::State::unknown);
  EXPECT_FALSE(table->set(uint64_t{0}, slot(1)));
}

TEST(AddressTable, KeepsAWordPerHandleForItsLifetime) {
  auto table = std::make_unique<AddressTable>();
  EXPECT_EQ(table->look(7).fact, nullptr);
  table->set(uint64_t{7}, slot(1));
  auto place = table->look(7);
  ASSERT_NE(place.fact, nullptr);
  EXPECT_EQ(place.handle.slot(), 1u);
  EXPECT_EQ(place.fact->load(), 0u);
  place.fact->store(99);
  table->set(uint64_t{7}, slot(2));
  EXPECT_EQ(table->look(7).fact->load(), 99u);
  table->take(uint64_t{7});
  table->set(uint64_t{7}, slot(3));
  EXPECT_EQ(table->look(7).fact->load(), 0u);
  uint64_t sum = 0;
  table->set(uint64_t{8}, slot(4));
  table->for_each([&](uint64_t key, Handle handle) { sum += key * handle.slot(); });
  EXPECT_EQ(sum, 7u * 3 + 8 * 4);
}

TEST(MapTable, FindsInnerAddresses) {
  auto table = std::make_unique<MapTable>();
  char* base = reinterpret_cast<char*>(0x10000);
  ASSERT_TRUE(table->add(base, 4096, slot(2)));
  EXPECT_EQ(table->find(base + 100).offset, 100u);
  EXPECT_TRUE(table->find(base + 4095).handle.tracked());
  EXPECT_FALSE(table->find(base + 4096).handle.tracked());
  EXPECT_EQ(table->remove(base, 8192).slot(), 2u);
  EXPECT_FALSE(table->find(base).handle.tracked());
}

}  // namespace
}  // namespace refrain::record
