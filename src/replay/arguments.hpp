// The arguments of a recorded call as the words that the function takes, each by the kind that its row gives
// it. Lists, names and structures live in the buffers of the thread until the call is over.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plan/arguments.hpp"
#include "replay/stage.hpp"

namespace refrain::replay {

class Arguments {
 public:
  /// `signature` must outlive this. Throws Trouble if the event is no call of a known function.
  Arguments(Stage& stage, const trace::Signature& signature);

  const plan::CallPlan& plan() const { return plan_; }
  const trace::Signature& signature() const { return signature_; }
  Stage& stage() { return stage_; }

  /// The event whose arguments are asked for from now on.
  void of(std::span<const int64_t> parameters) {
    parameters_ = parameters;
    pending_.clear();
  }
  /// Finds out how the words of all arguments are put together, and says how many there are: optional ones
  /// may be missing. Throws Trouble if they can't be.
  size_t plan_words();
  /// The words of all arguments for this event, if they were planned; good until the next event.
  std::span<uint64_t> words();
  uint64_t word(const plan::Given& given);
  uint64_t word(std::string_view name) { return word(plan_.named(name)); }
  /// A string as it was recorded.
  std::string string(const plan::Given& given) const;
  /// A path as it is here, once it is there if another rank makes it. Throws Trouble if it leads out.
  std::string path(const plan::Given& given);
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
  using Given = plan::Given;
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
  const Operand& operand(const Given& g, size_t k = 0) const { return signature_.operands[g.first + k]; }
  Home home_of(const Operand& o);
  bool is_fixed(const Given& g) const;
  Step step_of(const Given& g) const;
  uint64_t slot(const Given& g);
  int folder_of(const Given& path);
  std::string placed(const Given& path, bool make_above);
  std::string later_path(const Given& g) const;
  std::string extension(const Given& g) const;
  uint64_t named(const Given& g) const;
  uint64_t system_handle(const Given& g);
  uint64_t library_handle(const Given& g);
  uint64_t behind(const Given& g);
  uint64_t told(const Given& g);
  uint64_t number(const Given& g) const;
  uint64_t buffer(const Given& g);
  uint64_t memory(const Given& g);
  uint64_t room(const Given& g);
  uint64_t mpi_buffer(const Given& g, bool writes);
  uint64_t mpi_memory(int64_t elements, uint64_t type, const std::function<uint64_t(uint64_t)>& memory);
  uint64_t hdf5_buffer(const Given& g);
  uint64_t kept_value(const plan::Given& g, uint64_t bytes);
  const Given* size_near(const Given& g) const;
  uint64_t implied(const Given& g);
  uint64_t fcntl_argument(const Given& g);
  uint64_t vector(const Given& g);
  /// The operand of an argument that has several.
  Given member(const Given& g, size_t k) const;
  std::vector<int64_t> numbers(const Given& g) const;
  uint64_t list(const Given& g, size_t element_bytes);
  uint64_t list_length(const Given& g);
  std::vector<std::string> names(const Given& g);
  uint64_t handle_list(const Given& g);
  uint64_t name_list(const Given& g);
  uint64_t request_list(const Given& g);
  uint64_t aio_list(const Given& g);
  uint64_t started_list(const Given& g);
  uint64_t typed_value(const Given& g);
  uint64_t function(const Given& g) const;
  uint64_t cache_config(const Given& g);
  const Given* given(Kind kind) const;
  uint64_t variable_memory(uint64_t bytes, bool writes);
  uint64_t bytes(const Given& g);
  uint64_t variable_data(const Given& g);
  uint64_t several_data(const Given& g);
  uint64_t string_data(const Given& g);
  bool may_hold_addresses(const Given& g);
  uint64_t number_rows(const Given& g);
  uint64_t image_config(const Given& g);
  uint64_t filter(const Given& g);
  uint64_t link_class(const Given& g);
  uint64_t driver_members(const Given& g);
  uint64_t made_ids(const Given& g);
  uint64_t library_argument(const Given& g);
  bool makes_its_file() const;

  Stage& stage_;
  const trace::Signature& signature_;
  const api::LayerFacts& layer_;
  plan::CallPlan plan_;
  std::vector<Home> homes_;  ///< by operand, the result last
  std::vector<const Given*> closed_;
  std::vector<size_t> reads_, writes_;  ///< parameters that tell bytes moved
  std::vector<uint64_t> words_;
  std::vector<Step> steps_;
  std::vector<Pending> pending_;
  std::span<const int64_t> parameters_;
  alignas(16) char status_[64] = {};  ///< of MPI, where it tells how much was read
};

}  // namespace refrain::replay
