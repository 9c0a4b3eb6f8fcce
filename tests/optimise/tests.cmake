find_package(Eigen3 3.4 REQUIRED)
target_link_libraries(test_optimise PRIVATE Eigen3::Eigen)
