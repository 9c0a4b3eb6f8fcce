find_package(nlohmann_json 3.11 REQUIRED)
add_dependencies(test_app herglotz)
target_compile_definitions(test_app PRIVATE HERGLOTZ_PROGRAM="$<TARGET_FILE:herglotz>")
target_link_libraries(test_app PRIVATE herglotz_simulate herglotz_io fmt::fmt nlohmann_json::nlohmann_json)
