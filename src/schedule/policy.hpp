// The I/O policies: who is served when an I/O node becomes free. A policy is one function from a request to
// its urgency, in a file of its own; the table in policy.cpp is the only other place that names it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "schedule/request.hpp"

namespace refrain::schedule {

struct Policy {
  std::string_view name;
  std::string_view summary;
  Urgency (*urgency)(const Request&);
  /// Whether `per` differs between requests, so that their order may change while they wait.
  bool ages = false;
};

/// All policies, in the order of the paper.
std::span<const Policy> policies();

/// The policy of this name, or an error that lists the names.
Result<const Policy*> find_policy(std::string_view name);

Urgency lowest_id(const Request& request);
Urgency longest_io(const Request& request);
Urgency shortest_io(const Request& request);
Urgency shortest_remaining(const Request& request);
Urgency longest_remaining(const Request& request);
Urgency fifo(const Request& request);
Urgency bandwidth(const Request& request);
Urgency stretch(const Request& request);

}  // namespace refrain::schedule
