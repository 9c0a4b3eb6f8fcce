find_package(LLVM 19.1 REQUIRED CONFIG)
find_library(HERGLOTZ_SLEEF_LIBRARY sleef REQUIRED)
if("NVPTX" IN_LIST LLVM_TARGETS_TO_BUILD)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/compile/device/ptx.cpp PROPERTIES
    COMPILE_DEFINITIONS HERGLOTZ_LLVM_WRITES_PTX)
  set(herglotz_ptx nvptxcodegen nvptxdesc nvptxinfo)
endif()
if("AMDGPU" IN_LIST LLVM_TARGETS_TO_BUILD)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/compile/device/amdgpu.cpp PROPERTIES
    COMPILE_DEFINITIONS HERGLOTZ_LLVM_WRITES_AMDGPU)
  set(herglotz_amdgpu amdgpucodegen amdgpudesc amdgpuinfo)
endif()
if("WebAssembly" IN_LIST LLVM_TARGETS_TO_BUILD)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/compile/web/compile_web.cpp PROPERTIES
    COMPILE_DEFINITIONS HERGLOTZ_LLVM_WRITES_WEBASSEMBLY)
  set(herglotz_web webassemblycodegen webassemblydesc webassemblyinfo)
endif()
if(HERGLOTZ_STATIC_LLVM)
  llvm_map_components_to_libnames(herglotz_llvm orcjit native scalaropts instcombine transformutils ${herglotz_ptx}
    ${herglotz_amdgpu} ${herglotz_web})
else()
  # The shared libLLVM costs 12 ms of process start and links in a second.
  set(herglotz_llvm LLVM)
endif()
target_include_directories(herglotz_compile SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
foreach(library IN LISTS herglotz_llvm)
  target_link_libraries(herglotz_compile PRIVATE $<BUILD_INTERFACE:${library}>
    $<INSTALL_INTERFACE:$<LINK_ONLY:${library}>>)
endforeach()
target_link_libraries(herglotz_compile PRIVATE ${HERGLOTZ_SLEEF_LIBRARY} fmt::fmt ${CMAKE_DL_LIBS})
