#include "exchange/trace_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "api/names.hpp"
#include "merge/merge_ranks.hpp"
#include "trace/text.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

OperandValue slot_value(api::HandleClass handle, int64_t number, int32_t thread = Operand::own_thread) {
  OperandValue value{.operand = {.kind = OperandKind::slot}, .number = number};
  value.operand.text = std::string(api::facts_of(handle).name);
  value.operand.thread = thread;
  return value;
}

OperandValue integer_value(Role role, int64_t number) {
  return {.operand = {.kind = OperandKind::integer, .role = role}, .number = number};
}

/// What stands in a trace for an argument of this kind.
Result<OperandValue> argument_value(api::Kind kind, const Given& given) {
  const api::KindFacts& facts = api::facts_of(kind);
  bool named = !given.text.empty();
  switch (facts.form) {
    case api::Form::name: {
      OperandValue value{.operand = {.kind = OperandKind::name}};
      value.operand.text = named ? given.text : api::name_of(kind, static_cast<uint64_t>(given.number));
      return value;
    }
    case api::Form::text:
      return OperandValue{.operand = {.kind = OperandKind::name, .text = given.text}};
    case api::Form::number: {
      bool is_place = kind == api::Kind::offset || kind == api::Kind::displacement;
      return integer_value(facts.is_size ? Role::size : is_place ? Role::offset : Role::plain, given.number);
    }
    case api::Form::number_behind:
      if (named) return OperandValue{.operand = {.kind = OperandKind::name, .text = given.text}};
      return integer_value(Role::offset, given.number);
    case api::Form::path:
    case api::Form::string:
      return OperandValue{.operand = {.kind = OperandKind::text}, .text = given.text};
    case api::Form::system_handle:
    case api::Form::library_handle:
    case api::Form::handle_behind:
      if (named) return OperandValue{.operand = {.kind = OperandKind::name, .text = given.text}};
      return slot_value(facts.handle, given.number, given.thread);
    case api::Form::buffer:
      if (!facts.counts_bytes) return OperandValue{.operand = {.kind = OperandKind::data}};
      return OperandValue{.operand = {.kind = OperandKind::sized_data,
                                      .role = facts.fills ? Role::bytes_read : Role::bytes_written},
                          .number = given.number};
    case api::Form::vector:
      return OperandValue{.operand = {.kind = OperandKind::list, .role = Role::size}, .list = given.list};
    default:
      return fail(ErrorKind::bad_input,
                  "arguments of kind " + std::string(facts.name) + " can't be imported");
  }
}

/// Whether the argument follows from others, or is the result in the trace.
bool is_left_out(api::Kind kind) {
  api::Form form = api::form_of(kind);
  return form == api::Form::implied || form == api::Form::status || form == api::Form::made_behind;
}

OperandValue result_value(const api::Row& row, int64_t result) {
  for (const api::Argument& a : row.arguments)
    if (api::form_of(a.kind) == api::Form::made_behind && api::facts_of(a.kind).use == api::Use::made)
      return slot_value(api::facts_of(a.kind).handle, result);
  const api::KindFacts& facts = api::facts_of(row.result);
  if (facts.use == api::Use::made) return slot_value(facts.handle, result);
  if (row.result == api::Kind::read_bytes) return integer_value(Role::bytes_read, result);
  if (row.result == api::Kind::written_bytes) return integer_value(Role::bytes_written, result);
  if (row.result == api::Kind::count || row.result == api::Kind::items)
    return integer_value(Role::plain, result);
  return {};
}

Bracket bracket_of(const api::Row& row) {
  bool makes = api::facts_of(row.result).use == api::Use::made, closes = false;
  for (const api::Argument& a : row.arguments) {
    makes |= api::facts_of(a.kind).use == api::Use::made;
    closes |= api::ends(a.kind);
  }
  if (makes == closes) return Bracket::neither;
  return makes ? Bracket::opens : Bracket::closes;
}

std::string bytes_of(const auto& what) {
  ByteWriter out;
  what.write(out);
  auto bytes = out.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<ImportedCall> call_of_row(std::string_view function, const std::vector<Given>& arguments,
                                 int64_t result) {
  const api::Row* row = api::find_row(function);
  if (row == nullptr) return fail(ErrorKind::bad_input, "there is no row of " + std::string(function));
  ImportedCall call{.function = std::string(row->name), .layer = std::string(row->layer)};
  call.bracket = bracket_of(*row);
  size_t at = 0;
  for (const api::Argument& a : row->arguments) {
    if (is_left_out(a.kind)) continue;
    if (at == arguments.size()) break;
    Result<OperandValue> value = argument_value(a.kind, arguments[at++]);
    if (!value) return tl::unexpected(value.error());
    call.arguments.push_back(std::move(*value));
  }
  call.result = result_value(*row, result);
  return call;
}

int64_t MemberBuilder::template_number(const std::string& text, std::vector<int64_t>& fields) {
  Template parsed = Template::parse(text, fields);
  auto [entry, is_new] =
      templates_.try_emplace(bytes_of(parsed), static_cast<int64_t>(trace_.templates.size()));
  if (is_new) trace_.templates.push_back(std::move(parsed));
  return entry->second;
}

int64_t MemberBuilder::list_number(const std::vector<int64_t>& values) {
  auto [entry, is_new] = lists_.try_emplace(values, static_cast<int64_t>(trace_.lists.size()));
  if (is_new) trace_.lists.push_back(trace::Column::of(values));
  return entry->second;
}

uint32_t MemberBuilder::signature_number(const Signature& signature) {
  auto [entry, is_new] =
      signatures_.try_emplace(bytes_of(signature), static_cast<uint32_t>(trace_.signatures.size()));
  if (is_new) trace_.signatures.push_back(signature);
  return entry->second;
}

Operand MemberBuilder::put(const OperandValue& value, std::vector<int64_t>& parameters) {
  Operand operand = value.operand;
  switch (operand.kind) {
    case OperandKind::integer:
    case OperandKind::slot:
    case OperandKind::sized_data:
      parameters.push_back(value.number);
      break;
    case OperandKind::text: {
      std::vector<int64_t> fields;
      parameters.push_back(template_number(value.text, fields));
      operand.width = static_cast<uint32_t>(fields.size());
      parameters.insert(parameters.end(), fields.begin(), fields.end());
      break;
    }
    case OperandKind::list:
      if (value.list.size() > Operand::max_width) {
        operand.kind = OperandKind::long_list;
        parameters.push_back(list_number(value.list));
        break;
      }
      operand.width = static_cast<uint32_t>(value.list.size());
      parameters.insert(parameters.end(), value.list.begin(), value.list.end());
      break;
    default:
      break;
  }
  return operand;
}

Result<void> MemberBuilder::add(const ImportedCall& call, uint32_t thread, const std::string& layer) {
  Signature signature{.function = call.function, .layer = call.layer, .error = call.error};
  if (call.error.empty()) signature.bracket = call.bracket;
  std::vector<int64_t> parameters;
  for (const OperandValue& value : call.arguments) signature.operands.push_back(put(value, parameters));
  if (call.error.empty()) signature.result = put(call.result, parameters);
  if (signature.operands.size() > Signature::max_operands || parameters.size() > Signature::max_parameters)
    return fail(ErrorKind::limit, "a call with too many arguments");
  uint32_t number = signature_number(signature);
  auto [entry, is_new] = streams_.try_emplace({thread, layer});
  Stream& stream = entry->second;
  if (is_new && !layer.empty()) stream.last_end_ns = call.start_ns;
  for (; stream.declared < trace_.signatures.size(); ++stream.declared) {
    const Signature& s = trace_.signatures[stream.declared];
    stream.folder.declare(stream.declared, {s.parameters(), s.bracket});
  }
  uint64_t gap = call.start_ns > stream.last_end_ns ? call.start_ns - stream.last_end_ns : 0;
  uint64_t duration = call.end_ns > call.start_ns ? call.end_ns - call.start_ns : 0;
  stream.folder.event(number, parameters.data(), {gap, duration, nullptr});
  stream.last_end_ns = std::max(stream.last_end_ns, call.end_ns);
  process_.elapsed_ns = std::max(process_.elapsed_ns, call.end_ns);
  if (layer.empty()) add_heat(call, signature, parameters.data());
  ++calls_;
  return {};
}

/// As a recorder does.
void MemberBuilder::add_heat(const ImportedCall& call, const Signature& signature,
                             const int64_t* parameters) {
  record::HeatRule rule = record::HeatRule::of(signature);
  if (!rule.counts) return;
  auto moment = [&](uint64_t ns) {
    constexpr uint64_t last = HeatMap::last_moment_ns;
    return std::min(std::min(process_.start_ns, last) + std::min(ns, last), last);
  };
  auto bytes = [&](const record::HeatRule::Bytes& counted) {
    return std::min<uint64_t>(counted.sum(parameters), INT64_MAX);
  };
  uint64_t begin = moment(call.start_ns), end = std::max(begin, moment(call.end_ns));
  bool reads = rule.kind == HeatKind::read;
  heat_.add({rule.kind, begin, end, bytes(reads ? rule.read : rule.written)});
  if (!reads && rule.read.count > 0) heat_.add({HeatKind::read, begin, begin, bytes(rule.read)});
}

Trace MemberBuilder::finish() {
  for (auto& [key, stream] : streams_) {
    trace::Stream out{.thread = key.first, .layer = key.second};
    out.nodes = stream.folder.finish(trace_.signatures);
    process_.streams.push_back(std::move(out));
  }
  // A source without times says nothing about when.
  if (process_.elapsed_ns > 0) process_.heat = heat_.map();
  trace_.processes.push_back(std::move(process_));
  return std::move(trace_);
}

std::string counted_names(const std::map<std::string, uint64_t>& counts) {
  constexpr size_t longest = 400;
  std::string text;
  for (const auto& [name, count] : counts)
    if (text.size() < longest)
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", plain_name(name), count);
  return text;
}

Trace assemble_members(std::vector<Trace> members, const std::string& source,
                       std::vector<std::string> notes) {
  Trace whole = merge::merge_ranks(std::move(members));
  std::set<std::string> layers;
  uint64_t ranks = 0;
  for (const Signature& s : whole.signatures) layers.insert(s.layer);
  for (const Process& p : whole.processes)
    if (!p.ranks.empty()) ranks = std::max<uint64_t>(ranks, uint64_t{p.ranks.last()} + 1);
  whole.layers.assign(layers.begin(), layers.end());
  whole.nprocs = std::max(whole.nprocs, static_cast<uint32_t>(ranks));
  whole.recorder = source;
  whole.notes = std::move(notes);
  return whole;
}

}  // namespace refrain::exchange
