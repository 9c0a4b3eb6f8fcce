find_package(TBB 2021 REQUIRED)
target_link_libraries(herglotz_families PRIVATE fmt::fmt TBB::tbb)
target_compile_definitions(herglotz_families PRIVATE HERGLOTZ_VERSION="${PROJECT_VERSION}")
