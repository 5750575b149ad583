#include "replay/replayed_call.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "plan/file_calls.hpp"
#include "replay/library_facts.hpp"
#include "replay/replay_error.hpp"

namespace refrain::replay {

using api::Kind;
using api::Trait;
using trace::Role;

namespace {

bool fills_memory(const api::Row& row) {
  return std::any_of(row.arguments.begin(), row.arguments.end(),
                     [](const api::Argument& a) { return api::facts_of(a.kind).fills; });
}

}  // namespace

std::string_view why_not_replayed(const api::Row& row) {
  if (special_maker(row.name) != nullptr) return {};
  if (!row.is_function) return "it stands for an object that was made before recording began";
  return {};
}

Call::Call(ThreadContext& stage, const trace::Signature& signature)
    : arguments_(stage, signature),
      maker_(special_maker(signature.function)),
      result_role_(signature.result.role) {
  const api::Row& row = *arguments_.plan().row;
  bool has_format = api::layer_named(row.layer).has_format;
  moves_ = row.is(Trait::enters_folder);
  opens_format_ = has_format && row.is(Trait::opens_file);
  closes_format_ = has_format && row.is(Trait::closes_file);
  counts_words_ = row.is(Trait::counts_words);
  copies_ = row.is(Trait::copies_data);
  if (maker_ != nullptr) return;
  if (std::string_view reason = why_not_replayed(row); !reason.empty())
    throw ReplayError{fmt::format("this call is not replayed: {}", reason)};
  size_t count = arguments_.plan_words();
  function_ = ForeignCall(stage.libraries.function(row.name), row, count);
  for (size_t i = 0; i < count; ++i)
    if (row.arguments[i].kind == Kind::out_flag) flag_ = i;
}

void Call::prepare(std::span<const int64_t> parameters) {
  arguments_.stage().buffers.next_call();
  arguments_.of(parameters);
  if (maker_ == nullptr) words_ = arguments_.words();
  if (expected_to_fail()) return;
  arguments_.await_data(recorded());
  if (plan::tells_bytes_read(*arguments_.plan().row)) arguments_.preset_status(recorded());
}

uint64_t Call::invoke() {
  if (maker_ != nullptr) return maker_(arguments_);
  uint64_t result = function_(words_);
  // Questions whether a request is done are recorded only once it is.
  while (flag_ && result == 0 && *reinterpret_cast<const int*>(words_[*flag_]) == 0)
    result = function_(words_);
  return result;
}

bool Call::has_failed(uint64_t result) const {
  const api::KindFacts& facts = api::facts_of(arguments_.plan().row->result);
  if (facts.check == "_ANY") return false;  // as kernels don't look, either
  switch (facts.fails) {
    case api::Fails::never:
      return false;
    case api::Fails::nonzero:
      return result != 0;
    case api::Fails::null:
      return result == 0;
    case api::Fails::map_failed:
      return result == reinterpret_cast<uint64_t>(MAP_FAILED);
    default:
      return static_cast<int64_t>(result) < 0;
  }
}

std::string Call::reason(uint64_t result, int error) {
  const api::Row& row = *arguments_.plan().row;
  if (row.result == Kind::mpi_error)
    return mpi_reason(arguments_.stage().libraries, static_cast<int>(result));
  const api::LayerFacts& layer = api::layer_named(row.layer);
  if (!layer.product.empty()) return fmt::format("{} reports an error", layer.product);
  return strerror(row.result == Kind::error_code ? static_cast<int>(result) : error);
}

/// The amount of data that the recorded call returned.
uint64_t Call::recorded() const {
  uint64_t bytes = arguments_.moved(Role::bytes_read);
  bool in_result = result_role_ == Role::bytes_read || counts_words_ || copies_;
  if (in_result) bytes += static_cast<uint64_t>(std::max<int64_t>(arguments_.recorded_result(), 0));
  return bytes;
}

/// The amount of data that the last call returned; if it doesn't say, that of the recorded call.
uint64_t Call::brought(uint64_t result) {
  const api::Row& row = *arguments_.plan().row;
  auto number = static_cast<int64_t>(result);
  if (row.is(Trait::moves_items) && fills_memory(row)) return result * arguments_.word("size");
  if (row.is(Trait::reads_text)) return result == 0 ? 0 : strlen(reinterpret_cast<const char*>(result));
  if (counts_words_ && row.result == Kind::text_end) return result != 0;
  if (counts_words_) return static_cast<uint64_t>(std::max(static_cast<int>(number), 0));
  if (row.result == Kind::character) return static_cast<int>(number) != EOF;
  if (plan::tells_bytes_read(row)) return arguments_.read_by_status();
  if (result_role_ == Role::bytes_read || copies_) return static_cast<uint64_t>(std::max<int64_t>(number, 0));
  return recorded();
}

void Call::count(Outcome& outcome, uint64_t result) {
  uint64_t expected = recorded(), now = brought(result);
  if (!expected_to_fail() && now < expected) outcome.missing = expected - now;
  if (!counts_words_ && !copies_) outcome.read = now;
  outcome.written = arguments_.moved(Role::bytes_written);
  auto number = static_cast<int64_t>(result);
  if (result_role_ == Role::bytes_written && number > 0) outcome.written += result;
}

Outcome Call::make() {
  errno = 0;
  uint64_t result = invoke();
  int error = errno;
  const api::Row& row = *arguments_.plan().row;
  bool at_end = row.is(Trait::reads_line) && row.result == Kind::read_bytes && error == 0;  // getline says -1
  Outcome outcome{.failed = has_failed(result) && !at_end};
  if (outcome.failed) {
    if (!expected_to_fail()) outcome.reason = reason(result, error);
    outcome.by_absence = !api::layer_named(row.layer).is_system || error == ENOENT || error == EEXIST;
    return outcome;
  }
  count(outcome, result);
  if (moves_) arguments_.stage().root.moved();
  uint64_t made = arguments_.made(result);
  if (!expected_to_fail()) arguments_.keep(result);
  if (opens_format_) arguments_.stage().turns.hold(made);
  if (closes_format_) arguments_.stage().turns.end(words_[0]);
  return outcome;
}

}  // namespace refrain::replay
