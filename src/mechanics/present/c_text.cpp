#include "present/c_text.hpp"

#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/print.hpp"

namespace herglotz::mechanics {

std::string c_text(const Presentation& presentation) {
  std::string out;
  std::size_t first = 0;
  for (const ProgramOutput& output : presentation.outputs) {
    const std::size_t last = first + output.size - 1;
    const std::string places = std::to_string(first) + (last > first ? ".." + std::to_string(last) : "");
    out += "/* out[" + places + "] = " + symbolic::spelled_out(output.what) + " */\n";
    first += output.size;
  }
  return out + symbolic::print_c_function(presentation.program);
}

}  // namespace herglotz::mechanics
