find_package(nlohmann_json 3.11 REQUIRED)
add_dependencies(test_app herglotz)
target_compile_definitions(test_app PRIVATE HERGLOTZ_PROGRAM="$<TARGET_FILE:herglotz>")
find_package(HDF5 REQUIRED COMPONENTS C)
target_include_directories(test_app SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
target_link_libraries(test_app PRIVATE herglotz_simulate herglotz_io fmt::fmt nlohmann_json::nlohmann_json ${HDF5_C_LIBRARIES})

find_program(HERGLOTZ_GROFF groff)
if(HERGLOTZ_GROFF)
  add_test(NAME manual.lint WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    COMMAND sh -c "test -s herglotz.1 && test -z \"$(${HERGLOTZ_GROFF} -man -ww -z -Tutf8 herglotz.1 2>&1)\"")
endif()

# The driver of tests/compile takes the place of that of NVIDIA.
add_dependencies(test_app paper_card)
target_compile_definitions(test_app PRIVATE HERGLOTZ_PAPER_CARD="${PROJECT_BINARY_DIR}/paper_card")
# Reports that follow their motion themselves: the numbers without a browser, the page in one.
if(HERGLOTZ_NODE)
  add_test(NAME live.bits COMMAND ${HERGLOTZ_NODE} --import tsx test/livebits.ts $<TARGET_FILE:herglotz> WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB})
  add_test(NAME live.page COMMAND ${HERGLOTZ_NODE} test/livepage.test.mjs $<TARGET_FILE:herglotz> WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB})
  add_test(NAME notebook.frames COMMAND ${HERGLOTZ_NODE} test/notebookframes.test.mjs $<TARGET_FILE:herglotz>
           ${PROJECT_SOURCE_DIR}/python/herglotz/notebook WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB})
  set_tests_properties(live.bits live.page notebook.frames PROPERTIES LABELS report TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
