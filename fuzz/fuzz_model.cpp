// Model files from arbitrary bytes: each is read, or refused with an InputError of one line.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "herglotz/io/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    herglotz::io::parse_model(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml");
  } catch (const herglotz::io::InputError& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  return 0;
}
