# Objects are kept by modules of LLVM.
find_package(LLVM 19.1 REQUIRED CONFIG)
target_include_directories(test_compile SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
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
# A driver of NVIDIA whose card is this processor, for tests of the code that calls one.
add_library(paper_card SHARED ${PROJECT_SOURCE_DIR}/tests/card/driver.cpp)
set_target_properties(paper_card PROPERTIES OUTPUT_NAME cuda SOVERSION 1 CXX_EXTENSIONS OFF
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/paper_card)
target_link_libraries(paper_card PRIVATE ptx_machine herglotz_options)
add_dependencies(test_compile paper_card)
target_compile_definitions(test_compile PRIVATE HERGLOTZ_PAPER_CARD="${PROJECT_BINARY_DIR}/paper_card")
