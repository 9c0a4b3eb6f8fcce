#pragma once
/// The folders of the project and of its build tree, for tests that read models, references or docs.

#include <string>

namespace herglotz {

/// Defined in a source that CMake writes, so that the objects of the tests do not depend on where the clone lies.
std::string source_folder();
std::string build_folder();

}  // namespace herglotz
