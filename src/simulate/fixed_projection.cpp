#include "fixed_projection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>

#include "herglotz/compile/compile.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

kernel::Kernel compiled(const mechanics::System& system, const mechanics::Equations& equations,
                        const std::vector<Expr>& outputs) {
  symbolic::Program program;
  program.name = "projection";
  program.graph = system.algebroid.graph;
  program.variables = equations.u;
  program.variables.insert(program.variables.end(), equations.l.begin(), equations.l.end());
  for (const auto& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  for (const Expr& output : outputs) program.outputs.push_back(symbolic::expand_lets(output));
  return compile::compile(program, {.backend = compile::Backend::interpreter});
}

bool is_fixed(const std::vector<std::string>& fixed, const Expr& symbol) {
  return std::find(fixed.begin(), fixed.end(), symbol.name()) != fixed.end();
}

/// Returns the shortest step d in the metric W with A d = -value and no change along the rows of `kept`. If these
/// conditions contradict each other, d satisfies them in the sense of least squares.
Eigen::VectorXd step(const Eigen::MatrixXd& W, const Eigen::MatrixXd& A, const Eigen::VectorXd& value,
                     const Eigen::MatrixXd& kept) {
  const Eigen::Index r = W.rows();
  const Eigen::Index rows = A.rows() + kept.rows();
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(r + rows, r + rows);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(r + rows);
  all.topLeftCorner(r, r) = W;
  all.block(r, 0, A.rows(), r) = A;
  all.block(r + A.rows(), 0, kept.rows(), r) = kept;
  all.topRightCorner(r, rows) = all.bottomLeftCorner(rows, r).transpose();
  right.segment(r, A.rows()) = -value;
  return linear::least_squares(all, right).head(r);
}

/// Newton iteration that moves a part of the state until its steps are as small as rounding.
class Newton {
 public:
  Newton(const mechanics::System& system, const Start& start, std::span<const double> parameters)
      : system_(system), parameters_(parameters), at_(start) {}

  /// Iterates; `step_of` computes from the outputs of `kernel` a step of the entries from `first` on.
  template <class StepOf>
  void run(const kernel::Kernel& kernel, std::size_t first, StepOf step_of) {
    constexpr int most_steps = 50;
    constexpr double at_rounding = 1e-15;
    for (int k = 0; k < most_steps; ++k) {
      const auto values = values_at(kernel, system_, at_, parameters_);
      const Eigen::VectorXd move = step_of(values);
      if (!move.allFinite()) return;
      double size = 1e-300;
      for (Eigen::Index i = 0; i < move.size(); ++i) {
        double& entry = at_.state[first + static_cast<std::size_t>(i)];
        size = std::max(size, std::abs(entry));
        entry += move(i);
      }
      if (move.size() == 0 || move.cwiseAbs().maxCoeff() <= at_rounding * size) return;
    }
  }

  [[nodiscard]] const std::vector<double>& state() const { return at_.state; }

 private:
  const mechanics::System& system_;
  std::span<const double> parameters_;
  Start at_;
};

/// Returns the state that is reached without a change of the coordinates named in `fixed`: first positions x + rho eta
/// with phi = 0, then velocities with Phi = 0, both by Newton steps that are the shortest ones in the metric W = dp/dw.
std::vector<double> moved_beside(const mechanics::System& system, const mechanics::Equations& equations,
                                 const FixedProjectionKernels& kernels, const std::vector<std::string>& fixed,
                                 const Start& start, std::span<const double> parameters) {
  const auto n = static_cast<Eigen::Index>(system.n());
  const auto r = static_cast<Eigen::Index>(system.r());
  const auto& x = system.algebroid.x;
  const auto w = system.w();
  Newton newton(system, start, parameters);
  if (!equations.phi.empty()) {
    const auto m = static_cast<Eigen::Index>(equations.phi.size());
    newton.run(kernels.positions, 0, [&](const std::vector<double>& values) {
      const double* at = values.data();
      const Eigen::MatrixXd W = Eigen::Map<const RowMajor>(at, r, r);
      const Eigen::VectorXd phi = Eigen::Map<const Eigen::VectorXd>(at + r * r, m);
      const Eigen::MatrixXd slopes = Eigen::Map<const RowMajor>(at + r * r + m, m, n);
      const Eigen::MatrixXd rho = Eigen::Map<const RowMajor>(at + r * r + m + m * n, n, r);
      std::vector<Eigen::Index> places;
      for (Eigen::Index i = 0; i < n; ++i)
        if (is_fixed(fixed, x[static_cast<std::size_t>(i)])) places.push_back(i);
      const Eigen::MatrixXd kept = rho(places, Eigen::all);
      Eigen::VectorXd move = rho * step(W, slopes * rho, phi, kept);
      for (const Eigen::Index i : places) move(i) = 0;
      return move;
    });
  }
  const auto m = static_cast<Eigen::Index>(equations.Phi.size());
  newton.run(kernels.velocities, system.n(), [&](const std::vector<double>& values) {
    const double* at = values.data();
    const Eigen::MatrixXd W = Eigen::Map<const RowMajor>(at, r, r);
    const Eigen::VectorXd Phi = Eigen::Map<const Eigen::VectorXd>(at + r * r, m);
    const Eigen::MatrixXd slopes = Eigen::Map<const RowMajor>(at + r * r + m, m, r);
    std::vector<Eigen::Index> places;
    for (Eigen::Index a = 0; a < r; ++a)
      if (is_fixed(fixed, w[static_cast<std::size_t>(a)])) places.push_back(a);
    const Eigen::MatrixXd kept = Eigen::MatrixXd::Identity(r, r)(places, Eigen::all);
    Eigen::VectorXd move = step(W, slopes, Phi, kept);
    for (const Eigen::Index a : places) move(a) = 0;
    return move;
  });
  return newton.state();
}

}  // namespace

FixedProjectionKernels fixed_projection_kernels(const mechanics::System& system,
                                                const mechanics::Equations& equations) {
  const auto append = [](std::vector<Expr>& to, const std::vector<Expr>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  FixedProjectionKernels kernels;
  if (!equations.phi.empty()) {
    std::vector<Expr> outputs = equations.W.entries;
    append(outputs, equations.phi);
    append(outputs, symbolic::to_dense(system.graph(), symbolic::jacobian(equations.phi, system.algebroid.x)).entries);
    append(outputs, system.algebroid.rho.entries);
    kernels.positions = compiled(system, equations, outputs);
  }
  std::vector<Expr> outputs = equations.W.entries;
  append(outputs, equations.Phi);
  append(outputs, equations.Phi_w.entries);
  kernels.velocities = compiled(system, equations, outputs);
  return kernels;
}

integrate::Projection projected(const mechanics::System& system, const mechanics::Equations& equations,
                                const integrate::Dynamics& dynamics,
                                const std::function<const FixedProjectionKernels&()>& kernels,
                                const std::vector<std::string>& fixed, const Start& start,
                                std::span<const double> parameters) {
  integrate::Projection result = integrate::project(dynamics, parameters, start.t0, start.state);
  if (fixed.empty() || result.defect <= consistent) return result;
  Start beside = start;
  beside.state = moved_beside(system, equations, kernels(), fixed, start, parameters);
  const auto reached = integrate::project(dynamics, parameters, start.t0, beside.state);
  if (reached.status == integrate::Status::success && reached.defect <= consistent) {
    result.status = integrate::Status::success;
    result.reason = {};
    result.state = std::move(beside.state);
    return result;
  }
  result.status = integrate::Status::not_converged;
  result.reason = {fmt::format("no start on the constraints that keeps {} was found", fmt::join(fixed, ", ")),
                   "name less under 'fixed' in [initial]"};
  return result;
}

}  // namespace herglotz::simulate
