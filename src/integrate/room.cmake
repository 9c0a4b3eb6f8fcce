find_package(Eigen3 3.4 REQUIRED)
find_package(SUNDIALS 6.4 REQUIRED COMPONENTS cvode nvecserial sunmatrixdense sunlinsoldense)
target_link_libraries(herglotz_integrate PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> fmt::fmt
  SUNDIALS::cvode_shared SUNDIALS::nvecserial_shared SUNDIALS::sunmatrixdense_shared
  SUNDIALS::sunlinsoldense_shared)
# A source that is compiled several times, each with its own definitions and flags.
function(herglotz_integrate_again name source)
  cmake_parse_arguments(AGAIN "" "" "DEFINITIONS;FLAGS" ${ARGN})
  add_library(herglotz_integrate_${name} OBJECT src/integrate/${source})
  set_target_properties(herglotz_integrate_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  target_include_directories(herglotz_integrate_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src/integrate)
  target_compile_definitions(herglotz_integrate_${name} PRIVATE ${AGAIN_DEFINITIONS})
  target_compile_options(herglotz_integrate_${name} PRIVATE ${AGAIN_FLAGS})
  target_link_libraries(herglotz_integrate_${name} PRIVATE herglotz_options Eigen3::Eigen fmt::fmt)
  target_sources(herglotz_integrate PRIVATE $<TARGET_OBJECTS:herglotz_integrate_${name}>)
endfunction()

foreach(stages RANGE 1 6)
  herglotz_integrate_again(contact_stages_${stages} contact/stages.per_stages.cpp DEFINITIONS HERGLOTZ_STAGES=${stages})
endforeach()

# Code for lanes is compiled for the registers it is called on, and with the arithmetic of everything else.
set(lane_flags_4 -fno-math-errno -fno-trapping-math)
set(lane_flags_8 ${lane_flags_4})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND lane_flags_4 -mavx2)
  list(APPEND lane_flags_8 -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512)
endif()
foreach(width 4 8)
  foreach(family contact energy groupoid radau variational)
    herglotz_integrate_again(${family}_lanes_${width} ${family}/lanes.per_width.cpp
      DEFINITIONS HERGLOTZ_WIDTH=${width} FLAGS ${lane_flags_${width}})
  endforeach()
  herglotz_integrate_again(adaptive_lanes_${width} runge_kutta/lanes_adaptive.per_width.cpp
    DEFINITIONS HERGLOTZ_WIDTH=${width} FLAGS ${lane_flags_${width}})
endforeach()
