#include <fmt/format.h>

#include <stdexcept>

#include "drive/method.hpp"
#include "groupoid/stepper.hpp"

namespace herglotz::integrate {
namespace {

template <RetractionKind Kind, int Order>
Outcome run_groupoid(const Run& run) {
  if (run.dynamics.differential() && run.dynamics.m > 0)
    throw std::invalid_argument("methods on groupoids take constraints whose multipliers follow from the state only");
  GroupoidStepper stepper(run, Kind, composition_fractions(Order));
  return follow_fixed(run, stepper);
}

std::string order_in_words(int order) {
  return order == 2 ? "order 2" : "a symmetric composition of order 4";
}

template <RetractionKind Kind, int Order>
Method lie_hph() {
  const bool exponential = Kind == RetractionKind::exponential;
  return {{.name = fmt::format("lie-hph-{}{}", exponential ? "" : "cayley-", Order),
           .order = Order,
           .adaptive = false,
           .algebroids = {"any that integrates to an action groupoid"},
           .constraints = {},
           .preserves = {"coadjoint orbits of lambda p on Lie algebras without forces, so all Casimirs",
                         "conformal contact structure of the action groupoid without forces",
                         "dissipated momenta of symmetries that act by the group",
                         "orbits of the group in the base to round-off"},
           .summary = fmt::format("discrete Hamilton-Pontryagin-Herglotz principle, {} map, fixed step, {}",
                                  exponential ? "exponential" : "Cayley", order_in_words(Order)),
           .needs = Ingredient::groupoid},
          run_groupoid<Kind, Order>};
}

template <int Order>
Method rattle() {
  return {{.name = fmt::format("contact-rattle-{}", Order),
           .order = Order,
           .adaptive = false,
           .algebroids = {"any that integrates to an action groupoid"},
           .constraints = {"holonomic"},
           .preserves = {"constraints and their velocities to round-off",
                         "conformal contact structure of the constrained phase space without forces, for constraints "
                         "that do not depend on the action",
                         "dissipated momenta of symmetries that act by the group"},
           .summary = fmt::format("RATTLE for contact systems, fixed step, {}", order_in_words(Order)),
           .needs = Ingredient::groupoid},
          run_groupoid<RetractionKind::exponential, Order>};
}

template <int Order>
Method dla() {
  return {
      {.name = fmt::format("contact-dla-{}", Order),
       .order = Order,
       .adaptive = false,
       .algebroids = {"any that integrates to an action groupoid"},
       .constraints = {"nonholonomic", "holonomic"},
       .preserves = {"constraints to round-off", "time reversal",
                     "dissipated momenta of horizontal symmetries that act by the group"},
       .summary = fmt::format("discrete Lagrange-d'Alembert-Herglotz principle, fixed step, {}", order_in_words(Order)),
       .needs = Ingredient::groupoid},
      run_groupoid<RetractionKind::exponential, Order>};
}

}  // namespace

Method lie_hph_2_method() {
  return lie_hph<RetractionKind::exponential, 2>();
}
Method lie_hph_4_method() {
  return lie_hph<RetractionKind::exponential, 4>();
}
Method lie_hph_cayley_2_method() {
  return lie_hph<RetractionKind::cayley, 2>();
}
Method lie_hph_cayley_4_method() {
  return lie_hph<RetractionKind::cayley, 4>();
}
Method contact_rattle_2_method() {
  return rattle<2>();
}
Method contact_rattle_4_method() {
  return rattle<4>();
}
Method contact_dla_2_method() {
  return dla<2>();
}
Method contact_dla_4_method() {
  return dla<4>();
}

}  // namespace herglotz::integrate
