# The server needs Boost's headers only.
find_package(Boost 1.74 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(Threads REQUIRED)
target_include_directories(herglotz_studio SYSTEM PRIVATE ${Boost_INCLUDE_DIRS})
target_compile_definitions(herglotz_studio PRIVATE HERGLOTZ_VERSION="${PROJECT_VERSION}" BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(herglotz_studio PRIVATE fmt::fmt Threads::Threads $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
# A server waits for its network; the templates of Beast take their time in the compiler.
target_compile_options(herglotz_studio PRIVATE $<$<CONFIG:Release>:-O1>)
