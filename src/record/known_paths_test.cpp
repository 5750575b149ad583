#include "record/known_paths.hpp"

#include <gtest/gtest.h>

#include <string>

namespace refrain::record {
namespace {

Filter filter_with(std::string_view rules) {
  Filter filter;
  filter.set_rules(rules);
  return filter;
}

TEST(KnownPaths, VerdictsAreThoseOfTheFilter) {
  Filter filter = filter_with("-**/scratch/*\n+/dev/shm/**\n");
  KnownPaths paths;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 1000; ++i)
      for (std::string folder :
           {"", "/scratch/", "a/scratch/", "/dev/shm/", "/dev/", "/tmp/ompi.x/", "/proc/"}) {
        std::string path = folder + "file" + std::to_string(i);
        EXPECT_EQ(paths.look(path.c_str(), filter).verdict, filter.judge(path)) << path;
      }
}

TEST(KnownPaths, AFileIsKnownUntilNamesChange) {
  Filter filter;
  KnownPaths paths;
  uint32_t era = names_era.load();
  EXPECT_FALSE(paths.look("data", filter).has_file(era));
  paths.look("data", filter).file_era = era;
  EXPECT_TRUE(paths.look("data", filter).has_file(names_era.load()));
  EXPECT_FALSE(paths.look("date", filter).has_file(names_era.load()));
  { NamesChange change; }
  EXPECT_FALSE(paths.look("data", filter).has_file(names_era.load()));
}

/// Programs put one path after the other where the last one stood.
TEST(KnownPaths, PathsAreKnownByWhatTheySay) {
  Filter filter = filter_with("-**/scratch/*\n");
  KnownPaths paths;
  char text[200];
  for (int round = 0; round < 3; ++round)
    for (std::string path : {"/scratch/a", "/data/a", "/data/ab", "", "/data/a", "b"}) {
      path.copy(text, path.size());
      text[path.size()] = 0;
      EXPECT_EQ(paths.look(text, filter).verdict, filter.judge(path)) << path;
      std::string elsewhere = path;
      EXPECT_EQ(&paths.look(elsewhere.c_str(), filter), &paths.look(text, filter)) << path;
    }
}

TEST(KnownPaths, WhatIsKnownOfAPathGoesWithItsPlace) {
  Filter filter;
  KnownPaths paths;
  paths.look("data", filter).text_era = 7;
  EXPECT_EQ(paths.look("data", filter).text_era, 7u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(paths.look(std::to_string(i).c_str(), filter).text_era, 0u);
  EXPECT_EQ(paths.look("data", filter).text_era, 0u);
  std::string longer(300, 'x');
  paths.look(longer.c_str(), filter).text_era = 7;
  EXPECT_EQ(paths.look(longer.c_str(), filter).text_era, 0u);
}

}  // namespace
}  // namespace refrain::record
