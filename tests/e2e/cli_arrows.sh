# The check of the include arrows does notice an include that points the wrong way, and names the place.
source "$(dirname "$0")/lib.sh"
check=$source_tree/scripts/check-arrows

run "$check"
expect_code 0
expect_empty "$out"

mkdir -p tree/src/{base,trace,fold,record}
cat >tree/src/CMakeLists.txt <<'LIST'
# fold does not use base
add_subdirectory(base)
add_subdirectory(trace)
add_subdirectory(fold)
LIST
echo '#include "base/result.hpp"' >tree/src/trace/good.cpp
echo '#include <trace/not_ours.hpp>' >tree/src/base/system.cpp
run "$check" tree
expect_code 0

printf '// comment\n#include "trace/file.hpp"\n' >tree/src/base/upwards.hpp
run "$check" tree
expect_code 1
expect_contains "$out" 'src/base/upwards.hpp:2: base may not include trace'
rm tree/src/base/upwards.hpp

echo '#include "base/result.hpp"' >tree/src/fold/exception.cpp
run "$check" tree
expect_code 1
expect_contains "$out" 'src/fold/exception.cpp:1: fold may not include base'
rm tree/src/fold/exception.cpp

echo '  #  include "file.hpp"' >tree/src/trace/bare.cpp
run "$check" tree
expect_code 1
expect_contains "$out" 'src/trace/bare.cpp:1: include it as "trace/file.hpp"'
rm tree/src/trace/bare.cpp

echo '#include "trace/file.hpp"' >tree/src/record/unlisted.cpp
run "$check" tree
expect_code 1
expect_contains "$out" 'src/record/unlisted.cpp:1: folder record is not in the list'
