# What is installed beside the program, and how packages are made of it:
#   cpack --config build/release/CPackConfig.cmake -G DEB     refrain, librefrain-dev, refrain-doc
#   cpack --config build/release/CPackConfig.cmake -G TGZ     a tree that runs wherever it is put
# Components, and so packages: refrain (unless said otherwise), dev, doc.

# Manual pages and completion come from the program itself.
set(refrain_share ${CMAKE_BINARY_DIR}/share)
set(refrain_completions ${refrain_share}/bash-completion/completions/refrain ${refrain_share}/zsh/site-functions/_refrain
  ${refrain_share}/fish/vendor_completions.d/refrain.fish)
set(made_by_program ${CMAKE_BINARY_DIR}/made_by_program)
list(GET refrain_completions 0 for_bash)
list(GET refrain_completions 1 for_zsh)
list(GET refrain_completions 2 for_fish)
add_custom_command(OUTPUT ${made_by_program}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${refrain_share}/man/man1 ${refrain_share}/bash-completion/completions
    ${refrain_share}/zsh/site-functions ${refrain_share}/fish/vendor_completions.d
  COMMAND refrain help --man-pages ${refrain_share}/man/man1
  COMMAND refrain completion bash > ${for_bash}
  COMMAND refrain completion zsh > ${for_zsh}
  COMMAND refrain completion fish > ${for_fish}
  COMMAND ${CMAKE_COMMAND} -E touch ${made_by_program}
  DEPENDS refrain VERBATIM)
add_custom_target(man ALL DEPENDS ${made_by_program})
install(DIRECTORY ${refrain_share}/man ${refrain_share}/bash-completion ${refrain_share}/zsh ${refrain_share}/fish
  DESTINATION share)

# For those who compile and link with parts of Refrain.
if(TARGET refrain_wrap)
  set(wrap_flags ${CMAKE_BINARY_DIR}/lib/refrain/wrap.flags)
  add_custom_command(OUTPUT ${wrap_flags}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/lib/refrain
    COMMAND bash -c "$<TARGET_FILE:refrain> link-flags | grep -e '--wrap=' >${wrap_flags}"
    DEPENDS refrain refrain_wrap VERBATIM)
  add_custom_target(wrap_flags ALL DEPENDS ${wrap_flags})
  install(FILES ${wrap_flags} DESTINATION lib/refrain COMPONENT dev)
endif()
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/RefrainConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES packaging/RefrainConfig.cmake ${CMAKE_BINARY_DIR}/RefrainConfigVersion.cmake
  DESTINATION lib/cmake/Refrain COMPONENT dev)
foreach(part gate wrap trace)
  if(part STREQUAL gate OR TARGET refrain_${part}_library OR (part STREQUAL wrap AND TARGET refrain_wrap))
    configure_file(packaging/pkgconfig/refrain-${part}.pc.in ${CMAKE_BINARY_DIR}/pkgconfig/refrain-${part}.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/pkgconfig/refrain-${part}.pc DESTINATION lib/pkgconfig COMPONENT dev)
  endif()
endforeach()

# Modules name the prefix, which is known when something is installed.
install(CODE "
  set(PROJECT_VERSION ${PROJECT_VERSION})
  foreach(module refrain.lua refrain.tcl)
    configure_file(${CMAKE_SOURCE_DIR}/packaging/modules/\${module}.in
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/refrain/modules/\${module}\" @ONLY)
  endforeach()")

install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)

set(CPACK_PACKAGE_NAME refrain)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The Refrain project")
set(CPACK_PACKAGE_CONTACT "The Refrain maintainers <maintainers@refrain.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "records, regenerates and scales the I/O of parallel applications")
set(CPACK_PACKAGE_DESCRIPTION "Refrain records the I/O calls of a program without its source, keeps them as a small lossless
trace, and makes of it a C program, a replay, a trace for any number of ranks, a simulation or a schedule.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/packaging/cpack.cmake)
set(CPACK_COMPONENTS_ALL refrain dev doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_REFRAIN_PACKAGE_NAME refrain)
set(CPACK_DEBIAN_REFRAIN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_REFRAIN_PACKAGE_RECOMMENDS "gcc, make")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME librefrain-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "refrain (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME refrain-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers and libraries for programs that work with refrain")
set(CPACK_COMPONENT_DOC_DESCRIPTION "Manual of refrain")
include(CPack)
