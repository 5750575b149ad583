#include "plan/arguments.hpp"

#include <gtest/gtest.h>

namespace refrain::plan {
namespace {

using trace::Operand;
using trace::OperandKind;
using trace::Signature;

Operand text() { return {.kind = OperandKind::text}; }
Operand name(const char* n) { return {.kind = OperandKind::name, .text = n}; }
Operand slot(const char* c) { return {.kind = OperandKind::slot, .text = c}; }
Operand list(uint32_t width) { return {.kind = OperandKind::list, .width = width}; }

TEST(CallPlan, AModeMayBeMissing) {
  Signature s{.function = "open", .layer = "posix", .operands = {text(), name("O_RDONLY")}};
  s.result = slot("fd");
  auto plan = plan_call(s);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->named("mode").count, 0u);
  EXPECT_EQ(plan->result_parameter, 1u);
  s.operands.push_back(name("0644"));
  plan = plan_call(s);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->named("mode").count, 1u);
}

TEST(CallPlan, ListsOfDatatypesAreTwoOperands) {
  Signature s{.function = "MPI_Type_create_struct",
              .layer = "mpi",
              .operands = {list(2), list(2), name("[MPI_INT, mpitype]"), list(1)}};
  s.result = slot("mpitype");
  auto plan = plan_call(s);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->named("count").count, 0u);
  EXPECT_EQ(plan->named("displacements").parameter, 2u);
  EXPECT_EQ(plan->named("types").count, 2u);
  EXPECT_EQ(plan->named("new_type").count, 0u);
  EXPECT_EQ(plan->result_parameter, 5u);
}

TEST(CallPlan, ArgumentsHaveForms) {
  EXPECT_EQ(form_of(api::Kind::fd), api::Form::system_handle);
  EXPECT_EQ(form_of(api::Kind::offset), api::Form::number);
  EXPECT_EQ(form_of(api::Kind::xattr_flags), api::Form::name);
  EXPECT_EQ(form_of(api::Kind::new_comm), api::Form::made_behind);
  EXPECT_EQ(form_of(api::Kind::type_class), api::Form::name);
  EXPECT_EQ(form_of(api::Kind::h5_id), api::Form::library_handle);
  EXPECT_EQ(form_of(api::Kind::h5_view), api::Form::name);
}

TEST(CallPlan, RefusesWhatIsNoCall) {
  EXPECT_FALSE(plan_call({.function = "opne", .layer = "posix"}));
  EXPECT_FALSE(plan_call({.function = "open", .layer = "stdio"}));
  EXPECT_FALSE(plan_call({.function = "close", .layer = "posix"}));
  EXPECT_FALSE(plan_call({.function = "close", .layer = "posix", .operands = {slot("fd"), name("x")}}));
}

}  // namespace
}  // namespace refrain::plan
