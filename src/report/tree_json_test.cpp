#include "report/tree_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "trace/sample.hpp"

namespace refrain::report {
namespace {

using namespace trace;
using Json = nlohmann::json;

Json tree_of(const Trace& trace, const TreeOptions& options = {}) {
  std::string text;
  print_tree_json(trace, options, [&](std::string_view piece) { text += piece; });
  return Json::parse(text);
}

/// All nodes below, itself included.
size_t nodes_in(const Json& node) {
  size_t n = 1;
  if (node.contains("body"))
    for (const Json& child : node["body"]) n += nodes_in(child);
  return n;
}

size_t nodes_of(const std::vector<Node>& nodes) {
  size_t n = nodes.size();
  for (const Node& x : nodes) n += nodes_of(x.body);
  return n;
}

TEST(TreeJson, OfACopy) {
  Json tree = tree_of(sample::copy());
  EXPECT_EQ(tree["schema"], 1);
  const Json& body = tree["processes"][0]["streams"][0]["body"];
  ASSERT_EQ(body.size(), 5u);
  EXPECT_EQ(body[0]["kind"], "call");
  EXPECT_EQ(body[0]["function"], "openat");
  EXPECT_EQ(body[0]["result"], "fd0");
  EXPECT_EQ(body[2]["kind"], "loop");
  EXPECT_EQ(body[2]["variable"], "i");
  EXPECT_EQ(body[2]["count"], "8");
  EXPECT_EQ(body[2]["calls"], 16);
  const Json& inner = body[3]["body"][1];
  EXPECT_EQ(inner["variable"], "j");
  EXPECT_EQ(inner["count"], "i + 1");
  EXPECT_EQ(inner["body"][0]["arguments"], Json({"fd0", "data", "65536", "1048576*i + 65536*j + 2048"}));
  EXPECT_EQ(inner["body"][0]["time_ns"], 55 * 56 / 2);
  EXPECT_EQ(body[4]["error"], "ENOENT");
}

TEST(TreeJson, HoldsEveryNodeOfEveryTrace) {
  for (const Trace& t : {sample::copy(), sample::everything(), sample::powers(), sample::scale_free(),
                         sample::law_names(), sample::made_names(), sample::tree(), sample::side_by_side()}) {
    Json tree = tree_of(t, {.layers = true});
    ASSERT_EQ(tree["processes"].size(), t.processes.size());
    for (size_t p = 0; p < t.processes.size(); ++p) {
      const Json& streams = tree["processes"][p]["streams"];
      ASSERT_EQ(streams.size(), t.processes[p].streams.size());
      for (size_t s = 0; s < streams.size(); ++s)
        EXPECT_EQ(nodes_in(streams[s]), 1 + nodes_of(t.processes[p].streams[s].nodes));
    }
  }
}

TEST(TreeJson, LeavesOutTimesAndLayersOnRequest) {
  Json tree = tree_of(sample::everything(), {.times = false});
  EXPECT_FALSE(tree.contains("host"));
  for (const Json& process : tree["processes"]) {
    EXPECT_FALSE(process.contains("pid"));
    for (const Json& stream : process["streams"]) {
      EXPECT_EQ(stream["layer"], "");
      for (const Json& node : stream["body"]) EXPECT_FALSE(node.contains("time_ns"));
    }
  }
}

TEST(TreeJson, NamesMayHoldAnyBytes) {
  Trace t = sample::copy();
  t.command = "\xff\x01\"";
  EXPECT_EQ(tree_of(t)["command"], "\xEF\xBF\xBD\x01\"");
}

}  // namespace
}  // namespace refrain::report
