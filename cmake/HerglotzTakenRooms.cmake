# Rooms taken from another build tree instead of compiled again: the Python package and the sanitizers need most rooms as the release build has
# them. HERGLOTZ_ROOMS_FROM names that tree, which must be up to date; HERGLOTZ_OWN_ROOMS names the rooms that are compiled here all the same.
set(HERGLOTZ_ROOMS_FROM "" CACHE PATH "A build tree whose libraries are taken for every room that HERGLOTZ_OWN_ROOMS does not name")
set(HERGLOTZ_OWN_ROOMS "" CACHE STRING "The rooms that are compiled here although HERGLOTZ_ROOMS_FROM is set")

if(HERGLOTZ_ROOMS_FROM)
  if(NOT EXISTS ${HERGLOTZ_ROOMS_FROM}/rooms.cmake)
    message(FATAL_ERROR "HERGLOTZ_ROOMS_FROM: ${HERGLOTZ_ROOMS_FROM} is not a build tree of herglotz; configure and build that one first")
  endif()
  # The tree has checked the versions of what its libraries are linked with.
  find_package(Eigen3 REQUIRED)
  find_package(LLVM REQUIRED CONFIG)
  find_package(SUNDIALS REQUIRED COMPONENTS cvode nvecserial sunmatrixdense sunlinsoldense)
  find_package(TBB REQUIRED)
  find_package(Threads REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(pugixml REQUIRED)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(IPOPT REQUIRED IMPORTED_TARGET ipopt)
  include(${HERGLOTZ_ROOMS_FROM}/rooms.cmake)
endif()

# Takes a room from HERGLOTZ_ROOMS_FROM, unless it is compiled here. Says in TAKEN which of the two.
function(herglotz_take_room name taken)
  set(${taken} FALSE PARENT_SCOPE)
  if(NOT TARGET taken::${name} OR name IN_LIST HERGLOTZ_OWN_ROOMS)
    return()
  endif()
  get_target_property(libraries taken::${name} INTERFACE_LINK_LIBRARIES)
  # How a room is compiled does not concern those that link it.
  list(FILTER libraries EXCLUDE REGEX herglotz_options)
  # A taken room uses rooms by the names that they have here, since some of them may be compiled here.
  list(TRANSFORM libraries REPLACE "taken::([a-z]+)" "herglotz_\\1")
  set_target_properties(taken::${name} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}"
    INTERFACE_INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/include)
  add_library(herglotz_${name} INTERFACE)
  target_link_libraries(herglotz_${name} INTERFACE taken::${name})
  set_property(GLOBAL APPEND PROPERTY HERGLOTZ_TAKEN_ROOMS ${name})
  set(${taken} TRUE PARENT_SCOPE)
endfunction()
