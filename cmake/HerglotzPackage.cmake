# What `cmake --install` leaves: the rooms as static libraries, the headers that herglotz.hpp reaches, the program, and a package that
# find_package(herglotz) finds. The target herglotz::herglotz stands for all of it. Headers that only our rooms include are not installed,
# so that they can change without notice.
include(CMakePackageConfigHelpers)

set(HERGLOTZ_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/herglotz)

add_library(herglotz_umbrella INTERFACE)
add_library(herglotz::herglotz ALIAS herglotz_umbrella)
set_target_properties(herglotz_umbrella PROPERTIES EXPORT_NAME herglotz)
foreach(room report io solve simulate)
  if(TARGET herglotz_${room})
    target_link_libraries(herglotz_umbrella INTERFACE herglotz_${room})
  endif()
endforeach()
install(TARGETS herglotz_umbrella EXPORT herglotz-targets)

# Other build trees can take the rooms of this one (see HerglotzTakenRooms.cmake), and install nothing.
if(HERGLOTZ_ROOMS_FROM)
  return()
endif()
get_property(rooms GLOBAL PROPERTY HERGLOTZ_ROOMS)
export(TARGETS herglotz_options ${rooms} NAMESPACE taken:: FILE ${PROJECT_BINARY_DIR}/rooms.cmake)

set(public_headers herglotz/herglotz.hpp)
set(unread ${public_headers})
while(unread)
  list(POP_FRONT unread header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/${header})
  file(STRINGS ${PROJECT_SOURCE_DIR}/include/${header} includes REGEX "^#include \"herglotz/")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included ${line})
    if(NOT included IN_LIST public_headers)
      list(APPEND public_headers ${included})
      list(APPEND unread ${included})
    endif()
  endforeach()
endwhile()
foreach(header IN LISTS public_headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/include/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/herglotz/models
  FILES_MATCHING PATTERN "*.toml")
install(EXPORT herglotz-targets NAMESPACE herglotz:: DESTINATION ${HERGLOTZ_PACKAGE_DIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/herglotz-config.cmake.in
  ${PROJECT_BINARY_DIR}/herglotz-config.cmake INSTALL_DESTINATION ${HERGLOTZ_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/herglotz-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/herglotz-config.cmake ${PROJECT_BINARY_DIR}/herglotz-config-version.cmake
  DESTINATION ${HERGLOTZ_PACKAGE_DIR})
