#include "coordinate/job_profile.hpp"

#include <gtest/gtest.h>

#include <random>

#include "coordinate/dispatch_note.hpp"

namespace refrain::coordinate {
namespace {

using schedule::second;

JobProfile small_profile() {
  JobProfile profile{.ranks = 64, .bandwidth = 2.1e9};
  profile.job.nodes = 4;
  profile.job.add_block({{32 * second + 400'000'000, 27.5e6}}, 589);
  profile.job.add_block({{10 * second, 0}, {3 * second + 1, 1024.25}}, 1);
  return profile;
}

TEST(JobProfile, TextIsReadBack) {
  std::string text = profile_text(small_profile());
  EXPECT_EQ(text,
            "refrain/1 nodes=4 ranks=64 bandwidth=2.1e+09 phases=589x32.4+27500000;10+0,3.000000001+1024.25");
  ASSERT_TRUE(read_profile(text));
  EXPECT_EQ(*read_profile(text), small_profile());
  EXPECT_EQ(*read_profile(text + " and what else its owner wrote"), small_profile());
}

TEST(JobProfile, RandomOnesAreReadBackOrKeepTheirSums) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    JobProfile profile;
    profile.job.nodes = static_cast<uint32_t>(1 + random() % 100);
    for (size_t block = random() % 40; block > 0; --block) {
      std::vector<schedule::Phase> phases;
      for (size_t phase = 1 + random() % 6; phase > 0; --phase) {
        phases.push_back({static_cast<schedule::Time>(random() % 100'000'000'000),
                          static_cast<double>(random() % 1'000'000'000)});
      }
      profile.job.add_block(phases, 1 + random() % 50);
    }
    std::string text = profile_text(profile);
    ASSERT_LE(text.size(), longest_comment);
    std::optional<JobProfile> read = read_profile(text);
    ASSERT_TRUE(read) << text;
    if (!read->shortened) {
      EXPECT_EQ(*read, profile);
    } else {
      EXPECT_EQ(read->job.nodes, profile.job.nodes);
      EXPECT_EQ(read->job.phase_count(), profile.job.phase_count());
      EXPECT_EQ(read->job.compute_time(), profile.job.compute_time());
      EXPECT_NEAR(read->job.volume(), profile.job.volume(), 1e-9 * profile.job.volume());
    }
    EXPECT_TRUE(read_profile(profile_text(profile, 200)));
    EXPECT_LE(profile_text(profile, 200).size(), 200U);
  }
}

TEST(JobProfile, OtherCommentsAreNone) {
  for (std::string_view text :
       {"", "hello", "refrain/2 nodes=1 phases=1+1", "refrain/1", "refrain/1 nodes=1",
        "refrain/1 nodes=0 phases=1+1", "refrain/1 nodes=-1 phases=1+1", "refrain/1 nodes=1 phases=1",
        "refrain/1 nodes=1 phases=1+", "refrain/1 nodes=1 phases=x1+1", "refrain/1 nodes=1 phases=0x1+1",
        "refrain/1 nodes=1 phases=1+1;", "refrain/1 nodes=1 phases=-1+1", "refrain/1 nodes=1 phases=nan+1",
        "refrain/1 nodes=1 phases=1+inf", "refrain/1 nodes=1 phases=1e30+1",
        "refrain/1 nodes=1 phases=99999999999x1+1", "refrain/1 color=1 phases=1+1",
        "refrain/1 nodes=1 phases=400000x100+1"})
    EXPECT_FALSE(read_profile(text)) << text;
  EXPECT_TRUE(read_profile("refrain/1 nodes=1 phases="));
  std::string text = profile_text(small_profile());
  for (size_t at = 0; at < text.size(); ++at) {
    for (char c : {'x', '+', ';', ',', '9', ' ', '\0'}) {
      std::string changed = text;
      changed[at] = c;
      (void)read_profile(changed);
    }
  }
}

TEST(DispatchNote, TextIsReadBack) {
  DispatchNote note{.pack = 12, .partition = "io2", .mapping = "make-pack+backfill/1.5"};
  EXPECT_EQ(note_text(note), "refrain/1 pack=12 on=io2 by=make-pack+backfill/1.5");
  EXPECT_EQ(read_note(note_text(note)), note);
  note.io_node = 2;
  note.coordinator = "tcp://[fe80::1]:7000";
  EXPECT_EQ(read_note(note_text(note)), note);
  EXPECT_EQ(read_note("refrain/1"), DispatchNote{});
  for (std::string_view text : {"", "x", "refrain/1 ", "refrain/1x", "refrain/1 pack=a", "refrain/1 on=",
                                "refrain/1 a=b", "refrain/1 on=a;b", "refrain/1 on=$(id)", "refrain/1  on=a"})
    EXPECT_FALSE(read_note(text)) << text;
  EXPECT_FALSE(is_plain_word(""));
  EXPECT_FALSE(is_plain_word("tcp://a b"));
  EXPECT_FALSE(is_plain_word("`id`"));
}

}  // namespace
}  // namespace refrain::coordinate
