find_package(Eigen3 3.4 REQUIRED)
find_package(SUNDIALS 6.4 REQUIRED COMPONENTS arkode cvode nvecserial sunmatrixdense sunlinsoldense)
target_link_libraries(herglotz_integrate PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> fmt::fmt
  SUNDIALS::arkode_shared SUNDIALS::cvode_shared SUNDIALS::nvecserial_shared SUNDIALS::sunmatrixdense_shared
  SUNDIALS::sunlinsoldense_shared)
