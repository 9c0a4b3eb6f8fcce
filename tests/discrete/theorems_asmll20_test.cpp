// The statements of [ASMLL20, Sec. 3], each on several discrete Lagrangians.

#include "discrete_samples.hpp"

namespace herglotz::discrete::samples {
namespace {

/// A path of positions.
using Path = std::vector<Vector>;

/// z_N of a path. [ASMLL20, Eqs. 35-36].
double discrete_action(const Flow& flow, const Path& path, double z0) {
  double z = z0;
  for (std::size_t k = 0; k + 1 < path.size(); ++k)
    z = flow.at(path[k], path[k + 1], z, static_cast<double>(k) * flow.h).z1;
  return z;
}

/// The steps of a path.
std::vector<Step> steps_of(const Flow& flow, const Path& path, double z0) {
  std::vector<Step> steps;
  double z = z0;
  for (std::size_t k = 0; k + 1 < path.size(); ++k) {
    steps.push_back(flow.at(path[k], path[k + 1], z, static_cast<double>(k) * flow.h));
    z = steps.back().z1;
  }
  return steps;
}

Path random_path(const Flow& flow, std::size_t length, std::mt19937_64& engine) {
  Path path{random_vector(flow.n, engine, 0.2, 1)};
  while (path.size() < length) path.push_back(path.back() + random_vector(flow.n, engine, -0.3, 0.3));
  return path;
}

/// A path that satisfies the discrete Herglotz equations.
Path motion(const Flow& flow, std::size_t length, double z0, std::mt19937_64& engine) {
  Path path = random_path(flow, 2, engine);
  double z = z0;
  while (path.size() < length) {
    const std::size_t k = path.size() - 2;
    const Step step = flow.at(path[k], path[k + 1], z, static_cast<double>(k) * flow.h);
    z = step.z1;
    path.push_back(flow.end(path[k + 1], step.p1, z, 2 * path[k + 1] - path[k], static_cast<double>(k + 1) * flow.h));
  }
  return path;
}

/// dA_d/dq_k by differences.
Vector action_slope(const Flow& flow, Path path, std::size_t k, double z0) {
  const Vector start = path[k];
  return differences(
      [&](const Vector& q) {
        path[k] = q;
        return discrete_action(flow, path, z0);
      },
      start);
}

Vector joined(const Vector& q0, const Vector& q1, double z0) {
  Vector point(q0.size() + q1.size() + 1);
  point << q0, q1, z0;
  return point;
}

/// Phi_d on Q x Q x R: (q0, q1, z0) to (q1, q2, z1). [ASMLL20, Thm 3.7].
Vector lagrangian_flow(const Flow& flow, const Vector& point) {
  const Vector q0 = point.head(flow.n);
  const Vector q1 = point.segment(flow.n, flow.n);
  const Step step = flow.at(q0, q1, point(2 * flow.n));
  return joined(q1, flow.end(q1, step.p1, step.z1, 2 * q1 - q0, flow.h), step.z1);
}

Eigen::MatrixXd jacobian(const std::function<Vector(const Vector&)>& map, const Vector& at) {
  const Eigen::Index rows = map(at).size();
  Eigen::MatrixXd J(rows, at.size());
  for (Eigen::Index i = 0; i < rows; ++i)
    J.row(i) = differences([&](const Vector& point) { return map(point)(i); }, at).transpose();
  return J;
}

/// eta- or eta+ as a row at a point, with the step at its time.
Vector form_at(const Sample& sample, const DiscreteForm& eta, const Vector& point, double t0) {
  std::vector<Expr> outputs = eta.q0;
  outputs.insert(outputs.end(), eta.q1.begin(), eta.q1.end());
  outputs.push_back(eta.z0);
  std::vector<Expr> symbols = sample.step.q0;
  symbols.insert(symbols.end(), sample.step.q1.begin(), sample.step.q1.end());
  symbols.insert(symbols.end(), {sample.step.z0, sample.step.t0, sample.step.h});
  std::vector<double> values(point.begin(), point.end());
  values.insert(values.end(), {t0, sample.h});
  const auto row = symbolic::evaluate(outputs, symbols, values);
  return Eigen::Map<const Vector>(row.data(), static_cast<Eigen::Index>(row.size()));
}

Vector random_point(const Flow& flow, std::mt19937_64& engine) {
  const Vector q0 = random_vector(flow.n, engine, 0.2, 1);
  return joined(q0, q0 + random_vector(flow.n, engine, -0.3, 0.3), random_vector(1, engine)(0));
}

// Prop. 3.1, Eq. 37: the differential of the discrete action. The products of the printed formula run over the factors
// of the steps after the one whose action is differentiated.
TEST(ASMLL20, Proposition31TheDifferentialOfTheDiscreteAction) {
  std::mt19937_64 engine(1);
  for (const Sample& sample : all()) {
    const Flow flow(sample);
    const Path path = random_path(flow, 5, engine);
    const double z0 = 0.3;
    const auto steps = steps_of(flow, path, z0);
    for (std::size_t k = 0; k < path.size(); ++k) {
      Vector expected = Vector::Zero(flow.n);
      if (k > 0) expected += (k < steps.size() ? steps[k].sigma : 1.0) * steps[k - 1].D2;
      if (k < steps.size()) expected += steps[k].D1;
      for (std::size_t j = k + 1; j < steps.size(); ++j) expected *= steps[j].sigma;
      EXPECT_LT((action_slope(flow, path, k, z0) - expected).norm(), 1e-9) << sample.name << ", q_" << k;
    }
  }
}

TEST(ASMLL20, Theorem34MotionsAreTheCriticalPathsOfTheDiscreteAction) {
  std::mt19937_64 engine(2);
  for (const Sample& sample : all()) {
    const Flow flow(sample);
    Path path = motion(flow, 5, 0.2, engine);
    for (std::size_t k = 1; k + 1 < path.size(); ++k)
      EXPECT_LT(action_slope(flow, path, k, 0.2).norm(), 1e-9) << sample.name << ", q_" << k;
    // Conversely a path that breaks the equations at q_2 is not critical there.
    path[2](0) += 0.1;
    EXPECT_GT(action_slope(flow, path, 2, 0.2).norm(), 1e-2) << sample.name;
  }
}

Eigen::MatrixXd minus_jacobian(const Flow& flow, const Vector& at) {
  return jacobian(
      [&](const Vector& p) {
        const Step step = flow.at(p.head(flow.n), p.segment(flow.n, flow.n), p(2 * flow.n));
        return joined(p.head(flow.n), step.p0, p(2 * flow.n));
      },
      at);
}
Eigen::MatrixXd plus_jacobian(const Flow& flow, const Vector& at) {
  return jacobian(
      [&](const Vector& p) {
        const Step step = flow.at(p.head(flow.n), p.segment(flow.n, flow.n), p(2 * flow.n));
        return joined(p.segment(flow.n, flow.n), step.p1, step.z1);
      },
      at);
}

TEST(ASMLL20, Lemma36BothLegendreTransformsAreRegularTogether) {
  std::mt19937_64 engine(3);
  for (const Sample& sample : all()) {
    const Flow flow(sample);
    for (int k = 0; k < 3; ++k) {
      const Vector point = random_point(flow, engine);
      const double minus = std::abs(minus_jacobian(flow, point).determinant());
      const double plus = std::abs(plus_jacobian(flow, point).determinant());
      EXPECT_GT(minus, 1e-3) << sample.name;
      // |det F+| = sigma^(n+1) |det F-|: the flow between them multiplies eta by sigma.
      const Step step = flow.at(point.head(flow.n), point.segment(flow.n, flow.n), point(2 * flow.n));
      EXPECT_NEAR(plus, std::pow(step.sigma, static_cast<double>(flow.n + 1)) * minus, 1e-7 * minus) << sample.name;
    }
  }
  const System free = system({"q"}, "vq^2/2 - z");
  const Flow degenerate(Sample{"degenerate", free, given(free, "h*(q0^2 + q1^2)/2 - h*z0/10"), 0.1});
  const Vector point = joined(Vector::Constant(1, 0.4), Vector::Constant(1, 0.7), 0.1);
  EXPECT_LT(std::abs(minus_jacobian(degenerate, point).determinant()), 1e-10);
  EXPECT_LT(std::abs(plus_jacobian(degenerate, point).determinant()), 1e-10);
}

TEST(ASMLL20, Theorem37TheFlowMatchesTheLegendreTransforms) {
  std::mt19937_64 engine(4);
  for (const Sample& sample : all()) {
    const Flow flow(sample);
    const Vector point = random_point(flow, engine);
    const Vector next = lagrangian_flow(flow, point);
    const Step before = flow.at(point.head(flow.n), point.segment(flow.n, flow.n), point(2 * flow.n));
    const Step after = flow.at(next.head(flow.n), next.segment(flow.n, flow.n), next(2 * flow.n), flow.h);
    // Eq. 41: F+(q0, q1, z0) = F-(q1, q2, z1), and Eq. 39 as it is written.
    EXPECT_LT((before.p1 - after.p0).norm(), 1e-12) << sample.name;
    EXPECT_LT((after.D1 + after.sigma * before.D2).norm(), 1e-12) << sample.name;
    EXPECT_DOUBLE_EQ(next(2 * flow.n), before.z1);
  }
}

TEST(ASMLL20, Lemma38TheDiscreteContactForms) {
  std::mt19937_64 engine(5);
  for (const Sample& sample : on_Q_Q_R()) {
    const Flow flow(sample);
    const DiscreteForm minus = eta_minus(sample.step);
    const DiscreteForm plus = eta_plus(sample.step);
    for (int k = 0; k < 3; ++k) {
      const Vector point = random_point(flow, engine);
      const Vector next = lagrangian_flow(flow, point);
      const Step step = flow.at(point.head(flow.n), point.segment(flow.n, flow.n), point(2 * flow.n));
      // (i) eta+ = sigma_d eta-.
      EXPECT_LT((form_at(sample, plus, point, 0) - step.sigma * form_at(sample, minus, point, 0)).norm(), 1e-13);
      // (ii) Phi_d* eta- = eta+, eta- being that of the next step.
      const auto J = jacobian([&](const Vector& p) { return lagrangian_flow(flow, p); }, point);
      EXPECT_LT((J.transpose() * form_at(sample, minus, next, flow.h) - form_at(sample, plus, point, 0)).norm(), 1e-8)
          << sample.name;
    }
  }
}

TEST(ASMLL20, Theorem39TheFlowIsAConformalContactomorphism) {
  std::mt19937_64 engine(6);
  for (const Sample& sample : on_Q_Q_R()) {
    const Flow flow(sample);
    const DiscreteForm minus = eta_minus(sample.step);
    const DiscreteForm plus = eta_plus(sample.step);
    const Vector point = random_point(flow, engine);
    const Vector next = lagrangian_flow(flow, point);
    const auto J = jacobian([&](const Vector& p) { return lagrangian_flow(flow, p); }, point);
    const auto sigma = [&](const Vector& p, double t0) {
      return flow.at(p.head(flow.n), p.segment(flow.n, flow.n), p(2 * flow.n), t0).sigma;
    };
    const Vector pulled_minus = J.transpose() * form_at(sample, minus, next, flow.h);
    const Vector pulled_plus = J.transpose() * form_at(sample, plus, next, flow.h);
    EXPECT_LT((pulled_minus - sigma(point, 0) * form_at(sample, minus, point, 0)).norm(), 1e-8) << sample.name;
    EXPECT_LT((pulled_plus - sigma(next, flow.h) * form_at(sample, plus, point, 0)).norm(), 1e-8) << sample.name;
  }
  // Eq. 49: the flow on T*Q x R, for discrete Lagrangians on Q x Q x R^2 as well.
  for (const Sample& sample : all()) {
    const Flow flow(sample);
    const Vector point = random_point(flow, engine);
    const Step first = flow.at(point.head(flow.n), point.segment(flow.n, flow.n), point(2 * flow.n));
    const Vector phase = joined(point.head(flow.n), first.p0, point(2 * flow.n));
    const auto hamiltonian_flow = [&](const Vector& u) {
      const Vector q1 =
          flow.end(u.head(flow.n), u.segment(flow.n, flow.n), u(2 * flow.n), point.segment(flow.n, flow.n));
      const Step step = flow.at(u.head(flow.n), q1, u(2 * flow.n));
      return joined(q1, step.p1, step.z1);
    };
    const auto eta = [&](const Vector& u) { return joined(-u.segment(flow.n, flow.n), Vector::Zero(flow.n), 1); };
    const Vector end = hamiltonian_flow(phase);
    const auto J = jacobian(hamiltonian_flow, phase);
    EXPECT_LT((J.transpose() * eta(end) - first.sigma * eta(phase)).norm(), 1e-8) << sample.name;
  }
}

TEST(ASMLL20, Lemma310InvariantDiscreteLagrangians) {
  std::mt19937_64 engine(7);
  std::size_t invariant = 0;
  for (const Sample& sample : all()) {
    for (const auto& symmetry : sample.of.symmetries) {
      ++invariant;
      const Flow flow(sample);
      const Vector point = random_point(flow, engine);
      std::vector<Expr> symbols = sample.step.q0;
      symbols.insert(symbols.end(), sample.step.q1.begin(), sample.step.q1.end());
      symbols.insert(symbols.end(), {sample.step.z0, sample.step.z1, sample.step.t0, sample.step.h});
      std::vector<double> values(point.begin(), point.end());
      values.insert(values.end(), {point(2 * flow.n) + 0.1, 0.4, sample.h});
      EXPECT_NEAR(symbolic::evaluate(invariance_defect(sample.of, sample.step, symmetry), symbols, values), 0, 1e-13)
          << sample.name;
    }
  }
  EXPECT_EQ(invariant, 4u);
  // A translation is not a symmetry of the oscillator.
  System oscillator = system({"q"}, "vq^2/2 - q^2/2 - z/20", {{"1"}});
  const auto step = given(oscillator, "(q1 - q0)^2/(2*h) - h*(q0 + q1)^2/8 - h*z0/20");
  EXPECT_FALSE(invariance_defect(oscillator, step, oscillator.symmetries[0]).is_zero());
}

TEST(ASMLL20, Theorem311MomentaOfSymmetriesAreDissipatedBySigma) {
  std::mt19937_64 engine(8);
  for (const Sample& sample : all()) {
    if (sample.of.symmetries.empty()) continue;
    const Flow flow(sample);
    const auto& section = sample.of.symmetries[0].section;
    const auto momentum = [&](const Vector& q, const Vector& p) {
      const auto s = symbolic::evaluate(section, sample.of.algebroid.x, std::vector<double>(q.begin(), q.end()));
      return p.dot(Eigen::Map<const Vector>(s.data(), flow.n));
    };
    Path path = motion(flow, 200, 0.1, engine);
    const auto steps = steps_of(flow, path, 0.1);
    double factor = 1;
    const double first = momentum(path[0], steps[0].p0);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      EXPECT_NEAR(momentum(path[k], steps[k].p0), factor * first, 1e-12 * std::abs(first)) << sample.name << ", " << k;
      factor *= steps[k].sigma;
    }
    EXPECT_LT(factor, 0.9) << "nothing was dissipated";
  }
}

}  // namespace
}  // namespace herglotz::discrete::samples
