#include "final_set/motion.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "certificate/certificate.hpp"
#include "certificate/measures.hpp"
#include "facts.hpp"
#include "herglotz/control/states.hpp"
#include "herglotz/error.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/matrix.hpp"
#include "rows.hpp"
#include "start/warm_start.hpp"

namespace herglotz::solve {
namespace {

using control::Expr;

constexpr double holds = 1e-6;  ///< a value at an end that is nearer to the given one, relative

void append(std::vector<Expr>& to, const std::vector<Expr>& what) {
  to.insert(to.end(), what.begin(), what.end());
}

/// The rates of (v, w, ln R) on the final set, and the problem of their ends.
class Rates {
 public:
  Rates(const control::Problem& problem, const SingularEnds& ends)
      : problem_(problem), ends_(ends), q_(ends.analysis.equations), graph_(problem.system.graph()) {
    states_ = q_.v;
    append(states_, q_.w);
    rates_ = q_.X;
    append(rates_, rates_of_w());
    // The price obeys dR/dt = R dH/dz.
    states_.push_back(graph_.symbol("log(price)"));
    rates_.push_back(symbolic::derivative(hamiltonian(), problem.system.z));
  }

  [[nodiscard]] control::Problem problem() const {
    control::Problem result;
    result.system = control::system_of_states(problem_.system, states_);
    result.kind = control::Kind::kinematic;
    result.kinematics = rates_;
    result.cost = {graph_.symbol("cost()"), number(0), number(0), false};
    result.boundary = boundary();
    result.guess = guess();
    result.settings = problem_.settings;
    if (result.settings.method == "auto") result.settings.method = "direct-gauss-6";
    result.text = problem_.text;
    return result;
  }

 private:
  [[nodiscard]] Expr number(std::int64_t value) const { return graph_.number(value); }

  /// Returns H = p y - L + nu Phi.
  [[nodiscard]] Expr hamiltonian() const {
    const mechanics::System& system = ends_.system;
    Expr H = -symbolic::expand_lets(system.generator);
    for (std::size_t a = 0; a < system.r(); ++a) H += system.p[a] * system.algebroid.y[a];
    for (std::size_t k = 0; k < system.constraints.equations.size(); ++k)
      H += system.constraints.multipliers[k] * symbolic::expand_lets(system.constraints.equations[k]);
    return H;
  }

  /// Returns dw/dt, for which the pivots stay zero.
  [[nodiscard]] std::vector<Expr> rates_of_w() const {
    const auto& analysis = ends_.analysis;
    const std::size_t size = q_.w.size();
    std::vector<Expr> along = q_.v;
    along.push_back(problem_.system.t);
    std::vector<Expr> rates = q_.X;
    rates.push_back(number(1));
    symbolic::Matrix A(size, size, number(0));
    symbolic::Matrix right(size, 1, number(0));
    for (std::size_t i = 0; i < size; ++i) {
      const std::vector<Expr> G{analysis.constraints[analysis.pivots[i]].expression};
      const auto slopes = symbolic::gradient(G.front(), q_.w);
      for (std::size_t j = 0; j < size; ++j) A(i, j) = slopes[j];
      right(i, 0) = -symbolic::directional_derivative(G, along, rates).front();
    }
    return symbolic::solve(A, right).entries;
  }

  /// Returns a function of (v, w, t) with the symbols of the start.
  [[nodiscard]] Expr at_start(Expr f) const {
    std::vector<Expr> from = states_;
    std::vector<Expr> to;
    for (const Expr& state : states_) to.push_back(graph_.symbol(control::initial_name(state.name())));
    from.push_back(problem_.system.t);
    to.push_back(start_time());
    return symbolic::substitute(f, from, to);
  }
  [[nodiscard]] Expr start_time() const {
    const auto found = problem_.boundary.initial.find(problem_.system.t.name());
    return found == problem_.boundary.initial.end() ? number(0) : found->second;
  }

  [[nodiscard]] control::Boundary boundary() const {
    control::Boundary boundary = problem_.boundary;
    boundary.initial.clear();
    boundary.final.clear();
    boundary.free_initial.clear();
    boundary.initial[std::string(problem_.system.t.name())] = start_time();
    for (const Expr& state : states_) boundary.free_initial.emplace_back(state.name());
    for (const EndValue& value : ends_.first) {
      const std::string name(states_[value.entry].name());
      std::erase(boundary.free_initial, name);
      boundary.initial[name] = graph_.number(value.value);
    }
    for (const EndValue& value : ends_.last)
      boundary.final[std::string(states_[value.entry].name())] = graph_.number(value.value);
    boundary.final[std::string(states_.back().name())] = number(0);
    for (const auto& constraint : ends_.analysis.constraints)
      boundary.conditions.push_back(at_start(constraint.expression));
    return boundary;
  }

  /// Returns the guess with velocities that follow from it, and with their momenta.
  [[nodiscard]] control::Guess guess() const {
    control::Guess guess = problem_.guess;
    guess.iterate.reset();
    const mechanics::System& system = problem_.system;
    const auto& e = system.algebroid;
    const auto known = [&](const Expr& symbol) {
      return guess.values.contains(symbol.name()) || guess.columns.contains(symbol.name());
    };
    std::vector<Expr> from;
    std::vector<Expr> to;
    const Expr duration = *problem_.boundary.duration;
    for (std::size_t i = 0; i < e.n(); ++i) {
      from.push_back(e.x[i]);
      to.push_back(guessed(std::string(e.x[i].name())));
      if (e.n() == e.r() && !known(e.y[i]))
        guess.values[std::string(e.y[i].name())] = symbolic::derivative(to.back(), guess.s) / duration;
    }
    for (std::size_t a = 0; a < e.r(); ++a) {
      from.push_back(e.y[a]);
      const auto found = guess.values.find(e.y[a].name());
      to.push_back(found == guess.values.end() ? number(0) : found->second);
    }
    append(from, {system.z, system.t});
    append(to, {number(0), start_time() + guess.s * duration});
    for (std::size_t a = 0; a < e.r(); ++a) {
      const Expr p = symbolic::expand_lets(symbolic::derivative(system.generator, e.y[a]));
      if (!known(system.p[a])) guess.values[std::string(system.p[a].name())] = symbolic::substitute(p, from, to);
    }
    return guess;
  }

  /// Returns the guess of a base coordinate: that of the model, or a straight line between the ends.
  [[nodiscard]] Expr guessed(const std::string& name) const {
    const auto& boundary = problem_.boundary;
    if (const auto found = problem_.guess.values.find(name); found != problem_.guess.values.end()) return found->second;
    const auto start = boundary.initial.find(name);
    const auto end = boundary.final.find(name);
    const Expr first = start == boundary.initial.end() ? number(0) : start->second;
    return end == boundary.final.end() ? first : first + problem_.guess.s * (end->second - first);
  }

  const control::Problem& problem_;
  const SingularEnds& ends_;
  const mechanics::ImplicitSystem& q_;
  symbolic::Graph& graph_;
  std::vector<Expr> states_;
  std::vector<Expr> rates_;
};

/// Values of (v, w, ln R) along the path as those of an extremal: (x, z), the costates of the base and of the action,
/// the velocities, and the multipliers.
class Extremal {
 public:
  Extremal(const control::Problem& problem, const SingularEnds& ends)
      : system_(problem.system), of_v_(ends.analysis.equations.v.size()), of_w_(ends.analysis.equations.w.size()) {
    for (const auto& parameter : system_.parameters) parameters_.push_back(parameter.value);
  }

  [[nodiscard]] control::Iterate iterate(const control::Iterate& of_rates) const {
    control::Iterate result;
    for (const Expr& x : system_.algebroid.x) result.states.emplace_back(x.name());
    result.states.emplace_back(system_.z.name());
    for (const Expr& y : system_.algebroid.y) result.algebraic.emplace_back(y.name());
    result.stages = of_rates.stages;
    result.points = of_rates.points;
    result.equations = of_w_ - system_.r();
    result.times = of_rates.times;
    result.errors = of_rates.errors;
    result.arcs = of_rates.arcs;
    const std::size_t d = of_rates.states.size();
    for (std::size_t k = 0; k < of_rates.v.size(); k += d) add(of_rates.v.data() + k, result.v, result.P);
    for (std::size_t k = 0; k < of_rates.stage_v.size(); k += d) {
      const double* at = of_rates.stage_v.data() + k;
      const double R = std::exp(at[of_v_ + of_w_]);
      add(at, result.stage_v, result.stage_P);
      result.stage_w.insert(result.stage_w.end(), at + of_v_, at + of_v_ + system_.r());
      for (std::size_t j = system_.r(); j < of_w_; ++j) result.stage_kappa.push_back(-R * at[of_v_ + j]);
    }
    result.stage_bound.assign(result.stage_w.size(), 0.0);
    return result;
  }

 private:
  void add(const double* at, Values& v, Values& P) const {
    const std::size_t n = system_.n();
    v.insert(v.end(), at, at + n);
    v.push_back(at[n + system_.r()]);
    const double R = std::exp(at[of_v_ + of_w_]);
    for (const double p : momenta(at)) P.push_back(-R * p);
    P.push_back(R);
  }

  /// Returns momenta of the base whose pairing with the anchor are the momenta of the fibre.
  [[nodiscard]] Values momenta(const double* at) const {
    const auto n = static_cast<Eigen::Index>(system_.n());
    const auto r = static_cast<Eigen::Index>(system_.r());
    std::vector<Expr> symbols = system_.algebroid.x;
    for (const auto& parameter : system_.parameters) symbols.push_back(parameter.symbol);
    Values values(at, at + n);
    values.insert(values.end(), parameters_.begin(), parameters_.end());
    const Values rho = symbolic::evaluate(system_.algebroid.rho.entries, symbols, values);
    using RowMajor = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;
    const Eigen::MatrixXd transposed = Eigen::Map<const RowMajor>(rho.data(), n, r).transpose();
    const Eigen::VectorXd p = linear::least_squares(transposed, Eigen::Map<const Eigen::VectorXd>(at + n, r));
    return {p.data(), p.data() + n};
  }

  const mechanics::System& system_;
  std::size_t of_v_;
  std::size_t of_w_;
  Values parameters_;
};

/// Returns the largest constraint of any level at the nodes of a path of (v, w), in parts of its slope and value.
double largest_constraint(const control::Problem& problem, const SingularEnds& ends, const control::Iterate& path) {
  std::vector<Expr> symbols = ends.analysis.equations.v;
  append(symbols, ends.analysis.equations.w);
  std::vector<Expr> functions;
  for (const auto& constraint : ends.analysis.constraints) {
    functions.push_back(constraint.expression);
    append(functions, symbolic::gradient(constraint.expression, symbols));
  }
  const std::size_t size = symbols.size();
  symbols.push_back(problem.system.t);
  for (const auto& parameter : problem.system.parameters) symbols.push_back(parameter.symbol);
  double largest = 0;
  for (std::size_t k = 0; k < path.times.size(); ++k) {
    const double* at = path.v.data() + k * path.states.size();
    Values values(at, at + size);
    values.push_back(path.times[k]);
    for (const auto& parameter : problem.system.parameters) values.push_back(parameter.value);
    const Values f = symbolic::evaluate(functions, symbols, values);
    for (std::size_t c = 0; c < f.size(); c += 1 + size) {
      double scale = 1;
      for (std::size_t i = 0; i < size; ++i) scale = std::max(scale, std::abs(f[c + 1 + i] * at[i]));
      largest = std::max(largest, std::abs(f[c]) / scale);
    }
  }
  return largest;
}

/// Takes the states of the rates into the columns of their names, which have velocities between stages from
/// polynomials.
void take_states(const Solution& of_rates, std::vector<analyse::Column>& columns) {
  const auto& states = of_rates.iterate.states;
  for (auto& column : columns)
    if (std::find(states.begin(), states.end(), column.name) != states.end())
      column.values = of_rates.trajectory[column.name];
}

/// Returns what is said of a value at an end that the solution does not have.
std::string text_of(const SingularEnds& ends, const EndValue& value, bool last, double found) {
  const std::string name(ends.analysis.equations.v[value.entry].name());
  return fmt::format("{} = {:.6g} at the {}, which is {:.6g}", name, value.value, last ? "end" : "start", found);
}

/// Judges the values at the ends that were no conditions.
void judge_others(const SingularEnds& ends, const control::Iterate& path, Solution& result) {
  const std::size_t d = path.states.size();
  for (const bool last : {false, true}) {
    const double* at = path.v.data() + (last ? path.v.size() - d : 0);
    for (const EndValue& value : last ? ends.follow_last : ends.follow_first) {
      const double found = at[value.entry];
      if (std::abs(found - value.value) <= holds * std::max(1.0, std::abs(value.value))) continue;
      if (value.natural) {
        result.notes.push_back(fmt::format(
            "the action is not stationary where the end is free: the momentum {} is not 0 at the {}, but {:.6g}",
            ends.analysis.equations.v[value.entry].name(), last ? "end" : "start", found));
      } else if (result.status == Status::solved) {
        result.status = Status::infeasible;
        result.reason =
            "the other values at the ends determine the motion on the final set; farthest from holding is " +
            text_of(ends, value, last, found);
      }
    }
  }
}

}  // namespace

Solution solve_on_final_set(const control::Problem& problem, const SingularEnds& ends,
                            const std::function<Solution(const control::Problem&)>& solved) {
  for (const char* method : {"direct-herglotz", "direct-lie-2"})
    if (problem.settings.method == method)
      throw Refused(fmt::format("the method {} does not follow motions of singular Lagrangians", method),
                    "use direct-gauss-6", "[mesh]");
  const control::Problem rates = Rates(problem, ends).problem();
  const Solution found = solved(rates);
  control::Problem extremal = problem;
  extremal.guess.iterate = Extremal(problem, ends).iterate(found.iterate);
  extremal.guess.keeps_mesh = true;
  const Setup setup(extremal);
  const Path path = warm_start(setup)->path;
  Solution result;
  static_cast<control::SolutionFacts&>(result) = found;
  result.notes.clear();
  result.cost = cost_of(setup, path);
  result.cost_error = with_rounding(found.mesh_error * std::max(1.0, std::abs(result.cost)), result.cost);
  result.iterate = *extremal.guess.iterate;
  const Rows rows = rows_of(setup, setup, path, false);
  result.trajectory.columns = rows.columns;
  take_states(found, result.trajectory.columns);
  const double defect = found.residuals.front().second;
  result.residuals = {{"defect", defect},
                      {"constraints", largest_constraint(problem, ends, found.iterate)},
                      {"hamiltonian", rows.largest_hamiltonian_residual},
                      {"price_share", price_share(setup, path)},
                      {"transversality", transversality(setup, path)}};
  if (found.status == Status::solved) {
    result.reason = "the motion meets the values at its ends";  // nothing was minimised
    judge_others(ends, found.iterate, result);
    result.notes.push_back(
        fmt::format("the Lagrangian is singular: this is its motion on the final set of dimension {} between the ends; "
                    "whether its action is least was not decided",
                    ends.analysis.dim_final));
  }
  state_facts(problem, result);
  return result;
}

}  // namespace herglotz::solve
