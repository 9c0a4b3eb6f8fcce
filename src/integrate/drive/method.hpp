#pragma once
/// A method: its description, and the function that carries out one run.

#include <string>
#include <vector>

#include "motion/run.hpp"

namespace herglotz::integrate {

struct Method {
  MethodInfo info;
  Outcome (*run)(const Run& run);
};

/// What a method declares that honours every rule.
std::vector<std::string> every_constraint();

Method reference_method();
Method taylor_method();
Method runge_kutta_4_method();
Method runge_kutta_8_method();
Method stiff_method();
Method contact_gauss_2_method();
Method contact_gauss_4_method();
Method contact_gauss_6_method();
Method contact_gauss_8_method();
Method contact_gauss_10_method();
Method contact_gauss_12_method();
Method contact_lobatto_2_method();
Method contact_lobatto_4_method();
Method contact_lobatto_6_method();
Method contact_lobatto_8_method();
Method contact_galerkin_2_method();
Method contact_galerkin_4_method();
Method contact_galerkin_6_method();
Method contact_galerkin_8_method();
Method contact_splitting_2_method();
Method contact_splitting_4_method();
Method contact_splitting_6_method();
Method contact_splitting_8_method();
Method contact_energy_2_method();
Method contact_energy_4_method();
Method lie_hph_2_method();
Method lie_hph_4_method();
Method lie_hph_cayley_2_method();
Method lie_hph_cayley_4_method();
Method contact_rattle_2_method();
Method contact_rattle_4_method();
Method contact_dla_2_method();
Method contact_dla_4_method();
Method discrete_herglotz_method();
Method discrete_galerkin_method();

}  // namespace herglotz::integrate
