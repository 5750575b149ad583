#include "generate/c_items.hpp"

#include <gtest/gtest.h>

namespace refrain::generate {
namespace {

using Names = std::vector<std::string>;

Names names_of(std::string_view text) {
  auto items = c_items(text);
  return items.size() == 1 ? items[0].names : Names{"not one item"};
}

TEST(CItems, SayWhatTheyDeclare) {
  EXPECT_EQ(names_of("static long long rank, nprocs = 1; /* both */\n"), (Names{"rank", "nprocs"}));
  EXPECT_EQ(names_of("static _Thread_local struct total totals[layers];\n"), (Names{"totals"}));
  EXPECT_EQ(names_of("struct total {\n  long long calls, read;\n};\n"), (Names{"total"}));
  EXPECT_EQ(names_of("enum layer { posix, layers };\n"), (Names{"layer", "posix", "layers"}));
  EXPECT_EQ(names_of("static void (*note)(double seconds); /* it */\n"), (Names{"note"}));
  EXPECT_EQ(names_of("static inline int sum(int a,\n    int b) {\n  int c = a;\n  return c + b;\n}\n"),
            (Names{"sum"}));
  EXPECT_EQ(names_of("#define POSIX(call) number(posix, \\\n  call)\n"), (Names{"POSIX"}));
  EXPECT_EQ(names_of("static const char* words = \"{ (\";\n"), (Names{"words"}));
}

TEST(CItems, IncludesSayWhatTheyAreFor) {
  auto items = c_items("#include <stdio.h>\n#include <aio.h>  // aiocb aio_*\n#define _GNU_SOURCE\n");
  ASSERT_EQ(items.size(), 3u);
  EXPECT_TRUE(items[0].always);
  EXPECT_FALSE(items[1].always);
  EXPECT_EQ(items[1].text, "#include <aio.h>\n");
  EXPECT_TRUE(CWords("x = aio_read(0);").hold(items[1]));
  EXPECT_FALSE(CWords("/* aio_read */ x = \"aiocb\";").hold(items[1]));
  EXPECT_TRUE(items[2].always);
}

TEST(CItems, CommentsStayWithWhatTheyAreAbout) {
  auto items = c_items("/* One. */\nstatic int a;\n\n/* Two,\n * three. */\nstatic int b;\n");
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[1].text, "\n/* Two,\n * three. */\nstatic int b;\n");
}

}  // namespace
}  // namespace refrain::generate
