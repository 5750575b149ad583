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
        EXPECT_EQ(paths.look(path, filter).verdict, filter.judge(path)) << path;
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

}  // namespace
}  // namespace refrain::record
