#pragma once
/// Derivatives of the steps of implicit Runge-Kutta methods along directions of states and parameters, and their
/// adjoints.

#include <cstddef>
#include <memory>
#include <vector>

#include "herglotz/kernel/kernel.hpp"
#include "herglotz/sensitivity/adjoint_steps.hpp"
#include "herglotz/sensitivity/tangent_steps.hpp"

namespace herglotz::sensitivity {

/// Functions m(u, t) and g(u, t) of d m/dt = g, with their derivatives.
struct ImplicitForm {
  /// The variables are (u, t), the parameters theta, and the outputs (m, g), then the derivatives of (m, g) by (u,
  /// theta, t) at the places (row, col).
  kernel::Kernel kernel;
  std::vector<std::size_t> row;
  std::vector<std::size_t> col;
  std::size_t states = 0;             ///< entries of u that are the state
  std::vector<double> start;          ///< values of the other entries at the start of a step
  std::vector<bool> of_second_table;  ///< entries of m to which A_hat applies in place of A
};

/// Coefficients of a partitioned Runge-Kutta method.
struct ImplicitTableau {
  std::vector<double> c;
  std::vector<double> b;
  std::vector<std::vector<double>> A;
  std::vector<std::vector<double>> A_hat;
  bool dense = false;  ///< states inside steps are those of the polynomial through the start and the stages
};

/// Returns the tableau of collocation at the nodes of Gauss or Lobatto, with A_hat_ij = b_j (1 - A_ji/b_i)
/// [HLW06, Sec. VI.4].
ImplicitTableau gauss_tableau(int stages);
ImplicitTableau lobatto_tableau(int stages);
/// Returns that of Radau IIA with three stages: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, Sec.
/// IV.5.
ImplicitTableau radau_tableau();

/// Returns steps whose stages U_i and end u1 solve
///   m(U_i) = m(u0) + h sum_j a_ij g(U_j),   m(u1) = m(u0) + h sum_j b_j g(U_j),
/// by Newton's method to round-off. Their derivatives solve the same equations, linearised there (the theorem on
/// implicit functions). They follow `directions` directions at once.
std::unique_ptr<TangentSteps> implicit_tangent(ImplicitForm form, ImplicitTableau tableau, std::size_t directions);

/// Returns the adjoints of the same steps. Let lambda be the cotangent of u1, nu = m_u(u1)^-T lambda, and sigma_i the
/// solution of the transposed equations of the stages,
///   m_u(U_j)^T sigma_j - g_u(U_j)^T h sum_i a_ij sigma_i = h b_j g_u(U_j)^T nu.
/// The cotangents are then nu + sum_i sigma_i of m(u0), -sigma_j of m(U_j), and h (b_j nu + sum_i a_ij sigma_i) of
/// g(U_j). The steps keep their stages, their ends and both factored matrices.
std::unique_ptr<AdjointSteps> implicit_adjoint(ImplicitForm form, ImplicitTableau tableau);

}  // namespace herglotz::sensitivity
