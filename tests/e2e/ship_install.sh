# An installed tree works wherever it is put, and others can compile and link with it; packages hold what they should.
source "$(dirname "$0")/lib.sh"
need cmake cpack pkg-config cc

run cmake --install "$build" --prefix "$work/first"
expect_code 0
mv first "installed tree"
run "$work/installed tree/bin/refrain" record -- true
expect_refused
expect_contains "$err" 'takes no path with blanks'
mv "installed tree" tree
tree=$work/tree
run "$tree/bin/refrain" --version
expect_code 0
cp "$out" version

# The main job with nothing but the tree.
mkdir run
cd run
run "$tree/bin/refrain" record -q -o copy.rfn -- cp ../version copy
expect_code 0
run "$tree/bin/refrain" generate copy.rfn -o kernel
expect_code 0
run "$tree/bin/refrain" replay copy.rfn --prepare --root replayed
expect_code 0
[ -n "$(find replayed -name copy)" ] || fail "no copy"
cd ..
for file in share/man/man1/refrain-record.1 share/bash-completion/completions/refrain share/zsh/site-functions/_refrain \
  share/fish/vendor_completions.d/refrain.fish share/refrain/machines/cluster.json share/doc/refrain/copyright \
  share/doc/refrain/guide.md share/doc/refrain/CITATION.cff; do
  expect_file "$tree/$file"
done

# Modules set what they should; their prefix is the one of the installation.
expect_contains "$tree/share/refrain/modules/refrain.lua" "local prefix = \"$work/first\""
if command -v tclsh >/dev/null; then
  cat >read.tcl <<'TCL'
proc module-whatis {text} {}
proc conflict {name} {}
proc prepend-path {name value} { puts "$name=$value" }
source [lindex $argv 0]
TCL
  run tclsh read.tcl "$tree/share/refrain/modules/refrain.tcl"
  expect_code 0
  expect_contains "$out" "PATH=$work/first/bin"
fi

# Lmod loads either, and takes back what it did.
lmod=/usr/share/lmod/lmod/libexec/lmod
if [ -x "$lmod" ]; then
  mkdir -p lua/refrain tcl/refrain
  cp "$tree/share/refrain/modules/refrain.lua" lua/refrain/0.2.lua
  cp "$tree/share/refrain/modules/refrain.tcl" tcl/refrain/0.2
  for kind in lua tcl; do
    run env HOME="$base" MODULEPATH="$work/$kind" bash -c '
      eval "$("$0" bash load refrain/0.2)" && echo "loaded $PATH" && eval "$("$0" bash unload refrain/0.2)" && echo "unloaded $PATH"' "$lmod"
    expect_code 0
    expect_matches "$out" "^loaded $work/first/bin:"
    expect_matches "$out" '^unloaded '
    ! grep '^unloaded' "$out" | grep -qF "$work/first/bin" || fail "PATH is not as before"
  done
fi

# A program of somebody else, by pkg-config and by CMake.
cat >phases.c <<'C'
#include <refrain_gate.h>
int main(void) {
  refrain_phase_begin(0);
  refrain_phase_end();
  return 0;
}
C
cat >writes.c <<'C'
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  int fd = open("written", O_CREAT | O_WRONLY, 0644);
  return fd < 0 || write(fd, "four", 4) != 4 || close(fd) != 0;
}
C
export PKG_CONFIG_PATH=$work/tree/lib/pkgconfig
run bash -c 'cc $(pkg-config --cflags refrain-gate) phases.c -o phases $(pkg-config --libs refrain-gate) && ./phases'
expect_code 0
expect_equal "refrain $(pkg-config --modversion refrain-gate)" "$(cat version)"
run bash -c 'cc -static writes.c -o writes $(pkg-config --libs refrain-wrap)'
expect_code 0
run tree/bin/refrain record -q -o writes.rfn -- ./writes
expect_code 0
run tree/bin/refrain dump writes.rfn
expect_contains "$out" write
mkdir cmake
cat >cmake/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
project(others C)
find_package(Refrain 0.2 REQUIRED)
add_executable(phases ../phases.c)
target_link_libraries(phases PRIVATE Refrain::gate)
add_executable(writes ../writes.c)
target_link_libraries(writes PRIVATE -static Refrain::wrap)
CMAKE
run bash -c 'cmake -S cmake -B others -DCMAKE_PREFIX_PATH=$PWD/tree && cmake --build others && others/phases'
expect_code 0
rm -f writes.rfn
run tree/bin/refrain record -q -o writes.rfn -- others/writes
expect_code 0

# The version is said in one place; what can't ask for it agrees.
number=$(cut -d' ' -f2 version)
expect_matches "$source_tree/CITATION.cff" "^version: $number\$"
expect_matches "$source_tree/packaging/spack/packages/refrain/package.py" "version\\(\"$number\"\\)"
# Spack's recipe is Python, and names options that there are.
run python3 - "$source_tree" <<'PYTHON'
import ast, re, sys
root = sys.argv[1]
recipe = open(root + "/packaging/spack/packages/refrain/package.py").read()
ast.parse(recipe)
options = set(re.findall(r"option\((REFRAIN_\w+)", open(root + "/CMakeLists.txt").read()))
named = set(re.findall(r'"(REFRAIN_\w+)"', recipe))
assert named and named <= options, named - options
variants = set(re.findall(r'\n    variant\("(\w+)"', recipe))
used = set(re.findall(r'define_from_variant\("\w+", "(\w+)"\)', recipe))
assert variants == used, variants ^ used
PYTHON
expect_code 0
