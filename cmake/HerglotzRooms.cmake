# One library per room: herglotz::<room> from the sources in src/<room> and its folders, and include/herglotz/<room>/*.hpp.
# A room that needs an outside library says so in src/<room>/room.cmake.

add_library(herglotz_options INTERFACE)
target_compile_features(herglotz_options INTERFACE cxx_std_20)
target_compile_options(herglotz_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off)
# GCC 12 takes sums of strings for overlapping copies (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(herglotz_options INTERFACE -Wno-restrict)
endif()

include(CheckLinkerFlag)
include(HerglotzTakenRooms)

function(herglotz_room name)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  herglotz_take_room(${name} taken)
  if(taken)
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  # Sources that are compiled several times are named so; the room's room.cmake adds them.
  list(FILTER sources EXCLUDE REGEX "\\.per_[a-z]+\\.cpp$")
  if(NOT sources)
    return()
  endif()
  add_library(herglotz_${name} STATIC ${sources})
  add_library(herglotz::${name} ALIAS herglotz_${name})
  set_target_properties(herglotz_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  target_include_directories(herglotz_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src/${name})
  target_link_libraries(herglotz_${name} PRIVATE $<BUILD_INTERFACE:herglotz_options>)
  target_compile_features(herglotz_${name} PUBLIC cxx_std_20)
  foreach(used IN LISTS ROOM_USES)
    if(TARGET herglotz_${used})
      target_link_libraries(herglotz_${name} PUBLIC herglotz_${used})
    endif()
  endforeach()
  include(${PROJECT_SOURCE_DIR}/src/${name}/room.cmake OPTIONAL)
  set_property(GLOBAL APPEND PROPERTY HERGLOTZ_ROOMS herglotz_${name})
  install(TARGETS herglotz_${name} EXPORT herglotz-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# Code for lanes is compiled for the registers it is called on, and with the arithmetic of everything else.
set(HERGLOTZ_LANE_FLAGS_4 -fno-math-errno -fno-trapping-math)
set(HERGLOTZ_LANE_FLAGS_8 ${HERGLOTZ_LANE_FLAGS_4})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND HERGLOTZ_LANE_FLAGS_4 -mavx2)
  list(APPEND HERGLOTZ_LANE_FLAGS_8 -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512)
endif()

# Adds a source of a room that is compiled several times, each time under another name, with its own definitions and flags.
function(herglotz_again room name source)
  cmake_parse_arguments(AGAIN "" "" "DEFINITIONS;FLAGS;USES" ${ARGN})
  add_library(herglotz_${room}_${name} OBJECT src/${room}/${source})
  set_target_properties(herglotz_${room}_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  target_include_directories(herglotz_${room}_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src/${room})
  target_compile_definitions(herglotz_${room}_${name} PRIVATE ${AGAIN_DEFINITIONS})
  target_compile_options(herglotz_${room}_${name} PRIVATE ${AGAIN_FLAGS})
  target_link_libraries(herglotz_${room}_${name} PRIVATE herglotz_options ${AGAIN_USES})
  target_sources(herglotz_${room} PRIVATE $<TARGET_OBJECTS:herglotz_${room}_${name}>)
endfunction()

# Runs the tests of a room in four processes, each with every fourth test. With one process for each test, most of the time would be
# spent in starting them. What each process tested is in gtest/<room>.<part>-of-4.xml.
function(herglotz_test_parts name)
  foreach(part RANGE 1 4)
    set(test ${name}.${part}-of-4)
    math(EXPR index "${part} - 1")
    add_test(NAME ${test} COMMAND test_${name} --gtest_brief=1 --gtest_output=xml:${PROJECT_BINARY_DIR}/gtest/${test}.xml)
    set_tests_properties(${test} PROPERTIES
      ENVIRONMENT "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${index}" LABELS ${name} TIMEOUT 1200)
    # What takes longest begins first, so that no processor waits for it in the end.
    if(name STREQUAL "models")
      set_tests_properties(${test} PROPERTIES COST 100)
    endif()
  endforeach()
endfunction()

# One test program per room from the sources in tests/<room> and its folders, linked with the room and everything it uses. A room that needs more says
# so in tests/<room>/tests.cmake.
function(herglotz_room_tests)
  # The program of a room's tests has tens of libraries: the quicker linker takes a sixth of the time.
  check_linker_flag(CXX -fuse-ld=gold HERGLOTZ_HAS_GOLD)
  configure_file(${PROJECT_SOURCE_DIR}/tests/project_folders.cpp.in ${PROJECT_BINARY_DIR}/project_folders.cpp @ONLY)
  foreach(name IN LISTS ARGN)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/*.cpp)
    set(tested herglotz_${name})
    if(name STREQUAL "app")
      set(tested herglotz)
    elseif(name STREQUAL "models")
      set(tested herglotz_io)
    endif()
    if(NOT sources OR NOT TARGET ${tested})
      continue()
    endif()
    add_executable(test_${name} ${sources} ${PROJECT_BINARY_DIR}/project_folders.cpp)
    set_target_properties(test_${name} PROPERTIES CXX_EXTENSIONS OFF)
    # What is tested is optimised; tests themselves take their time in the compiler.
    target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_link_libraries(test_${name} PRIVATE herglotz_options GTest::gtest GTest::gmock GTest::gtest_main)
    if(HERGLOTZ_PRECOMPILE_TESTS)
      target_precompile_headers(test_${name} PRIVATE <gtest/gtest.h> <algorithm> <functional> <map> <memory> <optional> <string>
        <vector>)
      # The compiler cache takes no source with precompiled headers without it (and without CCACHE_SLOPPINESS, see the Makefile).
      target_compile_options(test_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    endif()
    if(TARGET herglotz_${name})
      target_link_libraries(test_${name} PRIVATE herglotz_${name})
    endif()
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src/${name})
    if(HERGLOTZ_HAS_GOLD AND CMAKE_BUILD_TYPE STREQUAL "Release")
      target_link_options(test_${name} PRIVATE -fuse-ld=gold)
    endif()
    include(${PROJECT_SOURCE_DIR}/tests/${name}/tests.cmake OPTIONAL)
    herglotz_test_parts(${name})
  endforeach()
endfunction()
