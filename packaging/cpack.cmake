# Debian's packages go to /usr; archives hold a tree that can be put anywhere.
if(CPACK_GENERATOR STREQUAL DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
