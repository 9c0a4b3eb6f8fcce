find_package(Eigen3 3.4 REQUIRED)
target_link_libraries(herglotz_sensitivity PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen>)

herglotz_again(sensitivity implicit_maps_1 implicit_maps.per_width.cpp DEFINITIONS HERGLOTZ_WIDTH=1)
foreach(width 4 8)
  herglotz_again(sensitivity implicit_maps_${width} implicit_maps.per_width.cpp
    DEFINITIONS HERGLOTZ_WIDTH=${width} FLAGS ${HERGLOTZ_LANE_FLAGS_${width}})
endforeach()
