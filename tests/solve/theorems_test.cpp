// Theorems about discrete extremals: one-step maps are contact, and the variational problem is that of Herglotz.
// Theory: docs/solve.md.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "gauss_nlp.hpp"
#include "guess.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"
#include "stage/stage_derivatives.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

}  // namespace

// The extremal map of a one-step method pulls d zeta - p dx back to sigma (d zeta - p dx) with sigma = R_k/R_{k+1}, for
// all variations of state and control: with P = R (-p, 1), P_{k+1} dv_{k+1} = P_k dv_k.
TEST(Theorems, ExtremalsOfOneStepMapsAreContactMaps) {
  const std::string nonlinear =
      with(with(regulator, "a*x + b*u", "a*sin(x) + b*u + x*u^2/5"), "+ g*zeta", "+ g*zeta + zeta^2/4 + x*zeta*u/3");
  for (const std::string& text : {regulator, nonlinear, attitude}) {
    const auto problem = io::parse_problem(text);
    const solve::Setup setup(problem);
    const solve::Collocation midpoint(1);
    solve::Arc arc;
    arc.duration = *setup.duration;
    for (int k = 0; k <= 10; ++k) arc.nodes.push_back(k / 10.0);
    const solve::Mesh mesh{{arc}};
    solve::GaussNlp nlp(setup, midpoint, mesh);
    auto found = optimise::minimise(nlp, nlp.iterate(solve::guessed_path(setup, midpoint, mesh)), {1e-9, 300});
    found = optimise::find_stationary(nlp, found.at, {1e-14, 50});
    ASSERT_EQ(found.verdict, optimise::Verdict::solved) << found.reason;
    const auto d = static_cast<Eigen::Index>(setup.d());
    const auto m = static_cast<Eigen::Index>(setup.m());
    for (const auto& interval : nlp.path(found.at).intervals) {
      const Eigen::MatrixXd J = solve::derivatives_at(setup, interval.stages, interval.h).J.front();
      const Eigen::MatrixXd half = J.leftCols(d) / 2;
      const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(d, d);
      Eigen::MatrixXd variations(d, d + m);  // of the end, by those of the start and of the control
      variations << one + half, J.middleCols(d, m);
      const Eigen::RowVectorXd end =
          Eigen::Map<const Eigen::RowVectorXd>(interval.P1.data(), d) * (one - half).partialPivLu().solve(variations);
      for (Eigen::Index i = 0; i < d; ++i)
        EXPECT_NEAR(end[i], interval.P0[static_cast<std::size_t>(i)], 1e-12 * end.cwiseAbs().maxCoeff());
      for (Eigen::Index j = 0; j < m; ++j) EXPECT_NEAR(end[d + j], 0, 1e-12 * end.cwiseAbs().maxCoeff());
    }
  }
}

// The minimisation of a discrete action gives the discrete Herglotz equations [ASMLL20]; multipliers of the actions are
// the discrete integrating factor, also where the Lagrangian is not linear in z.
TEST(Theorems, MinimisingADiscreteActionGivesDiscreteHerglotzEquations) {
  const auto solution = solve::solve(io::parse_problem(R"toml([model]
name = "pendulum"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 + cos(q) - 0.2*z - 0.3*z^2"
[discrete]
rule = "midpoint"
[boundary]
duration = 1.5
final = { q = 1.2 }
[initial]
q = -0.3
[mesh]
method = "direct-herglotz"
intervals = 12
)toml"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  const auto& q = solution.trajectory["q"];
  const auto& z = solution.trajectory["z"];
  const auto& p = solution.trajectory["p_v"];
  const auto& R = solution.trajectory["R"];
  const double h = 1.5 / 12;
  for (std::size_t k = 0; k + 1 < q.size(); ++k) {
    const double slope = (q[k + 1] - q[k]) / h;
    const double force = -std::sin((q[k] + q[k + 1]) / 2);
    const double L_z = -0.2 - 0.6 * (z[k] + z[k + 1]) / 2;
    EXPECT_NEAR(R[k] / R[k + 1], (1 + h * L_z / 2) / (1 - h * L_z / 2), 1e-12);
    EXPECT_NEAR(p[k + 1], (slope + h * force / 2) / (1 - h * L_z / 2), 1e-12);
    EXPECT_NEAR(p[k], (slope - h * force / 2) / (1 + h * L_z / 2), 1e-12);
  }
}
