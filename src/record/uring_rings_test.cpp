// Rings in ordinary memory stand in for those of the system. What the recorder does about slots and
// descriptors is only noted.
#include "record/uring_rings.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "record/look.hpp"

namespace refrain::record {

Shared shared;

namespace {

std::vector<uint32_t> freed;
std::vector<std::pair<int, uint32_t>> named;  ///< descriptors, with the slots that they got
uint64_t era = 1;
uint32_t next_slot = 0;
uint32_t told_opened = 0;

Handle file(uint32_t n) { return {Handle::State::tracked, HandleClass::fd, 0, n}; }

}  // namespace

void free_slot(Handle handle) {
  if (handle.tracked()) freed.push_back(handle.slot());
}
void name_promised_fd(int fd, Handle promised, Filter::Verdict) { named.emplace_back(fd, promised.slot()); }
Handle fresh_slot(Lane& lane, HandleClass c) {
  return {Handle::State::tracked, c, lane.number(), next_slot++};
}
uint64_t process_era() { return era; }
void emit_taken(Lane&, const RecordedRing&, const RecordedRing::Taken& taken, const void*) {
  told_opened += taken.opened;
}

namespace {

constexpr unsigned places = 8;

/// A ring of eight entries and as many completions.
class Ring {
 public:
  Ring() {
    io.sq.kring_mask = io.cq.kring_mask = &mask_;
    io.sq.kring_entries = io.cq.kring_entries = &entries_;
    io.sq.sqes = sqes_;
    io.cq.khead = &head_;
    io.cq.ktail = &tail_;
    io.cq.cqes = cqes();
  }
  void submit(uint64_t user_data) { sqes_[io.sq.sqe_tail++ & mask_].user_data = user_data; }
  /// The system has completed an entry.
  void complete(uint64_t user_data, int result, uint32_t flags = 0) {
    io_uring_cqe& place = cqes()[tail_ & mask_];
    place.user_data = user_data;
    place.res = result;
    place.flags = flags;
    ++tail_;
  }
  /// The program has taken all completions that there are.
  void take_all() { head_ = tail_; }

  io_uring io{};

 private:
  io_uring_cqe* cqes() { return reinterpret_cast<io_uring_cqe*>(cqes_); }

  unsigned mask_ = places - 1, entries_ = places, head_ = 0, tail_ = 0;
  io_uring_sqe sqes_[places] = {};
  // As bytes: an entry may have a tail, so that compilers won't have an array of them.
  alignas(io_uring_cqe) std::byte cqes_[places * sizeof(io_uring_cqe)] = {};
};

class RingsTest : public testing::Test {
 protected:
  void SetUp() override {
    freed.clear();
    named.clear();
    told_opened = 0;
    recorded_->begin(ring_.io, {Handle::State::tracked, HandleClass::ring, 0, 0});
  }
  std::vector<uint64_t> new_entries() {
    std::vector<uint64_t> seen;
    recorded_->entries(ring_.io, [&](const io_uring_sqe& entry) { seen.push_back(entry.user_data); });
    return seen;
  }
  void note(uint64_t user_data, Handle opens = Handle()) {
    recorded_->note({user_data, opens, Filter::Verdict{}});
  }
  Ring ring_;
  std::unique_ptr<RecordedRing> recorded_ = std::make_unique<RecordedRing>();
};

TEST_F(RingsTest, EachEntryIsSeenOnce) {
  EXPECT_TRUE(new_entries().empty());
  ring_.submit(1);
  ring_.submit(2);
  EXPECT_EQ(new_entries(), (std::vector<uint64_t>{1, 2}));
  EXPECT_TRUE(new_entries().empty());
  for (uint64_t n = 3; n < 10; ++n) ring_.submit(n);  // around the end of the ring
  EXPECT_EQ(new_entries(), (std::vector<uint64_t>{3, 4, 5, 6, 7, 8, 9}));
}

TEST_F(RingsTest, OfEntriesThatWereOverwrittenTheRestIsSeen) {
  for (uint64_t n = 0; n < places + 3; ++n) ring_.submit(n);
  EXPECT_EQ(new_entries(), (std::vector<uint64_t>{3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST_F(RingsTest, CompletionsCountOnceTheProgramHasTakenThem) {
  note(1);
  note(2);
  ring_.complete(1, 100);
  EXPECT_FALSE(recorded_->take(ring_.io).any());
  ring_.complete(2, -EIO);
  ring_.take_all();
  RecordedRing::Taken taken = recorded_->take(ring_.io);
  EXPECT_EQ(taken.completions, 2u);
  EXPECT_EQ(taken.failed, 1u);
  EXPECT_EQ(taken.opened, 0u);
  EXPECT_FALSE(recorded_->take(ring_.io).any());
}

TEST_F(RingsTest, CompletionsThatWereOverwrittenAreCounted) {
  for (uint64_t n = 0; n < places + 4; ++n) note(n, file(static_cast<uint32_t>(n)));
  for (uint64_t n = 0; n < places + 4; ++n) ring_.complete(n, 20 + static_cast<int>(n));
  ring_.take_all();
  RecordedRing::Taken taken = recorded_->take(ring_.io);
  EXPECT_EQ(taken.completions, places + 4);
  EXPECT_EQ(taken.opened, places);  // of the others it isn't known
  EXPECT_EQ(named.front(), (std::pair{24, 4u}));
}

TEST_F(RingsTest, TimeoutsOfTheLibraryItselfAreNone) {
  ring_.complete(~uint64_t{0}, -ETIME);
  ring_.take_all();
  EXPECT_EQ(recorded_->take(ring_.io).completions, 0u);
}

TEST_F(RingsTest, WaitingTimeIsToldOnce) {
  recorded_->add_wait(30);
  recorded_->add_wait(12);
  EXPECT_EQ(recorded_->take(ring_.io).waited_ticks, 42u);
  EXPECT_EQ(recorded_->take(ring_.io).waited_ticks, 0u);
}

TEST_F(RingsTest, AFileGetsItsSlotWhenItIsOpen) {
  note(7, file(3));
  EXPECT_TRUE(recorded_->is_opening());
  ring_.complete(7, 12);
  ring_.take_all();
  EXPECT_EQ(recorded_->take(ring_.io).opened, 1u);
  EXPECT_EQ(named, (std::vector<std::pair<int, uint32_t>>{{12, 3}}));
  EXPECT_FALSE(recorded_->is_opening());
  EXPECT_TRUE(freed.empty());
}

TEST_F(RingsTest, AFileThatCantBeOpenedGivesItsSlotBack) {
  note(7, file(3));
  ring_.complete(7, -ENOENT);
  ring_.take_all();
  EXPECT_EQ(recorded_->take(ring_.io).opened, 0u);
  EXPECT_TRUE(named.empty());
  EXPECT_EQ(freed, (std::vector<uint32_t>{3}));
}

TEST_F(RingsTest, AnOpenFileIsKnownBeforeItsCompletionIsTaken) {
  note(7, file(3));
  note(8);
  ring_.complete(8, 12);  // as many bytes as the descriptor's number
  EXPECT_FALSE(recorded_->has_opened(12));
  ring_.complete(7, 12);
  EXPECT_FALSE(recorded_->has_opened(13));
  EXPECT_TRUE(recorded_->has_opened(12));
  EXPECT_EQ(named, (std::vector<std::pair<int, uint32_t>>{{12, 3}}));
  EXPECT_FALSE(recorded_->has_opened(12));
  ring_.take_all();
  EXPECT_EQ(recorded_->take(ring_.io).opened, 0u);  // it was told already
}

TEST_F(RingsTest, EntriesWithTheSameUserDataOpenNoKnownFile) {
  note(7, file(3));
  note(7, file(4));
  ring_.complete(7, 12);
  ring_.complete(7, 13);
  ring_.take_all();
  EXPECT_EQ(recorded_->take(ring_.io).completions, 2u);
  EXPECT_TRUE(named.empty());
  EXPECT_EQ(freed, (std::vector<uint32_t>{3, 4}));
}

TEST_F(RingsTest, AnEntryStaysInFlightWhileMoreCompletionsFollow) {
  constexpr uint32_t more_follow = 1u << 1;
  note(7, file(3));
  ring_.complete(7, 12, more_follow);
  ring_.take_all();
  EXPECT_EQ(recorded_->take(ring_.io).opened, 0u);
  EXPECT_TRUE(recorded_->is_opening());
}

TEST_F(RingsTest, MoreInFlightThanAreListedLoseTheirSlots) {
  for (uint32_t n = 0; n < RecordedRing::most_in_flight; ++n) note(n);
  note(9999, file(5));
  EXPECT_EQ(freed, (std::vector<uint32_t>{5}));
  EXPECT_FALSE(recorded_->is_opening());
}

TEST_F(RingsTest, ARingThatEndsGivesItsSlotsBack) {
  note(7, file(3));
  EXPECT_TRUE(recorded_->is(ring_.io));
  recorded_->end();
  EXPECT_TRUE(recorded_->is_free());
  EXPECT_EQ(freed, (std::vector<uint32_t>{3}));
}

TEST_F(RingsTest, InAChildSlotsAreLeftAlone) {
  note(7, file(3));
  recorded_->abandon();
  EXPECT_TRUE(recorded_->is_free());
  EXPECT_TRUE(freed.empty());
}

TEST_F(RingsTest, RegisteredFilesAndBuffersHavePlaces) {
  shared.descriptors.set(40, file(9));
  int files[] = {40, -1};
  EXPECT_EQ(recorded_->file(0), nullptr);
  recorded_->set_files(2, files, 2);
  ASSERT_NE(recorded_->file(3), nullptr);
  EXPECT_EQ(recorded_->file(2)->fd, 40);
  EXPECT_EQ(recorded_->file(2)->handle.slot(), 9u);
  EXPECT_EQ(recorded_->file(3)->fd, -1);
  recorded_->set_files(RecordedRing::most_files - 1, files, 2);  // one is beyond what is kept
  EXPECT_EQ(recorded_->file(RecordedRing::most_files), nullptr);
  recorded_->forget_files();
  EXPECT_EQ(recorded_->file(2), nullptr);
  recorded_->set_buffers(2);
  EXPECT_TRUE(recorded_->has_buffer(1));
  EXPECT_FALSE(recorded_->has_buffer(2));
}

TEST(Rings, AreFoundByWhereTheirEntriesLie) {
  auto one = std::make_unique<Lane>(uint16_t{1}), other = std::make_unique<Lane>(uint16_t{2});
  Ring a, b;
  EXPECT_EQ(find_ring(*one, a.io), nullptr);
  RecordedRing* of_a = add_ring(*one, a.io);
  ASSERT_NE(of_a, nullptr);
  EXPECT_TRUE(of_a->is_locked_by(*one));
  io_uring moved = a.io;
  EXPECT_TRUE(knows_ring(moved));
  EXPECT_EQ(find_ring(*other, moved), nullptr);  // in use
  of_a->unlock();
  EXPECT_EQ(find_ring(*other, moved), of_a);
  of_a->unlock();
  EXPECT_FALSE(knows_ring(b.io));
  EXPECT_EQ(known_rings(), 1u);

  of_a->note({1, file(6), Filter::Verdict{}});
  a.complete(1, 33);
  told_opened = 0;
  EXPECT_FALSE(opened_by_ring(*one, 34));
  EXPECT_TRUE(opened_by_ring(*one, 33));
  EXPECT_EQ(told_opened, 1u);
  EXPECT_FALSE(of_a->is_locked_by(*one));

  ++era;  // a child has none of its parent's
  EXPECT_FALSE(knows_ring(a.io));
  RecordedRing* of_b = add_ring(*one, b.io);
  EXPECT_EQ(of_b, of_a);  // the place is used again
  EXPECT_EQ(known_rings(), 1u);
  of_b->end();
  of_b->unlock();
}

}  // namespace
}  // namespace refrain::record
