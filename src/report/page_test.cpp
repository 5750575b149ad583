#include "report/page.hpp"

#include <gtest/gtest.h>

#include "report/info_json.hpp"
#include "report/report_data.hpp"
#include "report/tree_rows.hpp"
#include "trace/sample.hpp"

namespace refrain::report {
namespace {

using namespace trace;

size_t rows_in(const Json& node) {
  size_t n = 1;
  if (node.size() > 4)
    for (const Json& below : node[4]) n += rows_in(below);
  return n;
}

/// The data of a page, as its script reads it.
Json data_of(const std::string& page) {
  const std::string begin = "id=\"data\">";
  size_t at = page.find(begin) + begin.size();
  return Json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST(Page, HoldsTheDataAndNothingElseIsNeeded) {
  Json runs = Json::array({*run_data(sample::copy(), "copy.rfn", 0)});
  std::string page = page_of(text_of(runs, -1));
  for (const char* word : {"@DATA@", "@STYLES@", "@SCRIPTS@", "src=\"", "<link"})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  EXPECT_EQ(data_of(page)["runs"], runs);
}

TEST(Page, NamesCantEndTheScript) {
  Trace t = sample::copy();
  t.command = "</script><script>alert(1)</script><!--";
  std::string page = page_of(text_of(Json::array({*run_data(t, "</script>", 0)}), -1));
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(data_of(page)["runs"][0]["info"]["command"], t.command);
}

TEST(Page, DataOfEverySample) {
  for (const Trace& t : {sample::everything(), sample::powers(), sample::made_names(), sample::tree()}) {
    Result<Json> run = run_data(t, "x.rfn", 0);
    ASSERT_TRUE(run);
    EXPECT_EQ((*run)["info"]["outer"]["calls"], measure::summarize(t).outer.events);
    EXPECT_EQ((*run)["tree"].size(), t.processes.size());
  }
}

TEST(Page, AScaleFreeTraceShowsItsLaws) {
  Result<Json> run = run_data(sample::scale_free(), "any.rfn", 0);
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->contains("info"));
  EXPECT_TRUE((*run)["scale_free"]["scale_free"]);
  EXPECT_TRUE(run_data(sample::scale_free(), "any.rfn", 32)->contains("info"));
}

TEST(Page, ADoubtSaysBetweenWhichLawsAndWhatWouldTell) {
  Json doubt = (*run_data(sample::scale_free(), "any.rfn", 0))["scale_free"]["doubts"][0];
  for (const char* word : {"chosen", "other"}) EXPECT_NE(doubt[word], "") << doubt;
  EXPECT_NE(doubt["would_tell"].get<std::string>().find("would tell"), std::string::npos) << doubt;
  EXPECT_FALSE(doubt.contains("matters"));
  EXPECT_TRUE(
      (*run_data(sample::scale_free(), "any.rfn", 32))["scale_free"]["doubts"][0].contains("matters"));
}

TEST(TreeRows, HoldCallsAndTimesOfAllBelow) {
  TreeRows rows = tree_rows(sample::copy(), 1000);
  EXPECT_TRUE(rows.layers.empty());
  ASSERT_EQ(rows.roots.size(), 1u);
  const Json& process = rows.roots[0];
  EXPECT_EQ(process[1], 94);
  EXPECT_EQ(process[4][2][0], "loop i 8");
  EXPECT_EQ(process[4][2][1], 16);
  EXPECT_EQ(rows_in(process), 12u);
  EXPECT_FALSE(rows.cut);
}

TEST(TreeRows, NameTheLayersTheyLeaveOut) {
  EXPECT_EQ(tree_rows(sample::everything(), 1000).layers, std::set<std::string>{"posix"});
}

TEST(TreeRows, AreCutOffWhereAsked) {
  TreeRows rows = tree_rows(sample::copy(), 5);
  EXPECT_TRUE(rows.cut);
  EXPECT_EQ(rows_in(rows.roots[0]), 1 + 5u);
}

}  // namespace
}  // namespace refrain::report
