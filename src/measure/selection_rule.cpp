#include "measure/selection_rule.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "api/handle_class.hpp"
#include "api/layers.hpp"
#include "api/predefined.hpp"
#include "api/table.hpp"

namespace refrain::measure {

using namespace trace;
using api::HandleClass;
using api::Trait;

namespace {

bool is(const Operand& o, HandleClass c) { return o.text == api::facts_of(c).name; }

/// How a call says itself which part of a variable it moves, if it moves elements of one.
enum class Listed : uint8_t { no, all, part, several };

Listed listed_part(const Signature& s) {
  const api::Row* row = api::find_row(s.function);
  if (!row) return Listed::no;
  auto has = [&](api::Kind kind) {
    return std::any_of(row->arguments.begin(), row->arguments.end(),
                       [&](const api::Argument& a) { return a.kind == kind; });
  };
  if (!has(api::Kind::nc_in) && !has(api::Kind::nc_out)) return Listed::no;
  if (has(api::Kind::nc_start)) return Listed::part;
  return has(api::Kind::nc_starts) || has(api::Kind::mpi_type) ? Listed::several : Listed::all;
}

class SelectionRuleReader {
 public:
  SelectionRuleReader(const Signature& s, const AccessRule& access, std::map<std::string, uint32_t>& classes)
      : s_(s), access_(access), traits_(api::traits_of(s.function)), classes_(classes) {}

  SelectionRule run() {
    for (const Operand& o : s_.operands) {
      operand(o);
      at_ += o.parameters();
    }
    rule_.made = slot(s_.result);
    rule_.offset = access_.offset;
    rule_.whence = access_.whence;
    rule_.is_shared = traits_.has(Trait::shares_position);
    rule_.in_bytes = traits_.has(Trait::strides_bytes);
    if (s_.error.empty()) rule_.effect = effect();
    if (!has_what_it_needs()) rule_.effect = SelectionEffect::none;
    rule_.whole = listed_part(s_) == Listed::all;
    if (listed_part(s_) != Listed::part && rule_.effect == SelectionEffect::move_listed) rule_.lists.clear();
    return rule_;
  }

 private:
  SelectionRule::Slot slot(const Operand& o) {
    if (o.kind != OperandKind::slot) return {};
    uint32_t number = classes_.try_emplace(o.text, static_cast<uint32_t>(classes_.size())).first->second;
    return {at_, number, o.thread};
  }

  void operand(const Operand& o) {
    if (o.kind == OperandKind::slot) {
      SelectionRule::Slot here = slot(o);
      if (!rule_.handle) rule_.handle = here;
      if (is(o, HandleClass::h5_space)) rule_.space = here;
      if (is(o, HandleClass::mpi_type)) rule_.types.push_back(here);
      arrays_ += is(o, HandleClass::h5_dataset);
    }
    if (o.kind == OperandKind::integer) rule_.numbers.push_back(at_);
    if (o.kind == OperandKind::list) rule_.lists.push_back({at_, o.width});
    irregular_ |= o.kind == OperandKind::long_list || o.kind == OperandKind::law_list;
    if (o.kind == OperandKind::name) name(o);
  }

  void name(const Operand& o) {
    std::string_view type = api::predefined_type(o.text);
    if (type == api::facts_of(HandleClass::mpi_type).type)
      rule_.types.push_back({.predefined = api::predefined_size(o.text)});
    if (o.text.starts_with("H5S_SELECT_")) {
      rule_.adds = o.text == "H5S_SELECT_OR";
      rule_.is_set = o.text == "H5S_SELECT_SET";
    } else if (o.text == "H5S_ALL") {
      rule_.space = {};
    } else if (o.text == "NULL") {
      rule_.lists.push_back({at_, 0});
    }
    rule_.last_is_slowest |= o.text == "MPI_ORDER_FORTRAN";
  }

  /// Traces may hold calls with other operands than their functions have.
  bool has_what_it_needs() const {
    switch (rule_.effect) {
      case SelectionEffect::none:
      case SelectionEffect::forget:
        return true;
      case SelectionEffect::make_space:
      case SelectionEffect::make_array:
      case SelectionEffect::repeat_type:
      case SelectionEffect::stride_type:
      case SelectionEffect::cut_type:
      case SelectionEffect::resize_type:
        return static_cast<bool>(rule_.made);
      case SelectionEffect::copy:
      case SelectionEffect::give_space:
        return rule_.made && rule_.handle;
      case SelectionEffect::seek:
        return rule_.handle && rule_.offset != SelectionRule::absent;
      default:
        return static_cast<bool>(rule_.handle);
    }
  }

  bool makes(HandleClass c) const { return rule_.made && is(s_.result, c); }

  SelectionEffect effect() const {
    if (access_.effect == AccessRule::Effect::data) return data();
    if (traits_.has(Trait::sets_view)) return views();
    if (access_.effect == AccessRule::Effect::seek && handle_is(HandleClass::mpi_file))
      return traits_.has(Trait::moves_shared_position) ? SelectionEffect::none : SelectionEffect::seek;
    if (traits_.has(Trait::sets_extent))
      return rule_.lists.empty() ? SelectionEffect::forget : SelectionEffect::set_size;
    if (handle_is(HandleClass::h5_space) && !rule_.made) return selection();
    if (makes(HandleClass::h5_dataset))
      return rule_.space ? SelectionEffect::make_array : SelectionEffect::forget;
    if (makes(HandleClass::h5_space)) return space();
    if (makes(HandleClass::mpi_type)) return type();
    return makes(HandleClass::mpi_file) ? SelectionEffect::forget : SelectionEffect::none;
  }

  SelectionEffect views() const {
    return rule_.types.size() == 2 && rule_.offset != SelectionRule::absent ? SelectionEffect::set_view
                                                                            : SelectionEffect::forget;
  }

  bool handle_is(HandleClass c) const {
    auto first = std::find_if(s_.operands.begin(), s_.operands.end(),
                              [](const Operand& o) { return o.kind == OperandKind::slot; });
    return first != s_.operands.end() && is(*first, c);
  }

  SelectionEffect data() const {
    if (irregular_) return SelectionEffect::none;
    if (listed_part(s_) != Listed::no) return SelectionEffect::move_listed;
    if (handle_is(HandleClass::mpi_file)) return SelectionEffect::move_seen;
    bool array = handle_is(HandleClass::h5_dataset) && arrays_ == 1;
    return array && traits_.has_any({Trait::writes_elements, Trait::reads_elements})
               ? SelectionEffect::move_array
               : SelectionEffect::none;
  }

  SelectionEffect selection() const {
    if (traits_.has(Trait::selects_all)) return SelectionEffect::select_all;
    if (traits_.has(Trait::selects_none)) return SelectionEffect::select_none;
    bool known = traits_.has(Trait::selects_hyperslab) && rule_.lists.size() == 4 && !irregular_;
    if (known) return rule_.adds || rule_.is_set ? SelectionEffect::select : SelectionEffect::forget;
    bool changes =
        traits_.has_any({Trait::changes_selection, Trait::changes_shape, Trait::selects_hyperslab});
    return changes ? SelectionEffect::forget : SelectionEffect::none;
  }

  SelectionEffect space() const {
    if (traits_.has(Trait::makes_space) && !rule_.lists.empty() && rule_.lists[0].width > 0)
      return SelectionEffect::make_space;
    if (traits_.has(Trait::copies_object)) return SelectionEffect::copy;
    return traits_.has(Trait::gives_part) && handle_is(HandleClass::h5_dataset) ? SelectionEffect::give_space
                                                                                : SelectionEffect::forget;
  }

  SelectionEffect type() const {
    size_t numbers = rule_.numbers.size();
    if (traits_.has(Trait::copies_object) && rule_.types.size() == 1 && rule_.handle)
      return SelectionEffect::copy;
    if (rule_.types.size() != 1 || irregular_) return SelectionEffect::forget;
    if (traits_.has(Trait::repeats_type) && numbers == 1) return SelectionEffect::repeat_type;
    if (traits_.has_any({Trait::strides_type, Trait::strides_bytes}) && numbers == 3)
      return SelectionEffect::stride_type;
    if (traits_.has(Trait::cuts_array) && rule_.lists.size() == 3) return SelectionEffect::cut_type;
    return traits_.has(Trait::resizes_type) && numbers == 2 ? SelectionEffect::resize_type
                                                            : SelectionEffect::forget;
  }

  const Signature& s_;
  const AccessRule& access_;
  api::Traits traits_;
  std::map<std::string, uint32_t>& classes_;
  SelectionRule rule_;
  uint32_t at_ = 0, arrays_ = 0;
  bool irregular_ = false;
};

}  // namespace

std::vector<SelectionRule> selection_rules(const std::vector<Signature>& signatures,
                                           const std::vector<AccessRule>& accesses) {
  std::map<std::string, uint32_t> classes;
  std::vector<SelectionRule> rules;
  rules.reserve(signatures.size());
  for (size_t i = 0; i < signatures.size(); ++i)
    rules.push_back(SelectionRuleReader(signatures[i], accesses[i], classes).run());
  return rules;
}

}  // namespace refrain::measure
