// Values that depend on other values, as C.
#include <gtest/gtest.h>

#include "generate/kernel.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {
namespace {

using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Operand;
using trace::OperandKind;
using trace::RankSet;
using trace::Value;

Value running(int64_t base, uint32_t parameter) {
  return {.form = Form::running, .base = base, .step = 1, .parameter = parameter};
}

/// pread(0, count, offset) -> result, five times; on two ranks.
trace::Trace reading(const std::vector<std::vector<Value>>& calls) {
  trace::Trace t{.command = "reads", .layers = {"posix"}, .nprocs = 2};
  trace::Signature& s = t.signatures.emplace_back();
  s.function = "pread";
  s.layer = "posix";
  s.operands = {{.kind = OperandKind::integer},
                {.kind = OperandKind::data},
                {.kind = OperandKind::integer},
                {.kind = OperandKind::integer}};
  s.result = {.kind = OperandKind::integer};
  Node loop{.kind = NodeKind::loop, .count = Value::constant(5)};
  for (const auto& parameters : calls) loop.body.push_back({.parameters = parameters});
  trace::Process& p = t.processes.emplace_back();
  p.program = "reads";
  p.ranks = RankSet::range(0, 2);
  p.streams.push_back({.nodes = {loop}});
  return t;
}

std::string program_of(const trace::Trace& t) {
  auto kernel = generate(t, {});
  EXPECT_TRUE(kernel) << kernel.error().text();
  return kernel ? kernel->files[0].text : std::string();
}

size_t times(const std::string& text, std::string_view part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(KernelValues, MayRunByEachOther) {
  Value zero = Value::constant(0);
  std::string text = program_of(reading({{zero, running(16, 2), running(32, 1), zero}}));
  EXPECT_EQ(1u, times(text, "at.x1 = i > 0 ? wrap_add(at.x1, at.y2) : 16;")) << text;
  EXPECT_EQ(1u, times(text, "at.x3 = i > 0 ? wrap_add(at.x3, at.y4) : 32;")) << text;
  EXPECT_EQ(1u, times(text, "at.y2 = at.x3;")) << text;
  EXPECT_EQ(1u, times(text, "at.y4 = at.x1;")) << text;
}

TEST(KernelValues, MayRunByThemselves) {
  Value zero = Value::constant(0);
  std::string text = program_of(reading({{zero, running(16, 1), zero, zero}}));
  EXPECT_EQ(1u, times(text, "? wrap_add(at.x1, at.y2) : 16;")) << text;
  EXPECT_EQ(1u, times(text, "at.y2 = at.x1;")) << text;
}

/// A call in which ranks 0 and 1 run by different arguments.
std::vector<Value> apart_on_ranks() {
  Value either{
      .form = Form::by_rank,
      .alternatives = {{RankSet::range(0, 1), running(16, 2)}, {RankSet::range(1, 1), running(24, 3)}}};
  Value lengths{.form = Form::column,
                .column = std::make_shared<const trace::Column>(trace::Column::of({5, 1, 4, 1, 5}))};
  return {Value::constant(0), either, lengths, Value{.base = 1, .slopes = {7}}};
}

TEST(KernelValues, ThatRunByOthersOnEveryRankApartAreKeptApart) {
  std::string text = program_of(reading({apart_on_ranks()}));
  EXPECT_EQ(1u, times(text, ": 16;")) << text;
  EXPECT_EQ(1u, times(text, ": 24;")) << text;
  EXPECT_EQ(2u, times(text, "rank == 0 ? at.x3 : at.x1")) << text;
}

TEST(KernelValues, AreCopiedFromWhateverTheOtherCallHas) {
  Value zero = Value::constant(0);
  Value copy{.form = Form::copy, .base = 100, .parameter = 1, .sibling = 0};
  std::string text = program_of(reading({apart_on_ranks(), {zero, zero, copy, zero}}));
  EXPECT_EQ(1u, times(text, "wrap_add(rank == 0 ? at.x3 : at.x1, 100)")) << text;
}

TEST(KernelValues, AreKeptForOthersWhereTheirOwnCallDoesNotTakeThem) {
  Value zero = Value::constant(0), copy{.form = Form::copy, .parameter = 3, .sibling = 0};
  Value lengths{.form = Form::column,
                .column = std::make_shared<const trace::Column>(trace::Column::of({5, 1, 4, 1, 5}))};
  std::string text = program_of(reading({{zero, lengths, zero, running(0, 1)}, {zero, zero, copy, zero}}));
  EXPECT_EQ(1u, times(text, "at.x1 = i > 0 ? wrap_add(at.x1, at.y2) : 0;")) << text;
  EXPECT_EQ(1u, times(text, "at.y2 = ")) << text;
  EXPECT_EQ(1u, times(text, "in(0), 0, at.x1)")) << text;
}

TEST(KernelValues, OfLoopsThatTurnOnceAreCopiedWithoutBeingKept) {
  Value zero = Value::constant(0), copy{.form = Form::copy, .parameter = 1, .sibling = 0};
  trace::Trace t = reading({{zero, running(16, 2), zero, zero}, {zero, copy, zero, zero}});
  t.processes[0].streams[0].nodes[0].count = Value::constant(1);
  EXPECT_EQ(2u, times(program_of(t), "in(16), 16, 0)"));
}

TEST(KernelValues, MayBeCopiesOfEachOtherOnDifferentRanks) {
  Value zero = Value::constant(0);
  auto copy = [](uint32_t parameter) { return Value{.form = Form::copy, .parameter = parameter}; };
  auto either = [](const Value& first, const Value& second) {
    return Value{.form = Form::by_rank,
                 .alternatives = {{RankSet::range(0, 1), first}, {RankSet::range(1, 1), second}}};
  };
  std::string text = program_of(
      reading({{zero, either(Value::constant(5), copy(2)), either(copy(1), Value::constant(7)), zero}}));
  EXPECT_EQ(1u, times(text, "rank == 0 ? 5 : 7, rank == 0 ? 5 : 7")) << text;
}

/// What the other call has on ranks that don't make this one doesn't matter: there it may be a copy itself.
TEST(KernelValues, AreCopiedFromWhatTheOtherCallHasOnTheirRanks) {
  Value zero = Value::constant(0);
  Value lengths{.form = Form::column,
                .column = std::make_shared<const trace::Column>(trace::Column::of({5, 1, 4, 1, 5}))};
  Value either{.form = Form::by_rank,
               .alternatives = {{RankSet::range(0, 1), {.form = Form::copy, .parameter = 2}},
                                {RankSet::range(1, 1), lengths}}};
  Value copy{.form = Form::copy, .base = 100, .parameter = 1, .sibling = 1};
  trace::Trace t =
      reading({{zero, zero, lengths, zero}, {zero, either, zero, zero}, {zero, zero, copy, zero}});
  t.processes[0].streams[0].nodes[0].body[2].ranks = RankSet::range(1, 1);
  std::string text = program_of(t);
  EXPECT_EQ(1u, times(text, "table1[i] + 100")) << text;
}

TEST(KernelValues, AreEachKeptOnceHoweverManyRunByThem) {
  constexpr uint32_t depth = 24;
  trace::Trace t = reading({{}});
  t.signatures[0] = {.function = "MPI_Waitall", .layer = "mpiio"};
  t.signatures[0].operands = {{.kind = OperandKind::list, .width = depth}};
  std::vector<Value>& parameters = t.processes[0].streams[0].nodes[0].body[0].parameters;
  for (uint32_t p = 0; p < depth; ++p) {
    uint32_t next = (p + 1) % depth;
    parameters.push_back({.form = Form::by_rank,
                          .alternatives = {{RankSet::range(0, 1), running(1, next)},
                                           {RankSet::range(1, 1), running(2, next)}}});
  }
  std::string text = program_of(t);
  EXPECT_EQ(depth, times(text, " : 1;")) << text;
  EXPECT_EQ(depth, times(text, " : 2;")) << text;
}

}  // namespace
}  // namespace refrain::generate
