#include "plan/hdf5_inputs.hpp"

#include <algorithm>

#include "trace/path_image.hpp"

namespace refrain::plan {
namespace {

using api::Kind;
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

bool begins(const Signature& s, std::string_view name) { return s.function.starts_with(name); }

bool creates(const Signature& s) {
  return begins(s, "H5Fcreate") || begins(s, "H5Gcreate") || begins(s, "H5Dcreate") || begins(s, "H5Acreate");
}

InputObject::Kind kind_of(const std::string& handle_class, bool attribute) {
  if (attribute) return InputObject::Kind::attribute;
  return handle_class == "dataset" ? InputObject::Kind::dataset : InputObject::Kind::group;
}

}  // namespace

bool Hdf5Inputs::opens_object(const Signature& s) {
  return begins(s, "H5Gopen") || begins(s, "H5Dopen") || begins(s, "H5Aopen") || s.function == "H5Oopen";
}

bool Hdf5Inputs::concerns(const Signature& s) {
  return opens_object(s) || creates(s) || begins(s, "H5Fopen") || s.function == "H5Dread" ||
         s.function == "H5Aread" || s.function == "H5Sselect_hyperslab" || s.function == "H5Dget_space" ||
         s.function == "H5Screate_simple";
}

void Hdf5Inputs::begin_stream() {
  places_.clear();
  spaces_.clear();
}

std::string Hdf5Inputs::text(const Call& call, const Given& g) const {
  const auto& o = call.signature.operands[g.first];
  if (o.kind != OperandKind::text) return {};
  auto number = static_cast<size_t>(call.parameters[g.parameter]);
  if (number >= trace_.templates.size() || trace_.templates[number].fields() != o.width) return {};
  return trace_.templates[number].fill(call.parameters.data() + g.parameter + 1);
}

std::vector<int64_t> Hdf5Inputs::numbers(const Call& call, std::string_view argument) const {
  const Given& g = call.plan.named(argument);
  const auto& o = call.signature.operands[g.first];
  if (o.kind != OperandKind::list) return {};
  auto values = call.parameters.subspan(g.parameter, o.width);
  return {values.begin(), values.end()};
}

Hdf5Inputs::Slot Hdf5Inputs::slot(const Call& call, const Given& g) {
  const auto& o = call.signature.operands[g.first];
  if (o.kind != OperandKind::slot) return {o.text, -1};
  return {o.text, call.parameters[g.parameter]};
}

Hdf5Inputs::Slot Hdf5Inputs::made(const Call& call) const {
  return {call.signature.result.text, call.parameters[call.plan.result_parameter]};
}

/// Files, groups, datasets, attributes: where the new identifier leads, and whether that was there before.
void Hdf5Inputs::open(const Call& call, bool makes) {
  Place place;
  const Given* name = nullptr;
  const Given* attribute = nullptr;
  for (const Given& g : call.plan.arguments) {
    if (g.argument->kind == Kind::path) place = {trace::plain_image(text(call, g)), "/", {}};
    if (g.argument->kind != Kind::h5_name) continue;
    bool of_attribute =
        begins(call.signature, "H5A") && (g.argument->name == "attr_name" || g.argument->name == "name");
    (of_attribute ? attribute : name) = &g;
  }
  if (place.file.empty()) {
    auto parent = places_.find(slot(call, call.plan.arguments.front()));
    if (parent == places_.end()) return;
    place = parent->second;
    if (name != nullptr) place.path = joined(place.path, text(call, *name));
    if (attribute != nullptr) place.attribute = text(call, *attribute);
  }
  places_[made(call)] = place;
  if (makes) {
    made_.insert(key_of(place.file, place.path, place.attribute));
    return;
  }
  if (place.path == "/" && place.attribute.empty()) return;
  if (begins(call.signature, "H5A") && place.attribute.empty()) return;  // by its number: nobody knows which
  InputObject& o = object(place);
  o.kind = kind_of(call.signature.result.text, !place.attribute.empty());
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

void Hdf5Inputs::read(const Call& call) {
  auto found = places_.find(slot(call, call.plan.arguments.front()));
  if (found == places_.end()) return;
  auto known = opened_.find(key_of(found->second.file, found->second.path, found->second.attribute));
  if (known == opened_.end()) return;
  InputObject& o = known->second;
  bool dataset = begins(call.signature, "H5Dread");
  const Given& type = call.plan.named(dataset ? "mem_type_id" : "type_id");
  const auto& operand = call.signature.operands[type.first];
  if (operand.kind == OperandKind::name) o.type = operand.text;
  const Given& data = call.plan.named("buf");
  if (call.signature.operands[data.first].kind == OperandKind::sized_data)
    o.bytes = std::max(o.bytes, static_cast<uint64_t>(std::max<int64_t>(0, call.parameters[data.parameter])));
  if (!dataset) return;
  for (const char* name : {"file_space_id", "mem_space_id"}) {
    auto space = spaces_.find(slot(call, call.plan.named(name)));
    if (space == spaces_.end()) continue;
    const auto& extent = name[0] == 'f' ? space->second.reached : space->second.extent;
    if (name[0] == 'm' && !o.extent.empty()) continue;
    if (o.extent.size() < extent.size()) o.extent.resize(extent.size());
    for (size_t d = 0; d < extent.size(); ++d) o.extent[d] = std::max(o.extent[d], extent[d]);
  }
}

void Hdf5Inputs::take(const CallPlan& plan, const Signature& s, std::span<const int64_t> parameters) {
  Call call{plan, s, parameters};
  bool makes_handle = s.result.kind == OperandKind::slot;
  if (s.function == "H5Dread" || s.function == "H5Aread") return read(call);
  if (s.function == "H5Sselect_hyperslab") return select(call);
  if (!makes_handle) return;
  if (s.function == "H5Dget_space") {
    auto dataset = places_.find(slot(call, plan.arguments.front()));
    Space space;
    if (dataset != places_.end()) space.dataset = dataset->second;
    spaces_[made(call)] = space;
    return;
  }
  if (s.function == "H5Screate_simple") {
    spaces_[made(call)] = {{}, {}, numbers(call, "dims")};
    return;
  }
  bool makes = creates(s);
  if (makes || opens_object(s) || begins(s, "H5Fopen")) open(call, makes);
}

std::vector<InputObject> Hdf5Inputs::finish(const std::function<bool(const std::string&)>& is_input) const {
  std::vector<InputObject> out;
  for (const auto& [key, o] : opened_)
    if (made_.count(key) == 0 && is_input(o.file)) out.push_back(o);
  std::stable_sort(out.begin(), out.end(), [](const InputObject& a, const InputObject& b) {
    return std::tuple(a.file, a.path, a.attribute) < std::tuple(b.file, b.path, b.attribute);
  });
  return out;
}

}  // namespace refrain::plan
