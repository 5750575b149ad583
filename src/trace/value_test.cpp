// Every form of value survives its bytes, and no bytes hurt the reader.
#include "trace/value.hpp"

#include <gtest/gtest.h>

#include <random>

namespace refrain::trace {
namespace {

std::shared_ptr<const Column> column(std::vector<int64_t> values) {
  return std::make_shared<const Column>(Column::of(values));
}

std::vector<Value> samples() {
  std::vector<Value> all{Value::constant(0), Value::constant(-1), Value::constant(INT64_MIN)};
  all.push_back({.base = 7, .slopes = {1, 0, -65536, Value::any_slope, INT64_MAX, INT64_MIN + 1}});
  all.push_back({.base = 7, .slopes = std::vector<Number>(31, 5)});
  all.push_back({.base = 7, .slopes = std::vector<Number>(64, Value::any_slope)});
  all.push_back({.form = Form::counter, .base = -3, .step = 4096});
  all.push_back({.form = Form::running, .base = 9, .step = -1, .parameter = 3});
  all.push_back({.form = Form::copy, .base = -8, .parameter = 2, .sibling = 70000});
  all.push_back(
      {.form = Form::separable, .base = 1, .slopes = {3, 4}, .depth = 1, .column = column({5, 9, 2})});
  all.push_back({.form = Form::column, .column = column({1, 1, 2, 3, 5, 8})});
  all.push_back({.form = Form::column, .base = 4, .column = column({1, 1, 2, 3, 5, 8})});
  Number rank(RankExpression::rank()), table(Column::of({4, 1, 4}));
  all.push_back({.base = rank, .slopes = {1, table, Value::any_slope}});
  all.push_back({.form = Form::counter, .base = 1, .step = rank});
  all.push_back({.form = Form::column, .base = table, .entries = {1, rank}});
  all.push_back({.form = Form::power, .base = -16, .step = 16, .ratio = 2});
  all.push_back({.form = Form::power, .base = -16, .step = 16, .ratio = 3});
  all.push_back(
      {.form = Form::power, .base = rank, .step = table, .slopes = {0, 7}, .depth = 1, .ratio = INT64_MAX});
  Value by_rank{.form = Form::by_rank};
  by_rank.alternatives = {{RankSet::of({0, 2}), all.back()}, {RankSet::of({1}), Value::constant(5)}};
  all.push_back(by_rank);
  return all;
}

TEST(Value, RoundTripsEveryForm) {
  for (const Value& v : samples()) {
    ByteWriter w;
    v.write(w);
    ByteReader r(w.bytes());
    EXPECT_TRUE(Value::read(r) == v);
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.left(), 0u);
  }
}

/// Four ranks that write at twenty places without a rule.
TEST(Value, ListsOfTablesMayStandAsOneTable) {
  std::mt19937_64 random(1);
  Value v{.form = Form::column};
  for (int i = 0; i < 20; ++i) {
    std::vector<int64_t> places(4);
    for (int64_t& place : places) place = static_cast<int64_t>(random() % 1000000);
    v.entries.emplace_back(Column::of(places));
  }
  v.entries[7] = 5;
  Value by_rank{.form = Form::by_rank, .alternatives = {{RankSet::range(0, 4), v}}};
  for (const Value& x : {v, by_rank}) {
    ByteWriter apart, together;
    Closeness close;
    x.write(apart);
    x.write(together, &close);
    EXPECT_TRUE(close.used);
    EXPECT_LT(together.size() + 60, apart.size());
    ByteReader r(together.bytes());
    EXPECT_TRUE(Value::read(r) == x);
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.left(), 0u);
  }
}

TEST(Value, TablesThatDoNotFillAListAreRefused) {
  auto verdict = [](uint64_t entries, const Column& table) {
    ByteWriter w;
    for (int b : {0x1f, 5, 0, 0}) w.u8(static_cast<uint8_t>(b));  // numbers as one table, form column, base 0
    w.varint(entries);
    table.write(w);
    ByteReader r(w.bytes());
    Value::read(r);
    return r.ok() ? "accepted" : r.reason();
  };
  Column table = Column::of({1, 9, 4, 4, 7, 2});
  EXPECT_STREQ(verdict(2, table), "accepted");
  for (uint64_t n : {uint64_t{0}, uint64_t{4}, uint64_t{6}, uint64_t{7}, ~uint64_t{0}})
    EXPECT_STREQ(verdict(n, table), "table of another number of values");
  EXPECT_STREQ(verdict(2, Column({{0, 1, uint64_t{1} << 50, 0}}, {})), "table of another number of values");
}

TEST(Value, DistinctValuesCompareUnequal) {
  auto all = samples();
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < all.size(); ++j) EXPECT_EQ(all[i] == all[j], i == j) << i << " " << j;
}

TEST(Value, SmallFormsAreSmall) {
  auto size = [](const Value& v) {
    ByteWriter w;
    v.write(w);
    return w.size();
  };
  EXPECT_EQ(size(Value::constant(5)), 2u);
  EXPECT_EQ(size({.base = 0, .slopes = {1, 2}}), 4u);
  EXPECT_EQ(size({.base = 0, .slopes = {Value::any_slope}}), 3u);
  EXPECT_EQ(size({.form = Form::counter, .base = 0, .step = 1}), 3u);
}

TEST(Value, ConstantsMayHaveIndifferentSlopes) {
  EXPECT_TRUE(Value::constant(3).is_constant());
  EXPECT_TRUE((Value{.base = 3, .slopes = {0, Value::any_slope}}).is_constant());
  EXPECT_FALSE((Value{.base = 3, .slopes = {0, 1}}).is_constant());
  EXPECT_FALSE((Value{.form = Form::counter, .base = 3}).is_constant());
}

TEST(Value, ReaderRefusesUnknownFormsAndTruncation) {
  const std::vector<std::vector<uint8_t>> unknown{
      {6 | 1 << 3, 0}, {7 | 4 << 3, 0, 0}, {7, 6, 0}, {7, 7, 0, 0}};
  for (const auto& bytes : unknown) {
    ByteReader u(bytes);
    Value::read(u);
    EXPECT_STREQ(u.reason(), "unknown form of value");
  }
  const uint8_t nobody[] = {6, 0};
  ByteReader n(nobody);
  Value::read(n);
  EXPECT_STREQ(n.reason(), "value without alternatives");
  const uint8_t nested[] = {6, 1, 1, 0, 0, 6, 1, 1, 0, 0, 0, 0};
  ByteReader i(nested);
  Value::read(i);
  EXPECT_FALSE(i.ok()) << "alternatives have no alternatives";
  const uint8_t sloped_counter[] = {1 | 1 << 3, 0, 0};
  ByteReader s(sloped_counter);
  Value::read(s);
  EXPECT_FALSE(s.ok());
  for (const Value& v : samples()) {
    ByteWriter w;
    v.write(w);
    for (size_t k = 0; k < w.size(); ++k) {
      ByteReader r(w.bytes().first(k));
      Value::read(r);
      EXPECT_FALSE(r.ok()) << k;
    }
  }
}

TEST(Value, SurvivesRandomBytes) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes(random() % 40);
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(random() % 3 == 0 ? random() : random() % 8);
    ByteReader r(bytes);
    Value v = Value::read(r);
    if (!r.ok()) continue;
    ByteWriter w;
    v.write(w);
    ByteReader again(w.bytes());
    Value::read(again);
    EXPECT_TRUE(again.ok());
  }
}

}  // namespace
}  // namespace refrain::trace
