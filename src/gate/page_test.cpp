#include "gate/page.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace refrain::gate {
namespace {

TEST(GatePage, every_change_of_state_changes_the_word) {
  auto page = std::make_unique<Page>();
  EXPECT_EQ(state_of(page->word.load()), GateState::closed);
  uint32_t before = page->word.load();
  EXPECT_TRUE(set_gate(*page, GateState::open));
  EXPECT_TRUE(set_gate(*page, GateState::closed));
  EXPECT_EQ(state_of(page->word.load()), GateState::closed);
  EXPECT_NE(page->word.load(), before);  // who has slept through a phase notices
  before = page->word.load();
  EXPECT_FALSE(set_gate(*page, GateState::closed));
  EXPECT_EQ(page->word.load(), before);
}

TEST(GatePage, words_never_run_into_the_state) {
  uint32_t word = ~uint32_t{0};
  word = next_word(word, GateState::open);
  EXPECT_EQ(state_of(word), GateState::open);
  EXPECT_EQ(state_of(next_word(~uint32_t{0}, GateState::uncoordinated)), GateState::uncoordinated);
}

TEST(GatePage, slots_are_taken_once_and_freed_with_their_process) {
  auto page = std::make_unique<Page>();
  Slot* first = take_slot(*page, 10);
  Slot* second = take_slot(*page, 11);
  ASSERT_NE(first, second);
  first->running = 1;
  first->leaves = 1;
  first->bytes = 1000;
  first->calls = 3;
  second->waiting = 1;
  second->planned = 77;
  Observation seen = observe(*page);
  EXPECT_TRUE(seen.moving);
  EXPECT_TRUE(seen.waiting);
  EXPECT_EQ(seen.planned, 77U);
  EXPECT_EQ(free_dead_slots(*page, [](uint32_t pid) { return pid == 11; }), 1U);
  seen = observe(*page);
  EXPECT_FALSE(seen.moving);
  EXPECT_FALSE(seen.calling);
  EXPECT_TRUE(seen.waiting);
  EXPECT_EQ(seen.bytes, 1000U) << "what was moved stays counted";
  EXPECT_EQ(take_slot(*page, 12), first);
}

TEST(GatePage, a_full_page_has_no_slot) {
  auto page = std::make_unique<Page>();
  for (size_t i = 0; i < max_slots; ++i) ASSERT_NE(take_slot(*page, 5), nullptr);
  EXPECT_EQ(take_slot(*page, 6), nullptr);
  EXPECT_EQ(free_dead_slots(*page, [](uint32_t) { return false; }), max_slots);
  EXPECT_NE(take_slot(*page, 6), nullptr);
}

TEST(GatePage, threads_that_rest_may_pass_small_transfers_again) {
  auto page = std::make_unique<Page>();
  Slot* slot = take_slot(*page, 10);
  slot->outside = 500;
  slot->calls = 7;
  RestingThreads resting;
  resting.look(*page);
  EXPECT_EQ(slot->outside, 500U);
  resting.look(*page);
  EXPECT_EQ(slot->outside, 0U);
}

}  // namespace
}  // namespace refrain::gate
