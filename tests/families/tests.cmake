#Models are read from text.
target_link_libraries(test_families PRIVATE herglotz_io)
