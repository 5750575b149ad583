#include "plan/hdf5_inputs.hpp"

#include <algorithm>

#include "api/hdf5/modules.hpp"
#include "trace/path_image.hpp"

namespace refrain::plan {
namespace {

using api::Kind;
using api::Trait;
using trace::OperandKind;
using trace::Signature;

std::string joined(const std::string& folder, std::string_view name) {
  if (name.starts_with('/')) return std::string(name);
  if (name.empty() || name == ".") return folder;
  return (folder == "/" ? "/" : folder + "/") + std::string(name);
}

std::string key_of(const std::string& file, const std::string& path, const std::string& attribute) {
  return file + '\n' + path + '\n' + attribute;
}

bool is_about(const Signature& s, api::Hdf5Module module) { return api::hdf5_module(s.function) == module; }

/// A predefined type of this class and size, if there is one.
std::string type_like(const std::string& type_class, int64_t size) {
  bool whole = size == 1 || size == 2 || size == 4 || size == 8;
  if (type_class == "H5T_INTEGER" && whole) return "H5T_NATIVE_INT" + std::to_string(8 * size);
  if (type_class != "H5T_FLOAT") return {};
  return size == 4 ? "H5T_NATIVE_FLOAT" : size == 8 ? "H5T_NATIVE_DOUBLE" : "";
}

/// Changes the first dimension so that the extent has the number of elements that was counted, if possible.
void reach(std::vector<int64_t>& extent, int dimensions, int64_t elements) {
  if (extent.empty()) extent.assign(static_cast<size_t>(std::max(dimensions, 1)), 1);
  int64_t others = 1;
  for (size_t d = 1; d < extent.size(); ++d)
    if (__builtin_mul_overflow(others, extent[d], &others)) return;
  if (others > 0 && elements % others == 0) extent[0] = std::max(extent[0], elements / others);
}

InputObject::Kind kind_of(const std::string& handle_class, bool attribute) {
  if (attribute) return InputObject::Kind::attribute;
  return handle_class == "dataset" ? InputObject::Kind::dataset : InputObject::Kind::group;
}

}  // namespace

bool Hdf5Inputs::opens_object(const Signature& s) {
  return api::traits_of(s.function).has_any({Trait::opens_object, Trait::looks_for_object});
}

bool Hdf5Inputs::concerns(const Signature& s) {
  return api::traits_of(s.function)
      .has_any({Trait::makes_reference, Trait::follows_reference, Trait::opens_object,
                Trait::looks_for_object, Trait::creates_object, Trait::opens_file, Trait::reads_elements,
                Trait::writes_elements, Trait::sets_extent, Trait::selects_hyperslab, Trait::makes_space,
                Trait::gives_part, Trait::describes_object});
}

void Hdf5Inputs::begin_stream() {
  places_.clear();
  spaces_.clear();
  types_.clear();
}

std::string Hdf5Inputs::text(const Call& call, const GivenArgument& g) const {
  const auto& o = call.signature.operands[g.first];
  if (o.kind != OperandKind::text) return {};
  return text_at(trace_.templates, std::span(call.parameters).subspan(g.parameter), o.width).value_or("");
}

std::vector<int64_t> Hdf5Inputs::numbers(const Call& call, std::string_view argument) const {
  const GivenArgument& g = call.plan.named(argument);
  const auto& o = call.signature.operands[g.first];
  if (o.kind != OperandKind::list) return {};
  auto values = call.parameters.subspan(g.parameter, o.width);
  return {values.begin(), values.end()};
}

Hdf5Inputs::Slot Hdf5Inputs::slot(const Call& call, const GivenArgument& g) {
  const auto& o = call.signature.operands[g.first];
  if (o.kind != OperandKind::slot) return {o.text, -1};
  return {o.text, call.parameters[g.parameter]};
}

Hdf5Inputs::Slot Hdf5Inputs::made(const Call& call) const {
  return {call.signature.result.text, call.parameters[call.plan.result_parameter]};
}

/// The object that a call names: a file, or an object in an open file.
std::optional<Hdf5Inputs::Place> Hdf5Inputs::place_of(const Call& call) const {
  const GivenArgument* name = nullptr;
  const GivenArgument* attribute = nullptr;
  for (const GivenArgument& g : call.plan.arguments) {
    if (g.argument->kind == Kind::path) return Place{trace::plain_image(text(call, g)), "/", {}};
    if (g.argument->kind != Kind::h5_name) continue;
    bool of_attribute = is_about(call.signature, api::Hdf5Module::attribute) &&
                        (g.argument->name == "attr_name" || g.argument->name == "name");
    (of_attribute ? attribute : name) = &g;
  }
  auto parent = places_.find(slot(call, call.plan.arguments.front()));
  if (parent == places_.end()) return std::nullopt;
  Place place = parent->second;
  if (name != nullptr) place.path = joined(place.path, text(call, *name));
  if (attribute != nullptr) place.attribute = text(call, *attribute);
  return place;
}

/// Files, groups, datasets, attributes: which object the new identifier stands for, and whether it existed
/// before.
void Hdf5Inputs::open(const Call& call, bool makes) {
  std::optional<Place> place = place_of(call);
  if (!place) return;
  bool of_attribute = is_about(call.signature, api::Hdf5Module::attribute);
  if (of_attribute && place->attribute.empty()) {
    open_by_number(call, *place);
  } else if (makes) {
    made_.insert(key_of(place->file, place->path, place->attribute));
  } else if (place->path != "/" || of_attribute) {
    object(*place).kind = kind_of(call.signature.result.text, of_attribute);
  }
  places_[made(call)] = *place;
}

/// The names of attributes that are opened by number aren't known; there must be enough of them.
void Hdf5Inputs::open_by_number(const Call& call, Place& place) {
  auto is_number = [](const GivenArgument& g) {
    return g.argument->kind == Kind::integer || g.argument->kind == Kind::size;
  };
  const GivenArgument& g = *std::find_if(call.plan.arguments.begin(), call.plan.arguments.end(), is_number);
  if (call.signature.operands[g.first].kind != OperandKind::integer) return;
  constexpr int64_t most = 1000;
  int64_t number = call.parameters[g.parameter];
  for (int64_t k = 0; k <= std::min(number, most); ++k) {
    place.attribute = "attribute_" + std::to_string(k);
    object(place).kind = InputObject::Kind::attribute;
  }
}

/// An object that is found is an input. One that is missing at first is not, even if it is made later.
void Hdf5Inputs::look(const Call& call) {
  std::optional<Place> place = place_of(call);
  if (!place || (place->path == "/" && place->attribute.empty())) return;
  std::string key = key_of(place->file, place->path, place->attribute);
  bool answers = call.signature.result.kind == OperandKind::integer;
  if (answers && call.parameters[call.plan.result_parameter] <= 0) {
    if (opened_.count(key) == 0) made_.insert(key);
    return;
  }
  bool fresh = opened_.count(key) == 0;
  InputObject& o = object(*place);
  if (fresh && !place->attribute.empty()) o.kind = InputObject::Kind::attribute;
}

/// Remembers which object a space or a type belongs to.
void Hdf5Inputs::take_part(const Call& call) {
  Slot from = slot(call, call.plan.arguments.front());
  bool of_type = is_about(call.signature, api::Hdf5Module::type);
  const auto& known = of_type ? types_ : places_;
  auto found = known.find(from);
  Slot part = made(call);
  if (part.first == "space") spaces_[part] = {};
  types_.erase(part);
  if (found == known.end()) return;
  if (part.first == "space") {
    spaces_[part].whose = found->second;
  } else {
    types_[part] = found->second;
  }
}

void Hdf5Inputs::describe(const Call& call) {
  Slot part = slot(call, call.plan.arguments.front());
  Place place;
  if (auto space = spaces_.find(part); space != spaces_.end()) place = space->second.whose;
  if (auto type = types_.find(part); type != types_.end()) place = type->second;
  auto known = opened_.find(key_of(place.file, place.path, place.attribute));
  if (known == opened_.end()) return;
  InputObject& o = known->second;
  const auto& result = call.signature.result;
  if (result.kind == OperandKind::name) o.type_class = result.text;
  if (result.kind != OperandKind::integer) return;
  int64_t answer = call.parameters[call.plan.result_parameter];
  if (call.plan.row->is(Trait::tells_type_size)) {
    o.type_size = answer;
  } else if (call.plan.row->is(Trait::tells_points)) {
    o.elements = std::max(o.elements, answer);
  } else if (constexpr int most_dimensions = 32; answer >= 0 && answer <= most_dimensions) {
    o.dimensions = static_cast<int>(answer);
  }
}

InputObject& Hdf5Inputs::object(const Place& place) {
  auto [found, fresh] = opened_.try_emplace(key_of(place.file, place.path, place.attribute));
  if (fresh) {
    found->second.file = place.file;
    found->second.path = place.path;
    found->second.attribute = place.attribute;
  }
  return found->second;
}

/// Selections reach at least so far.
void Hdf5Inputs::select(const Call& call) {
  auto found = spaces_.find(slot(call, call.plan.arguments.front()));
  if (found == spaces_.end()) return;
  auto start = numbers(call, "start"), stride = numbers(call, "stride"), count = numbers(call, "count"),
       block = numbers(call, "block");
  Space& space = found->second;
  if (count.size() != start.size()) return;
  space.reached.resize(std::max(space.reached.size(), start.size()));
  for (size_t d = 0; d < start.size(); ++d) {
    int64_t size = d < block.size() ? block[d] : 1, step = d < stride.size() ? stride[d] : 1;
    if (size <= 0 || step <= 0 || start[d] < 0 || count[d] <= 0 || count[d] > (int64_t{1} << 40) / step)
      continue;
    space.reached[d] = std::max(space.reached[d], start[d] + (count[d] - 1) * step + size);
  }
}

/// The object of an identifier, if it was found; else null.
InputObject* Hdf5Inputs::found_object(const Call& call) {
  auto found = places_.find(slot(call, call.plan.arguments.front()));
  if (found == places_.end()) return nullptr;
  auto known = opened_.find(key_of(found->second.file, found->second.path, found->second.attribute));
  return known == opened_.end() ? nullptr : &known->second;
}

void Hdf5Inputs::move(const Call& call) {
  InputObject* moved = found_object(call);
  if (moved == nullptr) return;
  InputObject& o = *moved;
  api::Kind kind = call.plan.named("buf").argument->kind;
  bool dataset = kind == api::Kind::h5_data_out || kind == api::Kind::h5_data_in;
  const GivenArgument& type = call.plan.named(dataset ? "mem_type_id" : "type_id");
  const auto& operand = call.signature.operands[type.first];
  if (operand.kind == OperandKind::name) o.type = operand.text;
  const GivenArgument& data = call.plan.named("buf");
  if (call.signature.operands[data.first].kind == OperandKind::sized_data)
    o.bytes = std::max(o.bytes, static_cast<uint64_t>(std::max<int64_t>(0, call.parameters[data.parameter])));
  if (!dataset) return;
  for (const char* name : {"file_space_id", "mem_space_id"}) {
    auto space = spaces_.find(slot(call, call.plan.named(name)));
    if (space == spaces_.end()) continue;
    bool selected = name[0] == 'f' && !space->second.reached.empty();
    const auto& extent = selected ? space->second.reached : space->second.extent;
    if (name[0] == 'm' && !o.extent.empty()) continue;
    if (o.extent.size() < extent.size()) o.extent.resize(extent.size());
    for (size_t d = 0; d < extent.size(); ++d) o.extent[d] = std::max(o.extent[d], extent[d]);
  }
}

void Hdf5Inputs::grow(const Call& call) {
  InputObject* o = found_object(call);
  if (o == nullptr) return;
  o->grows = true;
  if (o->dimensions < 0) o->dimensions = static_cast<int>(numbers(call, "size").size());
}

/// References are places, too.
void Hdf5Inputs::refer(const Call& call) {
  bool creates_one = call.plan.row->is(Trait::makes_reference);
  Slot reference = slot(call, call.plan.named("ref"));
  auto from = places_.find(creates_one ? slot(call, call.plan.named("loc_id")) : reference);
  if (from == places_.end()) return;
  Place place = from->second;
  if (creates_one) {
    place.path = joined(place.path, text(call, call.plan.named("name")));
    places_[reference] = place;
    return;
  }
  if (place.path != "/") object(place).kind = kind_of(call.signature.result.text, false);
  places_[made(call)] = place;
}

void Hdf5Inputs::take(const CallPlan& plan, const Signature& s, std::span<const int64_t> parameters) {
  Call call{plan, s, parameters};
  bool makes_handle = s.result.kind == OperandKind::slot;
  auto is = [&](Trait trait) { return plan.row->is(trait); };
  if (is(Trait::reads_elements) || is(Trait::writes_elements)) return move(call);
  if (is(Trait::sets_extent)) return grow(call);
  if (is(Trait::selects_hyperslab)) return select(call);
  if (is(Trait::looks_for_object)) return look(call);
  if (is(Trait::describes_object)) return describe(call);
  if (is(Trait::makes_reference) || (is(Trait::follows_reference) && makes_handle)) return refer(call);
  if (!makes_handle) return;
  if (is(Trait::gives_part)) return take_part(call);
  if (is(Trait::makes_space)) {
    spaces_[made(call)] = {{}, {}, numbers(call, "dims")};
    return;
  }
  bool makes = is(Trait::creates_object);
  if (makes || is(Trait::opens_object) || is(Trait::opens_file)) open(call, makes);
}

/// Combines everything that is known of an object.
InputObject Hdf5Inputs::completed(InputObject o) {
  if (o.type.empty()) o.type = type_like(o.type_class, o.type_size);
  if (o.kind != InputObject::Kind::dataset) return o;
  if (o.dimensions > 0 && !o.extent.empty()) o.extent.resize(static_cast<size_t>(o.dimensions), 1);
  if (o.elements > 0 && o.dimensions != 0) reach(o.extent, o.dimensions, o.elements);
  return o;
}

std::vector<InputObject> Hdf5Inputs::finish(const std::function<bool(const std::string&)>& is_input) const {
  std::vector<InputObject> out;
  for (const auto& [key, o] : opened_)
    if (made_.count(key) == 0 && is_input(o.file)) out.push_back(completed(o));
  std::stable_sort(out.begin(), out.end(), [](const InputObject& a, const InputObject& b) {
    return std::tuple(a.file, a.path, a.attribute) < std::tuple(b.file, b.path, b.attribute);
  });
  return out;
}

}  // namespace refrain::plan
