find_package(Boost 1.74 REQUIRED)
find_package(TBB 2021 REQUIRED)
target_link_libraries(herglotz_ensemble PRIVATE fmt::fmt TBB::tbb)
# Boost's headers only: tables of Sobol's sequence.
target_include_directories(herglotz_ensemble SYSTEM PRIVATE ${Boost_INCLUDE_DIRS})

foreach(source batch_moments draws)
  herglotz_again(ensemble ${source}_1 ${source}.per_width.cpp DEFINITIONS HERGLOTZ_WIDTH=1)
  foreach(width 4 8)
    herglotz_again(ensemble ${source}_${width} ${source}.per_width.cpp
      DEFINITIONS HERGLOTZ_WIDTH=${width} FLAGS ${HERGLOTZ_LANE_FLAGS_${width}})
  endforeach()
endforeach()
