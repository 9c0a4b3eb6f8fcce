find_package(Eigen3 3.4 REQUIRED)
target_link_libraries(herglotz_linear PUBLIC $<BUILD_INTERFACE:Eigen3::Eigen>)
