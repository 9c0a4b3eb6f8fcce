find_package(Eigen3 3.4 REQUIRED)
find_package(SUNDIALS 6.4 REQUIRED COMPONENTS cvode nvecserial sunmatrixdense sunlinsoldense)
target_link_libraries(herglotz_integrate PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> fmt::fmt
  SUNDIALS::cvode_shared SUNDIALS::nvecserial_shared SUNDIALS::sunmatrixdense_shared
  SUNDIALS::sunlinsoldense_shared)
foreach(stages RANGE 1 6)
  herglotz_again(integrate contact_stages_${stages} contact/stages.per_stages.cpp DEFINITIONS HERGLOTZ_STAGES=${stages}
    USES Eigen3::Eigen fmt::fmt)
endforeach()

foreach(width 4 8)
  foreach(family contact energy groupoid radau variational)
    herglotz_again(integrate ${family}_lanes_${width} ${family}/lanes.per_width.cpp
      DEFINITIONS HERGLOTZ_WIDTH=${width} FLAGS ${HERGLOTZ_LANE_FLAGS_${width}} USES Eigen3::Eigen fmt::fmt)
  endforeach()
  herglotz_again(integrate adaptive_lanes_${width} runge_kutta/lanes_adaptive.per_width.cpp
    DEFINITIONS HERGLOTZ_WIDTH=${width} FLAGS ${HERGLOTZ_LANE_FLAGS_${width}} USES Eigen3::Eigen fmt::fmt)
  herglotz_again(integrate lane_entries_${width} runge_kutta/lane_entries.per_width.cpp
    DEFINITIONS HERGLOTZ_WIDTH=${width} FLAGS ${HERGLOTZ_LANE_FLAGS_${width}})
endforeach()
