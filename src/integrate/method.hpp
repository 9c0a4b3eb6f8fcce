#pragma once
/// One run, and a method that can carry it out. A new method is one file and one line in methods.cpp.

#include <span>
#include <stdexcept>
#include <string>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Everything a method is given; sizes are checked and t_end != t0.
struct Run {
  const Dynamics& dynamics;
  std::span<const double> parameters;
  double t0;
  std::span<const double> state;
  const Settings& settings;
  const Sink& sink;
  const Watch* watch = nullptr;
};

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

/// What stops a run, raised where it is noticed and turned into an Outcome where time and state are known.
struct Stop {
  Status status = Status::success;
  std::string reason;
};

/// "t = .., x = (..), w = (..), z = ..".
std::string describe(const Dynamics& dynamics, double t, std::span<const double> state);

/// Completes the outcome with "<reason> at t = .., x = ..".
void conclude(Outcome& outcome, const Dynamics& dynamics, const Stop& stop, double t, std::span<const double> state);

}  // namespace herglotz::integrate
