find_package(TBB 2021 REQUIRED)
target_link_libraries(herglotz_ensemble PRIVATE fmt::fmt TBB::tbb)
