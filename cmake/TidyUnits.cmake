# What clang-tidy reads. It looks at every header again in every unit, which takes it longer than our own files do:
# files of several folders make one unit. Each folder has a namespace of its own, so that most names don't clash; where
# macros or operators do, folders are in different units, and a file that can't be in one is looked at by itself.

# tidy_unit(NAME [TARGETS target...] [FILES file...])  What batches of these targets would hold, and more files of the first.
function(tidy_unit name)
  cmake_parse_arguments(arg "" "" "TARGETS;FILES" ${ARGN})
  list(GET arg_TARGETS 0 first)
  get_target_property(folder ${first} SOURCE_DIR)
  list(TRANSFORM arg_FILES PREPEND ${folder}/ OUTPUT_VARIABLE files)
  foreach(target ${arg_TARGETS})
    get_target_property(folder ${target} SOURCE_DIR)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    foreach(source ${sources})
      set(alone OFF)
      foreach(property SKIP_UNITY_BUILD_INCLUSION COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES)
        get_source_file_property(special ${folder}/${source} TARGET_DIRECTORY ${target} ${property})
        if(special)
          set(alone ON)
        endif()
      endforeach()
      if(NOT alone)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
        list(APPEND files ${source})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES files)
  list(TRANSFORM files REPLACE "(.+)" "#include \"\\1\"\n")
  string(CONCAT text ${files})
  set(unit ${CMAKE_BINARY_DIR}/tidy/${name}.cpp)
  file(CONFIGURE OUTPUT ${unit} CONTENT "${text}" @ONLY)
  add_library(tidy_${name} OBJECT EXCLUDE_FROM_ALL ${unit})
  foreach(target ${arg_TARGETS})
    target_include_directories(tidy_${name} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(tidy_${name} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  endforeach()
endfunction()

tidy_unit(traces TARGETS refrain_base refrain_api refrain_trace refrain_format refrain_measure refrain_scale refrain_fold
  refrain_merge refrain_compare refrain_part refrain_trace_sample)
tidy_unit(kernels TARGETS refrain_plan refrain_extrapolate refrain_generate refrain_jobs refrain_session refrain_replay)
tidy_unit(commands TARGETS refrain_coordinate refrain_schedule refrain_gate refrain_cli refrain)
tidy_unit(views TARGETS refrain_advise refrain_report refrain_simulate refrain_exchange)
tidy_unit(recorder TARGETS refrain_preload refrain_recorder
  FILES confinement_entries.cpp mapping_entries.cpp process_entries.cpp signal_entries.cpp stdio_entries.cpp posix_entries.cpp
    thread_entries.cpp uring_entries.cpp uring_rings.cpp uring_submission.cpp thread_numbers.cpp kernel_entries.cpp look.cpp
    process_end.cpp process_marks.cpp real.cpp recorder.cpp versioned_stat.cpp in_place.cpp mpi_call.cpp mpi_communication.cpp
    mpi_describe.cpp mpi_fortran.cpp mpi_handles.cpp mpi_types.cpp hdf5_call.cpp hdf5_callers.cpp hdf5_contents.cpp
    hdf5_errors.cpp hdf5_facts.cpp hdf5_memory.cpp hdf5_mpi.cpp hdf5_structs.cpp hdf5_watched.cpp netcdf_describe.cpp
    netcdf_header.cpp)
tidy_unit(gate TARGETS refrain_gate_preload
  FILES gate_hdf5.cpp gate_mpi.cpp gate_posix.cpp gate_process.cpp gate_stdio.cpp)
