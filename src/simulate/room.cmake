find_package(Eigen3 3.4 REQUIRED)
find_package(Threads REQUIRED)
target_link_libraries(herglotz_simulate PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> fmt::fmt Threads::Threads)
target_compile_definitions(herglotz_simulate PRIVATE HERGLOTZ_VERSION="${PROJECT_VERSION}")
