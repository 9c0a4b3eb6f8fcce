#include <fmt/format.h>

#include <stdexcept>

#include "drive/method.hpp"
#include "groupoid/stepper.hpp"
#include "herglotz/integrate/preserves.hpp"

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
           .preserves = texts_of({Preserves::coadjoint_orbits, Preserves::groupoid_contact_structure,
                                  Preserves::group_momenta, Preserves::group_orbits}),
           .summary = fmt::format(
               "Hamilton-Pontryagin-Herglotz (hph) principle on Lie groups, discrete, {} map, fixed step, {}",
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
           .preserves = texts_of({Preserves::constraints_and_velocities, Preserves::constrained_contact_structure,
                                  Preserves::group_momenta}),
           .summary = fmt::format("RATTLE for contact systems, fixed step, {}", order_in_words(Order)),
           .needs = Ingredient::groupoid},
          run_groupoid<RetractionKind::exponential, Order>};
}

template <int Order>
Method dla() {
  return {{.name = fmt::format("contact-dla-{}", Order),
           .order = Order,
           .adaptive = false,
           .algebroids = {"any that integrates to an action groupoid"},
           .constraints = {"nonholonomic", "holonomic"},
           .preserves = texts_of({Preserves::constraints, Preserves::time_reversal, Preserves::horizontal_momenta}),
           .summary =
               fmt::format("discrete Lagrange-d'Alembert (dla) principle with the action of Herglotz, fixed step, {}",
                           order_in_words(Order)),
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
