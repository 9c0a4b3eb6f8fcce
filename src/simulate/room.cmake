find_package(Eigen3 3.4 REQUIRED)
find_package(Threads REQUIRED)
target_link_libraries(herglotz_simulate PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> fmt::fmt Threads::Threads)
target_compile_definitions(herglotz_simulate PRIVATE HERGLOTZ_VERSION="${PROJECT_VERSION}")

foreach(width 4 8)
  herglotz_again(simulate lane_laws_${width} record/lane_laws.per_width.cpp
    DEFINITIONS HERGLOTZ_WIDTH=${width} FLAGS ${HERGLOTZ_LANE_FLAGS_${width}})
endforeach()
