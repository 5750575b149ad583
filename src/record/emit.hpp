// From a description of a call to an event: drafts it, finds or defines its signature, and records it.
#pragma once

#include <cerrno>
#include <exception>

#include "record/recorder.hpp"
#include "record/visit.hpp"

namespace refrain::record {

/// Hash of module and offset of a return address: the same in every run and on every rank.
uint64_t site_of(const void* address);

struct Outcome {
  const void* site = nullptr;
  int error = 0;  ///< of a failed call: errno, or the library's number
  std::string (*error_name)(int) = api::errno_name;
  trace::Bracket bracket = trace::Bracket::neither;
  bool outer = true;
  uint64_t start_ticks = 0, end_ticks = 0;
};

using api::Layer;
struct RowLayers {
  Layer own, stream;
};
constexpr RowLayers layers_of(Layer own) { return {own, api::layer_number(api::facts_of(own).stream)}; }
/// In the order of RowId.
inline constexpr RowLayers layers_of_rows[] = {
#define API(layer, ...) layers_of(Layer::layer),
#define API_HAND(layer, ...) layers_of(Layer::layer),
#define API_PLACED(layer, ...) layers_of(Layer::layer),
#define API_EVENT(layer, ...) layers_of(Layer::layer),
#include "api/layers.def"
};
inline Layer layer_of(api::RowId row) { return layers_of_rows[static_cast<size_t>(row)].own; }
/// The layer in whose stream it stands; see trace::Signature::in_stream_of.
inline Layer stream_of(api::RowId row) { return layers_of_rows[static_cast<size_t>(row)].stream; }

/// Spells out the signature of a call whose words are drafted, and defines it.
template <class Operands, class ResultOf>
[[gnu::noinline]] void define(Lane& lane, api::RowId row, Outcome outcome, uint32_t words, Operands& operands,
                              ResultOf& result) {
  trace::Signature signature;
  const api::Row& info = api::row(row);
  signature.function = info.name;
  signature.layer = info.layer;
  signature.site = site_of(outcome.site);
  signature.bracket = outcome.error == 0 ? outcome.bracket : trace::Bracket::neither;
  SignatureVisitor spell(lane, signature);
  operands(spell);
  spell.result();
  if (outcome.error == 0)
    result(spell);
  else
    signature.error = outcome.error_name(outcome.error);
  lane.define(signature, words);
}

/// `operands(visitor)` and `result(visitor)` describe the call; the result only if it succeeded. They may be
/// asked again: what they define stands in the journal where the call's integers were being put.
/// `define_new(words)` defines the signature of the words that are drafted.
/// Runs under Busy. Never throws: without memory the event is counted as lost.
template <class Operands, class ResultOf, class Define>
[[gnu::always_inline]] inline void emit_as(Lane& lane, api::RowId row, const Outcome& outcome,
                                           Operands operands, ResultOf result, Define define_new) {
  try {
    uint64_t what = static_cast<uint64_t>(row) | static_cast<uint64_t>(outcome.error) << 16;
    auto site = reinterpret_cast<uint64_t>(outcome.site);
    while (true) {
      lane.prepare();
      const SignatureTable::Guess guess = lane.guess(what, site);
      const uint32_t definitions = lane.definitions();
      KeyVisitor keys(lane, guess, lane.parameters_of_next(outcome.outer));
      keys.put(what);
      keys.put(site);
      operands(keys);
      keys.mark();
      if (outcome.error == 0) result(keys);
      if (keys.too_large()) [[unlikely]] {
        lane.header().lost_unknown.fetch_add(1, std::memory_order_relaxed);
        return;
      }
      uint32_t number = guess.signature;
      if (!keys.is(guess)) [[unlikely]] {
        number = lane.signature(keys.words());
        if (number == SignatureTable::none) {
          define_new(keys.words());
          continue;
        }
      }
      if (lane.definitions() != definitions) [[unlikely]]
        continue;
      return lane.record(number, keys.parameters(), static_cast<uint32_t>(stream_of(row)), outcome.outer,
                         outcome.start_ticks, outcome.end_ticks);
    }
  } catch (const std::exception&) {
    lane.header().lost_unknown.fetch_add(1, std::memory_order_relaxed);
  }
}

template <class Operands, class ResultOf>
[[gnu::always_inline]] inline void emit(Lane& lane, api::RowId row, const Outcome& outcome, Operands operands,
                                        ResultOf result) {
  emit_as(
      lane, row, outcome, operands, result, [&](uint32_t words) __attribute__((always_inline)) {
        define(lane, row, outcome, words, operands, result);
      });
}

/// An event that the recorder adds itself.
template <class Operands, class ResultOf>
[[gnu::noinline]] void emit(Lane& lane, api::RowId row, trace::Bracket bracket, Operands operands,
                            ResultOf result) {
  uint64_t now = ticks();
  emit(lane, row, Outcome{.bracket = bracket, .outer = lane.depth == 0, .start_ticks = now, .end_ticks = now},
       operands, result);
}

}  // namespace refrain::record
