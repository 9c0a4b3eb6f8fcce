# The pages of report and studio are bundled from web/ into the build tree and compiled in; users of the library need no node. A source release carries the
# bundled page (scripts/source_release), and whoever builds such a release without tests needs no node either.
find_package(nlohmann_json 3.11 REQUIRED)
target_link_libraries(herglotz_report PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)

if(EXISTS ${PROJECT_SOURCE_DIR}/bundled/report-page.cpp AND NOT HERGLOTZ_BUILD_TESTS)
  target_sources(herglotz_report PRIVATE ${PROJECT_SOURCE_DIR}/bundled/report-page.cpp
    ${PROJECT_SOURCE_DIR}/bundled/studio-page.cpp)
  return()
endif()

find_program(HERGLOTZ_NODE node)
find_program(HERGLOTZ_NPM npm)
if(NOT HERGLOTZ_NODE OR NOT HERGLOTZ_NPM)
  message(FATAL_ERROR "The HTML report is bundled with node (20 or later) and npm at build time, and they were not found. "
                      "Install them (Debian: apt install nodejs npm), or set HERGLOTZ_NODE and HERGLOTZ_NPM to their paths.")
endif()

set(web ${PROJECT_SOURCE_DIR}/src/report/web)
set(HERGLOTZ_REPORT_WEB ${PROJECT_BINARY_DIR}/report-web CACHE INTERNAL "Where the page is bundled and its tests run")
file(GLOB_RECURSE web_inputs CONFIGURE_DEPENDS ${web}/src/* ${web}/test/*)
list(APPEND web_inputs ${web}/build.mjs ${web}/tsconfig.json)
set(npm_flags --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error)
if(NOT HERGLOTZ_BUILD_TESTS)
  list(APPEND npm_flags --omit=dev)
endif()

file(MAKE_DIRECTORY ${HERGLOTZ_REPORT_WEB})
add_custom_command(
  OUTPUT ${HERGLOTZ_REPORT_WEB}/installed.stamp
  COMMAND ${CMAKE_COMMAND} -E copy ${web}/package.json ${web}/package-lock.json ${HERGLOTZ_REPORT_WEB}
  COMMAND ${HERGLOTZ_NPM} ci ${npm_flags}
  COMMAND ${CMAKE_COMMAND} -E touch installed.stamp
  DEPENDS ${web}/package.json ${web}/package-lock.json
  WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB}
  COMMENT "Installing the report's pinned web libraries"
  VERBATIM)

add_custom_command(
  OUTPUT ${HERGLOTZ_REPORT_WEB}/page.cpp ${HERGLOTZ_REPORT_WEB}/studio.cpp
  COMMAND ${CMAKE_COMMAND} -E copy ${web}/build.mjs ${web}/tsconfig.json ${HERGLOTZ_REPORT_WEB}
  COMMAND ${CMAKE_COMMAND} -E rm -rf src test
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${web}/src ${HERGLOTZ_REPORT_WEB}/src
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${web}/test ${HERGLOTZ_REPORT_WEB}/test
  COMMAND ${HERGLOTZ_NODE} build.mjs --cpp page.cpp --studio studio.cpp
  DEPENDS ${HERGLOTZ_REPORT_WEB}/installed.stamp ${web_inputs}
  WORKING_DIRECTORY ${HERGLOTZ_REPORT_WEB}
  COMMENT "Bundling the pages of report and studio"
  VERBATIM)
target_sources(herglotz_report PRIVATE ${HERGLOTZ_REPORT_WEB}/page.cpp ${HERGLOTZ_REPORT_WEB}/studio.cpp)
