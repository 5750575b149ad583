// Lists among the arguments of a call: of numbers, of handles by their slots, of names in brackets.
#include <algorithm>
#include <span>

#include "api/mpi/mpi_library.hpp"
#include "api/names.hpp"
#include "api/predefined.hpp"
#include "generate/c_text.hpp"
#include "generate/call_arguments.hpp"
#include "generate/refusal.hpp"
#include "plan/expand_names.hpp"
#include "plan/list_lengths.hpp"
#include "trace/name_list.hpp"

namespace refrain::generate {

using api::Kind;
using plan::GivenArgument;
using trace::OperandKind;
using trace::Role;

namespace {

bool is_list(const trace::Operand& o) {
  return o.kind == OperandKind::list || o.kind == OperandKind::long_list || o.kind == OperandKind::law_list;
}

/// Array sizes of at least this get a name at the top of the program.
constexpr int64_t smallest_named_extent = 8;

/// Whether a list gives the size of an array or of a part of it.
bool is_size(const api::Argument& a) {
  return a.kind == Kind::h5_sizes || (a.kind == Kind::h5_extent && a.name == "size") ||
         (a.kind == Kind::h5_coordinates && (a.name == "count" || a.name == "block")) ||
         (a.kind == Kind::int_list && (a.name == "sizes" || a.name == "subsizes"));
}

bool is_place(const api::Argument& a) {
  return (a.kind == Kind::h5_coordinates && a.name == "start") ||
         (a.kind == Kind::int_list && a.name == "starts");
}

/// Replaces factors by the names of sizes: the 16 in `rank/4*16`, the 8192 in `8192*rank`.
std::string with_named_factors(const std::string& text, const Sizes& sizes) {
  std::string out;
  auto is_word = [](char c) { return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t i = 0, end = 0; i < text.size(); i = end) {
    end = i + 1;
    while (is_word(text[i]) && end < text.size() && is_word(text[end])) ++end;
    std::string word = text.substr(i, end - i);
    char before = i == 0 ? '(' : text[i - 1];
    bool factor = before == '*' || ((before == '(' || before == ' ') && text[end] == '*');
    bool number = word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
    std::string name = factor && number ? sizes.known(std::stoll(word)) : "";
    out += name.empty() ? word : name;
  }
  return out;
}

}  // namespace

std::vector<std::string> bracketed_names(std::string_view text) {
  auto names = plan::names_of(text);
  if (!names) throw Refusal{names.error().message};
  return std::move(*names);
}

/// How many elements the list of an argument has.
std::string CallArguments::elements(const GivenArgument& g, size_t k) {
  const Operand& o = operand(g, k);
  if (o.kind == OperandKind::list) return std::to_string(o.width);
  if (o.kind == OperandKind::law_list) return parameter(g.parameter).text;
  if (o.kind != OperandKind::long_list) return "0";
  return long_list(g.parameter).length;
}

/// The lists whose indices an expression may have as its value.
std::span<const trace::Column> CallArguments::lists_at(const Expression& index) const {
  auto count = static_cast<int64_t>(c_.trace.lists.size());
  int64_t low = std::max<int64_t>(index.range.low, 0), high = std::min(index.range.high, count - 1);
  if (low > high) throw Refusal{"a list that the trace doesn't hold"};
  return std::span(c_.trace.lists).subspan(static_cast<size_t>(low), static_cast<size_t>(high - low) + 1);
}

/// The list whose index is in parameter `p`: a constant one, or one of several consecutive lists.
Tables::Lists CallArguments::long_list(size_t p) {
  Expression index = parameter(p);
  auto lists = lists_at(index);
  int64_t low = lists.data() - c_.trace.lists.data(), last = static_cast<int64_t>(lists.size()) - 1;
  Expression place = subtract(index, constant(low));
  if (!index.range.within(low, low + last))
    place = call("slot_of", {place.text, std::to_string(lists.size())}, {0, last});
  return c_.tables.list(lists, place);
}

std::string CallArguments::list(const GivenArgument& g, std::string_view element, size_t k) {
  const Operand& o = operand(g, k);
  if (o.kind == OperandKind::name) {
    if (o.text == "NULL" || o.text == "MPI_UNWEIGHTED" || o.text == "MPI_WEIGHTS_EMPTY") return o.text;
    throw Refusal{"a list that was too long to be kept"};
  }
  size_t first = g.parameter;
  for (size_t before = 0; before < k; ++before) first += operand(g, before).parameters();
  std::string type(element);
  if (o.kind == OperandKind::long_list) {
    Tables::Lists found = long_list(first);
    return found.function + "(" + found.source + ", " + found.length + ", sizeof(" + type + "))";
  }
  if (o.kind == OperandKind::law_list) return c_.values.list(place_, first, type);
  if (o.kind != OperandKind::list) throw Refusal{"a list that is none"};
  std::string out = "(" + type + "[]){";
  for (uint32_t i = 0; i < o.width; ++i) {
    Expression e = parameter(first + i);
    bool unlimited = o.role == Role::extent && e.is_constant(-1);
    bool named = is_size(*g.argument) && e.is_constant() && e.range.within(smallest_named_extent, INT32_MAX);
    bool usual =
        g.argument->kind == Kind::distribution_arguments && e.is_constant(api::default_distribution_argument);
    std::string text = unlimited ? "H5S_UNLIMITED"
                       : usual   ? "MPI_DISTRIBUTE_DFLT_DARG"
                       : named   ? c_.sizes.name(e.range.low)
                                 : narrowed(e, type);
    out += (i == 0 ? "" : ", ") + (is_place(*g.argument) ? with_named_factors(text, c_.sizes) : text);
  }
  return out + (o.width == 0 ? "0}" : "}");
}

std::string CallArguments::ranges(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind != OperandKind::list || o.width % 3 != 0) throw Refusal{"ranges that are none"};
  std::string out = "(int[][3]){";
  for (uint32_t i = 0; i < o.width; ++i)
    out += (i % 3 == 0 ? (i == 0 ? "{" : ", {") : ", ") + narrowed(parameter(g.parameter + i), "int") +
           (i % 3 == 2 ? "}" : "");
  return out + (o.width == 0 ? "{0}}" : "}");
}

/// Lists from `g` on that stand in the call itself must have this length.
void CallArguments::need_width(const GivenArgument& g, uint32_t width) {
  for (const GivenArgument* other = &g; other != plan_.arguments.data() + plan_.arguments.size(); ++other) {
    if (other->form == Form::list_length) return;
    bool is_such = other->count > 0 && operand(*other).kind == OperandKind::list;
    if (is_such && plan::has_common_length(other->argument->kind) && operand(*other).width != width)
      throw Refusal{"lists of different lengths"};
  }
}

/// The length is that of the first list that follows.
std::string CallArguments::list_length(const GivenArgument& g) {
  for (const GivenArgument* other = &g + 1; other != plan_.arguments.data() + plan_.arguments.size();
       ++other) {
    if (other->form == Form::range_list) return std::to_string(operand(*other).width / 3);
    if (other->form == Form::handle_list || other->form == Form::name_list)
      return std::to_string(names(*other).size());
    if (other->count == 0 || !is_list(operand(*other))) continue;
    if (operand(*other).kind == OperandKind::list) need_width(*other, operand(*other).width);
    return elements(*other);
  }
  return "0";
}

/// The names of a list in brackets. It is a word of the signature or, if it is long, a string.
std::vector<std::string> CallArguments::names(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::name) return bracketed_names(o.text);
  Expression number = o.kind == OperandKind::text ? parameter(g.parameter) : Expression{};
  const auto& templates = c_.trace.templates;
  std::vector<int64_t> fields;
  bool known = number.is_constant() && number.range.within(0, static_cast<int64_t>(templates.size()) - 1);
  for (uint32_t k = 0; known && k < o.width; ++k) {
    Expression field = parameter(g.parameter + 1 + k);
    known = field.is_constant();
    fields.push_back(field.range.low);
  }
  const trace::Template* found = known ? &templates[static_cast<size_t>(number.range.low)] : nullptr;
  if (found == nullptr || found->fields() != o.width) throw Refusal{"a list of handles that can't be read"};
  return bracketed_names(found->fill(fields.data()));
}

/// Makes sure that the variables of all handles in a list exist; a negative number is not a handle.
void CallArguments::need_slots(std::string_view own, Range slots) {
  if (slots.high >= 0) c_.slots.variable(own, c_.thread, {"", Binding::unary, {0, slots.high}});
}

/// The same for a long list, which must have this length.
void CallArguments::need_slots(const GivenArgument& g, std::string_view own, size_t count) {
  constexpr int64_t most = 1 << 16;
  c_.slots.array(own, c_.thread);
  for (const trace::Column& list : lists_at(parameter(g.parameter + operand(g).parameters()))) {
    Range slots = range_of(list);
    if (list.size() != count || !slots.within(0, most - 1))
      throw Refusal{"a list of handles that can't be read"};
    need_slots(own, slots);
  }
}

/// The slots behind a list of names, one by one.
std::vector<Expression> CallArguments::slots_of_list(const GivenArgument& g) {
  const Operand& o = operand(g, 1);
  size_t first = g.parameter + operand(g).parameters();
  std::vector<Expression> slots;
  if (o.kind == OperandKind::long_list) {
    Expression index = parameter(first);
    auto count = static_cast<int64_t>(c_.trace.lists.size());
    if (!index.is_constant() || !index.range.within(0, count - 1))
      throw Refusal{"a long list of handles that differs from call to call"};
    for (int64_t slot : c_.trace.lists[static_cast<size_t>(index.range.low)].expand())
      slots.push_back(constant(slot));
  }
  for (uint32_t k = 0; o.kind == OperandKind::list && k < o.width; ++k) slots.push_back(parameter(first + k));
  return slots;
}

/// Datatypes, each name repeated a number of times: the name at an index follows from where the repetitions
/// end.
std::string CallArguments::types_by_law(const GivenArgument& g, const std::string& type) {
  auto runs = trace::name_runs("[" + operand(g).text + "]");
  if (!runs || runs->size() != operand(g).width) throw Refusal{"a list of handles that can't be read"};
  size_t slots = g.parameter + operand(g).parameters();
  auto slot_at = [&](const Expression& place) {
    const Operand& o = operand(g, 1);
    if (o.kind == OperandKind::law_list) return c_.values.element(place_, slots, place);
    if (o.kind == OperandKind::list && o.width == 1) return parameter(slots);
    throw Refusal{"several datatypes of its own in a list that grows with the number of ranks"};
  };
  std::string length = "0";
  for (const GivenArgument& other : plan_.arguments)
    if (other.form == Form::list_length) length = list_length(other);
  const Expression at = variable("at", {0, INT32_MAX});
  Expression end = constant(0), before = constant(0);  // before: of those that the program didn't make
  std::string element;
  for (size_t k = 0; k < runs->size(); ++k) {
    const std::string& name = (*runs)[k].name;
    Expression count = parameter(g.parameter + k);
    end = add(end, count);
    std::string here;
    if (api::predefined_type(name) == type) {
      here = name;
      before = add(before, count);
    } else if (name == "mpitype") {
      here = c_.slots.variable(name, c_.thread, slot_at(subtract(at, before)));
    } else {
      throw Refusal{"uses an object that it did not make (" + comment_text(name) + ")"};
    }
    element += "at < " + end.at_least(Binding::shift) + " ? " + here + " : ";
  }
  return c_.values.filled_list(length, type, element + "MPI_DATATYPE_NULL");
}

/// A library takes as many elements of every list as the first one has, whatever a trace says of the others.
void CallArguments::need_length_of_lists(size_t length) {
  for (const GivenArgument& other : plan_.arguments)
    if (other.form == Form::handle_list && operand(other).kind != OperandKind::law_names &&
        names(other).size() != length)
      throw Refusal{"lists of different lengths"};
}

/// Lists of datatypes: predefined ones by name, then the slots of the others.
std::string CallArguments::handle_list(const GivenArgument& g) {
  Kind kind = g.argument->kind;
  std::string type = pointee(g.argument->type);
  if (g.form == Form::request_list) {
    const Operand& o = operand(g);
    std::string array = c_.slots.array("request", c_.thread);
    for (uint32_t i = 0; o.kind == OperandKind::list && i < o.width; ++i)
      need_slots("request", parameter(g.parameter + i).range);
    if (o.kind == OperandKind::long_list)
      for (const trace::Column& all : lists_at(parameter(g.parameter))) need_slots("request", range_of(all));
    return "pick(" + array + ", " + elements(g) + ", " + list(g, "long long") + ")";
  }
  if (operand(g).kind == OperandKind::law_names && g.form == Form::handle_list) return types_by_law(g, type);
  std::string_view own = api::facts_of(api::facts_of(kind).handle).name;
  auto all = names(g);
  if (g.form == Form::handle_list) need_length_of_lists(all.size());
  bool others = g.form == Form::handle_list && g.count > 1;
  auto owned = static_cast<size_t>(std::count(all.begin(), all.end(), own));
  if (others && operand(g, 1).kind == OperandKind::long_list) need_slots(g, own, owned);
  if (others && operand(g, 1).kind == OperandKind::long_list && owned == all.size())
    return "pick_types(" + c_.slots.array(own, c_.thread) + ", " + std::to_string(all.size()) + ", " +
           list(g, "long long", 1) + ")";
  std::vector<Expression> slots = others ? slots_of_list(g) : std::vector<Expression>{};
  size_t next = 0;
  std::string out = "(" + type + "[]){";
  for (const std::string& name : all) {
    out += &name == all.data() ? "" : ", ";
    if (g.form == Form::name_list) {
      if (!api::value_of(kind, name)) throw Refusal{"the unknown name " + comment_text(name)};
      out += name;
    } else if (api::predefined_type(name) == type) {
      out += name;
    } else if (name == own && next < slots.size()) {
      out += c_.slots.variable(own, c_.thread, slots[next++]);
    } else {
      throw Refusal{"uses an object that it did not make (" + comment_text(name) + ")"};
    }
  }
  return out + (all.empty() ? "0}" : "}");
}

/// Descriptors by their slots; none is -1.
std::string CallArguments::descriptor_list(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind != OperandKind::list) throw Refusal{"takes too many descriptors at once"};
  std::string descriptors = "(int[]){";
  for (uint32_t i = 0; i < o.width; ++i) {
    Expression slot = parameter(g.parameter + i);
    descriptors +=
        (i == 0 ? "" : ", ") + (slot.is_constant(-1) ? "-1" : c_.slots.variable("fd", c_.thread, slot));
  }
  return descriptors + (o.width == 0 ? "-1}" : "}");
}

/// Asynchronous requests; those that the call starts come with descriptors, operations, sizes and offsets.
std::string CallArguments::aio_list(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind != OperandKind::list) throw Refusal{"takes too many requests at once"};
  for (size_t k = 0; k < g.count; ++k)
    if (operand(g, k).kind != OperandKind::list || operand(g, k).width != o.width)
      throw Refusal{"a list of requests that can't be read"};
  for (uint32_t i = 0; i < o.width; ++i) need_slots("aio", parameter(g.parameter + i).range);
  std::string picked = c_.slots.array("aio", c_.thread) + ", " + elements(g) + ", " + list(g, "long long");
  if (g.form == Form::aio_list) return "aio_picked(" + picked + ")";
  std::string descriptors = "(int[]){";
  for (uint32_t i = 0; i < o.width; ++i) {
    Expression slot = parameter(g.parameter + o.width + i);
    descriptors +=
        (i == 0 ? "" : ", ") + (slot.is_constant(-1) ? "-1" : c_.slots.variable("fd", c_.thread, slot));
  }
  return "aio_listed(" + picked + ", " + descriptors + "}, " + list(g, "long long", 2) + ", " +
         list(g, "long long", 3) + ", " + list(g, "long long", 4) + ")";
}

/// Settings for each file of an HDF5 driver with several files.
std::string CallArguments::members(const GivenArgument& g) {
  if (operand(g).kind == OperandKind::name && operand(g).text == "NULL" && g.count == 1) return "NULL";
  switch (g.argument->kind) {
    case Kind::h5_multi_map:
      return list(g, "H5FD_mem_t");
    case Kind::h5_multi_offsets:
      return list(g, "haddr_t");
    default:
      break;
  }
  bool names = g.argument->kind == Kind::h5_multi_names;
  std::string out = names ? "(const char *const[]){" : "(hid_t[]){";
  plan::GivenArgument one = g;
  api::Argument handle{"hid_t", "member", Kind::h5_plist};
  one.count = 1;
  if (!names) one.argument = &handle;
  for (size_t k = 0; k < g.count; ++k, ++one.first) {
    out += (k == 0 ? "" : ", ") +
           (names ? (operand(one).kind == OperandKind::name ? string_of(one)
                                                            : "extension(" + string_of(one) + ")")
                  : library_handle(one));
    one.parameter += operand(one).parameters();
  }
  return out + "}";
}

}  // namespace refrain::generate
