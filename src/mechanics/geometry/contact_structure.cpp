#include "herglotz/mechanics/contact_structure.hpp"

#include <stdexcept>

#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "shorten/shortest.hpp"

namespace herglotz::mechanics {
namespace {

using geometry::Chart;
using geometry::JacobiStructure;
using geometry::OneForm;
using geometry::VectorField;
using symbolic::Effort;

/// Returns the system without constraints and with every definition opened, so that all parts simplify together.
System opened(const System& system) {
  System free = system;
  free.constraints = {};
  free.generator = symbolic::expand_lets(system.generator);
  for (Expr& force : free.forces) force = symbolic::expand_lets(force);
  return free;
}

Chart chart_of(const System& system) {
  Chart u = system.algebroid.x;
  u.insert(u.end(), system.w().begin(), system.w().end());
  u.push_back(system.z);
  return u;
}

/// Returns d(x, y, z)/d(x, p, z) with p = dL/dy, from dy = W^-1 (dp - p_x dx - p_z dz).
Matrix inverse_legendre_slope(const System& system, const Equations& q, const Matrix& W_inverse) {
  const std::size_t n = system.n();
  const std::size_t r = system.r();
  const Chart u = chart_of(system);
  const Matrix slopes = symbolic::to_dense(system.graph(), symbolic::jacobian(q.p, u));
  Matrix J = symbolic::identity(system.graph(), u.size());
  for (std::size_t a = 0; a < r; ++a)
    for (std::size_t B = 0; B < u.size(); ++B) {
      Expr total = system.graph().number(std::int64_t{0});
      const bool fibre = B >= n && B < n + r;
      for (std::size_t b = 0; b < r; ++b) {
        if (fibre && B == n + b) total += W_inverse(a, b);
        if (!fibre) total -= W_inverse(a, b) * slopes(b, B);
      }
      J(n + a, B) = total;
    }
  return J;
}

JacobiStructure pulled_back(const System& system, const Equations& q, const Matrix& W_inverse,
                            const JacobiStructure& linear, Effort& effort) {
  const Matrix J = inverse_legendre_slope(system, q, W_inverse);
  Matrix Lambda = linear.Lambda.components;
  Lambda.entries = symbolic::substitute(Lambda.entries, system.p, q.p);
  const Chart u = chart_of(system);
  return {{u, shortest(multiply(multiply(J, Lambda), transpose(J)), effort)},
          {u, shortest(multiply(J, linear.E.components), effort)}};
}

bool all_vanish(const std::vector<Expr>& defects, Effort& effort) {
  for (const Expr& defect : defects)
    if (!is_zero(defect, effort)) return false;
  return true;
}

/// Returns true if (rho, sigma, c) is TM in the frame rho: rho = sigma and [rho e_a, rho e_b] = c^k_ab rho e_k.
bool is_frame_of_tangent_bundle(const geometry::Algebroid& e, Effort& effort) {
  std::vector<Expr> defects;
  for (std::size_t k = 0; k < e.rho.entries.size(); ++k) defects.push_back(e.rho.entries[k] - e.sigma.entries[k]);
  if (!all_vanish(defects, effort)) return false;
  std::vector<VectorField> frame;
  for (std::size_t a = 0; a < e.r(); ++a) {
    frame.push_back({e.x, {}});
    for (std::size_t i = 0; i < e.n(); ++i) frame.back().components.push_back(e.rho(i, a));
  }
  defects.clear();
  for (std::size_t a = 0; a < e.r(); ++a)
    for (std::size_t b = 0; b < e.r(); ++b) {
      VectorField defect = lie_bracket(frame[a], frame[b]);
      for (std::size_t k = 0; k < e.r(); ++k) defect = defect - e.c(k, a, b) * frame[k];
      defects.insert(defects.end(), defect.components.begin(), defect.components.end());
    }
  return all_vanish(defects, effort);
}

/// Returns dz - p_a theta^a with theta = rho^-1 dx, or `std::nullopt` if rho is not a frame of the tangent bundle.
std::optional<OneForm> contact_form(const System& system, const Equations& q, Effort& effort) {
  const auto& e = system.algebroid;
  if (e.n() != e.r() || e.n() == 0) return std::nullopt;
  const auto theta = geometry::inverse_if_regular(e.rho);
  if (!theta || !is_frame_of_tangent_bundle(e, effort)) return std::nullopt;
  OneForm eta{chart_of(system), std::vector<Expr>(2 * e.n() + 1, system.graph().number(std::int64_t{0}))};
  const auto pulled = multiply(transpose(*theta), q.p);
  for (std::size_t i = 0; i < e.n(); ++i) eta.components[i] = shortest(-pulled[i], effort);
  eta.components.back() = system.graph().number(std::int64_t{1});
  return eta;
}

/// Returns F - p_t, the forces on the momenta that do not come from the geometry.
std::vector<Expr> outside_forces(const System& system, const Equations& q) {
  const bool lagrangian = system.formulation == Formulation::lagrangian;
  std::vector<Expr> forces;
  for (std::size_t a = 0; a < system.r(); ++a)
    forces.push_back(lagrangian ? system.forces[a] - derivative(q.p[a], system.t)
                                : symbolic::substitute(system.forces[a], system.algebroid.y, q.y));
  return forces;
}

}  // namespace

PhaseGeometry phase_geometry(const System& system) {
  const System free = opened(system);
  Effort effort{most_effort};
  PhaseGeometry result;
  result.equations = derive(free);
  const Equations& q = result.equations;
  const JacobiStructure linear = geometry::linear_jacobi_structure(free.algebroid, free.p, free.z);
  const bool lagrangian = free.formulation == Formulation::lagrangian;
  result.W_inverse =
      lagrangian ? shortest(geometry::inverse(shortest(q.W, effort), "contact geometry: velocity Hessian"), effort)
                 : symbolic::identity(free.graph(), free.r());
  result.jacobi = lagrangian ? pulled_back(free, q, result.W_inverse, linear, effort) : linear;
  if (const auto eta = contact_form(free, q, effort)) result.contact.emplace(*eta, result.jacobi);
  result.energy = shortest(q.energy, effort);
  result.energy_field = result.jacobi.hamiltonian_field(result.energy);
  result.energy_field.components = shortest(result.energy_field.components, effort);
  result.free_dynamics = result.energy_field;
  const auto rates = multiply(result.W_inverse, outside_forces(free, q));
  for (std::size_t a = 0; a < free.r(); ++a) {
    Expr& rate = result.free_dynamics.components[free.n() + a];
    if (!rates[a].is_zero()) rate = shortest(rate + rates[a], effort);
  }
  return result;
}

}  // namespace herglotz::mechanics
