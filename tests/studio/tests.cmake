find_package(nlohmann_json 3.11 REQUIRED)
target_link_libraries(test_studio PRIVATE nlohmann_json::nlohmann_json)

# The program is started, asked in ways that it must refuse, and its page is used in a browser.
set(HERGLOTZ_SOAK_SECONDS 30 CACHE STRING "Seconds for which the studio is used at random")
if(TARGET herglotz AND HERGLOTZ_NODE)
  foreach(part IN ITEMS security page)
    add_test(NAME studio.${part} COMMAND ${HERGLOTZ_NODE} test/studio${part}.test.mjs $<TARGET_FILE:herglotz>
             WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB})
    set_tests_properties(studio.${part} PROPERTIES LABELS "studio;slow" TIMEOUT 300 SKIP_RETURN_CODE 77)
  endforeach()
  add_test(NAME studio.soak COMMAND ${HERGLOTZ_NODE} test/studiosoak.test.mjs $<TARGET_FILE:herglotz> ${HERGLOTZ_SOAK_SECONDS}
           WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB})
  set_tests_properties(studio.soak PROPERTIES LABELS "studio;slow" TIMEOUT 600 COST 100 SKIP_RETURN_CODE 77)
endif()
