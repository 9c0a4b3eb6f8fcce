target_link_libraries(test_symbolic PRIVATE ${CMAKE_DL_LIBS})
