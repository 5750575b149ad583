// Strings among the arguments of a call, and those of them that name files: what they are when the program
// runs is looked at by functions of the runtime, named around them (`here`, `entry`, ...), so that none leads
// out.
#include <algorithm>

#include "generate/call_arguments.hpp"
#include "generate/refusal.hpp"

namespace refrain::generate {

using plan::GivenArgument;
using trace::OperandKind;
using Spelling = Strings::Spelling;

std::string CallArguments::string_of(const GivenArgument& g, Spelling spelling) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::name) {
    if (o.text == "NULL") return layer().is_system ? "nowhere" : "NULL";
    if (o.text == "unreadable") return o.text;
    throw Refusal{"a string that is no string"};
  }
  if (o.kind != OperandKind::text) throw Refusal{"a string that is no string"};
  std::vector<Expression> fields;
  for (uint32_t k = 0; k < o.width; ++k) fields.push_back(parameter(g.parameter + 1 + k));
  Expression index = parameter(g.parameter);
  if (spelling == Spelling::text) return c_.strings.text(index, fields);
  std::string path = c_.strings.path(index, fields, spelling);
  if (g.argument->kind != Kind::made_path && !c_.strings.may_hold_made_name(index)) return path;
  return "named(" + path + ")";
}

/// The folder that a path is relative to.
std::string CallArguments::folder_of(const GivenArgument& path) {
  const GivenArgument* folder = plan::folder_of(signature_, plan_, path);
  return folder == nullptr ? "AT_FDCWD" : system_handle(*folder);
}

/// The path argument of the call as C.
std::string CallArguments::placed(const GivenArgument& path) {
  if (operand(path).kind == OperandKind::name) return string_of(path);
  std::string at = folder_of(path);
  if (plan::is_link_target(plan_, path)) {
    const GivenArgument& link = plan_.named("path");
    return "leading(" + folder_of(link) + ", " + placed(link) + ", " + string_of(path, Spelling::raw) + ")";
  }
  if (!layer().has_positions) {  // a library looks at it first
    std::string text = string_of(path, Spelling::library);
    bool families = layer().has_objects &&
                    std::any_of(c_.trace.signatures.begin(), c_.trace.signatures.end(), [](const auto& s) {
                      return api::traits_of(s.function).has(api::Trait::may_open_several);
                    });
    return "file_here(" + (families ? "series(" + text + ")" : text) + ")";
  }
  std::string how = plan::follows_link(signature_, path) ? "here" : "entry";
  if (at == "AT_FDCWD")
    how += "(" + string_of(path, Spelling::image) + ")";
  else
    how += "_at(" + at + ", " + string_of(path, Spelling::raw) + ")";
  if (!plan::is_destination(plan_, path)) return how;
  const GivenArgument& from = plan_.named("from");
  if (operand(from).kind == OperandKind::name) return how;
  bool exchanges = plan::exchanges(signature_);
  return std::string(exchanges ? "exchanging(" : "moving(") + folder_of(from) + ", " + placed(from) + ", " +
         at + ", " + how + ")";
}

/// The number of turns with the file that come before this call's turn.
std::string CallArguments::turns_before(const GivenArgument& path) {
  auto found = c_.turns.of.find({c_.thread, place_.node->signature, path.first});
  if (found == c_.turns.of.end()) return "0";
  auto call = static_cast<size_t>(std::distance(c_.turns.of.begin(), found));
  std::string first = c_.values.of_rank(found->second.first).text;
  if (found->second.step.is_constant(0)) return first;
  return "next_turn(&" + c_.values.turn_counter(call) + ", " + first + ", " +
         c_.values.of_rank(found->second.step).text + ")";
}

/// The same; waits for a file that another rank makes.
std::string CallArguments::path(const GivenArgument& g) {
  std::string path = placed(g);
  auto awaited = c_.awaited.find({place_.node->signature, g.first});
  if (awaited == c_.awaited.end()) return path;
  bool makes = plan_.row->is(api::Trait::makes_file);
  std::string_view how = awaited->second == plan::Awaited::file             ? "there"
                         : awaited->second == plan::Awaited::folder         ? "folder_there"
                         : awaited->second == plan::Awaited::end_of_turn    ? "after_turn"
                         : awaited->second == plan::Awaited::absence        ? "no_more"
                         : awaited->second == plan::Awaited::moment         ? "there_by_chance"
                         : awaited->second == plan::Awaited::end_of_writing ? "written"
                         : makes                                            ? "first_turn"
                         : plan::takes_it_alone(signature_, g)              ? "my_turn"
                                                                            : "turn_to_read";
  bool in_turn = awaited->second == plan::Awaited::turn;
  return std::string(how) + "(" + path + (in_turn ? ", " + turns_before(g) : "") + ")";
}

}  // namespace refrain::generate
