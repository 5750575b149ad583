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
  std::optional<Expression> trips{};  ///< if it turns equally often every time and everywhere
};

/// Where a value stands.
struct Place {
  std::vector<LoopScope> loops{};
  const trace::RankSet* ranks = nullptr;               ///< who runs the node
  const trace::RankSet* around = nullptr;              ///< who runs the list that the node stands in
  const std::vector<trace::Node>* siblings = nullptr;  ///< that list
  const trace::Node* node = nullptr;
  bool regular = true;             ///< how often the node ran before follows from the loops' indices
  int64_t executions = INT64_MAX;  ///< at most so many
};

class Values {
 public:
  /// `state` names the structure that holds the variables.
  Values(RankText& ranks, Tables& tables, std::string state)
      : ranks_(ranks), tables_(tables), state_(std::move(state)) {}

  /// Parameter `p` of the event at `place`.
  Expression parameter(const Place& place, size_t p);
  /// The list that parameters `p` and `p + 1` give the law of, in memory: needs upkeep.
  std::string list(const Place& place, size_t p, const std::string& type);
  /// A list in memory of which `element` says what is at the place `at`: needs upkeep.
  std::string filled_list(const std::string& length, const std::string& type, const std::string& element);
  /// Element `index` of the list that parameters `p` and `p + 1` give the law of.
  Expression element(const Place& place, size_t p, const Expression& index);
  /// The count of the loop or choice at `place`.
  Expression count(const Place& place);
  /// Sees to it that others of the same body can copy what the event at `place` has, whether its call takes
  /// it or not: needs upkeep.
  void keep_for_others(const Place& place);

  /// What a rank has of an expression.
  Expression of_rank(const trace::RankExpression& e) { return ranks_.expression(e); }
  /// The variable that counts how often a call has had its turn with a file.
  std::string turn_counter(size_t call) { return variable_of(nullptr, "turns", call); }

  /// Statements that the values printed since the last call need before and after the call or loop.
  struct Upkeep {
    std::vector<std::string> before{}, after{};
    std::set<std::string> kept{};  ///< variables that one of these sets
  };
  Upkeep take_upkeep();
  /// The variable that counts executions of the node, if any value asked for it.
  std::optional<std::string> counter(const trace::Node& node) const;
  /// Names of all the variables; those of one name begin at zero when the kernel does.
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
  /// By body: number of a call and of its parameter that another one copies.
  std::map<const std::vector<trace::Node>*, std::set<std::pair<uint32_t, uint32_t>>> copied_in_;
  size_t lists_ = 0;  ///< made so far
};

}  // namespace refrain::generate
