#include "measure/access_rule.hpp"

#include <map>
#include <string>
#include <utility>

#include "api/handle_class.hpp"
#include "api/layers.hpp"
#include "api/table.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

using Effect = AccessRule::Effect;
using Whence = AccessRule::Whence;

/// Whether calls of the layer say where in the file they are. Those of MPI-IO say where in a view, in units
/// of a datatype; those of HDF5 don't know.
bool has_positions(const std::string& layer) { return api::layer_named(layer).has_positions; }

/// Gives each kind of handle a number.
class HandleClasses {
 public:
  uint32_t of(const Operand& o) {
    return numbers_.try_emplace({o.text, o.thread}, static_cast<uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::map<std::pair<std::string, int32_t>, uint32_t> numbers_;
};

/// Goes through the operands of a signature and notes what matters.
class Reader {
 public:
  Reader(const Signature& s, HandleClasses& classes) : signature_(s), classes_(classes) {}

  AccessRule run() {
    for (const Operand& operand : signature_.operands) {
      argument(operand);
      at_ += operand.parameters();
    }
    result(signature_.result);
    rule_.effect = effect();
    return rule_;
  }

 private:
  void argument(const Operand& o) {
    data(o);
    if (o.kind == OperandKind::slot && !api::facts_of(api::handle_class_named(o.text)).is_carrier) {
      ++slots_;
      if (!rule_.handle) rule_.handle = {at_, classes_.of(o)};
    }
    if (o.role == Role::offset && o.kind == OperandKind::integer) rule_.offset = at_;
    if (o.kind == OperandKind::text && rule_.path == AccessRule::absent) {
      rule_.path = at_;
      rule_.path_fields = o.width;
    }
    if (o.kind == OperandKind::name) name(o.text);
  }

  void name(const std::string& text) {
    auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    rule_.appends |= has("O_APPEND");
    seeks_ |= has("SEEK_SET") || has("SEEK_CUR") || has("SEEK_END");
    if (has("SEEK_CUR")) rule_.whence = Whence::current;
    if (has("SEEK_END")) rule_.whence = Whence::end;
  }

  void result(const Operand& o) {
    data(o);
    if (o.kind == OperandKind::slot) rule_.made = {at_, classes_.of(o)};
    if (o.kind == OperandKind::integer) rule_.result = at_;
  }

  void data(const Operand& o) {
    bool reads = o.role == Role::bytes_read, writes = o.role == Role::bytes_written;
    bool kept_whole = o.kind == OperandKind::long_list || o.kind == OperandKind::law_list;
    if ((!reads && !writes) || o.parameters() == 0 || kept_whole) return;
    rule_.writes = writes;
    rule_.bytes = at_;
    rule_.byte_parameters = o.parameters();
  }

  Effect effect() {
    if (!signature_.error.empty()) return Effect::none;
    if (rule_.bytes != AccessRule::absent) {
      rule_.positioned = slots_ == 1 && has_positions(signature_.layer);
      return Effect::data;
    }
    if (rule_.made) {
      if (rule_.path != AccessRule::absent) return Effect::open;
      return rule_.handle ? Effect::share : Effect::none;
    }
    if (!rule_.handle) return Effect::none;
    if (signature_.bracket == Bracket::closes) return Effect::close;
    bool seeks = (seeks_ && rule_.offset != AccessRule::absent) ||
                 api::traits_of(signature_.function).has(api::Trait::seeks_start);
    return seeks ? Effect::seek : Effect::none;
  }

  const Signature& signature_;
  HandleClasses& classes_;
  AccessRule rule_;
  uint32_t at_ = 0, slots_ = 0;
  bool seeks_ = false;
};

}  // namespace

std::vector<AccessRule> access_rules(const std::vector<Signature>& signatures) {
  HandleClasses classes;
  std::vector<AccessRule> rules;
  for (const Signature& s : signatures) rules.push_back(Reader(s, classes).run());
  return rules;
}

}  // namespace refrain::measure
