// Elastic values as C expressions over the rank, the loop variables, and, where a value depends on how often
// its call was made before, variables that the kernel keeps.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "generate/rank_text.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {

/// A loop around the place where a value is printed.
struct LoopScope {
  Expression index;
  std::optional<Expression> trips{};  ///< its count, if that is the same in every execution and on every rank
};

/// The place in the program at which a value is printed.
struct Place {
  std::vector<LoopScope> loops{};
  const trace::RankSet* ranks = nullptr;               ///< the ranks that run the node
  const trace::RankSet* around = nullptr;              ///< the ranks that run the list around the node
  const std::vector<trace::Node>* siblings = nullptr;  ///< that list
  const trace::Node* node = nullptr;
  bool regular = true;  ///< the number of earlier executions of the node follows from the loops' indices
  int64_t executions = INT64_MAX;  ///< upper bound
};

class Values {
 public:
  /// `state` names the structure that holds the variables.
  Values(RankText& ranks, Tables& tables, std::string state)
      : ranks_(ranks), tables_(tables), state_(std::move(state)) {}

  /// Parameter `p` of the event at `place`.
  Expression parameter(const Place& place, size_t p);
  /// The list whose law is in parameters `p` and `p + 1`, as an array in memory: needs upkeep.
  std::string list(const Place& place, size_t p, const std::string& type);
  /// An array in memory; `element` gives the value at index `at`. Needs upkeep.
  std::string filled_list(const std::string& length, const std::string& type, const std::string& element);
  /// Element `index` of the list whose law is in parameters `p` and `p + 1`.
  Expression element(const Place& place, size_t p, const Expression& index);
  /// The count of the loop or choice at `place`.
  Expression count(const Place& place);
  /// Keeps the values of the event at `place` that other nodes of the same body copy, even if its call
  /// doesn't print them: needs upkeep.
  void keep_for_others(const Place& place);

  /// The value of an expression on the rank.
  Expression of_rank(const trace::RankExpression& e) { return ranks_.expression(e); }
  /// The variable that counts the turns of a call with a file.
  std::string turn_counter(size_t call) { return variable_of(nullptr, "turns", call); }

  /// Statements that must stand before and after the call or loop because of the values printed since the
  /// last one.
  struct Upkeep {
    std::vector<std::string> before{}, after{};
    std::set<std::string> kept{};  ///< variables that one of these sets
  };
  Upkeep take_upkeep();
  /// The variable that counts executions of the node, if any value asked for it.
  std::optional<std::string> counter(const trace::Node& node) const;
  /// Names of all variables. They are zero when the kernel starts.
  const std::vector<std::string>& variables() const { return variables_; }

 private:
  /// `which`: the number of the parameter, or one of its own for each alternative of the parameter.
  Expression value(const trace::Value& v, const Place& place, const trace::RankSet& ranks, size_t which);
  Expression linear(const trace::Value& v, const Place& place, const trace::RankSet& ranks);
  Expression listed(const trace::Value& v, const Expression& index, const trace::RankSet& ranks,
                    const Place* place = nullptr);
  Expression element(const std::vector<Expression>& entries, const Expression& index);
  static Expression inner_trips(const Place& place, size_t d);
  Expression next(const trace::Value& v, const trace::Node& node, const Place& place,
                  const trace::RankSet& ranks, size_t which);
  Expression running(const trace::Value& v, const Place& place, const trace::RankSet& ranks, size_t which);
  Expression copied(const trace::Value& v, const Place& place, const trace::RankSet& ranks);
  template <class Asked, class Of>
  Expression by_rank(const trace::Value& v, const trace::RankSet& ranks, size_t parameter, Asked asked,
                     Of of);
  Expression executions(const Place& place);
  std::string variable_of(const trace::Node* node, const char* what, size_t parameter);
  std::string keep(const Place& place, size_t parameter);

  RankText& ranks_;
  Tables& tables_;
  std::string state_;
  std::map<std::tuple<const trace::Node*, std::string, size_t>, std::string> names_;
  std::vector<std::string> variables_;
  Upkeep upkeep_;
  /// By body: a call and its parameter that another call copies.
  std::map<const std::vector<trace::Node>*, std::set<std::pair<uint32_t, uint32_t>>> copied_in_;
  size_t lists_ = 0;  ///< made so far
};

}  // namespace refrain::generate
