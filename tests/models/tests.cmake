target_link_libraries(test_models PRIVATE herglotz_io herglotz_compile ${CMAKE_DL_LIBS})
