#include "coordinate/client_page.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace refrain::coordinate {
namespace {

std::string own_key() { return "test." + std::to_string(getpid()); }

TEST(PageFile, is_shared_by_all_with_its_key_and_gone_with_the_last) {
  auto first =
      PageFile::join({.key = own_key(), .idle_ns = 5, .patience_ns = 6, .gate_bytes = 7, .rules = "-/a\n"});
  ASSERT_TRUE(first) << first.error().text();
  auto second = PageFile::join({.key = own_key(), .idle_ns = 50});
  ASSERT_TRUE(second) << second.error().text();
  EXPECT_EQ(first->path(), second->path());
  EXPECT_EQ(second->page().idle_ns, 5U) << "what was set first holds";
  EXPECT_STREQ(second->page().rules, "-/a\n");
  first->page().word = 41;
  EXPECT_EQ(second->page().word, 41U);
  EXPECT_EQ(second->page().handover.client, first->page().handover.client);
  first->leave();
  EXPECT_TRUE(std::filesystem::exists(first->path()));
  second->leave();
  EXPECT_FALSE(std::filesystem::exists(first->path()));
}

TEST(PageFile, is_removed_by_the_next_job_when_all_of_its_own_were_killed) {
  auto old = PageFile::join({.key = own_key() + ".old"});
  ASSERT_TRUE(old) << old.error().text();
  auto next = PageFile::join({.key = own_key() + ".next"});
  ASSERT_TRUE(next) << next.error().text();
  EXPECT_TRUE(std::filesystem::exists(old->path())) << "its server may still come";
  old->page().client_seen_ns = 0;
  auto third = PageFile::join({.key = own_key() + ".third"});
  ASSERT_TRUE(third) << third.error().text();
  EXPECT_FALSE(std::filesystem::exists(old->path()));
  next->leave();
  third->leave();
}

TEST(PageFile, refuses_what_is_no_page) {
  auto page = PageFile::join({.key = own_key() + ".other"});
  ASSERT_TRUE(page);
  std::filesystem::remove(page->path());
  std::ofstream(page->path()) << "something else";
  EXPECT_FALSE(PageFile::join({.key = own_key() + ".other"}));
  std::filesystem::remove(page->path());
  EXPECT_FALSE(PageFile::join({.key = own_key(), .rules = std::string(gate::max_rule_bytes, '+')}));
}

}  // namespace
}  // namespace refrain::coordinate
