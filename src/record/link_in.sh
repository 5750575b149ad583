#!/bin/sh
# Makes the link-time library of the objects that the preload library has:
#   link_in.sh OUT.a NOTE.o HOOKS.o... -- OTHERS...
# with CC, LD, AR, OBJCOPY and READELF in the environment.
#
# In the preload library a hook is called as the function that it stands for, `open`, and finds what is behind it by name.
# Here it is renamed to `__wrap_open`, where the linker's --wrap=open sends the program's calls, and the linker calls what
# is behind it `__real_open`. The names that hooks look up stand in sections of their own (RF_NOTE_NAME in real.hpp); of
# these a table is made for behind_linked.cpp. A reference to what a program may do without is weak, and so is one to what
# the C library here lacks, shared or static (close_range, before glibc 2.34): no program that is linked here calls it.
#
# All of it becomes one object whose other symbols are local, so that it clashes with nothing. No section groups are left
# in it: the linker would take ours, with symbols that are local, for those of the C++ runtime. The runtime is inside:
# memory that its functions allocate comes from our `new`, as that which we free does.
set -eu
out=$1 note=$2
shift 2
work=$out.parts
rm -rf "$work"
mkdir -p "$work"

: >"$work/symbols"
for object; do
  [ "$object" != -- ] || break
  "$READELF" --symbols --wide "$object" >>"$work/symbols"
done
awk '($5 == "GLOBAL" || $5 == "WEAK") && $6 == "DEFAULT" && $7 != "UND" && $8 !~ /^(_Z|__cxa_|__gxx_|refrain_)/ { print $8 }' \
  "$work/symbols" | LC_ALL=C sort -u >"$work/hooks"
awk '{ print $1, "__wrap_" $1 }' "$work/hooks" >"$work/renamed"

for object; do
  shift
  [ "$object" = -- ] || set -- "$@" "$object"
done
"$LD" -r --force-group-allocation -o "$work/objects.o" "$@"
for need in required optional; do
  : >"$work/$need"
  "$OBJCOPY" --dump-section ".refrain_names.$need=$work/$need" "$work/objects.o" "$work/unused.o"
  tr '\0' '\n' <"$work/$need" | awk -v need=$need 'NF { print $1, need }'
done | LC_ALL=C sort -u >"$work/names"
rm -f "$work/unused.o"
awk '$2 == "required" { printf "extern char at_%d[] __asm__(\"%s\");\n", NR, $1; list = list "at_" NR ", " }
  END { print "char* volatile all[] = {" list "0};\nint main(void) { return 0; }" }' "$work/names" >"$work/needed.c"
for kind in "-fPIE -pie" -static; do # a static library may have fewer names; where there is none, no name is undefined
  LC_ALL=C "$CC" $kind -o "$work/needed" "$work/needed.c" -lrt -lpthread -ldl -lm 2>>"$work/errors" || true
done
sed -n "s/.*undefined \(reference to\|symbol:\)[^A-Za-z_]*\([A-Za-z0-9_]*\).*/\2/p" "$work/errors" >"$work/lacking"
# Sorted by name; what is required somewhere is required.
awk 'FILENAME ~ /hooks$/ { hook[$1] = 1; next }
  FILENAME ~ /lacking$/ { lacking[$1] = 1; next }
  !($1 in at) { at[$1] = n; name[n++] = $1 }
  $2 == "required" { required[$1] = 1 }
  END {
    print "#include <stddef.h>"
    for (i = 0; i < n; i++)
      printf "extern char at_%d[] __asm__(\"%s%s\")%s;\n", i, name[i] in hook ? "__real_" : "", name[i],
        name[i] in required && !(name[i] in lacking) ? "" : " __attribute__((weak))"
    print "struct LinkedName { const char* name; void* address; };"
    print "const struct LinkedName refrain_linked_names[] = {"
    for (i = 0; i < n; i++) printf "  {\"%s\", at_%d},\n", name[i], i
    printf "};\nconst size_t refrain_linked_name_count = %d;\n", n
  }' "$work/hooks" "$work/lacking" "$work/names" >"$work/names.c"
"$CC" -O1 -fPIC -c -o "$work/names.o" "$work/names.c"
"$LD" -r -o "$work/refrain_wrap.o" "$work/objects.o" "$work/names.o"
"$OBJCOPY" --redefine-syms="$work/renamed" --remove-section='.refrain_names.*' --wildcard --keep-global-symbol='__wrap_*' \
  --keep-global-symbol=refrain_restart --keep-global-symbol=refrain_replace --keep-global-symbol=refrain_pause \
  --keep-global-symbol=refrain_resume --keep-global-symbol=refrain_note_stores "$work/refrain_wrap.o"
rm -f "$out"
"$AR" rcs "$out" "$work/refrain_wrap.o" "$note"
rm -rf "$work"
