# The elementary functions are compared with MPFR's.
find_library(HERGLOTZ_MPFR_LIBRARY mpfr REQUIRED)
target_link_libraries(test_compile PRIVATE ${HERGLOTZ_MPFR_LIBRARY})
