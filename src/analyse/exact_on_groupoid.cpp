#include "herglotz/analyse/exact_on_groupoid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "herglotz/error.hpp"
#include "herglotz/integrate/exponential.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "shooting.hpp"

namespace herglotz::analyse {
namespace {

using Eigen::Index;
using integrate::Dynamics;
using linear::vector;

/// Places in the state (x, eta, Z, S | xi | z): Z (r x 2r) has g^-1 dg and S has d(x, xi, z), both row by row. The
/// first r columns are variations of xi0, the others those of x0 along the generators.
struct Places {
  std::size_t n;
  std::size_t r;
  [[nodiscard]] std::size_t states() const { return n + r + 1; }
  [[nodiscard]] std::size_t columns() const { return 2 * r; }
  [[nodiscard]] std::size_t eta() const { return n; }
  [[nodiscard]] std::size_t Z() const { return n + r; }
  [[nodiscard]] std::size_t S() const { return Z() + r * columns(); }
  [[nodiscard]] std::size_t xi() const { return S() + states() * columns(); }
  [[nodiscard]] std::size_t z() const { return xi() + r; }
  [[nodiscard]] std::size_t size() const { return z() + 1; }
  /// Returns (x, xi, z) of a state.
  [[nodiscard]] std::vector<double> state(std::span<const double> u) const {
    std::vector<double> v(u.begin(), u.begin() + static_cast<std::ptrdiff_t>(n));
    v.insert(v.end(), u.begin() + static_cast<std::ptrdiff_t>(xi()), u.begin() + static_cast<std::ptrdiff_t>(size()));
    return v;
  }
};

/// Rates of such states: g' = g xi in canonical coordinates, Z' = dxi - ad_xi Z, S' = (df/du) S.
class ArrowRates {
 public:
  ArrowRates(const Dynamics& dynamics, std::span<const double> constants, std::span<const double> parameters,
             const Places& at)
      : at_(at),
        constants_(constants.begin(), constants.end()),
        field_(dynamics, parameters),
        f_(at.states()),
        jacobian_(at.states() * at.states()) {}

  void operator()(double t, std::span<const double> u, std::span<double> out) {
    const std::size_t n = at_.n;
    const std::size_t r = at_.r;
    const std::size_t columns = at_.columns();
    const std::vector<double> v = at_.state(u);
    const double* xi = v.data() + n;
    const auto slopes = integrate::logarithm_slopes(constants_, u.subspan(at_.eta(), r));
    if (!slopes) {
      std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
      return;
    }
    field_(t, v, f_);
    field_.jacobian(t, v, jacobian_);
    std::fill(out.begin(), out.end(), 0.0);
    std::copy_n(f_.begin(), n, out.begin());
    std::copy_n(f_.begin() + static_cast<std::ptrdiff_t>(n), r + 1,
                out.begin() + static_cast<std::ptrdiff_t>(at_.xi()));
    for (std::size_t a = 0; a < r; ++a)
      for (std::size_t b = 0; b < r; ++b) out[at_.eta() + a] += slopes->right[a * r + b] * xi[b];
    const double* S = u.data() + at_.S();
    const double* Z = u.data() + at_.Z();
    for (std::size_t k = 0; k < r; ++k)
      for (std::size_t column = 0; column < columns; ++column) {
        double rate = S[(n + k) * columns + column];
        for (std::size_t i = 0; i < r; ++i)
          for (std::size_t j = 0; j < r; ++j) rate -= constants_[(k * r + i) * r + j] * xi[i] * Z[j * columns + column];
        out[at_.Z() + k * columns + column] = rate;
      }
    const std::size_t states = at_.states();
    for (std::size_t row = 0; row < states; ++row)
      for (std::size_t k = 0; k < states; ++k) {
        const double slope = jacobian_[row * states + k];
        if (slope == 0) continue;
        for (std::size_t column = 0; column < columns; ++column)
          out[at_.S() + row * columns + column] += slope * S[k * columns + column];
      }
  }

 private:
  Places at_;
  std::vector<double> constants_;
  integrate::CompiledVectorField field_;
  std::vector<double> f_;
  std::vector<double> jacobian_;
};

/// Values of the kernel of stages at (x, xi, z, t).
std::vector<double> stage_at(const Dynamics& dynamics, std::span<const double> parameters, std::vector<double> v,
                             double t) {
  v.push_back(t);
  std::vector<double> stage(dynamics.stage.outputs());
  std::vector<double> work(dynamics.stage.work_size());
  dynamics.stage(v.data(), parameters.data(), stage.data(), work.data());
  return stage;
}

/// Returns the motion of states (x, eta, Z, S | xi | z) in the time of t0.
Dynamics with_arrow(const Dynamics& dynamics, std::span<const double> constants, std::span<const double> parameters,
                    const Places& at) {
  Dynamics larger;
  larger.n = at.xi();
  larger.r = at.r;
  const auto rates = std::make_shared<ArrowRates>(dynamics, constants, parameters, at);
  larger.flow = kernel::from_function("flow with its arrow", at.size() + 1, parameters.size(), at.size(),
                                      [rates, at](std::span<const double> u, std::span<const double>,
                                                  std::span<double> out) { (*rates)(u[at.size()], u, out); });
  larger.balance = kernel::from_function(
      "L_z", at.size() + 1, parameters.size(), 1,
      [dynamics, at](std::span<const double> u, std::span<const double> p, std::span<double> out) {
        out[0] = stage_at(dynamics, p, at.state(u), u[at.size()])[at.n + 2 * at.r + 1];
      });
  return larger;
}

/// The end of a motion with its arrow.
struct Arrived {
  std::vector<double> state;
  double factor = 1;  ///< e^{b(h)}
};

/// Returns the generators rho^i_a (n x r) at x0, as the rates of x for the velocities e_a.
RowMajor generators(const Dynamics& dynamics, std::span<const double> parameters, std::span<const double> x0, double z0,
                    double t0) {
  RowMajor rho(static_cast<Index>(dynamics.n), static_cast<Index>(dynamics.r));
  for (std::size_t a = 0; a < dynamics.r; ++a) {
    std::vector<double> v(x0.begin(), x0.end());
    v.resize(dynamics.n + dynamics.r, 0.0);
    v[dynamics.n + a] = 1;
    v.push_back(z0);
    const auto stage = stage_at(dynamics, parameters, std::move(v), t0);
    for (std::size_t i = 0; i < dynamics.n; ++i) rho(static_cast<Index>(i), static_cast<Index>(a)) = stage[i];
  }
  return rho;
}

std::vector<double> part(const std::vector<double>& state, std::size_t first, std::size_t size) {
  const auto from = state.begin() + static_cast<std::ptrdiff_t>(first);
  return {from, from + static_cast<std::ptrdiff_t>(size)};
}

/// Motions from one point over a step, with their arrows and variations.
class Shots {
 public:
  Shots(const Dynamics& dynamics, std::span<const double> constants, std::span<const double> parameters, double t0,
        std::span<const double> x0, double z0, double h)
      : at_{dynamics.n, dynamics.r},
        constants_(constants),
        parameters_(parameters),
        x0_(x0),
        t0_(t0),
        z0_(z0),
        h_(h),
        larger_(with_arrow(dynamics, constants, parameters, at_)),
        rho_(generators(dynamics, parameters, x0, z0, t0)) {}

  [[nodiscard]] const Places& places() const { return at_; }

  /// Throws Failed for a motion that does not last, or whose arrow leaves the reach of exp.
  [[nodiscard]] Arrived operator()(const Eigen::VectorXd& xi) const {
    std::vector<double> state(at_.size(), 0.0);
    std::copy(x0_.begin(), x0_.end(), state.begin());
    std::copy(xi.begin(), xi.end(), state.begin() + static_cast<std::ptrdiff_t>(at_.xi()));
    state[at_.z()] = z0_;
    for (std::size_t a = 0; a < at_.r; ++a) state[at_.S() + (at_.n + a) * at_.columns() + a] = 1;
    for (std::size_t i = 0; i < at_.n; ++i)
      for (std::size_t a = 0; a < at_.r; ++a)
        state[at_.S() + i * at_.columns() + at_.r + a] = rho_(static_cast<Index>(i), static_cast<Index>(a));
    integrate::Settings settings;
    settings.t_end = t0_ + h_;
    settings.tolerance = motion_tolerance;
    double log_factor = 0;
    auto end = integrate::integrate(larger_, parameters_, t0_, state, settings, [&](const integrate::Sample& sample) {
      log_factor = sample.log_factor;
      return true;
    });
    if (end.status != integrate::Status::success)
      throw Failed("the motion does not last over the step: " + end.reason.problem, end.reason.remedy);
    return Arrived{std::move(end.state), std::exp(-log_factor)};
  }
  [[nodiscard]] std::vector<double> arrow(const Arrived& motion) const { return part(motion.state, at_.eta(), at_.r); }
  /// d eta/d xi0.
  [[nodiscard]] RowMajor slope(const Arrived& motion) const {
    const auto size = static_cast<Index>(at_.r);
    const auto logarithm = integrate::logarithm_slopes(constants_, arrow(motion));
    if (!logarithm) throw Failed("the arrow of the motion is beyond the reach of exp", "take a smaller step");
    const Eigen::Map<const RowMajor> Z(motion.state.data() + at_.Z(), size, 2 * size);
    return RowMajor(Eigen::Map<const RowMajor>(logarithm->right.data(), size, size) * Z.leftCols(size));
  }

 private:
  Places at_;
  std::span<const double> constants_;
  std::span<const double> parameters_;
  std::span<const double> x0_;
  double t0_ = 0;
  double z0_ = 0;
  double h_ = 0;
  Dynamics larger_;
  RowMajor rho_;
};

void require_step(const Dynamics& dynamics, std::span<const double> constants, std::span<const double> x0,
                  std::span<const double> along, double h) {
  const std::size_t r = dynamics.r;
  if (dynamics.m != 0) throw Refused("an exact discrete Lagrangian needs a system without constraints");
  if (x0.size() != dynamics.n || along.size() != r || constants.size() != r * r * r)
    throw Refused("x0 needs " + std::to_string(dynamics.n) + " entries and the arrow or velocity " + std::to_string(r) +
                  ", not " + std::to_string(x0.size()) + " and " + std::to_string(along.size()));
  if (h == 0 || !std::isfinite(h)) throw Refused("a step that is finite and not 0 is needed");
}

}  // namespace

ArrowOfMotion arrow_of_motion(const Dynamics& dynamics, std::span<const double> constants,
                              std::span<const double> parameters, double t0, std::span<const double> x0,
                              std::span<const double> xi0, double z0, double h) {
  require_step(dynamics, constants, x0, xi0, h);
  const Shots shoot(dynamics, constants, parameters, t0, x0, z0, h);
  const Arrived motion = shoot(vector(xi0));
  const Places& at = shoot.places();
  const RowMajor slope = shoot.slope(motion);
  return {shoot.arrow(motion),
          part(motion.state, 0, at.n),
          part(motion.state, at.xi(), at.r),
          motion.state[at.z()],
          motion.factor,
          std::vector<double>(slope.data(), slope.data() + slope.size())};
}

ExactOnGroupoid exact_on_groupoid(const Dynamics& dynamics, std::span<const double> constants,
                                  std::span<const double> parameters, double t0, std::span<const double> x0,
                                  std::span<const double> eta, double z0, double h) {
  require_step(dynamics, constants, x0, eta, h);
  const std::size_t r = dynamics.r;
  if (!integrate::logarithm_slopes(constants, eta))
    throw Failed("the arrow e^eta is beyond the reach of exp", "take a smaller eta");
  const Shots shoot(dynamics, constants, parameters, t0, x0, z0, h);
  const Places& at = shoot.places();
  const auto size = static_cast<Index>(r);
  const auto end = [&](const Arrived& motion) { return vector(shoot.arrow(motion)); };
  const auto slope = [&](const Arrived& motion) { return shoot.slope(motion); };
  const ShootingTarget target{vector(eta), 1 + vector(eta).lpNorm<Eigen::Infinity>(), h, "the ends of this arrow",
                              "d eta/d xi0"};
  const auto [xi0, motion] = arriving(shoot, end, slope, target, target.end / h);
  ExactOnGroupoid exact;
  exact.xi0.assign(xi0.begin(), xi0.end());
  exact.x1 = part(motion.state, 0, at.n);
  exact.xi1 = part(motion.state, at.xi(), r);
  exact.value = motion.state[at.z()] - z0;
  exact.sigma = motion.factor;
  std::vector<double> start(x0.begin(), x0.end());
  start.insert(start.end(), xi0.begin(), xi0.end());
  start.push_back(z0);
  exact.p0 = part(stage_at(dynamics, parameters, start, t0), at.n, r);
  exact.p1 = part(stage_at(dynamics, parameters, at.state(motion.state), t0 + h), at.n, r);

  // Along e^eta e^(s e_a) g^-1 dg is e_a, along (x0 . e^(s e_a), e^(-s e_a) e^eta) it is -Ad(g^-1) e_a.
  const auto logarithm = integrate::logarithm_slopes(constants, eta);
  const Eigen::Map<const RowMajor> Z(motion.state.data() + at.Z(), size, 2 * size);
  const Eigen::Map<const Eigen::RowVectorXd> of_z(motion.state.data() + at.S() + (at.n + r) * at.columns(), 2 * size);
  const RowMajor ahead = linear::PartialLu(Z.leftCols(size)).inverse();
  const linear::PartialLu right(Eigen::Map<const RowMajor>(logarithm.value().right.data(), size, size));
  const RowMajor Ad = right.solve(Eigen::Map<const RowMajor>(logarithm.value().left.data(), size, size));
  const Eigen::RowVectorXd D2 = of_z.head(size) * ahead;
  const Eigen::RowVectorXd D1 = of_z.tail(size) - D2 * (Ad + Z.rightCols(size));
  exact.D1.assign(D1.begin(), D1.end());
  exact.D2.assign(D2.begin(), D2.end());
  return exact;
}

}  // namespace herglotz::analyse
