#include "start.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "exact_motion.hpp"
#include "herglotz/analyse/exact_discrete_lagrangian.hpp"
#include "herglotz/analyse/list_text.hpp"
#include "herglotz/error.hpp"
#include "herglotz/linear/full_lu.hpp"
#include "herglotz/simulate/conflicting_values.hpp"
#include "herglotz/simulate/regularity.hpp"
#include "settings.hpp"

namespace herglotz::simulate {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Relative residual below which an equation counts as solved.
constexpr double solved = 1e-11;

std::vector<std::string> names_of(const std::vector<symbolic::Expr>& symbols) {
  std::vector<std::string> names;
  for (const auto& symbol : symbols) names.emplace_back(symbol.name());
  return names;
}

/// Returns the name of the first symbol that has an initial value, or an empty string.
std::string first_given(const InitialState& initial, const std::vector<symbolic::Expr>& symbols) {
  for (const auto& symbol : symbols)
    if (initial.contains(symbol.name())) return std::string(symbol.name());
  return {};
}

std::string written(const std::vector<symbolic::Expr>& symbols, std::span<const double> values) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    parts.push_back(fmt::format("{} = {:.9g}", symbols[i].name(), values[i]));
  return analyse::list_text(parts);
}

/// Newton's method for p(w) = p at fixed (x, z, t, nu), with steps halved until the residual falls.
class VelocitySearch {
 public:
  VelocitySearch(const mechanics::System& system, const integrate::Dynamics& dynamics, const kernel::Kernel& hessian,
                 Start& start, std::span<const double> parameters)
      : system_(system), dynamics_(dynamics), hessian_(hessian), start_(start), parameters_(parameters) {}

  /// Returns whether p(w) = p was reached from the guess; if so, the state contains that w.
  bool from(const Eigen::VectorXd& guess) {
    constexpr int most_steps = 200;
    set(guess);
    Eigen::VectorXd w = guess;
    Eigen::VectorXd residual = defect();
    for (int k = 0; k < most_steps && residual.allFinite() && residual.cwiseAbs().maxCoeff() > 0; ++k) {
      const auto blocks = values_at(hessian_, system_, start_, parameters_);
      const auto r = static_cast<Eigen::Index>(system_.r());
      const Eigen::MatrixXd W = Eigen::Map<const RowMajor>(blocks.data(), r, r);
      if (!W.allFinite()) break;
      const linear::FullLu factors(W);
      if (!factors.is_invertible()) break;
      if (!descend(w, residual, factors.solve(-residual))) break;
    }
    const Eigen::VectorXd wanted = given();
    return residual.allFinite() && residual.cwiseAbs().maxCoeff() <= solved * (1 + wanted.cwiseAbs().maxCoeff());
  }

  [[nodiscard]] Eigen::VectorXd given() const {
    return Eigen::Map<const Eigen::VectorXd>(start_.momenta->data(), static_cast<Eigen::Index>(system_.r()));
  }

 private:
  void set(const Eigen::VectorXd& w) {
    std::copy(w.begin(), w.end(), start_.state.begin() + static_cast<std::ptrdiff_t>(system_.n()));
  }

  [[nodiscard]] Eigen::VectorXd defect() const {
    const auto stage = values_at(dynamics_.stage, system_, start_, parameters_);
    return Eigen::Map<const Eigen::VectorXd>(stage.data() + system_.n(), static_cast<Eigen::Index>(system_.r())) -
           given();
  }

  bool descend(Eigen::VectorXd& w, Eigen::VectorXd& residual, const Eigen::VectorXd& step) {
    constexpr int most_halvings = 50;
    double part = 1;
    for (int k = 0; k < most_halvings; ++k, part /= 2) {
      const Eigen::VectorXd trial = w + part * step;
      set(trial);
      const Eigen::VectorXd found = defect();
      if (!found.allFinite() || !(found.norm() < residual.norm())) continue;
      w = trial;
      residual = found;
      return true;
    }
    set(w);
    return false;
  }

  const mechanics::System& system_;
  const integrate::Dynamics& dynamics_;
  const kernel::Kernel& hessian_;
  Start& start_;
  std::span<const double> parameters_;
};

/// Values of ell and its derivatives at two positions, with z1 solved from z1 = z0 + ell.
struct FirstStep {
  std::vector<double> values;  ///< outputs of DiscreteKernels::ell
  double z1 = 0;
  bool found = false;

  [[nodiscard]] double sigma(std::size_t n) const { return (1 + values[2 * n + 1]) / (1 - values[2 * n + 2]); }
};

FirstStep first_step(const integrate::DiscreteKernels& discrete, std::vector<double> variables, std::size_t n,
                     std::span<const double> parameters) {
  constexpr int most_steps = 100;
  FirstStep result;
  result.values.resize(discrete.ell.outputs());
  std::vector<double> work(discrete.ell.work_size());
  const double z0 = variables[2 * n];
  result.z1 = z0;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_steps; ++k) {
    variables[2 * n + 1] = result.z1;
    discrete.ell(variables.data(), parameters.data(), result.values.data(), work.data());
    const double ell = result.values[0];
    const double defect = std::abs(z0 + ell - result.z1);
    if (!std::isfinite(defect)) return result;
    result.found = defect <= solved * (1 + std::abs(z0) + std::abs(ell));
    if (defect == 0 || (result.found && defect >= before)) return result;
    before = defect;
    result.z1 += (z0 + ell - result.z1) / (1 - result.values[2 * n + 2]);
  }
  return result;
}

/// Returns the step, halved until sigma_d is well above 0 along it, or 0 if no halving achieves that.
double fine_step(const integrate::DiscreteKernels& discrete, std::vector<double> variables, std::size_t n,
                 std::span<const double> parameters) {
  constexpr int most_halvings = 40;
  constexpr double well_above = 0.25;
  double& h = variables.back();
  for (int k = 0; k < most_halvings; ++k, h /= 2) {
    const FirstStep step = first_step(discrete, variables, n, parameters);
    if (step.found && step.sigma(n) >= well_above && std::isfinite(step.sigma(n))) return std::abs(h);
  }
  return 0;
}

void take_out(InitialState& initial, const std::vector<symbolic::Expr>& symbols) {
  for (const auto& symbol : symbols) initial.erase(std::string(symbol.name()));
}

bool among(const std::vector<symbolic::Expr>& symbols, std::string_view name) {
  return std::any_of(symbols.begin(), symbols.end(), [&](const auto& symbol) { return symbol.name() == name; });
}

}  // namespace

void drop_conflicting_values(const mechanics::System& system, std::string_view name, InitialState& initial,
                             InitialState& next) {
  const bool lagrangian = system.formulation == mechanics::Formulation::lagrangian;
  const bool velocity = lagrangian && among(system.algebroid.y, name);
  const bool momentum = among(system.p, name);
  if (velocity || momentum) next.clear();
  if (velocity) take_out(initial, system.p);
  if (momentum && lagrangian) take_out(initial, system.algebroid.y);
}

std::vector<std::string> state_names(const mechanics::System& system, const mechanics::Equations& equations) {
  std::vector<std::string> names = names_of(system.algebroid.x);
  for (const auto& name : names_of(system.w())) names.push_back(name);
  names.emplace_back(system.z.name());
  if (equations.rule == mechanics::Rule::vakonomic)
    for (const auto& name : names_of(equations.l)) names.push_back(name);
  return names;
}

std::string changes_of(std::span<const std::string> names, std::span<const double> before,
                       std::span<const double> after) {
  constexpr double rounding = 1e-12;
  double largest = 0;
  for (std::size_t i = 0; i < before.size(); ++i) largest = std::max(largest, std::abs(after[i] - before[i]));
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (std::abs(after[i] - before[i]) > rounding * largest)
      changes.push_back(fmt::format("{} {:.6g} -> {:.9g}", names[i], before[i], after[i]));
  return analyse::list_text(changes);
}

Start resolve_start(const mechanics::System& system, const mechanics::Equations& equations,
                    const InitialState& initial) {
  auto names = state_names(system, equations);
  const std::size_t size = names.size();
  const bool lagrangian = system.formulation == mechanics::Formulation::lagrangian;
  if (lagrangian)
    for (const auto& name : names_of(system.p)) names.push_back(name);
  std::vector<double> values(names.size(), 0.0);
  Start start;
  for (const auto& [name, value] : initial) {
    require_finite(name, value);
    if (name == system.t.name()) {
      start.t0 = value;
      continue;
    }
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) unknown_name("initial value", name, names);
    values[static_cast<std::size_t>(it - names.begin())] = value;
  }
  const auto end_of_state = values.begin() + static_cast<std::ptrdiff_t>(size);
  start.state.assign(values.begin(), end_of_state);
  const std::string momentum = lagrangian ? first_given(initial, system.p) : std::string{};
  if (momentum.empty()) return start;
  const std::string velocity = first_given(initial, system.algebroid.y);
  if (!velocity.empty())
    throw Refused(fmt::format("{} and {} are given: a velocity and a momentum", momentum, velocity),
                  "start from velocities alone, or from momenta alone", momentum);
  start.momenta.emplace(end_of_state, values.end());
  return start;
}

std::vector<double> values_at(const kernel::Kernel& kernel, const mechanics::System& system, const Start& start,
                              std::span<const double> parameters) {
  const auto size = static_cast<std::ptrdiff_t>(system.n() + system.r() + 1);
  std::vector<double> v(start.state.begin(), start.state.begin() + size);
  v.push_back(start.t0);
  v.insert(v.end(), start.state.begin() + size, start.state.end());
  v.resize(kernel.variables(), 0.0);
  std::vector<double> out(kernel.outputs());
  std::vector<double> work(kernel.work_size());
  kernel(v.data(), parameters.data(), out.data(), work.data());
  return out;
}

integrate::Reason find_velocity(const mechanics::System& system, const integrate::Dynamics& dynamics,
                                const kernel::Kernel& hessian, Start& start, std::span<const double> parameters) {
  VelocitySearch search(system, dynamics, hessian, start, parameters);
  const Eigen::VectorXd p = search.given();
  const std::vector<Eigen::VectorXd> guesses{Eigen::VectorXd::Zero(p.size()), p, -p};
  if (std::any_of(guesses.begin(), guesses.end(), [&](const Eigen::VectorXd& guess) { return search.from(guess); }))
    return {};
  std::fill_n(start.state.begin() + static_cast<std::ptrdiff_t>(system.n()), system.r(), 0.0);
  const auto blocks = values_at(hessian, system, start, parameters);
  const auto regularity = regularity_of(std::span(blocks).first(system.r() * system.r()), system.r());
  const char* of = dynamics.differential() ? " (those of L - nu Phi)" : "";
  if (!regularity.regular)
    return {
        fmt::format("no velocity with the momenta {}{} was found: the velocity Hessian is singular at the start (rank "
                    "{} of {}), so that momenta determine no velocities there",
                    written(system.p, *start.momenta), of, regularity.rank, system.r()),
        "start elsewhere"};
  return {
      fmt::format("no velocity with the momenta {}{} was found at the start", written(system.p, *start.momenta), of),
      "start from velocities"};
}

namespace {

/// Returns (q0, q1) of a start from two positions. Throws Refused if a momentum is given as well, and for
/// a second position with a name or a value that is wrong.
std::vector<double> two_positions(const mechanics::System& system, const InitialState& initial,
                                  const InitialState& next, const Start& start) {
  std::string given = first_given(initial, system.p);
  if (given.empty() && system.formulation == mechanics::Formulation::lagrangian)
    given = first_given(initial, system.algebroid.y);
  if (!given.empty())
    throw Refused(fmt::format("{} is given beside [initial.next]", given),
                  "keep one of them: the momentum follows from two positions", given);
  const std::size_t n = system.n();
  std::vector<double> variables(start.state.begin(), start.state.begin() + static_cast<std::ptrdiff_t>(n));
  variables.resize(2 * n, 0.0);
  const auto names = names_of(system.algebroid.x);
  for (const auto& [name, value] : next) {
    require_finite("next." + name, value);
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) unknown_name("base coordinate of [initial.next]", name, names);
    variables[n + static_cast<std::size_t>(it - names.begin())] = value;
  }
  return variables;
}

/// Makes momenta the start of a Lagrangian system, or part of the state of a Hamiltonian one.
integrate::Reason begin_with(const mechanics::System& system, const std::vector<double>& p, Start& start) {
  if (!std::all_of(p.begin(), p.end(), [](double value) { return std::isfinite(value); }))
    return "the discrete momentum is not finite between the first two positions";
  if (system.formulation == mechanics::Formulation::lagrangian)
    start.momenta = p;
  else
    std::copy(p.begin(), p.end(), start.state.begin() + static_cast<std::ptrdiff_t>(system.n()));
  return {};
}

}  // namespace

integrate::Reason find_exact_momenta(const mechanics::System& system, const integrate::Dynamics& dynamics,
                                     const InitialState& initial, const InitialState& next, double h, Start& start,
                                     std::span<const double> parameters) {
  const std::vector<double> positions = two_positions(system, initial, next, start);
  const std::span<const double> ends(positions);
  const std::size_t n = system.n();
  try {
    const auto exact = analyse::exact_discrete_lagrangian(dynamics, parameters, start.t0, ends.first(n),
                                                          ends.subspan(n), start.state[n + system.r()], h);
    return begin_with(system, exact.p0, start);
  } catch (const Failed& reason) {
    return {fmt::format("the exact discrete Lagrangian was not found between the first two positions: {}",
                        reason.problem()),
            reason.remedy()};
  }
}

integrate::Reason find_momenta(const mechanics::System& system, const integrate::DiscreteKernels& discrete,
                               const InitialState& initial, const InitialState& next, double h, Start& start,
                               std::span<const double> parameters) {
  std::vector<double> variables = two_positions(system, initial, next, start);
  const std::size_t n = system.n();
  const double z0 = start.state[n + system.r()];
  variables.insert(variables.end(), {z0, z0, start.t0, h});
  const FirstStep step = first_step(discrete, variables, n, parameters);
  const std::string between = "the first two positions";
  const double fine = fine_step(discrete, variables, n, parameters);
  const std::string remedy = fine > 0 ? fmt::format("take a step of at most {:.2g}", fine) : "start elsewhere";
  if (!step.found)
    return {fmt::format("the action after the first step, z1 = z0 + L_d, was not found between {}", between), remedy};
  const double sigma = step.sigma(n);
  if (!(sigma > 0) || !std::isfinite(sigma))
    return {fmt::format("sigma_d = {:.3g} between {}, where it must be positive", sigma, between), remedy};
  std::vector<double> p;
  for (std::size_t i = 0; i < n; ++i) p.push_back(-step.values[1 + i] / (1 + step.values[2 * n + 1]));
  return begin_with(system, p, start);
}

}  // namespace herglotz::simulate
