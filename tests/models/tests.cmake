target_link_libraries(test_models PRIVATE herglotz_io herglotz_compile ${CMAKE_DL_LIBS})
find_package(nlohmann_json 3.11 REQUIRED)
target_link_libraries(test_models PRIVATE nlohmann_json::nlohmann_json)
