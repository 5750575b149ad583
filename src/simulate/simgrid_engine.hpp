// What librefrain_simgrid.so provides; see loaded_engine.cpp.
#pragma once

#include "simulate/engine.hpp"

/// As refrain::simulate::run_engine.
extern "C" void refrain_run_simgrid(uint32_t stages, const refrain::simulate::FlowHandler& handler);
