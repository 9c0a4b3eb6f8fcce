# What `cmake --install` leaves: the rooms as static libraries, their headers, the program, and a package that
# find_package(herglotz) finds. The target herglotz::herglotz stands for all of it.
include(CMakePackageConfigHelpers)

set(HERGLOTZ_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/herglotz)

add_library(herglotz_umbrella INTERFACE)
add_library(herglotz::herglotz ALIAS herglotz_umbrella)
set_target_properties(herglotz_umbrella PROPERTIES EXPORT_NAME herglotz)
foreach(room report io simulate)
  if(TARGET herglotz_${room})
    target_link_libraries(herglotz_umbrella INTERFACE herglotz_${room})
  endif()
endforeach()
install(TARGETS herglotz_umbrella EXPORT herglotz-targets)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/herglotz DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/herglotz/models
  FILES_MATCHING PATTERN "*.toml")
install(EXPORT herglotz-targets NAMESPACE herglotz:: DESTINATION ${HERGLOTZ_PACKAGE_DIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/herglotz-config.cmake.in
  ${PROJECT_BINARY_DIR}/herglotz-config.cmake INSTALL_DESTINATION ${HERGLOTZ_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/herglotz-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/herglotz-config.cmake ${PROJECT_BINARY_DIR}/herglotz-config-version.cmake
  DESTINATION ${HERGLOTZ_PACKAGE_DIR})
