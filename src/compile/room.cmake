find_package(LLVM 19.1 REQUIRED CONFIG)
find_library(HERGLOTZ_SLEEF_LIBRARY sleef REQUIRED)
# The shared libLLVM costs 12 ms of process start and links in a second.
target_include_directories(herglotz_compile SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
target_link_libraries(herglotz_compile PRIVATE $<BUILD_INTERFACE:LLVM> $<INSTALL_INTERFACE:$<LINK_ONLY:LLVM>>
  ${HERGLOTZ_SLEEF_LIBRARY} fmt::fmt)
