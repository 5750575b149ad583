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

/// What the words of every call begin with.
struct FirstWords {
  uint64_t what, site;
  [[gnu::always_inline]] FirstWords(api::RowId row, const Outcome& outcome)
      : what(static_cast<uint64_t>(row) | static_cast<uint64_t>(outcome.error) << 16),
        site(reinterpret_cast<uint64_t>(outcome.site)) {}
  template <class V>
  [[gnu::always_inline]] void put(V& keys) const {
    keys.put(what);
    keys.put(site);
  }
};

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
/// Runs under Busy. Never throws: without memory the event is counted as lost.
template <class Operands, class ResultOf>
[[gnu::always_inline]] inline void emit(Lane& lane, api::RowId row, const Outcome& outcome, Operands operands,
                                        ResultOf result) {
  try {
    while (true) {
      lane.prepare();
      const FirstWords first(row, outcome);
      const SignatureTable::Guess guess = lane.guess(first.what, first.site);
      const uint32_t definitions = lane.definitions();
      KeyVisitor keys(lane, guess, lane.parameters_of_next(outcome.outer));
      first.put(keys);
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
          define(lane, row, outcome, keys.words(), operands, result);
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

/// The same for calls whose description is compiled where they are hooked, and which nearly always look as
/// they did last at their call site: then nothing but that is found out. `otherwise()` calls emit(). What is
/// passed is to be inlined, so that nothing it refers to needs a place in memory.
template <class Operands, class ResultOf, class Otherwise>
[[gnu::always_inline]] inline void emit_repeated(Lane& lane, api::RowId row, const Outcome& outcome,
                                                 Operands operands, ResultOf result, Otherwise otherwise) {
  try {
    lane.prepare();
    const FirstWords first(row, outcome);
    const SignatureTable::Guess guess = lane.guess(first.what, first.site);
    const uint32_t definitions = lane.definitions();
    ComparingVisitor keys(lane, guess, lane.parameters_of_next(outcome.outer));
    first.put(keys);
    operands(keys);
    keys.mark();
    if (outcome.error == 0) result(keys);
    if (keys.is(guess) && lane.definitions() == definitions) [[likely]]
      return lane.record(guess.signature, keys.parameters(), static_cast<uint32_t>(stream_of(row)),
                         outcome.outer, outcome.start_ticks, outcome.end_ticks);
  } catch (const std::exception&) {
    lane.header().lost_unknown.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  otherwise();
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
