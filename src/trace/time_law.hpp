// Times of a scale-free trace: how long something takes, on average, as a function of the number of ranks.
// Unlike everything else in such a trace they are estimates, fitted to what the runs took
// (extrapolate/times.hpp), and say so wherever they are printed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace refrain::trace {

struct Node;
struct Process;
struct Trace;

/// f0 + f1/P + f2·P + f3·P², in nanoseconds. Factors are kept with the digits of a float.
struct TimeModel {
  enum Term : uint8_t { constant, inverse, linear, quadratic };
  static constexpr size_t terms = 4;
  /// What a factor is multiplied with.
  static double basis(Term term, double nprocs);

  std::array<float, terms> factors{};

  /// As the terms say; may be negative.
  double at(double nprocs) const;
  bool is_zero() const;
  /// As in `1.5ms + 20.0ms/P`.
  std::string text() const;

  void write(ByteWriter& out) const;
  /// Accepts finite factors only.
  static TimeModel read(ByteReader& in);
  bool operator==(const TimeModel&) const = default;
};

/// What time is spent on; communication as in CommunicationClass.
enum class TimeClass : uint8_t { compute, point_to_point, collective, reduction, call };
constexpr size_t time_classes = 5;

/// Of one event, per execution.
struct TimingLaw {
  std::array<TimeModel, time_classes> models{};  ///< by class
  const TimeModel& of(TimeClass c) const { return models[static_cast<size_t>(c)]; }
  bool operator==(const TimingLaw&) const = default;
};

/// Whether the trace has times that weren't measured.
bool has_estimates(const Trace& trace);
/// Whether there are laws of times in a scale-free trace.
bool has_time_laws(const Trace& trace);

/// Forgets all times, and how long processes took.
void drop_times(Trace& trace);

/// The laws of all processes and events, in their order. Reading needs the trees.
void write_time_laws(ByteWriter& out, const Trace& trace);
void read_time_laws(ByteReader& in, Trace& trace);

}  // namespace refrain::trace
