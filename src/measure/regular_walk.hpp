// Counts the accesses of a tree whose loops are regular without running all of their iterations. See the
// essay in regular_walk.cpp.
#pragma once

#include <unordered_map>

#include "measure/access_counter.hpp"

namespace refrain::measure {

class RegularWalk {
 public:
  explicit RegularWalk(AccessCounter& counter) : counter_(counter), rules_(counter.tables().rules) {}

  /// Whether the walk is for this tree, which must be plain: all that matters in it is affine.
  bool fits(const std::vector<trace::Node>& nodes);
  /// Counts; false if that takes more than `steps` steps.
  bool run(const std::vector<trace::Node>& nodes, uint64_t& steps);

 private:
  struct Watch;

  bool matters(const trace::Node& node);
  void list(const std::vector<trace::Node>& nodes);
  void event(const trace::Node& node);
  void loop(const trace::Node& node);
  void iteration(const trace::Node& node, int64_t index);
  bool leap(const trace::Node& node, int64_t trips);
  bool is_shifted(Watch& watch, int64_t left);
  void shift(const Watch& watch, int64_t left);
  bool repeats(const trace::Node& node, size_t depth) const;
  int64_t evaluate(const trace::Value& value) const;
  void before(const trace::Node& node, Watch& watch);
  void after(const AccessRule& rule, const FilePositions::Access& access);

  AccessCounter& counter_;
  const std::vector<AccessRule>& rules_;
  std::vector<int64_t> indices_;
  std::vector<int64_t> parameters_;
  std::vector<Watch*> watches_;
  std::unordered_map<const trace::Node*, bool> matters_;
  uint64_t steps_left_ = 0;
};

}  // namespace refrain::measure
