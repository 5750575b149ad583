// Expands rows into hooks: `RF_HOOKS_OF(layer)` style files define which layer they expand and include this.
#pragma once

#include "api/expand_rows.hpp"
#include "record/real.hpp"

// A hook has a C++ name of its own and the function's name as its symbol, so that no system header is
// contradicted.
#define RF_PLAIN_HOOK(layer, name, group, result, ...)                                                  \
  using type_##name = RF_RESULT_TYPE result(RF_LIST(RF_ARG_TYPE, __VA_ARGS__));                         \
  RF_REAL(name, type_##name)                                                                            \
  RF_HOOK RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(name);  \
  RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                         \
    return intercept<RowId::layer##_##name>(real_##name(), RF_SITE,                                     \
                                            RF_FRAME __VA_OPT__(, ) RF_LIST(RF_ARG_NAME, __VA_ARGS__)); \
  }
