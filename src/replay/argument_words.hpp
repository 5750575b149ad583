// The arguments of a recorded call as the words that the function takes, each by the kind that its row gives
// it. Lists, names and structures live in the buffers of the thread until the call is over.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/arguments.hpp"
#include "replay/thread_context.hpp"

namespace refrain::replay {

class Arguments {
 public:
  /// `signature` must outlive this. Throws ReplayError if the function isn't known.
  Arguments(ThreadContext& stage, const trace::Signature& signature);

  const plan::CallPlan& plan() const { return plan_; }
  const trace::Signature& signature() const { return signature_; }
  ThreadContext& stage() { return stage_; }

  /// Sets the event for the functions below.
  void of(std::span<const int64_t> parameters) {
    parameters_ = parameters;
    pending_.clear();
  }
  /// Decides how the words of all arguments are built, and returns their number: optional ones may be
  /// missing. Throws ReplayError if they can't be built.
  size_t plan_words();
  /// The words of all arguments for this event, as planned before; valid until the next event.
  std::span<uint64_t> words();
  uint64_t word(const plan::GivenArgument& given);
  uint64_t word(std::string_view name) { return word(plan_.named(name)); }
  /// A string as it was recorded.
  std::string string(const plan::GivenArgument& given) const;
  /// A path for this replay. Waits if another rank makes the file. Throws ReplayError if it leads out of the
  /// root.
  std::string path(const plan::GivenArgument& given);
  /// Whether the argument of this name is a handle of the trace; otherwise a stand-in is used.
  bool is_slot(std::string_view name) const;
  /// The number of elements of the list that is the argument of this name.
  size_t length(std::string_view name) const { return numbers(plan_.named(name)).size(); }
  /// Where the handle goes that is the result, and its slot; null if the result is none.
  std::pair<Handles::Shelf*, int64_t> made() const {
    return {homes_.back().shelf, homes_.back().shelf == nullptr ? 0 : parameters_[plan_.result_parameter]};
  }
  /// The slot of the handle in the argument of this name.
  int64_t slot_number(std::string_view name) const { return parameters_[plan_.named(name).parameter]; }
  /// Bytes that the recorded call moved, from the operands that say so.
  uint64_t moved(trace::Role role) const;
  /// Waits, for a limited time, until another rank or thread has written the data that the call reads.
  void await_data(uint64_t bytes);
  /// Sets the number of bytes in the status of MPI, which the library replaces if it reports one.
  void preset_status(uint64_t bytes);
  uint64_t read_by_status();
  /// The recorded result, if it was a number.
  int64_t recorded_result() const;

  /// Sets the value of the new handle in the argument of this name.
  void put_operand(std::string_view name, uint64_t word);
  /// The handle that a successful call with this result made.
  uint64_t made(uint64_t result) const;
  /// To be called after a successful call, with its result: keeps new handles and forgets closed ones.
  void keep(uint64_t result);

 private:
  using Kind = api::Kind;
  using Form = api::Form;
  using GivenArgument = plan::GivenArgument;
  using Operand = trace::Operand;
  /// Where the handle of an operand is kept, if it is one.
  struct Home {
    Handles::Shelf* shelf = nullptr;
    Handles::If condition = Handles::If::open;
  };
  struct Pending {
    Handles::Shelf* shelf;
    int64_t slot;
    const uint64_t* made;  ///< where the call put it
  };
  /// How to build a word that differs from event to event; the others are built once.
  struct Step {
    enum class From : uint8_t { parameter, slot, to_write, to_read, event };
    From from = From::event;
    size_t argument = 0;
    size_t parameter = 0;
  };

  const api::LayerFacts& layer() const { return layer_; }
  const Operand& operand(const GivenArgument& g, size_t k = 0) const {
    return signature_.operands[g.first + k];
  }
  Home home_of(const Operand& o);
  bool is_fixed(const GivenArgument& g) const;
  Step step_of(const GivenArgument& g) const;
  uint64_t slot(const GivenArgument& g);
  int folder_of(const GivenArgument& path);
  std::string placed(const GivenArgument& path, bool make_above);
  std::string later_path(const GivenArgument& g) const;
  std::string extension(const GivenArgument& g) const;
  uint64_t named(const GivenArgument& g) const;
  uint64_t system_handle(const GivenArgument& g);
  uint64_t library_handle(const GivenArgument& g);
  uint64_t behind(const GivenArgument& g);
  uint64_t output(const GivenArgument& g);
  uint64_t number(const GivenArgument& g) const;
  uint64_t buffer(const GivenArgument& g);
  uint64_t memory(const GivenArgument& g);
  uint64_t room(const GivenArgument& g);
  uint64_t mpi_buffer(const GivenArgument& g, bool writes);
  uint64_t handles_in_memory(api::HandleClass c, const std::vector<uint64_t>& handles);
  uint64_t library_value(api::Kind kind, uint64_t value) const;
  bool is_of_mpi() const;
  uint64_t mpi_memory(int64_t elements, uint64_t type, const std::function<uint64_t(uint64_t)>& memory);
  uint64_t hdf5_buffer(const GivenArgument& g);
  uint64_t kept_value(const plan::GivenArgument& g, uint64_t bytes);
  const GivenArgument* size_near(const GivenArgument& g) const;
  uint64_t implied(const GivenArgument& g);
  uint64_t fcntl_argument(const GivenArgument& g);
  uint64_t vector(const GivenArgument& g);
  /// The operand of an argument that has several.
  GivenArgument member(const GivenArgument& g, size_t k) const;
  std::vector<int64_t> numbers(const GivenArgument& g) const;
  uint64_t list(const GivenArgument& g, size_t element_bytes);
  std::optional<uint64_t> elements(const GivenArgument& g) const;
  uint64_t list_length(const GivenArgument& g);
  std::vector<std::string> names(const GivenArgument& g);
  uint64_t handle_list(const GivenArgument& g);
  void need_length_of_lists(size_t length);
  uint64_t name_list(const GivenArgument& g);
  uint64_t request_list(const GivenArgument& g);
  uint64_t aio_list(const GivenArgument& g);
  uint64_t started_list(const GivenArgument& g);
  uint64_t descriptor_list(const GivenArgument& g);
  uint64_t typed_value(const GivenArgument& g);
  uint64_t function(const GivenArgument& g) const;
  uint64_t cache_config(const GivenArgument& g);
  const GivenArgument* given(Kind kind) const;
  uint64_t variable_memory(uint64_t bytes, bool writes);
  uint64_t bytes(const GivenArgument& g);
  uint64_t variable_data(const GivenArgument& g);
  uint64_t several_data(const GivenArgument& g);
  uint64_t string_data(const GivenArgument& g);
  bool may_hold_addresses(const GivenArgument& g);
  uint64_t number_rows(const GivenArgument& g);
  uint64_t image_config(const GivenArgument& g);
  uint64_t filter(const GivenArgument& g);
  uint64_t link_class(const GivenArgument& g);
  uint64_t driver_members(const GivenArgument& g);
  uint64_t made_ids(const GivenArgument& g);
  uint64_t library_argument(const GivenArgument& g);
  bool makes_its_file() const;

  ThreadContext& stage_;
  const trace::Signature& signature_;
  const api::LayerFacts& layer_;
  plan::CallPlan plan_;
  std::vector<Home> homes_;  ///< by operand, the result last
  std::vector<const GivenArgument*> closed_;
  std::vector<size_t> reads_, writes_;  ///< parameters that count bytes moved
  std::vector<uint64_t> words_;
  std::vector<Step> steps_;
  std::vector<Pending> pending_;
  std::span<const int64_t> parameters_;
  alignas(16) char status_[128] = {};  ///< MPI_Status, used if it says how much was read
};

}  // namespace refrain::replay
