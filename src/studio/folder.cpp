#include "folder.hpp"

#include <cstdlib>
#include <cstring>
#include <string>

#include "herglotz/error.hpp"

namespace herglotz::studio {

Folder::Folder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "herglotz-studio-XXXXXX").string();
  if (error || ::mkdtemp(name.data()) == nullptr)
    throw Failed("no temporary folder could be made for the sweep", "set TMPDIR to a folder that can be written");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace herglotz::studio
