find_package(Eigen3 3.4 REQUIRED)
find_package(SUNDIALS 6.4 REQUIRED COMPONENTS cvode nvecserial sunmatrixdense sunlinsoldense)
target_link_libraries(herglotz_integrate PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> fmt::fmt
  SUNDIALS::cvode_shared SUNDIALS::nvecserial_shared SUNDIALS::sunmatrixdense_shared
  SUNDIALS::sunlinsoldense_shared)
# Code for lanes is compiled for the registers it is called on, and with the arithmetic of everything else.
set(lane_flags -fno-math-errno -fno-trapping-math)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(src/integrate/runge_kutta/lanes_adaptive_8.cpp src/integrate/contact/lanes_8.cpp src/integrate/energy/lanes_8.cpp
    src/integrate/groupoid/lanes_8.cpp src/integrate/variational/lanes_8.cpp PROPERTIES COMPILE_OPTIONS
    "${lane_flags};-mavx512f;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")
  set_source_files_properties(src/integrate/runge_kutta/lanes_adaptive_4.cpp src/integrate/contact/lanes_4.cpp src/integrate/energy/lanes_4.cpp
    src/integrate/groupoid/lanes_4.cpp src/integrate/variational/lanes_4.cpp PROPERTIES COMPILE_OPTIONS
    "${lane_flags};-mavx2")
endif()
