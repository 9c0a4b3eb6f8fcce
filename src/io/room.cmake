find_package(PkgConfig REQUIRED)
pkg_check_modules(tomlplusplus REQUIRED tomlplusplus)
find_package(HDF5 REQUIRED COMPONENTS C HL)
find_package(ZLIB REQUIRED)
find_package(pugixml 1.13 REQUIRED)
# TOML++ is used by its headers only, in one source of this room.
target_include_directories(herglotz_io SYSTEM PRIVATE ${tomlplusplus_INCLUDE_DIRS} ${HDF5_INCLUDE_DIRS}
  ${ZLIB_INCLUDE_DIRS})
target_link_libraries(herglotz_io PRIVATE fmt::fmt pugixml::pugixml ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES} ${ZLIB_LIBRARIES})
target_compile_definitions(herglotz_io PRIVATE HERGLOTZ_VERSION="${PROJECT_VERSION}")

# The gallery travels inside the library.
file(GLOB gallery_models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.toml ${PROJECT_SOURCE_DIR}/models/problems/*.toml
  ${PROJECT_SOURCE_DIR}/models/indexed/*.toml)
set(gallery_source ${CMAKE_CURRENT_BINARY_DIR}/gallery_texts.cpp)
add_custom_command(OUTPUT ${gallery_source}
  COMMAND ${CMAKE_COMMAND} -D MODELS=${PROJECT_SOURCE_DIR}/models -D OUTPUT=${gallery_source}
    -P ${PROJECT_SOURCE_DIR}/cmake/EmbedGallery.cmake
  DEPENDS ${gallery_models} ${PROJECT_SOURCE_DIR}/cmake/EmbedGallery.cmake
  COMMENT "Embedding the gallery of models" VERBATIM)
target_sources(herglotz_io PRIVATE ${gallery_source})
