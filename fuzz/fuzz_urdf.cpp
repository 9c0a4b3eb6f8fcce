// Robots in URDF from arbitrary bytes: each becomes a text that is read as a model, or is refused with one line.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "herglotz/io/model_file.hpp"
#include "herglotz/io/urdf.hpp"

namespace {

using namespace herglotz;

void must_be_one_line(const char* refusal) {
  if (std::strchr(refusal, '\n') != nullptr) std::abort();
}

/// Returns the text of the model of a robot, or nothing if the robot is refused.
std::string model_of(std::string_view xml, bool floating) {
  try {
    return io::model_of_urdf(xml, "fuzz.urdf", {.floating = floating});
  } catch (const io::InputError& error) {
    must_be_one_line(error.what());
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text =
      model_of(std::string_view(reinterpret_cast<const char*>(data + 1), size - 1), data[0] % 2 != 0);
  if (text.empty()) return 0;
  try {
    (void)io::parse_model(text, "fuzz.toml");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n%s\n", error.what(), text.c_str());
    std::abort();
  }
  return 0;
}
