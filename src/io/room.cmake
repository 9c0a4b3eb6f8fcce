find_package(PkgConfig REQUIRED)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
find_package(HDF5 REQUIRED COMPONENTS C HL)
target_link_libraries(herglotz_io PRIVATE fmt::fmt)
# Headers only: the TOML reader is compiled into one source of this room.
target_include_directories(herglotz_io SYSTEM PRIVATE ${tomlplusplus_INCLUDE_DIRS} ${HDF5_INCLUDE_DIRS})
target_link_libraries(herglotz_io PRIVATE ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
