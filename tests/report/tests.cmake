find_package(nlohmann_json 3.11 REQUIRED)
target_link_libraries(test_report PRIVATE nlohmann_json::nlohmann_json)

# The page's own tests run where it was bundled; the browser opens what the C++ tests wrote.
add_test(NAME report.web.data COMMAND ${HERGLOTZ_NPM} test --silent WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB})
set_tests_properties(report.web.data PROPERTIES LABELS report)
set(samples ${PROJECT_BINARY_DIR}/report-samples)
add_test(NAME report.samples COMMAND test_report --gtest_filter=SampleReports.*)
set_tests_properties(report.samples PROPERTIES LABELS report FIXTURES_SETUP report_samples)
# Two pages are tested whole, one of them with curves of many points; of the others what they have and these two have not.
foreach(sample IN ITEMS damped-oscillator long precessing-body stopped-early knife-edge sites grid-sites)
  set(part --content)
  if(sample MATCHES "^(damped-oscillator|long)$")
    set(part)
  endif()
  add_test(NAME report.browser.${sample} COMMAND ${HERGLOTZ_NPM} run --silent test:browser -- ${samples}/${sample}.html ${part}
           WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB})
  set_tests_properties(report.browser.${sample} PROPERTIES LABELS report FIXTURES_REQUIRED report_samples TIMEOUT 600
                       SKIP_RETURN_CODE 77)
endforeach()
foreach(sample IN ITEMS sweep-grid sweep-line sweep-fans sweep-constant sweep-failed sweep-samples sweep-statistics)
  add_test(NAME report.browser.${sample} COMMAND ${HERGLOTZ_NODE} test/sweepbrowser.test.mjs ${samples}/${sample}.html
           WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB})
  set_tests_properties(report.browser.${sample} PROPERTIES LABELS report FIXTURES_REQUIRED report_samples TIMEOUT 600
                       SKIP_RETURN_CODE 77)
endforeach()

# Tests alter files in the way that other programs do.
find_package(HDF5 REQUIRED COMPONENTS C)
target_include_directories(test_report SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
target_link_libraries(test_report PRIVATE ${HDF5_C_LIBRARIES})

add_test(NAME report.browser.comparison COMMAND ${HERGLOTZ_NODE} test/comparisonbrowser.test.mjs ${samples}/comparison.html
         WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB})
set_tests_properties(report.browser.comparison PROPERTIES LABELS report FIXTURES_REQUIRED report_samples TIMEOUT 600
                     SKIP_RETURN_CODE 77)
