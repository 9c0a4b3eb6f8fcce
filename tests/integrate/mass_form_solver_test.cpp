// The linear systems of BDF steps in mass form.

#include "stiff/mass_form_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/right_side.hpp"

namespace herglotz::integrate {
namespace {

using In = std::span<const double>;
using Out = std::span<double>;

/// L = v^2/2 - q^2/2 - z^2/10 - z q^2, and a law with the source q v z.
Dynamics oscillator_in_mass_form() {
  Dynamics d;
  d.n = d.r = d.laws = 1;
  d.velocities = true;
  d.saddle_pattern = {1, 1, {0}, {0}};
  d.mass = kernel::from_function("mass", 4, 0, 4, [](In u, In, Out out) {
    const double q = u[0], v = u[1], z = u[2];
    out[0] = v;
    out[1] = v * v / 2 - q * q / 2 - z * z / 10 - z * q * q;
    out[2] = -q - 2 * z * q - (z / 5 + q * q) * v;
    out[3] = 1;
  });
  d.mass_pattern = {3, 3, {0, 1, 1, 1, 2, 2, 2}, {1, 0, 1, 2, 0, 1, 2}};
  d.mass_jacobian = kernel::from_function("mass_jacobian", 5, 0, 7, [](In u, In, Out out) {
    const double q = u[0], v = u[1], z = u[2];
    out[0] = 1;
    out[1] = -1 - 2 * z - 2 * q * v;
    out[2] = -z / 5 - q * q;
    out[3] = -2 * q - v / 5;
    out[4] = -q - 2 * z * q;
    out[5] = v;
    out[6] = -z / 5 - q * q;
  });
  d.balance = kernel::from_function("balance", 4, 0, 4, [](In u, In, Out out) {
    out[0] = -u[2] / 5 - u[0] * u[0];
    out[1] = out[2] = u[0];
    out[3] = u[0] * u[1] * u[2];
  });
  return d;
}

// (1 - gamma f_y) x = r with f_y of the whole y = (q, v, z, log lambda, g), whose last rows are differences too.
TEST(MassFormSolver, SolvesTheSystemOfTheDenseJacobian) {
  const Dynamics dynamics = oscillator_in_mass_form();
  RightSide right_side(dynamics, {});
  const std::vector<double> y{0.7, -1.3, 0.4, 0.2, 1.7};
  const auto size = static_cast<Eigen::Index>(y.size());
  Eigen::MatrixXd f_y(size, size);
  ASSERT_TRUE(right_side.jacobian(0.3, y.data(), f_y.data()));
  ASSERT_EQ((f_y.bottomLeftCorner(2, 3).array() != 0).count(), 5) << "L_z depends on q and z, the law on all";
  const sundials::Context context;
  const std::vector<double> r{1, -2, 0.5, 3, -0.25};
  const sundials::Vector right(sundials::copy_of(r, context.get()));
  const sundials::Vector x(sundials::copy_of(std::vector<double>(y.size()), context.get()));
  MassFormSolver form(IterationForm(dynamics), dynamics, {}, context.get());
  ASSERT_TRUE(form.linearise(0.3, y.data()));
  for (const double gamma : {0.05, 0.4}) {
    form.set_gamma(gamma);
    ASSERT_EQ(SUNLinSolSetup(form.solver(), form.matrix()), 0);
    ASSERT_EQ(SUNLinSolSolve(form.solver(), form.matrix(), x.get(), right.get(), 0), 0);
    const Eigen::Map<const Eigen::VectorXd> found(sundials::data(x.get()), size);
    const Eigen::Map<const Eigen::VectorXd> wanted(r.data(), size);
    EXPECT_LT((found - gamma * f_y * found - wanted).cwiseAbs().maxCoeff(), 1e-7) << gamma;
  }
}

}  // namespace
}  // namespace herglotz::integrate
