// Time spent communicating. Messages are not recorded one by one; what they took is kept by class, as a part
// of the gaps between the events.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"

namespace refrain::trace {

enum class CommunicationClass : uint8_t { point_to_point, collective, reduction };
constexpr size_t communication_classes = 3;
constexpr std::array<std::string_view, communication_classes> communication_names = {
    "point-to-point", "collective", "reduction"};

struct Communication {
  std::array<uint64_t, communication_classes> ns{};  ///< by class

  bool empty() const { return total_ns() == 0; }
  uint64_t total_ns() const { return ns[0] + ns[1] + ns[2]; }
  void add(const Communication& other) {
    for (size_t c = 0; c < ns.size(); ++c) ns[c] += other.ns[c];
  }
  /// Moves the share of `part` out of `whole` equal executions into one of its own; nothing is lost.
  Communication split(uint64_t part, uint64_t whole) {
    Communication taken;
    for (size_t c = 0; c < ns.size(); ++c) {
      double share = part >= whole ? 1 : static_cast<double>(part) / static_cast<double>(whole);
      taken.ns[c] = share >= 1 ? ns[c] : static_cast<uint64_t>(static_cast<double>(ns[c]) * share);
      if (taken.ns[c] > ns[c]) taken.ns[c] = ns[c];
      ns[c] -= taken.ns[c];
    }
    return taken;
  }
  void write(ByteWriter& out) const {
    for (uint64_t n : ns) out.varint(n);
  }
  static Communication read(ByteReader& in) {
    Communication c;
    for (uint64_t& n : c.ns) n = in.varint();
    return c;
  }
  bool operator==(const Communication&) const = default;
};

}  // namespace refrain::trace
