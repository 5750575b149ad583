// The arguments of a recorded call as the words that the function takes, each by the kind that its row gives
// it. Lists, names and structures live in the buffers of the thread until the call is over.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plan/arguments.hpp"
#include "replay/thread_context.hpp"

namespace refrain::replay {

class Arguments {
 public:
  /// `signature` must outlive this. Throws ReplayError if the event is no call of a known function.
  Arguments(ThreadContext& stage, const trace::Signature& signature);

  const plan::CallPlan& plan() const { return plan_; }
  const trace::Signature& signature() const { return signature_; }
  ThreadContext& stage() { return stage_; }

  /// The event whose arguments are asked for from now on.
  void of(std::span<const int64_t> parameters) {
    parameters_ = parameters;
    pending_.clear();
  }
  /// Finds out how the words of all arguments are put together, and says how many there are: optional ones
  /// may be missing. Throws ReplayError if they can't be.
  size_t plan_words();
  /// The words of all arguments for this event, if they were planned; good until the next event.
  std::span<uint64_t> words();
  uint64_t word(const plan::GivenArgument& given);
  uint64_t word(std::string_view name) { return word(plan_.named(name)); }
  /// A string as it was recorded.
  std::string string(const plan::GivenArgument& given) const;
  /// A path as it is here, once it is there if another rank makes it. Throws ReplayError if it leads out.
  std::string path(const plan::GivenArgument& given);
  /// Whether the argument of this name is a handle that the trace knows; else it stands for another.
  bool is_slot(std::string_view name) const;
  /// The number of the slot in which the argument of this name stands.
  int64_t slot_number(std::string_view name) const { return parameters_[plan_.named(name).parameter]; }
  /// Bytes that the recorded call moved, by the operands that tell.
  uint64_t moved(trace::Role role) const;
  /// Waits for so much data where somebody else writes what the call reads; not for ever.
  void await_data(uint64_t bytes);
  /// The status of MPI says so, unless the library says otherwise in the call.
  void preset_status(uint64_t bytes);
  uint64_t read_by_status();
  /// The recorded result, if it was a number.
  int64_t recorded_result() const;

  /// What the argument of this name, a handle that the call makes, stands for from now on.
  void put_operand(std::string_view name, uint64_t word);
  /// After the call, which returned `result` and succeeded: keeps what it made, forgets what it closed.
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
  /// How a word that differs from event to event is found; the others are found once.
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
  uint64_t told(const GivenArgument& g);
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
  uint64_t list_length(const GivenArgument& g);
  std::vector<std::string> names(const GivenArgument& g);
  uint64_t handle_list(const GivenArgument& g);
  uint64_t name_list(const GivenArgument& g);
  uint64_t request_list(const GivenArgument& g);
  uint64_t aio_list(const GivenArgument& g);
  uint64_t started_list(const GivenArgument& g);
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
  std::vector<size_t> reads_, writes_;  ///< parameters that tell bytes moved
  std::vector<uint64_t> words_;
  std::vector<Step> steps_;
  std::vector<Pending> pending_;
  std::span<const int64_t> parameters_;
  alignas(16) char status_[128] = {};  ///< of MPI, where it tells how much was read
};

}  // namespace refrain::replay
