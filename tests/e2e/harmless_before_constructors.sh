# The application comes first: constructors of other libraries may run, and start threads, before ours would. So nothing
# of the recorder or the gate is made by a constructor: compilers give the files that need one a function for it.
source "$(dirname "$0")/lib.sh"
need nm

for library in "$build"/lib/librefrain.so "$build"/lib/librefrain_gate.so; do
  [ -e "$library" ] || continue
  nm "$library" >symbols
  [ "$(grep -c ' [tT] ' symbols)" -gt 1000 ] || fail "$library has no symbols"
  ! grep -E '_GLOBAL__sub_I_.*c(pp|xx)$' symbols >&2 || fail "$library has constructors"
done
