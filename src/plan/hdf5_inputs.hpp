// Objects of HDF5 files that a trace opens or finds without having made them. Their shapes and types follow
// from what the trace reads and writes, and from the answers to its queries. Part of inputs.hpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "plan/arguments.hpp"
#include "plan/inputs.hpp"

namespace refrain::plan {

class Hdf5Inputs {
 public:
  explicit Hdf5Inputs(const trace::Trace& trace) : trace_(trace) {}

  /// Whether such calls can find an object that the program did not make.
  static bool opens_object(const trace::Signature& s);
  /// Whether such calls matter to `take`.
  static bool concerns(const trace::Signature& s);

  /// The following calls are those of another thread or rank.
  void begin_stream();
  /// Takes note of a successful call of HDF5.
  void take(const CallPlan& plan, const trace::Signature& s, std::span<const int64_t> parameters);
  /// All objects of input files, parents first.
  std::vector<InputObject> finish(const std::function<bool(const std::string&)>& is_input) const;

 private:
  using Slot = std::pair<std::string, int64_t>;  ///< class, number
  struct Place {
    std::string file{}, path{}, attribute{};
  };
  struct Space {
    Place whose{};                   ///< extent it is
    std::vector<int64_t> reached{};  ///< by selections
    std::vector<int64_t> extent{};   ///< if it was made with one
  };
  struct Call {
    const CallPlan& plan;
    const trace::Signature& signature;
    std::span<const int64_t> parameters;
  };

  std::string text(const Call& call, const GivenArgument& g) const;
  std::vector<int64_t> numbers(const Call& call, std::string_view argument) const;
  static Slot slot(const Call& call, const GivenArgument& g);
  Slot made(const Call& call) const;
  std::optional<Place> place_of(const Call& call) const;
  void open(const Call& call, bool makes);
  void open_by_number(const Call& call, Place& place);
  void look(const Call& call);
  void refer(const Call& call);
  void take_part(const Call& call);
  void describe(const Call& call);
  void select(const Call& call);
  InputObject* found_object(const Call& call);
  void move(const Call& call);
  void grow(const Call& call);
  InputObject& object(const Place& place);
  static InputObject completed(InputObject o);

  const trace::Trace& trace_;
  std::map<Slot, Place> places_;
  std::map<Slot, Space> spaces_;
  std::map<Slot, Place> types_;                ///< of which objects
  std::set<std::string> made_;                 ///< file, path and attribute, by anyone
  std::map<std::string, InputObject> opened_;  ///< by the same
};

}  // namespace refrain::plan
