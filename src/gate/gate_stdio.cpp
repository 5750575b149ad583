// The gate's hooks of layer stdio. Most calls only move bytes between the program and a buffer; which of them
// empties or fills it can't be told from outside, so all are counted, and wait once enough has passed.
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "gate/entries.hpp"

namespace refrain::gate {

#define GATE_stdio(...) RF_GATE_HOOK(stdio, __VA_ARGS__)
#include "gate/hooks.def"

#include "record/stdio_by_hand.hpp"

#define GATE_stdio_ALIAS(symbol, function) RF_ALIAS_HOOK(symbol, function)
#include "gate/hooks.def"

void find_stdio_functions() {
#define GATE_stdio(name, ...) (void)real_##name();
#include "gate/hooks.def"
  (void)real_vfprintf(), (void)real_vfscanf(), (void)real_puts(), (void)real_putchar();
}

}  // namespace refrain::gate
