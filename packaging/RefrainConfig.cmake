# find_package(Refrain) gives, for programs and libraries of others:
#   Refrain::gate    refrain_gate.h, by which a program says when it does I/O
#   Refrain::wrap    the recorder, for programs that are linked statically
#   Refrain::trace   refrain.h and librefrain-trace, which read traces at any number of ranks
get_filename_component(_refrain_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET Refrain::gate)
  add_library(Refrain::gate INTERFACE IMPORTED)
  set_target_properties(Refrain::gate PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_refrain_prefix}/include"
    INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
endif()
if(NOT TARGET Refrain::wrap AND EXISTS "${_refrain_prefix}/lib/librefrain_wrap.a")
  add_library(Refrain::wrap INTERFACE IMPORTED)
  set_target_properties(Refrain::wrap PROPERTIES INTERFACE_LINK_OPTIONS "@${_refrain_prefix}/lib/refrain/wrap.flags"
    INTERFACE_LINK_LIBRARIES "${_refrain_prefix}/lib/librefrain_wrap.a;stdc++;m;rt;pthread;${CMAKE_DL_LIBS}")
endif()
if(NOT TARGET Refrain::trace AND EXISTS "${_refrain_prefix}/lib/librefrain-trace.so")
  add_library(Refrain::trace SHARED IMPORTED)
  set_target_properties(Refrain::trace PROPERTIES IMPORTED_LOCATION "${_refrain_prefix}/lib/librefrain-trace.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_refrain_prefix}/include")
endif()
unset(_refrain_prefix)
