#include "check/discrete_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "herglotz/analyse/discrete_order.hpp"
#include "herglotz/analyse/exact_discrete_lagrangian.hpp"
#include "herglotz/discrete/exact.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/error.hpp"
#include "herglotz/simulate/regularity.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

/// Values of expressions of (q0, q1, z0, z1, t0, h) along the first step of a run.
class FirstStep {
 public:
  FirstStep(const Problem& problem, const analyse::Trajectory& run)
      : problem_(problem), discrete_(*problem.discrete), derived_(discrete::discrete_herglotz(discrete_)) {
    symbols_ = discrete_.q0;
    symbols_.insert(symbols_.end(), discrete_.q1.begin(), discrete_.q1.end());
    symbols_.insert(symbols_.end(), {discrete_.z0, discrete_.z1, discrete_.t0, discrete_.h});
    for (const std::size_t row : {std::size_t{0}, std::size_t{1}})
      for (const auto& x : problem.system.algebroid.x) values_.push_back(run[x.name()][row]);
    const auto& action = run[problem.system.z.name()];
    const auto& time = run[problem.system.t.name()];
    values_.insert(values_.end(), {action[0], action[1], time[0], time[1] - time[0]});
    for (const auto& parameter : problem.system.parameters) {
      symbols_.push_back(parameter.symbol);
      values_.push_back(parameter.value);
    }
  }

  [[nodiscard]] std::vector<double> operator()(const std::vector<Expr>& f) const {
    return symbolic::evaluate(f, symbols_, values_);
  }

  [[nodiscard]] double sigma() const { return (*this)({derived_.sigma}).front(); }

  /// Returns dp0/dq1 with z1 = z0 + ell solved for z1, row by row: the Jacobian of F- at fixed (q0, z0).
  [[nodiscard]] std::vector<double> legendre_jacobian() const {
    const std::size_t n = discrete_.q0.size();
    std::vector<Expr> outputs{derived_.D_z1};
    outputs.insert(outputs.end(), derived_.D2.begin(), derived_.D2.end());
    std::vector<Expr> ends = discrete_.q1;
    ends.push_back(discrete_.z1);
    for (const Expr& p : derived_.p0)
      for (const Expr& slope : symbolic::gradient(p, ends)) outputs.push_back(slope);
    const auto v = (*this)(outputs);
    std::vector<double> jacobian;
    for (std::size_t i = 0; i < n; ++i) {
      const double* row = v.data() + 1 + n + i * (n + 1);
      for (std::size_t j = 0; j < n; ++j) jacobian.push_back(row[j] + row[n] * v[1 + j] / (1 - v[0]));
    }
    return jacobian;
  }

  /// Returns the distance of the second position from the position that the model asks for, relative to the positions.
  [[nodiscard]] double miss() const {
    const std::size_t n = discrete_.q0.size();
    double miss = 0;
    double size = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const double wanted = problem_.next.at(std::string(problem_.system.algebroid.x[i].name()));
      miss = std::max(miss, std::abs(values_[n + i] - wanted));
      size = std::max(size, std::abs(wanted));
    }
    return miss / size;
  }

  [[nodiscard]] std::string positions() const {
    const std::size_t n = discrete_.q0.size();
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < n; ++i)
      parts.push_back(
          fmt::format("{} {:.6g} -> {:.6g}", problem_.system.algebroid.x[i].name(), values_[i], values_[n + i]));
    return fmt::format("{}, {} {:.6g} -> {:.6g}", fmt::join(parts, ", "), problem_.system.z.name(), values_[2 * n],
                       values_[2 * n + 1]);
  }

 private:
  const Problem& problem_;
  const discrete::DiscreteLagrangian& discrete_;
  discrete::DiscreteHerglotz derived_;
  std::vector<Expr> symbols_;
  std::vector<double> values_;
};

/// Reports what is wrong, and returns it with the remedy.
std::string found_wrong(const Findings& findings, const std::string& what, const std::string& remedy) {
  findings.add("", judged(false, what));
  return fmt::format("{}; {}", what, remedy);
}

/// Reports an error, and returns its message with `remedy` if it has no remedy itself.
std::string found_wrong(const Findings& findings, const std::string& before, const Error& error,
                        const std::string& remedy) {
  std::string what = before + error.what();
  if (error.remedy().empty()) return found_wrong(findings, what, remedy);
  findings.add("", judged(false, what));
  return what;
}

std::string judge(const Problem& problem, const FirstStep& step, const Findings& findings, DiscreteFinding& found) {
  findings.add("", fmt::format("first step {}", step.positions()));
  const double sigma = step.sigma();
  const auto legendre = regularity_of(step.legendre_jacobian(), problem.system.n());
  found.legendre = legendre;
  found.sigma = sigma;
  const std::size_t n = problem.system.n();
  if (!legendre.finite || !std::isfinite(sigma))
    return found_wrong(findings, "the discrete Lagrangian is not finite at the first step", "start elsewhere");
  if (!legendre.regular)
    return found_wrong(
        findings,
        fmt::format("singular at the first step: discrete Legendre map F- ({0} x {0}) of rank {1}", n, legendre.rank),
        "its mixed second derivatives by the two positions must be a regular matrix");
  findings.add("", judged(true, "regular") +
                       fmt::format(" at the first step: discrete Legendre map F- ({} x {}) has full rank, condition "
                                   "{:.3g}; sigma_d = {:.9g}",
                                   n, n, legendre.condition, sigma));
  if (problem.next.empty()) return {};
  if (step.miss() > rounding)
    return found_wrong(findings,
                       "the first step does not arrive at [initial.next]: another position has the same momentum",
                       "take a smaller step, or start from a velocity");
  findings.add("", judged(true, "consistent") + ": the first step arrives at [initial.next]");
  return {};
}

/// Returns (x, y) in the first row.
std::pair<std::vector<double>, std::vector<double>> start_of(const mechanics::System& system,
                                                             const analyse::Trajectory& run) {
  std::pair<std::vector<double>, std::vector<double>> start;
  for (const auto& x : system.algebroid.x) start.first.push_back(run[x.name()][0]);
  for (const auto& y : system.algebroid.y) start.second.push_back(run[y.name()][0]);
  return start;
}

/// Finds the motion between the first two positions of a run.
analyse::ExactDiscreteLagrangian exact_of_first_step(const Simulator& simulator, const analyse::Trajectory& run) {
  const mechanics::System& system = simulator.system();
  std::vector<double> x1;
  for (const auto& x : system.algebroid.x) x1.push_back(run[x.name()][1]);
  const auto& time = run[system.t.name()];
  return analyse::exact_discrete_lagrangian(simulator.dynamics(), simulator.parameter_values(), time[0],
                                            start_of(system, run).first, x1, run[system.z.name()][0],
                                            time[1] - time[0]);
}

/// Measures, along the motion from the start, the order of the discrete Lagrangian against the exact discrete
/// Lagrangian, and the order of its flow.
void measure_order(const Simulator& simulator, const analyse::Trajectory& run, double step, const Findings& findings,
                   DiscreteFinding& found) {
  const mechanics::System& system = simulator.system();
  const auto [x0, y0] = start_of(system, run);
  constexpr double part = 0.25;  // longest step of the measurement as a part of the step
  constexpr double least = 0.5;
  try {
    const auto measured = analyse::discrete_order(simulator.dynamics_for(*integrate::find_method(discrete_method)),
                                                  simulator.parameter_values(), run[system.t.name()][0], x0, y0,
                                                  run[system.z.name()][0], part * step);
    found.order = measured.lagrangian;
    found.flow_order = measured.flow;
    const double order = std::round(measured.lagrangian);
    const std::string orders = fmt::format("measured {:.2f} against the exact discrete Lagrangian, its flow {:.2f}",
                                           measured.lagrangian, measured.flow);
    findings.add("", measured.lagrangian < least
                         ? judged(false, "no discretisation of the Lagrangian in [dynamics]: order " + orders)
                         : Sentence(fmt::format("order {}: {}", order, orders)));
  } catch (const std::exception& reason) {
    findings.add("", fmt::format("order not measured: {}", reason.what()));
  }
}

/// Compares the formula of an exact discrete Lagrangian with the motion between the first two positions.
void compare_exact(const Simulator& simulator, const analyse::Trajectory& run, double formula,
                   const Findings& findings) {
  try {
    const double found = exact_of_first_step(simulator, run).value;
    findings.add("", fmt::format("exact: it differs by {:.1e} from the action of the motion between these positions",
                                 std::abs(found - formula)));
  } catch (const Failed& reason) {
    findings.add("", fmt::format("the motion between these positions was not found: {}", reason.what()));
  }
}

double start_time(const Problem& problem) {
  const auto start = problem.initial.find(problem.system.t.name());
  return start == problem.initial.end() ? 0 : start->second;
}

/// Returns the settings of a run of one step from t0.
Settings one_step(const Problem& problem, const std::string& method) {
  Settings settings = problem.settings;
  settings.method = method;
  settings.tolerance.reset();
  settings.output_step.reset();
  settings.output_every = 1;
  const double t0 = start_time(problem);
  settings.t_end = t0 + (settings.t_end < t0 ? -*settings.step : *settings.step);
  return settings;
}

/// Returns the end of a run from the start of the problem over a time, by a method with fixed steps or adaptively.
std::vector<double> end_of(const Simulator& simulator, const Problem& problem, double duration,
                           std::optional<double> step) {
  Settings settings = problem.settings;
  settings.method = step ? discrete_method : "reference";
  settings.step = step;
  settings.tolerance.reset();
  constexpr double fine = 1e-13;
  if (!step) settings.tolerance = fine;
  settings.output_step.reset();
  settings.output_every.reset();
  settings.t_end = start_time(problem) + duration;
  const auto run = simulator.run(problem.initial, settings);
  std::vector<double> end;
  for (const auto* list : {&problem.system.algebroid.x, &problem.system.algebroid.y})
    for (const auto& name : *list) end.push_back(run[name.name()].back());
  end.push_back(run[problem.system.z.name()].back());
  return end;
}

/// Measures the order of the flow of a discrete Lagrangian on a groupoid against the motion over one step of the model.
void measure_flow_order(const Simulator& simulator, const Problem& problem, const Findings& findings,
                        DiscreteFinding& found) {
  const double h = one_step(problem, discrete_method).t_end - start_time(problem);
  try {
    const auto exact = end_of(simulator, problem, h, std::nullopt);
    const auto error = [&](int parts) {
      const auto end = end_of(simulator, problem, h, std::abs(h) / parts);
      double largest = 0;
      for (std::size_t i = 0; i < end.size(); ++i) largest = std::max(largest, std::abs(end[i] - exact[i]));
      return largest;
    };
    const double fine = error(64);
    constexpr double lost = 1e-12;
    if (fine < lost) return findings.add("", "order not measured: the flow is the motion to rounding");
    const double order = std::log2(error(32) / fine);
    found.flow_order = order;
    constexpr double least = 0.5;
    const std::string measured = fmt::format("measured {:.2f} against the motion", order);
    findings.add("",
                 order < least
                     ? judged(false, "no discretisation of the Lagrangian in [dynamics]: order of its flow " + measured)
                     : Sentence(fmt::format("order {} of its flow: {}", std::round(order), measured)));
  } catch (const std::exception& reason) {
    findings.add("", fmt::format("order not measured: {}", reason.what()));
  }
}

/// Judges a discrete Lagrangian on a groupoid by its first step.
std::string judge_arrow(const Problem& problem, const Findings& findings, DiscreteFinding& found) {
  const Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
  const auto run = simulator.run(problem.initial, one_step(problem, discrete_method), {}, {}, problem.next);
  found.sigma = run["integrating_factor"].front() / run["integrating_factor"].back();
  const auto& action = run[problem.system.z.name()];
  findings.add(
      "", judged(true, "regular") + fmt::format(" at the first step: {} {:.6g} -> {:.6g}; sigma_d = {:.9g}",
                                                problem.system.z.name(), action.front(), action.back(), found.sigma));
  measure_flow_order(simulator, problem, findings, found);
  return {};
}

/// Judges an exact discrete Lagrangian without a formula by the motion over the first step.
std::string judge_motion(const Problem& problem, const Findings& findings, DiscreteFinding& found) {
  const Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
  const auto run = simulator.run(problem.initial, one_step(problem, "auto"), {}, {}, problem.next);
  if (!geometry::is_tangent(problem.system.algebroid)) {
    found.sigma = 1 / run["integrating_factor"].back();
    findings.add("",
                 fmt::format("first step: {} {:.6g} -> {:.6g}; sigma_d = {:.9g}", problem.system.z.name(),
                             run[problem.system.z.name()].front(), run[problem.system.z.name()].back(), found.sigma));
    return {};
  }
  const auto [x0, y0] = start_of(problem.system, run);
  const double h = run[problem.system.t.name()].back() - run[problem.system.t.name()].front();
  const auto motion =
      analyse::contact_exponential(simulator.dynamics(), simulator.parameter_values(), run[problem.system.t.name()][0],
                                   x0, y0, run[problem.system.z.name()][0], h);
  const auto regularity = regularity_of(motion.dx1, problem.system.n());
  found.legendre = regularity;
  found.sigma = motion.factor;
  if (!regularity.regular)
    return found_wrong(findings,
                       "the first two positions are conjugate: d q1/d v0 is singular on the motion between them",
                       "take another step");
  findings.add("",
               judged(true, "regular") + fmt::format(" at the first step: d q1/d v0 has full rank, condition {:.3g}; "
                                                     "sigma_d = {:.9g}",
                                                     regularity.condition, found.sigma));
  return {};
}

}  // namespace

std::string judge_discrete(const Problem& problem, const Findings& findings, DiscreteFinding& found) {
  found.rule = problem.discrete->rule;
  findings.add("discrete", found.rule == "given" ? "Lagrangian given in the model"
                                                 : fmt::format("Lagrangian by rule: {}", found.rule));
  if (!problem.settings.step) {
    findings.add("", "no step is given: nothing is judged; set step in [simulation]");
    return {};
  }
  try {
    if (discrete::is_followed(*problem.discrete)) return judge_motion(problem, findings, found);
    if (discrete::on_groupoid(*problem.discrete)) return judge_arrow(problem, findings, found);
    const Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
    const auto run = simulator.run(problem.initial, one_step(problem, discrete_method), {}, {}, problem.next);
    const FirstStep step(problem, run);
    const std::string wrong = judge(problem, step, findings, found);
    if (!wrong.empty()) return wrong;
    if (found.rule == discrete::exact_rule)
      compare_exact(simulator, run, step({problem.discrete->ell}).front(), findings);
    else
      measure_order(simulator, run, *problem.settings.step, findings, found);
    return wrong;
  } catch (const RunFailed& failed) {
    return found_wrong(findings, "the first step fails: ", failed,
                       "change the step, the start or the discrete Lagrangian");
  } catch (const Refused& refusal) {
    return found_wrong(findings, "", refusal, "remove [discrete], or change the model");
  }
}

}  // namespace herglotz::simulate
