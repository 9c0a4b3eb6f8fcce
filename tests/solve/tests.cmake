find_package(Eigen3 3.4 REQUIRED)
target_link_libraries(test_solve PRIVATE herglotz_io Eigen3::Eigen)
