#include "summary/equations_latex.hpp"

#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::app {

std::string equations_latex(const mechanics::System& system, const mechanics::Equations& equations) {
  return mechanics::render(mechanics::equations_of_motion(system, equations), symbolic::Format::latex);
}

}  // namespace herglotz::app
