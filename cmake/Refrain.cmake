# How every folder of Refrain is built: one function call declares the folder's
# library, what it may use, and its unit tests.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

set(refrain_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(REFRAIN_WERROR)
  list(APPEND refrain_warnings -Werror)
endif()

# With sanitizers there is no recorder and no gate: programs that are not sanitized could not load them.
set(refrain_sanitized OFF)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(refrain_sanitized ON)
endif()

# Ours stay ours: unique symbols would be shared with the application's copies of the same templates.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
endif()

if(REFRAIN_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND refrain_warnings $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>) # it takes such a batch for a header
endif()

# Since version 12, its analysis takes copies and loops of the standard library for ones that leave what they work on.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  list(APPEND refrain_warnings -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
endif()

include(GNUInstallDirs)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(Threads REQUIRED)
include(ParallelLibraries)

# The tool makes and drops very many small objects: merging ranks takes two thirds of the time with operator new of
# mimalloc. libc goes before it, so that libraries which a replay loads keep the malloc that they had in the program.
find_package(mimalloc QUIET)
add_library(refrain_allocator INTERFACE)
add_library(refrain::allocator ALIAS refrain_allocator)
if(mimalloc_FOUND AND NOT refrain_sanitized)
  target_link_options(refrain_allocator INTERFACE LINKER:--push-state,--no-as-needed,-lc,--pop-state)
  target_link_libraries(refrain_allocator INTERFACE mimalloc)
endif()

# Before glibc 2.34, asynchronous transfers are in librt, which a plug-in of MPI may have loaded for itself alone: what
# looks them up by name needs it in sight. Afterwards it is empty.
add_library(refrain_old_librt INTERFACE)
target_link_options(refrain_old_librt INTERFACE LINKER:--push-state,--no-as-needed,-lrt,--pop-state)

# Folders in whose code tests spend long enough that optimizing it pays; all others get REFRAIN_LIGHT_OPTIONS.
set(refrain_heavy fold merge trace)
if(NOT refrain_sanitized) # with sanitizers, only fuzzers reach the search for laws
  list(APPEND refrain_heavy extrapolate)
endif()
# Searching for laws and simulating schedules would take minutes with sanitizers: these tests run without. (What reads job
# files is fuzzed.)
set(refrain_unsanitized extrapolate schedule)
# With sanitizers, these tests run for longer than it takes to optimize them.
set(refrain_long_tests)
if(refrain_sanitized)
  set(refrain_long_tests fold)
endif()

# Unit tests are compiled quickly rather than to run quickly: what they test keeps its optimization. They share a
# precompiled header of what nearly all of them include.
if(REFRAIN_TESTS AND REFRAIN_UNITS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  set(refrain_test_options ${refrain_warnings} ${REFRAIN_LIGHT_OPTIONS} -O0)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(APPEND refrain_test_options -fpch-preprocess) # or ccache would not keep what uses the header
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/test_headers.cpp CONTENT "int main() {}\n")
  add_executable(refrain_test_headers EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/test_headers.cpp)
  set_target_properties(refrain_test_headers PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_options(refrain_test_headers PRIVATE ${refrain_test_options})
  target_link_libraries(refrain_test_headers PRIVATE fmt::fmt GTest::gtest)
  target_precompile_headers(refrain_test_headers PRIVATE <gtest/gtest.h> <fmt/format.h> <algorithm> <functional> <map>
    <random> <span> <string> <vector>)
endif()

# What guides fuzzers through the code. -fsanitize=fuzzer-no-link also has the depth of the stack, with which compiling
# takes twice as long.
set(refrain_guide)
if(REFRAIN_FUZZ)
  set(refrain_guide -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
endif()

# refrain_library(NAME SOURCES a.cpp ... TESTS a_test.cpp ... [ALONE a_test.cpp ...] USES other libraries)
# ALONE are tests with names that others use, too: where tests of a folder are compiled as one, these are not. That is done
# where all of them run; who changes one test waits for that file only.
function(refrain_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;TESTS;ALONE;USES" ${ARGN})
  add_library(refrain_${name} STATIC ${arg_SOURCES})
  add_library(refrain::${name} ALIAS refrain_${name})
  target_include_directories(refrain_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_compile_options(refrain_${name} PRIVATE ${refrain_warnings})
  if(NOT name MATCHES "^(cli|extrapolate)$") # the first is not fuzzed, the second only by what others leave it
    target_compile_options(refrain_${name} PRIVATE ${refrain_guide})
  endif()
  if(NOT name IN_LIST refrain_heavy)
    target_compile_options(refrain_${name} PRIVATE ${REFRAIN_LIGHT_OPTIONS})
  endif()
  target_link_libraries(refrain_${name} PUBLIC ${arg_USES})
  set_target_properties(refrain_${name} PROPERTIES UNITY_BUILD ${REFRAIN_UNITY} UNITY_BUILD_BATCH_SIZE ${REFRAIN_BATCH})
  set(units ${REFRAIN_UNITS})
  if((refrain_sanitized AND name IN_LIST refrain_unsanitized) OR (units STREQUAL UNSANITIZED AND NOT name IN_LIST refrain_unsanitized))
    set(units OFF)
  endif()
  if(REFRAIN_TESTS AND units AND arg_TESTS)
    add_executable(${name}_test ${arg_TESTS})
    if(name IN_LIST refrain_long_tests)
      target_compile_options(${name}_test PRIVATE ${refrain_warnings})
    else()
      target_compile_options(${name}_test PRIVATE ${refrain_test_options})
      target_precompile_headers(${name}_test REUSE_FROM refrain_test_headers)
    endif()
    if(REFRAIN_UNITY AND (refrain_sanitized OR REFRAIN_COVERAGE OR units STREQUAL UNSANITIZED))
      set_target_properties(${name}_test PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${REFRAIN_BATCH})
      set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    target_link_libraries(${name}_test PRIVATE refrain_${name} GTest::gtest GTest::gtest_main)
    set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    if(refrain_sanitized) # starting takes long: once for all
      add_test(NAME ${name} COMMAND ${name}_test)
      set_tests_properties(${name} PROPERTIES LABELS unit)
    else()
      gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)
    endif()
  endif()
endfunction()
