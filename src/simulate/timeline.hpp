// A simulation as a picture: time to the right, one band per application with what it moved over time, its
// phases, and its leases if there was a coordinator.
#pragma once

#include <string>

#include "simulate/outcome.hpp"

namespace refrain::simulate {

/// An SVG document.
std::string timeline_svg(const Outcome& outcome, const std::string& title);

}  // namespace refrain::simulate
