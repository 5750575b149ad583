// The hooks of layer stdio: those that follow from their rows, and the formatted functions written by hand.
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "record/hooks.hpp"
#include "record/intercept.hpp"

namespace refrain::record {

#define API(layer, name, ...) RF_PLAIN_HOOK(layer, name, __VA_ARGS__)
#include "api/stdio/rows.def"
#include "api/undefine_rows.def"

#include "record/stdio_by_hand.hpp"

RF_REAL(tmpfile, FILE*())
RF_HOOK FILE* hook_tmpfile() RF_SYMBOL(tmpfile);
FILE* hook_tmpfile() {
  auto* instead = replaced.tmpfile.load(std::memory_order_relaxed);
  return intercept<RowId::stdio_tmpfile>(instead != nullptr ? instead : real_tmpfile(), RF_SITE, RF_FRAME);
}

#define API_ALIAS(layer, symbol, function) RF_ALIAS_HOOK(symbol, function)
#include "api/stdio/rows.def"
#include "api/undefine_rows.def"

void find_stdio_functions() {
#define API(layer, name, ...) (void)real_##name();
#include "api/stdio/rows.def"
#include "api/undefine_rows.def"
  (void)real_vfprintf(), (void)real_vfscanf(), (void)real_puts(), (void)real_putchar(), (void)real_tmpfile();
}

namespace real {
int fileno(FILE* stream) { return real_fileno()(stream); }
bool at_end(FILE* stream) { return feof_unlocked(stream) != 0; }
}  // namespace real

}  // namespace refrain::record
