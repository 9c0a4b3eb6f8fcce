find_package(Boost 1.74 REQUIRED)
find_package(TBB 2021 REQUIRED)
target_link_libraries(herglotz_ensemble PRIVATE fmt::fmt TBB::tbb)
# Boost's headers only: tables of Sobol's sequence.
target_include_directories(herglotz_ensemble SYSTEM PRIVATE ${Boost_INCLUDE_DIRS})
