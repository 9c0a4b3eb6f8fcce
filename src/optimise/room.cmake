find_package(Eigen3 3.4 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(IPOPT REQUIRED IMPORTED_TARGET ipopt)
target_link_libraries(herglotz_optimise PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> $<BUILD_INTERFACE:PkgConfig::IPOPT>
  $<INSTALL_INTERFACE:$<LINK_ONLY:ipopt>> fmt::fmt ${CMAKE_DL_LIBS})
