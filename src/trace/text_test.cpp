// The canonical text, on traces small enough to be read here.
#include "trace/text.hpp"

#include <gtest/gtest.h>

#include "trace/sample.hpp"

namespace refrain::trace {
namespace {

using sample::affine;
using sample::column;
using sample::event;
using sample::loop;
using sample::number;

std::string text_of(const Trace& t, TextOptions options = {.times = false}) {
  std::string text;
  print(t, options, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string expanded_text_of(const Trace& t) {
  std::string text;
  print_expanded(t, {.times = false, .layers = true}, [&](std::string_view piece) { text += piece; });
  return text;
}

/// The lines of a stream with one signature `f(integer)` and this tree.
std::string lines_of(std::vector<Node> nodes) {
  Trace t;
  Signature f{.function = "f"};
  f.operands = {{.kind = OperandKind::integer}};
  t.signatures = {f};
  t.processes.resize(1);
  t.processes[0].streams.push_back({.nodes = std::move(nodes)});
  std::string text = text_of(t);
  return text.substr(text.find("early\n") + 6);
}

std::string value_text(Value v) {
  std::string text = lines_of({event(0, {std::move(v)})});
  return text.substr(4, text.size() - 6);
}

TEST(Text, ReadsLikeAProgram) {
  EXPECT_EQ(text_of(sample::copy()), R"(trace "cp big.bin copy.bin" layers posix,stdio
process 0 "/usr/bin/cp" exited
  openat(AT_FDCWD, "big.bin", O_RDONLY) -> fd0
  openat(AT_FDCWD, "copy.bin", O_RDONLY) -> fd1
  loop i 8
    read(fd0, data, 131072) -> 131072
    write(fd1, data, 131072) -> 131072
  loop i 10
    open("out/part_{i:05}.dat", O_WRONLY|O_CREAT|O_TRUNC, 0644) -> fd0
    loop j i + 1
      pwrite(fd0, data, 65536, 1048576*i + 65536*j + 2048) -> 65536
    close(fd0) -> 0
  stat("missing", data) -> ENOENT
)");
}

TEST(Text, TimesAreCommentsAtTheEnd) {
  std::string text = text_of(sample::copy(), {});
  EXPECT_NE(text.find("# host node7, recorded by refrain 0.1.0\n"), std::string::npos);
  EXPECT_NE(text.find("    read(fd0, data, 131072) -> 131072  # 8x gap 45ns call 4ns\n"), std::string::npos);
  EXPECT_NE(text.find("# pid 41 of 1, started 1700000000, took 2.5s\n"), std::string::npos);
  Trace slow = sample::copy();
  Timing& t = slow.processes[0].streams[0].nodes[0].timing;
  t = {};
  t.gap.add(1'249'999);
  t.duration.add(3'450);
  EXPECT_NE(text_of(slow, {}).find("-> fd0  # 1x gap 1.2ms call 3.4us\n"), std::string::npos);
  t.communication.ns = {0, 900, 100'000};
  EXPECT_NE(text_of(slow, {}).find("gap 1.2ms (collective 900ns) (reduction 100.0us) call 3.4us\n"),
            std::string::npos);
}

TEST(Text, AffineValues) {
  EXPECT_EQ(value_text(number(0)), "0");
  EXPECT_EQ(value_text(number(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(lines_of({loop(number(2), {loop(affine(0, {-1}), {event(0, {affine(-3, {Value::any_slope, -1})}),
                                                              event(0, {affine(0, {2, 1})}),
                                                              event(0, {affine(5, {0, 0})})})})}),
            "  loop i 2\n    loop j -i\n      f(-j - 3)\n      f(2*i + j)\n      f(5)\n");
}

TEST(Text, ColumnsInFull) {
  EXPECT_EQ(value_text(column({1, 5, 9, 18, 27, 36, 0, 0, 0, 0, 7, 7})),
            "[1..9 step 4, 18..36 step 9, 4 x 0, 7, 7][t]");
  EXPECT_EQ(value_text(column({9, 1, 2, 3, 4, 0})), "[9, 1..4, 0][t]");
  EXPECT_EQ(value_text(column({3, 2, 1})), "[3..1 step -1][t]");
  EXPECT_EQ(value_text(column({1, 2, 3, 4})), "[1..4][t]");
  Value repeated{.form = Form::column};
  repeated.column = std::make_shared<const Column>(Column::Items{{100, 10, 5000, 1}},
                                                   std::vector<Column::Items>{{{0, 0, 1, 0}, {7, 0, 1, 0}}});
  EXPECT_EQ(value_text(repeated), "[5000 x (100, 107) step 10][t]");
}

TEST(Text, SmallColumnsPrintTheSameWhateverTheirStructure) {
  Value repeated{.form = Form::column};
  repeated.column = std::make_shared<const Column>(Column::Items{{0, 0, 2, 1}},
                                                   std::vector<Column::Items>{{{4, 0, 1, 0}, {7, 0, 1, 0}}});
  EXPECT_EQ(value_text(repeated), value_text(column({4, 7, 4, 7})));
}

TEST(Text, OtherForms) {
  EXPECT_EQ(value_text({.form = Form::counter, .base = 3, .step = -2}), "-2*t + 3");
  EXPECT_EQ(value_text({.form = Form::running, .base = 8, .step = 1}), "8 then previous + arg1");
  EXPECT_EQ(lines_of({event(0, {number(1)}), event(0, {{.form = Form::copy, .base = -4}})}),
            "  f(1)\n  f(call0.arg1 - 4)\n");
  Value separable = column({5, 90});
  separable.form = Form::separable, separable.base = 3, separable.slopes = {1000};
  EXPECT_EQ(lines_of({loop(number(2), {event(0, {separable})})}),
            "  loop i 2\n    f(1000*i + 3 + [5, 90][i])\n");
}

TEST(Text, Powers) {
  auto in_loops = [](const Value& v) {
    std::string text = lines_of({loop(number(9), {loop(number(9), {event(0, {v})})})});
    return text.substr(text.find("f(") + 2, text.rfind(')') - text.find("f(") - 2);
  };
  Value v{.form = Form::power, .step = 16, .ratio = 2};
  EXPECT_EQ(in_loops(v), "16<<i");
  v.base = -16;
  EXPECT_EQ(in_loops(v), "(16<<i) - 16");
  v.step = -16, v.base = 0;
  EXPECT_EQ(in_loops(v), "-(16<<i)");
  v.slopes = {0, 4096};
  EXPECT_EQ(in_loops(v), "4096*j - (16<<i)");
  v = {.form = Form::power, .step = 3, .depth = 1, .ratio = 5};
  EXPECT_EQ(in_loops(v), "3*5**j");
  v.step = -1, v.base = 7;
  EXPECT_EQ(in_loops(v), "-5**j + 7");
  RankExpression rank = RankExpression::rank();
  v.step = Number(rank + RankExpression::constant(1)), v.base = 7;
  EXPECT_EQ(in_loops(v), "5**j*(rank + 1) + 7");
  v.ratio = 2;
  EXPECT_EQ(in_loops(v), "((rank + 1)<<j) + 7");
  v.step = Number(rank * RankExpression::constant(16)), v.base = 0;
  EXPECT_EQ(in_loops(v), "rank*16<<j");
}

TEST(Text, LoopVariablesNeverRunOut) {
  std::vector<Node> nest{event(0, {affine(0, {0, 0, 0, 0, 0, 1, 1, 1})})};
  for (int d = 0; d < 8; ++d) nest = {loop(number(2), nest)};
  std::string text = lines_of(nest);
  EXPECT_NE(text.find("loop n 2"), std::string::npos);
  EXPECT_NE(text.find("loop i7 2"), std::string::npos);
  EXPECT_NE(text.find("f(n + i6 + i7)"), std::string::npos);
}

TEST(Text, EverythingElse) {
  std::string text = text_of(sample::everything(), {.times = false, .layers = true});
  for (const char* line :
       {"trace \"sh -c \\\"all of it\\\"\\n\" ranks 16 layers posix,stdio\n",
        "note \"process 77 could not be recorded: statically linked\"\n",
        "process 1 ranks 0..15 \"/opt/bin/wor\\\"ker\" exited, ranks 3 ended early\n",
        "  LOST 10 calls: 1 could not be written, 2 in signal handlers, 3 left by longjmp, 4 for other "
        "reasons\n",
        "process 2 \"/bin/true\" replaced by exec\n", "  thread 1\n",
        "  thread 0 layer posix, after 2 calls as above\n",
        "      pwrite(fd0, data, [10..30 step 10, 3 x 7, 9, 1..4, 0][t], 0 then previous + arg3) -> "
        "[10..30 step 10, 3 x 7, 9, 1..4, 0][t]\n",
        "      lseek(fd0, call0.arg4 - 4, SEEK_SET) -> 1000*i + 3 + [5, 90, 7, 6][j]\n",
        "      odd\\x0aname([\"a{{b}}{j}_{-7*t + 100:02}\\\\\", ",
        "      [ranks 0..12 step 4] choose [0, 1, 0, 2, 1, 2, 0][t]\n", "        0:\n",
        "          fwrite(data 64*i + 512, stream1) -> 0\n",
        "          readlist(fd0@2, [1..4, 100..-50 step -50, 7])\n", "            dup(fd1) -> fd{j + 2}@0\n",
        "    writev(fd{i}, [1, i + 2, -3]) -> 6\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
  for (char c : text) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f));
}

TEST(Text, VaryingNamesWithoutATableAreNumbered) {
  Trace t = sample::copy();
  t.processes[0].streams[0].nodes = {loop(number(2), {event(3, {affine(0, {2}), number(5), number(0)})}),
                                     loop(number(2), {event(6, {affine(0, {1})})})};
  std::string text = text_of(t);
  EXPECT_NE(text.find("name 2 \"out/part_{:05}.dat\"\n"), std::string::npos);
  EXPECT_NE(text.find("    open(names[2*i](5), O_WRONLY"), std::string::npos);
  EXPECT_NE(text.find("    stat(names[i], data) -> ENOENT\n"), std::string::npos);
  EXPECT_EQ(text_of(sample::copy()).find("\nname "), std::string::npos);
}

TEST(Text, ExpandedOneCallPerLine) {
  std::string text = expanded_text_of(sample::copy());
  EXPECT_NE(text.find("  open(\"out/part_00009.dat\", O_WRONLY|O_CREAT|O_TRUNC, 0644) -> fd0\n"),
            std::string::npos);
  EXPECT_NE(text.find("  pwrite(fd0, data, 65536, 10029056) -> 65536\n"), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 + 2 + 16 + 10 + 55 + 10 + 1);
  std::string all = expanded_text_of(sample::everything());
  EXPECT_NE(all.find("  odd\\x0aname(\"a{b}0_100\\\\\", A\"B\\x01)\n"), std::string::npos);
  EXPECT_EQ(all.find("DAMAGED"), std::string::npos);
}

TEST(Text, DamageIsLoud) {
  Trace t = sample::copy();
  t.processes[0].streams[0].nodes = {loop(number(3), {event(6, {column({0, 1})})})};
  EXPECT_NE(expanded_text_of(t).find("DAMAGED"), std::string::npos);
}

TEST(Text, QuotesAreCLiterals) {
  EXPECT_EQ(quoted("a\"b\\c\n\t\x01\xff{1}"), "\"a\\\"b\\\\c\\n\\t\\001\\377{1}\"");
  EXPECT_EQ(plain_name("O_RDWR|0x1\n\\"), "O_RDWR|0x1\\x0a\\\\");
}

TEST(Text, EventTextGuardsItsArguments) {
  Trace t = sample::copy();
  const int64_t one[] = {1};
  EXPECT_EQ(event_text(t, t.signatures[5], one), "close(?)");
  const int64_t bad_name[] = {99};
  EXPECT_EQ(event_text(t, t.signatures[6], bad_name), "stat(names[99], data) -> ENOENT");
}

TEST(Text, ExtentsWithoutLimitHaveTheirName) {
  Trace t;
  Signature f{.function = "f"};
  f.operands = {{.kind = OperandKind::list, .role = Role::extent, .width = 3},
                {.kind = OperandKind::list, .role = Role::offset, .width = 1}};
  t.signatures = {f};
  t.processes.resize(1);
  t.processes[0].streams.push_back({.nodes = {event(0, {number(-1), number(8), number(-2), number(-1)})}});
  EXPECT_NE(text_of(t).find("f([H5S_UNLIMITED, 8, -2], [-1])"), std::string::npos) << text_of(t);
  EXPECT_NE(expanded_text_of(t).find("f([H5S_UNLIMITED, 8, -2], [-1])"), std::string::npos);
}

}  // namespace
}  // namespace refrain::trace
