// Statements and functions; see stream_printer.hpp.
#include "generate/stream_printer.hpp"

#include <algorithm>
#include <cctype>

#include "generate/c_text.hpp"
#include "generate/doubts_text.hpp"
#include "generate/executions.hpp"
#include "generate/refusal.hpp"
#include "scale/at_size.hpp"
#include "trace/at_rank.hpp"
#include "trace/expression.hpp"

namespace refrain::generate {

using trace::Node;
using trace::NodeKind;
using trace::RankSet;
using trace::Signature;

namespace {

/// A body with more than `longest_body` calls and loops is cut into functions of at least
/// `shortest_function`.
constexpr size_t longest_body = 40, shortest_function = 8;

/// Whether the text contains the name as a whole word.
bool mentions(std::string_view text, std::string_view name) {
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

}  // namespace

std::string StreamPrinter::function(const std::vector<Node>& list, const Piece& piece,
                                    const RankSet& around) {
  function(list, piece, Scope{.ranks = &around});
  return std::exchange(functions_, {});
}

std::string StreamPrinter::function(const std::vector<Node>& list, const Piece& piece, const Scope& scope) {
  Statements outer_lines = std::exchange(lines_, {});
  ThinkTimes outer_think = std::exchange(here_, {});
  print(list, piece.begin, piece.end, scope);
  std::string text = lines_.take(), declared, passed;
  for (size_t d = 0; d < scope.loops.size(); ++d) {
    std::string name = trace::loop_variable(d);
    if (!mentions(text, name)) continue;
    declared += (declared.empty() ? "long long " : ", long long ") + name;
    passed += (passed.empty() ? "" : ", ") + name;
  }
  functions_ +=
      "\nstatic void " + piece.name + "(" + (declared.empty() ? "void" : declared) + ") {\n" + text + "}\n";
  think_.append(here_);
  lines_ = std::move(outer_lines);
  here_ = std::move(outer_think);
  return piece.name + "(" + passed + ");";
}

void StreamPrinter::body(const std::vector<Node>& list, const Scope& scope) {
  if (count_statements(list, 0, list.size()) <= longest_body) return print(list, 0, list.size(), scope);
  for (const Piece& piece : cut(c_.trace, list, {}, names_)) {
    bool whole = piece.begin == 0 && piece.end == list.size();
    bool alone = piece.end == piece.begin + 1;  // a loop, whose body is looked at in its turn
    if (whole || alone || count_statements(list, piece.begin, piece.end) < shortest_function)
      print(list, piece.begin, piece.end, scope);
    else
      lines_.put(function(list, piece, scope));
  }
}

void StreamPrinter::print(const std::vector<Node>& list, size_t begin, size_t end, const Scope& scope,
                          bool with_siblings) {
  for (size_t i = begin; i < end;) {
    size_t same = i + 1;
    while (same < end && list[same].ranks == list[i].ranks) ++same;
    Expression condition = ranks_.condition(list[i].ranks, *scope.ranks);
    if (condition.is_constant(0)) {
      i = same;
      continue;
    }
    bool some = !condition.is_constant();
    if (some) lines_.open("if (" + condition.text + ")");
    for (; i < same; ++i) {
      Place place{.loops = scope.loops,
                  .ranks = &trace::ranks_of(list[i], *scope.ranks),
                  .around = scope.ranks,
                  .siblings = with_siblings ? &list : nullptr,
                  .node = &list[i],
                  .regular = scope.regular,
                  .executions = scope.executions};
      node(place);
    }
    if (some) lines_.close();
  }
}

const Signature& StreamPrinter::signature(const Node& node) const {
  return c_.trace.signatures[node.signature];
}

bool StreamPrinter::starts_mpi(const Node& n) const {
  return n.kind == NodeKind::event && api::traits_of(signature(n).function).has(api::Trait::starts_mpi);
}

bool StreamPrinter::ends_mpi(const Node& n) const {
  return n.kind == NodeKind::event && api::traits_of(signature(n).function).has(api::Trait::ends_mpi);
}

void StreamPrinter::node(const Place& place) {
  switch (place.node->kind) {
    case NodeKind::event:
      return event(place);
    case NodeKind::loop:
      return loop(place);
    case NodeKind::choice:
      return choice(place);
    case NodeKind::group:
      return body(place.node->body, {place.loops, place.ranks, place.regular, place.executions});
  }
}

template <class Print>
void StreamPrinter::with_upkeep(const Node& node, Print print) {
  Values::Upkeep upkeep = c_.values.take_upkeep();
  for (const std::string& line : upkeep.before) lines_.put(line);
  print();
  for (const std::string& line : upkeep.after) lines_.put(line);
  if (auto counter = c_.values.counter(node)) lines_.put("++" + *counter + ";");
}

void StreamPrinter::event(const Place& place) {
  std::string statement;
  try {
    statement = call_statement(c_, place);
    c_.values.keep_for_others(place);
  } catch (const Refusal& refusal) {
    throw Refusal{comment_text(signature(*place.node).function) + " can't be generated: " + refusal.reason};
  }
  here_.add(*place.node, levels_);
  if (ends_mpi(*place.node) && !place.loops.empty()) lines_.put("kernel_end();");  // before main() does
  with_upkeep(*place.node, [&] { lines_.put(statement); });
  if (starts_mpi(*place.node)) lines_.put("kernel_ranks();");
  if (starts_mpi(*place.node) && trace::has_time_laws(c_.trace)) lines_.put("estimate_times();");
  if (starts_mpi(*place.node) && has_doubts(c_.trace)) lines_.put("say_doubts();");
}

void StreamPrinter::loop(const Place& place) {
  Expression count = c_.values.count(place);
  const auto& body = place.node->body;
  with_upkeep(*place.node, [&] {
    Scope inside{place.loops, place.ranks, place.regular,
                 turns(place.node->count, count.range, place.executions)};
    if (count.range.within(0, 1)) {
      inside.loops.push_back({constant(0), count.is_constant(1) ? std::optional(constant(1)) : std::nullopt});
      inside.regular = inside.regular && count.is_constant(1);
      if (!count.is_constant(1)) lines_.open("if (" + count.text + ")");
      this->body(body, inside);
      if (!count.is_constant(1)) lines_.close();
      return;
    }
    std::string name = trace::loop_variable(place.loops.size());
    std::string limit = count.at_least(Binding::shift), initial = "long long " + name + " = 0";
    inside.regular = inside.regular && count.is_constant();
    std::optional<Expression> trips;
    if (count.is_constant()) {
      trips = named_count(count.range.low);
      limit = trips->text;
    } else if (limit.find_first_of("([") != std::string::npos) {
      limit = name + "_end";
      initial += ", " + limit + " = " + count.text;
    }
    int64_t last = std::max<int64_t>(count.range.high, 1) - 1;
    inside.loops.push_back({variable(name, {0, last}), trips});
    lines_.open("for (" + initial + "; " + name + " < " + limit + "; ++" + name + ")");
    this->body(body, inside);
    lines_.close();
  });
}

Expression StreamPrinter::named_count(int64_t count) {
  std::string of = c_.thread == 0 ? "" : "OF" + std::to_string(c_.thread) + "_";
  std::string name = "TIMES_" + of + std::to_string(++counts_);
  constants_ += "#define " + name + " " + std::to_string(count) + "\n";
  return {name, Binding::unary, {count, count}, count <= INT32_MAX};
}

void StreamPrinter::choice(const Place& place) {
  Expression which = c_.values.count(place);
  const auto& arms = place.node->body;
  with_upkeep(*place.node, [&] {
    lines_.open("switch (" + which.text + ")");
    for (size_t k = 0; k < arms.size(); ++k) {
      lines_.open("case " + std::to_string(k) + ":");
      print(arms, k, k + 1,
            {place.loops, place.ranks, false,
             takings(place.node->count, static_cast<int64_t>(k), place.executions)},
            false);
      lines_.put("break;");
      lines_.close();
    }
    lines_.close();
  });
}

}  // namespace refrain::generate
