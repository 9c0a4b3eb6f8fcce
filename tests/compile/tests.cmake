# The elementary functions are compared with MPFR's.
find_library(HERGLOTZ_MPFR_LIBRARY mpfr REQUIRED)
target_link_libraries(test_compile PRIVATE ${HERGLOTZ_MPFR_LIBRARY})
# Code for cards is run by a machine of its own.
add_library(ptx_machine STATIC ${PROJECT_SOURCE_DIR}/tests/card/ptx_machine.cpp
  ${PROJECT_SOURCE_DIR}/tests/card/ptx_instructions.cpp)
set_target_properties(ptx_machine PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
target_include_directories(ptx_machine PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(ptx_machine PRIVATE herglotz_options)
target_link_libraries(test_compile PRIVATE ptx_machine)
