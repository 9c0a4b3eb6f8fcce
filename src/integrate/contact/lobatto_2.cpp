#include <array>

#include "contact/stepper.hpp"
#include "drive/method.hpp"
#include "splitting/stepper.hpp"

namespace herglotz::integrate {
namespace {

/// The explicit step where the Lagrangian allows one, else the same equations by Newton's method.
Outcome run_lobatto_2(const Run& run) {
  static constexpr std::array<double, 1> whole{1.0};
  return run.dynamics.verlet ? run_explicit(run, run.dynamics.verlet, whole) : run_contact_lobatto<2>(run);
}

}  // namespace

Method contact_lobatto_2_method() {
  MethodInfo info = contact_lobatto_info(2);
  info.summary = "2-stage Lobatto IIIA-IIIB pair, explicit where the Lagrangian is separable, fixed step, order 2";
  info.needs = Ingredient::verlet;
  return {info, run_lobatto_2};
}

}  // namespace herglotz::integrate
