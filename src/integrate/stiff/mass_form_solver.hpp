#pragma once
/// Linear systems of CVODE's Newton iteration in mass form.

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <span>
#include <vector>

#include "motion/iteration_form.hpp"
#include "motion/iteration_matrix.hpp"
#include "motion/rates.hpp"
#include "stiff/sundials.hpp"

namespace herglotz::integrate {

/// Solver of (1 - gamma f_y) x = r for y = (u, log lambda, g_1, ..), which SUNDIALS calls. The system of the state u is
/// solved in mass form. The factor and the budgets follow from u row by row:
///   x_lambda = r_lambda - gamma L_zu x_u,   (1 - gamma L_z) x_k = r_k + gamma (L_zu g_k + source_ku) x_u.
/// Their kernel has no compiled derivative, and these derivatives along x_u are forward differences.
class MassFormSolver {
 public:
  /// The dynamics must have `balance`.
  MassFormSolver(const IterationForm& form, const Dynamics& dynamics, std::span<const double> parameters,
                 SUNContext context);
  MassFormSolver(const MassFormSolver&) = delete;
  MassFormSolver& operator=(const MassFormSolver&) = delete;
  ~MassFormSolver() = default;

  /// Returns the solver for CVodeSetLinearSolver.
  [[nodiscard]] SUNLinearSolver solver() const { return sun_solver_.get(); }
  /// Returns a matrix without entries for CVodeSetLinearSolver.
  [[nodiscard]] SUNMatrix matrix() const { return sun_matrix_.get(); }

  /// Takes the derivatives at (t, y) for the systems that follow. Returns false if the rates are not determined there.
  bool linearise(double t, const double* y);
  /// Takes gamma for the systems that follow.
  void set_gamma(double gamma) { gamma_ = gamma; }

 private:
  using Matrix = sundials::Owned<SUNMatrix, SUNMatFreeEmpty>;
  using LinearSolver = sundials::Owned<SUNLinearSolver, SUNLinSolFreeEmpty>;

  bool factorise() { return matrix_.factorise(values_.data(), {1 / gamma_}); }
  bool solve(const double* r, double* x);
  /// Computes what L_z and the sources change by along the solution of the last system.
  void differentiate_laws(const double* x);

  IterationForm form_;
  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  Rates rates_;
  IterationMatrix<double, 1> matrix_;
  double gamma_ = 1;
  std::vector<double> values_;   // of the form
  std::vector<double> v_;        // (x, w, z, t, l) where the rates were linearised
  std::vector<double> budgets_;  // g_k there
  std::vector<double> here_;     // the outputs of the balance kernel there
  std::vector<double> moved_;
  std::vector<double> there_;
  std::vector<double> right_;
  std::vector<double> slopes_;  // of L_z, then of the sources, along x
  std::vector<double> work_;
  Matrix sun_matrix_;  // has no entries: CVODE only passes it on
  LinearSolver sun_solver_;
};

}  // namespace herglotz::integrate
