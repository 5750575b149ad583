// Scale-free traces at numbers of ranks: laws become sets, formulas numbers; what doesn't fit is refused.
#include "scale/at_size.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "format/file.hpp"
#include "format/section.hpp"
#include "measure/summary.hpp"
#include "trace/expand.hpp"
#include "trace/sample.hpp"
#include "trace/text.hpp"

namespace refrain::scale {

using namespace trace;

namespace {

using E = RankExpression;

E number(int64_t n) { return E::constant(n); }

Trace sample() { return sample::scale_free(); }

std::string text(const Trace& t) {
  std::string out;
  print(t, {}, [&](std::string_view piece) { out += piece; });
  return out;
}

TEST(AtSize, formulas_become_numbers_and_laws_sets) {
  auto plain = at_size(sample(), 40);
  ASSERT_TRUE(plain) << plain.error().text();
  EXPECT_EQ(plain->nprocs, 40u);
  const Stream& s = plain->processes[0].streams[0];
  EXPECT_EQ(s.nodes[0].count.constant_value(), 25);
  EXPECT_EQ(s.nodes[0].body[0].parameters[0].base.at(3, 3), 3 * (1048576 / 40));
  EXPECT_EQ(s.nodes[1].ranks.text(), "0..32 step 16");
  EXPECT_FALSE(plain->scale_free());
}

TEST(AtSize, a_node_of_nobody_is_left_out) {
  Trace t = sample();
  t.processes[0].streams[0].nodes[1].ranks = RankSet::where(E::equal(E::rank(), number(50)));
  auto plain = at_size(t, 50);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->processes[0].streams[0].nodes.size(), 2u);
}

TEST(AtSize, lists_by_law_are_written_out) {
  auto plain = at_size(sample(), 5);
  ASSERT_TRUE(plain) << plain.error().text();
  EXPECT_NE(text(*plain).find("MPI_Type_create_indexed_block([rank, rank + 5, rank + 10, rank + 15], 7)"),
            std::string::npos)
      << text(*plain);
  EXPECT_TRUE(format::decode(format::encode(*plain)));
}

TEST(AtSize, long_lists_by_law_are_kept_by_number) {
  auto plain = at_size(sample(), 100);
  ASSERT_TRUE(plain) << plain.error().text();
  const Node& made = plain->processes[0].streams[0].nodes[2];
  EXPECT_EQ(plain->signatures[made.signature].operands[0].kind, OperandKind::long_list);
  int64_t of_rank_7 = made.parameters[0].base.at(7, 7);
  const Column& list = plain->lists[static_cast<size_t>(of_rank_7)];
  EXPECT_EQ(list.size(), 99u);
  EXPECT_EQ(list.at(98), 98 * 100 + 7);
  EXPECT_TRUE(format::decode(format::encode(*plain)));
}

TEST(AtSize, lists_of_different_lengths_are_kept_by_number) {
  Trace t = sample();
  Node& made = t.processes[0].streams[0].nodes[2];
  made.parameters[0].base = Number(E::rank() % 3);
  made.parameters[1] = Value::constant(9);
  auto plain = at_size(t, 6);
  ASSERT_TRUE(plain) << plain.error().text();
  EXPECT_EQ(plain->lists.size(), 3u);
  EXPECT_TRUE(format::decode(format::encode(*plain)));
}

TEST(AtSize, lists_by_law_that_are_none_are_refused) {
  Trace t = sample();
  Node& made = t.processes[0].streams[0].nodes[2];
  made.parameters[0].base = Number(number(3) - E::nprocs());
  auto refused = at_size(t, 4);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "at 4 ranks: a list would have -1 elements");
  made.parameters[0].base = Number(E::nprocs() * number(1 << 20));
  EXPECT_FALSE(at_size(t, 4));
  made.parameters[0] = Value{.slopes = {1}};
  EXPECT_FALSE(format::decode(format::encode(t)));
  t = sample();
  t.processes[0].streams[0].nodes[0].body[0].parameters[1] = Value{.base = Number(E::index())};
  EXPECT_FALSE(format::decode(format::encode(t)));
}

TEST(AtSize, names_by_law_are_written_out) {
  Trace t = sample::law_names();
  auto plain = at_size(t, 6);
  ASSERT_TRUE(plain) << plain.error().text();
  EXPECT_NE(text(*plain).find("[MPI_INT, 2 x mpitype, 3 x MPI_DOUBLE])"), std::string::npos) << text(*plain);
  EXPECT_TRUE(format::decode(format::encode(*plain)));
  plain = at_size(t, 3);
  ASSERT_TRUE(plain) << plain.error().text();
  EXPECT_NE(text(*plain).find("[MPI_INT, 2 x mpitype])"), std::string::npos) << text(*plain);
  auto refused = at_size(t, 2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "at 2 ranks: a list would have -1 names");
  Value& often = t.processes[0].streams[0].nodes.back().parameters[4];
  often.base = Number(E::rank());
  refused = at_size(t, 4);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "at 4 ranks: a list has other names on other ranks");
}

TEST(AtSize, names_by_law_stand_in_scale_free_traces_only) {
  Trace t = sample::law_names();
  EXPECT_EQ(format::encode(t)[4], 7);
  ASSERT_TRUE(format::decode(format::encode(t)));
  Operand& names = t.signatures.back().operands[1];
  names.text = "MPI_INT, mpitype";
  EXPECT_FALSE(format::decode(format::encode(t)));
  t = sample::law_names();
  t.processes[0].streams[0].nodes.back().parameters[4] = Value{.slopes = {1}};
  EXPECT_FALSE(format::decode(format::encode(t)));
  t = sample::everything();
  t.signatures[0].operands = {{.kind = OperandKind::law_names}};
  t.signatures[0].result = {};
  EXPECT_FALSE(format::decode(format::encode(t)));
}

TEST(AtSize, laws_that_only_scale_free_traces_can_hold_are_refused) {
  Trace t = sample();
  Value& v = t.processes[0].streams[0].nodes[0].body[0].parameters[0];
  v.base = Number(E::quotient(number(1 << 20), E::rank()));
  ASSERT_TRUE(format::decode(format::encode(t)));
  auto refused = at_size(t, 6);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "at 6 ranks: laws in a trace that isn't scale-free");
}

TEST(AtSize, numbers_beyond_64_bits_are_refused) {
  Trace t = sample();
  Value& v = t.processes[0].streams[0].nodes[0].body[0].parameters[0];
  v.base = Number(E::rank() * number(int64_t{1} << 60));
  EXPECT_TRUE(at_size(t, 8));
  auto refused = at_size(t, 10);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "at 10 ranks: numbers beyond 64 bits");
}

TEST(AtSize, a_loop_does_not_run_less_than_no_times) {
  Trace t = sample();
  t.processes[0].streams[0].nodes[0].count.base = Number(number(10) - E::nprocs());
  EXPECT_TRUE(at_size(t, 10));
  auto refused = at_size(t, 12);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "at 12 ranks: a loop would run -2 times");
}

TEST(AtSize, a_layer_without_a_law_here_is_left_out) {
  Trace t = sample();
  Process& process = t.processes[0];
  Stream inner = process.streams[0];
  inner.layer = "posix";
  inner.nodes[0].count.base = Number(number(10) - E::nprocs());
  process.streams.push_back(inner);
  process.streams.push_back(inner);
  process.streams.back().thread = 1;
  process.streams.back().nodes[0].count.base = Number(number(10));
  auto with = at_size(t, 10), without = at_size(t, 12);
  ASSERT_TRUE(with && without);
  EXPECT_EQ(with->processes[0].streams.size(), 3u);
  ASSERT_EQ(without->processes[0].streams.size(), 1u);  // nothing of it, also where another thread's is known
  EXPECT_EQ(without->processes[0].streams[0].layer, "");
  EXPECT_EQ(without->notes.size(), with->notes.size() + 1);
  EXPECT_EQ(std::count(without->notes.begin(), without->notes.end(),
                       "left out at 12 ranks: layer posix, a loop would run -2 times"),
            1);
}

TEST(AtSize, doubts_show_where_they_matter) {
  Trace t = sample();
  EXPECT_TRUE(doubts_at_size(t, 4).empty());
  EXPECT_TRUE(doubts_at_size(t, 10).empty());
  EXPECT_EQ(doubts_at_size(t, 60),
            std::vector<std::string>{
                "pwrite, argument 1: another law fits, too: P/2 + cbrt(P) gives 33, dims(P, 2)[0] + "
                "divisor(P, 2) gives 12; a run of 5 ranks would tell"});
}

/// The smallest run that isn't there yet and at which the two laws differ.
TEST(AtSize, doubts_say_which_run_would_tell) {
  Trace t = sample();
  auto told = [&](const E& chosen, const E& other) {
    t.doubts = {{.where = "x", .reason = "y", .chosen = chosen, .other = other}};
    std::vector<std::string> lines = doubts_at_size(t, 1000);
    return lines.empty() ? "" : lines[0];
  };
  E p = E::nprocs();
  EXPECT_EQ(told(number(1), number(0)), "x: y; another run would say more");
  EXPECT_EQ(told(E::less(p, number(15)), number(1)), "x: y; a run of 15 ranks would tell");
  EXPECT_EQ(told(E::less(p, number(900)), number(1)), "x: y; no run of up to 64 ranks would tell");
  EXPECT_EQ(told(p, p), "");
}

TEST(AtSize, the_file_keeps_it_and_others_stay_as_they_were) {
  Trace t = sample();
  auto again = format::decode_raw(format::encode_raw(t));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(text(*again), text(t));
  EXPECT_EQ(again->doubts.size(), 1u);
  EXPECT_EQ(again->sizes, t.sizes);
  auto plain = at_size(*again, 5);
  ASSERT_TRUE(plain);
  std::vector<uint8_t> bytes = format::encode_raw(*plain);
  EXPECT_EQ(bytes[4], 2);
  EXPECT_TRUE(format::decode_raw(bytes));
}

/// What a reader accepts can be printed, run, summed up and instantiated, whatever it is.
TEST(AtSize, survives_random_damage_behind_valid_checksums) {
  std::vector<uint8_t> bytes = format::encode_raw(sample());
  std::mt19937 random(3);
  size_t accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    format::SectionReader reader(bytes);
    ASSERT_TRUE(reader.open(Trace::format_version));
    format::SectionWriter out(Trace::format_version);
    for (auto section = reader.next(); section && section->tag != format::SectionReader::end_tag;
         section = reader.next()) {
      if (!section->content.empty() && random() % 3 == 0)
        section->content[random() % section->content.size()] = static_cast<uint8_t>(random() % 40);
      out.add(section->tag, section->content);
    }
    auto damaged = format::decode_raw(out.finish());
    if (!damaged) continue;
    ++accepted;
    text(*damaged);
    measure::summarize(*damaged);
    for (const Process& p : damaged->processes)
      for (const Stream& s : p.streams) {
        Expander expander(s.nodes);
        for (int n = 0; n < 50 && expander.next().node; ++n) {
        }
      }
    for (uint32_t size : {1u, 9u}) {
      doubts_at_size(*damaged, size);
      auto plain = at_size(*damaged, size);
      if (plain) text(*plain);
    }
  }
  EXPECT_GT(accepted, 100u);
}

TEST(AtSize, laws_are_refused_in_other_traces) {
  Trace t = sample();
  t.sizes.clear();
  EXPECT_FALSE(format::decode_raw(format::encode_raw(t)));
}

}  // namespace
}  // namespace refrain::scale
