#include "api/kinds.hpp"

#include <gtest/gtest.h>

#include <set>

#include "api/table.hpp"

namespace refrain::api {
namespace {

TEST(Kinds, HaveOneRowEach) {
  static_assert(std::size(kind_facts) == static_cast<size_t>(Kind::end) + 1);
  std::set<std::string_view> names;
  for (size_t i = 0; i < static_cast<size_t>(Kind::end); ++i) {
    EXPECT_TRUE(names.insert(kind_facts[i].name).second) << kind_facts[i].name;
    EXPECT_FALSE(kind_facts[i].meaning.empty()) << kind_facts[i].name;
  }
  EXPECT_EQ(facts_of(Kind::fd).name, "fd");
  EXPECT_EQ(facts_of(Kind::h5_pointer).name, "h5_pointer");
}

TEST(Kinds, SayWhatTheCallDoesToAHandle) {
  EXPECT_EQ(facts_of(Kind::closed_mpi_file).handle, HandleClass::mpi_file);
  EXPECT_TRUE(ends(Kind::closed_mpi_file) && ends(Kind::h5_closed) && ends(Kind::closed_fd));
  EXPECT_FALSE(ends(Kind::committed_mpi_type));
  EXPECT_TRUE(takes_handle(Kind::dirfd) && takes_handle(Kind::target_fd));
  EXPECT_FALSE(takes_handle(Kind::new_fd) || takes_handle(Kind::requests) || takes_handle(Kind::size));
  for (const KindFacts& facts : kind_facts)
    EXPECT_EQ(facts.handle == HandleClass::end, facts.use == Use::none) << facts.name;
}

TEST(Kinds, OfResultsAreNoArguments) {
  for (const Row& row : rows())
    for (const Argument& argument : row.arguments)
      EXPECT_NE(form_of(argument.kind), Form::result) << row.name << " " << argument.name;
}

TEST(Handles, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < static_cast<size_t>(HandleClass::end); ++i) {
    EXPECT_TRUE(names.insert(handle_facts[i].name).second) << handle_facts[i].name;
    EXPECT_EQ(static_cast<size_t>(handle_class_named(handle_facts[i].name)), i);
  }
  EXPECT_EQ(handle_class_named("nonsense"), HandleClass::end);
}

}  // namespace
}  // namespace refrain::api
