#include "fold/explain.hpp"

#include "fold/round_trip_test.hpp"

namespace refrain::fold {
namespace {

using acceptance::Recording;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Value;

Tree folded(const Recording& r) {
  Tree tree = fold_all(r);
  expect_exact(tree, r);
  return tree;
}

/// The only event with this signature.
const Node* find(const Tree& tree, uint32_t call) {
  for (const Node& node : tree) {
    if (node.kind == NodeKind::event && node.signature == call) return &node;
    if (const Node* inside = find(node.body, call)) return inside;
  }
  return nullptr;
}

TEST(Explain, AffineOverAllLoops) {
  Recording r;
  for (int64_t i = 0; i < 5; ++i) {
    r.add(acceptance::sync, {});
    for (int64_t j = 0; j < 4; ++j) r.add(acceptance::meta, {7, 100 + 1000 * i - 3 * j});
  }
  Tree tree = folded(r);
  const Node* meta = find(tree, acceptance::meta);
  ASSERT_NE(meta, nullptr);
  EXPECT_TRUE(meta->parameters[0] == Value::constant(7));
  EXPECT_EQ(meta->parameters[1].form, Form::affine);
  EXPECT_EQ(meta->parameters[1].base, 100);
  EXPECT_EQ(meta->parameters[1].slopes, (std::vector<trace::Number>{1000, -3}));
}

TEST(Explain, IndicesThatNeverVaryHaveAnySlope) {
  Recording r;
  for (int64_t i = 0; i < 300; ++i) {
    r.add(acceptance::file_open, {i});
    if (mix64(static_cast<uint64_t>(i)) % 5 == 0) r.add(acceptance::extra1, {i});
    r.add(acceptance::file_close, {i});
  }
  Tree tree = folded(r);
  const Node* extra = find(tree.back().body, acceptance::extra1);
  ASSERT_NE(extra, nullptr);
  ASSERT_EQ(extra->parameters[0].form, Form::affine);
  EXPECT_EQ(extra->parameters[0].slopes, (std::vector<trace::Number>{1, Value::any_slope}));
}

TEST(Explain, OffsetsThatGoOnAcrossVaryingTripCounts) {
  Recording r;
  int64_t offset = 0;
  for (int64_t i = 0; i < 50; ++i) {
    r.add(acceptance::data_open, {i});
    for (int64_t n = i * i % 7; n > 0; --n, offset += 512) r.add(acceptance::seek, {offset});
  }
  Tree tree = folded(r);
  const Node* seek = find(tree, acceptance::seek);
  ASSERT_NE(seek, nullptr);
  EXPECT_EQ(seek->parameters[0].form, Form::counter);
  EXPECT_EQ(seek->parameters[0].step, 512);
}

TEST(Explain, RunningOffsetsAndCopiesOfThem) {
  Recording r;
  acceptance::Random random(2);
  int64_t offset = 64;
  for (int64_t i = 0; i < 200; ++i) {
    int64_t size = 1 + random.below(1000);
    r.add(acceptance::seek, {offset});
    r.add(acceptance::pwrite, {3, offset, size});
    offset += size;
  }
  Tree tree = folded(r);
  const Node* write = find(tree, acceptance::pwrite);
  const Node* seek = find(tree, acceptance::seek);
  ASSERT_TRUE(write && seek);
  EXPECT_EQ(write->parameters[1].form, Form::running);
  EXPECT_EQ(write->parameters[1].parameter, 2u);
  EXPECT_EQ(write->parameters[1].base, 64);
  EXPECT_EQ(seek->parameters[0].form, Form::copy);
  EXPECT_EQ(seek->parameters[0].sibling, 1u);
  EXPECT_EQ(seek->parameters[0].parameter, 1u);
}

/// What a call in two loops, of four and `turns` turns, gets as its second parameter.
template <class F>
std::optional<Value> explained(int64_t turns, F value) {
  Recording r;
  for (int64_t i = 0; i < 4; ++i) {
    r.add(acceptance::sync, {});
    for (int64_t j = 0; j < turns; ++j) r.add(acceptance::meta, {7, value(i, j)});
  }
  Tree tree = folded(r);
  const Node* meta = find(tree, acceptance::meta);
  return meta ? std::optional(meta->parameters[1]) : std::nullopt;
}

Value power(int64_t base, int64_t factor, int64_t ratio, uint32_t depth, std::vector<trace::Number> slopes) {
  return {
      .form = Form::power, .base = base, .step = factor, .slopes = slopes, .depth = depth, .ratio = ratio};
}

TEST(Explain, PowersOverOneIndex) {
  EXPECT_EQ(explained(4, [](int64_t, int64_t j) { return 16 << j; }), power(0, 16, 2, 1, {}));
  EXPECT_EQ(explained(4, [](int64_t i, int64_t) { return 16 << i; }), power(0, 16, 2, 0, {}));
  EXPECT_EQ(explained(3, [](int64_t, int64_t j) { return 1 << j; }), power(0, 1, 2, 1, {}));
  EXPECT_EQ(explained(9, [](int64_t i, int64_t j) { return 100 * i - (1 << j) + 3; }),
            power(3, -1, 2, 1, {100}));
  int64_t thousands[] = {1, 1000, 1000000, 1000000000};
  EXPECT_EQ(explained(2, [&](int64_t i, int64_t j) { return 5 * thousands[i] + j; }),
            power(0, 5, 1000, 0, {0, 1}));
}

TEST(Explain, PowersNeedAValueThatConfirmsThem) {
  EXPECT_NE(explained(3, [](int64_t, int64_t j) { return (1 << j) + 1; })->form, Form::power);
  EXPECT_NE(explained(4, [](int64_t, int64_t j) { return j == 3 ? 9 : 1 << j; })->form, Form::power);
  EXPECT_NE(explained(4, [](int64_t, int64_t j) { return j % 2 == 0 ? 1 : -1; })->form, Form::power);
}

TEST(Explain, AnotherPowerOfTheCallConfirmsOne) {
  Recording r;
  for (int64_t i = 0; i < 3; ++i) r.add(acceptance::meta, {16 << i, (16 << i) - 16});
  const Tree tree = folded(r);
  const Node* meta = find(tree, acceptance::meta);
  ASSERT_NE(meta, nullptr);
  EXPECT_TRUE(meta->parameters[1] == power(-16, 16, 2, 0, {}));
}

TEST(Explain, PowersThatLeave64BitsAreNone) {
  auto wraps = [](int64_t, int64_t j) { return j < 64 ? static_cast<int64_t>(uint64_t{3} << j) : 0; };
  EXPECT_EQ(explained(62, wraps)->form, Form::power);
  EXPECT_NE(explained(63, wraps)->form, Form::power);
  EXPECT_NE(explained(70, wraps)->form, Form::power);
  auto ends = [](int64_t, int64_t j) { return static_cast<int64_t>(~uint64_t{0} << j); };
  EXPECT_EQ(explained(64, ends), power(0, -1, 2, 1, {}));
}

TEST(Explain, LoopsThatTurnTwiceAsOftenEachTime) {
  Recording r;
  for (int64_t i = 0; i < 6; ++i) {
    r.add(acceptance::data_open, {i});
    for (int64_t n = 0; n < 4 << i; ++n) r.add(acceptance::seek, {n + (16 << i)});
  }
  Tree tree = folded(r);
  ASSERT_EQ(tree.size(), 1u);
  ASSERT_EQ(tree[0].body.size(), 2u);
  EXPECT_TRUE(tree[0].body[1].count == power(0, 4, 2, 0, {}));
  EXPECT_TRUE(tree[0].body[1].body[0].parameters[0] == power(0, 16, 2, 0, {0, 1}));
}

TEST(Explain, ValuesThatDoubleEachOtherArePowers) {
  Recording r;
  for (int64_t i = 0; i < 5; ++i) r.add(acceptance::meta, {16 << i, 32 << i});
  const Tree tree = folded(r);
  const Node* meta = find(tree, acceptance::meta);
  ASSERT_NE(meta, nullptr);
  EXPECT_TRUE(meta->parameters[0] == power(0, 16, 2, 0, {}));
  EXPECT_TRUE(meta->parameters[1] == power(0, 32, 2, 0, {}));
}

TEST(Explain, TablesOverOneIndex) {
  Recording r;
  for (int64_t i = 0; i < 300; ++i) {
    r.add(acceptance::sync, {});
    for (int64_t j = 0; j < 20; ++j)
      r.add(acceptance::seek, {i * 10 + static_cast<int64_t>(mix64(static_cast<uint64_t>(j)) % 5000)});
  }
  Tree tree = folded(r);
  const Node* seek = find(tree, acceptance::seek);
  ASSERT_NE(seek, nullptr);
  EXPECT_EQ(seek->parameters[0].form, Form::separable);
  EXPECT_EQ(seek->parameters[0].depth, 1u);
  EXPECT_EQ(seek->parameters[0].column->size(), 20u);
}

TEST(Explain, FlattenedLoopsAreSplit) {
  Recording r;
  for (int64_t step = 0; step < 40; ++step)
    for (int64_t field = 0; field < 8; ++field) r.add(acceptance::meta, {field, step * 1000 + field * 7});
  Tree tree = folded(r);
  ASSERT_EQ(tree.size(), 1u);
  EXPECT_EQ(tree[0].count.base, 40);
  ASSERT_EQ(tree[0].body[0].kind, NodeKind::loop);
  EXPECT_EQ(tree[0].body[0].count.base, 8);
}

TEST(Explain, AnOddFirstIterationIsPeeled) {
  Recording r;
  r.add(acceptance::seek, {-5});
  for (int64_t i = 0; i < 30; ++i) r.add(acceptance::seek, {100 + i * i % 1 + i * 10});
  Tree tree = folded(r);
  ASSERT_EQ(tree.size(), 2u);
  EXPECT_EQ(tree[0].kind, NodeKind::event);
  EXPECT_EQ(tree[1].count.base, 30);
}

/// Four sizes of five may be equal by chance; offsets tell that there is no rule.
TEST(Explain, AnOddLastIterationOfAShortLoopStays) {
  auto writes = [](const std::vector<int64_t>& offsets) {
    Recording r;
    for (int64_t offset : offsets) {
      int64_t size = offset == offsets.back() ? 328 : 2616;
      r.add(acceptance::pwrite, {offset, size, size});
    }
    return folded(r);
  };
  Tree tree = writes({38176, 72592, 40792, 2280, 95176});
  ASSERT_EQ(tree.size(), 1u);
  EXPECT_EQ(tree[0].count.base, 5);
  EXPECT_EQ(writes({0, 2616, 5232, 7848, 95176}).size(), 2u);
  EXPECT_EQ(writes({1, 4, 2, 8, 5, 7, 11, 3, 19, 16, 95176}).size(), 2u);
}

/// Numbers of names change when tables are united; what is derived from them would change too.
TEST(Explain, ReferencesAndNumbersStayApart) {
  std::vector<trace::Signature> signatures(acceptance::call_count);
  trace::Operand text{.kind = trace::OperandKind::text}, integer{.kind = trace::OperandKind::integer};
  signatures[acceptance::meta].operands = {text, integer};
  signatures[acceptance::pwrite].operands = {text, text, integer};
  const std::vector<int64_t> irregular = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9};
  Recording r;
  int64_t sum = 20;
  for (int64_t x : irregular) {
    r.add(acceptance::meta, {x, x + 1});
    r.add(acceptance::pwrite, {x, x + 2, sum});
    sum += x;
  }
  auto finished = [&](std::span<const trace::Signature> known) {
    Folder folder;
    acceptance::declare_all(folder);
    acceptance::feed(folder, r, 0, r.size(), r.parameters.data());
    Tree tree = folder.finish(known);
    expect_exact(tree, r);
    return tree;
  };
  Tree any = finished({});
  EXPECT_EQ(find(any, acceptance::meta)->parameters[1].form, Form::copy);
  EXPECT_EQ(find(any, acceptance::pwrite)->parameters[1].form, Form::copy);
  EXPECT_EQ(find(any, acceptance::pwrite)->parameters[2].form, Form::running);
  Tree apart = finished(signatures);
  EXPECT_EQ(find(apart, acceptance::meta)->parameters[1].form, Form::column);
  EXPECT_EQ(find(apart, acceptance::pwrite)->parameters[0].form, Form::copy) << "an equal reference";
  EXPECT_EQ(find(apart, acceptance::pwrite)->parameters[1].form, Form::column);
  EXPECT_EQ(find(apart, acceptance::pwrite)->parameters[2].form, Form::column);
}

/// Procedures a (two events around a loop), b and c in random order.
TEST(Explain, PhasesInRandomOrderBecomeAChoice) {
  Recording r;
  acceptance::Random random(8);
  r.add(acceptance::attribute, {1, 2});
  for (int64_t i = 0; i < 900; ++i) {
    switch (random.below(3)) {
      case 0:
        r.add(acceptance::file_open, {i});
        for (int64_t j = 0; j < 5; ++j) r.add(acceptance::pwrite, {3, i * 100 + j, 1});
        r.add(acceptance::file_close, {i});
        break;
      case 1:
        r.add(acceptance::meta, {i * 8, 8});
        break;
      default:
        r.add(acceptance::barrier, {});
    }
  }
  Tree tree = folded(r);
  EXPECT_LE(count_nodes(tree), 12u);
  EXPECT_LE(encoded(tree).size(), 300u);  // 900 selections of one in three, and not much else
  EXPECT_EQ(tree[0].signature, acceptance::attribute);
}

}  // namespace
}  // namespace refrain::fold
