#include "exchange/operand_text.hpp"

#include <gtest/gtest.h>

#include "trace/sample.hpp"

namespace refrain::exchange {
namespace {

TEST(OperandText, EveryCallOfTheSamplesIsReadBack) {
  size_t calls = 0;
  for (const trace::Trace& t :
       {trace::sample::copy(), trace::sample::everything(), trace::sample::made_names()})
    for (const Member& member : members_of(t)) {
      trace::Process program = program_of(member);
      MemberWalk walk(t, program, {});
      for (Call call = walk.next(); call.signature != nullptr; call = walk.next(), ++calls) {
        OperandTexts texts = operand_texts(t, call);
        auto read = read_operands(kinds_text(*call.signature), texts.arguments, texts.result);
        ASSERT_TRUE(read) << read.error().message << ": " << texts.arguments;
        ASSERT_EQ(read->arguments.size(), call.signature->operands.size());
        for (size_t i = 0; i < read->arguments.size(); ++i) {
          trace::Operand expected = call.signature->operands[i];
          EXPECT_EQ(read->arguments[i].operand.role, expected.role);
          EXPECT_EQ(read->arguments[i].operand.thread, expected.thread);
          EXPECT_EQ(read->arguments[i].operand.text, expected.text);
        }
        EXPECT_EQ(read->result.operand.text, call.signature->result.text);
      }
    }
  EXPECT_GT(calls, 100u);
}

TEST(OperandText, ValuesSurvive) {
  auto read = read_operands("slot:fd@2 text int:offset list:size name sized:written > int:read",
                            R"(fd3, "a, \"b\"]\001", -7, [1 2 3], "O_RDONLY|O_CREAT", 12)", "9");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->arguments[0].number, 3);
  EXPECT_EQ(read->arguments[0].operand.thread, 2);
  EXPECT_EQ(read->arguments[1].text, "a, \"b\"]\001");
  EXPECT_EQ(read->arguments[2].number, -7);
  EXPECT_EQ(read->arguments[3].list, (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(read->arguments[4].operand.text, "O_RDONLY|O_CREAT");
  EXPECT_EQ(read->arguments[5].number, 12);
  EXPECT_EQ(read->result.number, 9);
}

TEST(OperandText, BadTextsGetAReason) {
  struct Bad {
    const char *kinds, *arguments, *result;
  };
  for (Bad bad : {Bad{"int", "x", ""}, Bad{"int", "", ""}, Bad{"int", "1, 2", ""}, Bad{"thing", "1", ""},
                  Bad{"slot:", "1", ""}, Bad{"slot:fd", "stream1", ""}, Bad{"text", "abc", ""},
                  Bad{"text", "\"abc", ""}, Bad{"text", "\"\\q\"", ""}, Bad{"list", "[1", ""},
                  Bad{"list", "[1 x]", ""}, Bad{"> int int", "", "1"}, Bad{"int:speed", "1", ""},
                  Bad{"int", "99999999999999999999", ""}, Bad{"slot:fd@x", "fd0", ""}}) {
    auto read = read_operands(bad.kinds, bad.arguments, bad.result);
    ASSERT_FALSE(read) << bad.kinds << " " << bad.arguments;
    EXPECT_FALSE(read.error().message.empty());
  }
}

}  // namespace
}  // namespace refrain::exchange
