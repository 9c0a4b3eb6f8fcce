find_package(Eigen3 3.4 REQUIRED)
target_link_libraries(herglotz_solve PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> fmt::fmt)
target_compile_definitions(herglotz_solve PRIVATE HERGLOTZ_VERSION="${PROJECT_VERSION}")
