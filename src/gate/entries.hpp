// Expands the rows that gate/print_hooks.cpp has chosen: a file of entries gives a meaning to those of its
// layer (GATE_posix and so on) and includes gate/hooks.def, which ends with taking all of them away.
#pragma once

#include "gate/gated_call.hpp"
#include "record/hooks.hpp"

#define RF_GATE_HOOK(layer, name, role, result, ...)                                                   \
  using type_##name = RF_RESULT_TYPE result(RF_LIST(RF_ARG_TYPE, __VA_ARGS__));                        \
  RF_REAL(name, type_##name)                                                                           \
  RF_HOOK RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(name); \
  RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                        \
    return intercept<RowId::layer##_##name, Role::role>(                                               \
        real_##name(), RF_SITE, RF_FRAME __VA_OPT__(, ) RF_LIST(RF_ARG_NAME, __VA_ARGS__));            \
  }
