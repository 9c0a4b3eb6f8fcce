#pragma once
/// A WebAssembly object file as a module that a browser runs.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace herglotz::compile {

/// A module with the size in bytes of its tables, which lie at the start of the memory.
struct LaidOut {
  std::string bytes;
  std::size_t data = 0;
};

/// Returns the object as a module that exports the functions of these names. The compiler writes the numbers of the
/// object's own functions, globals and data where relocations are, so that an object that stands alone needs no linker:
/// its sections are kept, the export section is added, and what only a linker reads is left out. Throws CompileError if
/// a function is missing.
LaidOut laid_out(std::string_view object, std::span<const std::string> exports);

}  // namespace herglotz::compile
