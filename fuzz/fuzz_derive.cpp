// Model files from arbitrary bytes, derived and printed in every format: each is printed, or refused with one line, and
// what is printed can neither leave its place nor is left open.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace {

using namespace herglotz;
using symbolic::Format;

/// Braces of TeX that are not characters of the text are balanced.
bool is_balanced(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size() && depth >= 0; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '{' || text[i] == '}') {
      depth += text[i] == '{' ? 1 : -1;
    }
  }
  return depth == 0;
}

/// Line ends are the only control characters of a printed text.
bool is_printable(std::string_view text) {
  for (const char c : text)
    if (c != '\n' && static_cast<unsigned char>(c) < 0x20) return false;
  return true;
}

void print_all(const mechanics::Presentation& presentation, bool with_program) {
  for (const Format format : {Format::text, Format::latex, Format::sympy, Format::c}) {
    if (format == Format::c && !with_program) continue;
    const std::string text = mechanics::render(presentation, format);
    if (text.empty() || !is_printable(text)) std::abort();
    if (format == Format::latex && !is_balanced(text)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto problem = io::parse_model(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml");
    const auto& system = problem.system;
    print_all(mechanics::equations_of_motion(system, mechanics::derive(system)), true);
    if (problem.discrete) print_all(discrete::discrete_equations(system, *problem.discrete), false);
  } catch (const std::invalid_argument& refusal) {
    if (std::strchr(refusal.what(), '\n') != nullptr) std::abort();
  } catch (const io::InputError& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  return 0;
}
