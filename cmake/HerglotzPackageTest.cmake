# Installs into the build tree, then builds and runs examples/ against that installation only, as a user would.
set(stage ${PROJECT_BINARY_DIR}/install)
if(TARGET herglotz)
  add_test(NAME package.install
    COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${stage})
  set_tests_properties(package.install PROPERTIES FIXTURES_SETUP installed LABELS package)
  add_test(NAME package.examples
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR}/examples ${PROJECT_BINARY_DIR}/examples
      --build-generator ${CMAKE_GENERATOR} --build-project herglotz-examples
      --build-options -DCMAKE_PREFIX_PATH=${stage} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}
      --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure)
  set_tests_properties(package.examples PROPERTIES FIXTURES_REQUIRED installed LABELS package)
endif()
