#include "herglotz/control/singular_extremals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "herglotz/control/first_order.hpp"
#include "herglotz/mechanics/singular/implicit.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::control {
namespace {

using symbolic::derivative;

/// More accelerations and multipliers are not eliminated: their formulas grow with the factorial of their number.
constexpr std::size_t most_eliminated = 6;

/// Values that no model is likely to single out.
double generic(std::size_t k) {
  constexpr std::array values{0.83, -0.57, 1.29, 0.41, -1.13, 0.67, -0.91, 1.07};
  const std::size_t round = k / values.size();
  return values[k % values.size()] + 0.1 * static_cast<double>(round);
}

/// Returns whether a symmetric matrix has full rank, by elimination with the largest of all entries as pivot.
bool has_full_rank(std::vector<double> A, std::size_t size) {
  constexpr double zero = 1e-12;  ///< a pivot, in parts of the first
  double first = 0;
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t row = k;
    std::size_t col = k;
    for (std::size_t i = k; i < size; ++i) {
      for (std::size_t j = k; j < size; ++j) {
        if (!std::isfinite(A[i * size + j]))
          throw mechanics::Undecided("the second derivatives of the Hamiltonian are not finite near the start");
        if (std::abs(A[i * size + j]) > std::abs(A[row * size + col])) std::tie(row, col) = std::pair(i, j);
      }
    }
    for (std::size_t j = 0; j < size; ++j) std::swap(A[k * size + j], A[row * size + j]);
    for (std::size_t i = 0; i < size; ++i) std::swap(A[i * size + k], A[i * size + col]);
    const double pivot = A[k * size + k];
    if (k == 0) first = std::abs(pivot);
    if (!(std::abs(pivot) > zero * first)) return false;
    for (std::size_t i = k + 1; i < size; ++i) {
      const double share = A[i * size + k] / pivot;
      for (std::size_t j = k; j < size; ++j) A[i * size + j] -= share * A[k * size + j];
    }
  }
  return true;
}

class Extremals {
 public:
  explicit Extremals(const Problem& problem) : problem_(problem), system_(problem.system), form_(first_order(problem)) {
    for (auto* list : {&form_.rates, &form_.equations})
      for (Expr& f : *list) f = symbolic::expand_lets(f);
    for (const Expr& y : system_.algebroid.y) costates_.push_back(costate("p_", y));
    if (problem.kind != Kind::mechanical) return;
    for (const Expr& y : system_.algebroid.y) costates_.push_back(costate("q_", y));
    costates_.push_back(costate("p_", system_.z));
  }

  std::optional<mechanics::SingularAnalysis> analysis() {
    if (is_regular()) return std::nullopt;
    eliminate();
    const Expr H = hamiltonian();
    const mechanics::ImplicitSystem equations = implicit(H);
    std::vector<Expr> order = costates_;
    order.insert(order.end(), problem_.controls.begin(), problem_.controls.end());
    order.insert(order.end(), form_.v.begin(), form_.v.end());
    return mechanics::analyse_implicit(system_, equations, order, parameters(), start());
  }

 private:
  Expr costate(const char* prefix, Expr of) const { return system_.graph().symbol(prefix + std::string(of.name())); }
  [[nodiscard]] std::size_t controls() const { return problem_.controls.size(); }
  [[nodiscard]] Expr sign() const { return system_.graph().number(problem_.cost.maximise ? -1 : 1); }
  [[nodiscard]] const std::vector<Expr>& fibre() const {
    return problem_.kind == Kind::mechanical ? system_.algebroid.y : problem_.kinematics;
  }
  [[nodiscard]] std::vector<double> parameters() const {
    std::vector<double> values;
    for (const auto& parameter : system_.parameters) values.push_back(parameter.value);
    return values;
  }

  /// Returns p f - ell; the rates of velocities and of the mechanical action follow those of the base.
  [[nodiscard]] Expr hamiltonian() const {
    Expr H = -sign() * form_.rates.back();
    for (std::size_t a = 0; a < system_.r(); ++a) H += costates_[a] * symbolic::expand_lets(fibre()[a]);
    for (std::size_t i = system_.r(); i < costates_.size(); ++i)
      H += costates_[i] * form_.rates[system_.n() + i - system_.r()];
    return H;
  }

  /// Returns whether H_uu has full rank near the start, where multipliers of the equations of motion stand for those
  /// that the costates give.
  [[nodiscard]] bool is_regular() const {
    Expr H = hamiltonian();
    std::vector<Expr> names = form_.v;
    names.insert(names.end(), costates_.begin(), costates_.end());
    names.insert(names.end(), form_.w.begin(), form_.w.end());
    for (std::size_t j = 0; j < form_.equations.size(); ++j) {
      names.push_back(system_.graph().symbol("kappa(" + std::to_string(j) + ")"));
      H -= names.back() * form_.equations[j];
    }
    std::vector<Expr> second;
    for (const Expr& u : problem_.controls)
      for (const Expr& other : problem_.controls) second.push_back(derivative(derivative(H, u), other));
    std::vector<double> values = state();
    for (std::size_t k = values.size(); k < names.size(); ++k) values.push_back(generic(k));
    for (double& value : values) value += 0.01 * generic(static_cast<std::size_t>(&value - values.data()));
    names.push_back(system_.t);
    values.push_back(start_time());
    for (const auto& parameter : system_.parameters) {
      names.push_back(parameter.symbol);
      values.push_back(parameter.value);
    }
    return has_full_rank(symbolic::evaluate(second, names, values), controls());
  }

  /// Writes accelerations and multipliers as functions of states and controls.
  void eliminate() {
    const std::vector<Expr> from(form_.w.begin() + static_cast<std::ptrdiff_t>(controls()), form_.w.end());
    if (from.empty()) return;
    if (from.size() > most_eliminated)
      throw mechanics::Undecided(std::to_string(from.size()) +
                                 " accelerations and multipliers are too many to be eliminated");
    const Expr zero = system_.graph().number(0);
    symbolic::Matrix slopes(from.size(), from.size(), zero);
    symbolic::Matrix right(from.size(), 1, zero);
    const std::vector<Expr> zeros(from.size(), zero);
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t j = 0; j < from.size(); ++j) slopes(i, j) = derivative(form_.equations[i], from[j]);
      right(i, 0) = -symbolic::substitute(form_.equations[i], from, zeros);
    }
    const std::vector<Expr> to = symbolic::solve(slopes, right).entries;
    for (Expr& rate : form_.rates) rate = symbolic::substitute(rate, from, to);
  }

  /// Returns the equations of [GG08, Eqs. 5.6-5.8; CM04].
  [[nodiscard]] mechanics::ImplicitSystem implicit(Expr H) const {
    const auto& e = system_.algebroid;
    mechanics::ImplicitSystem q;
    q.v.assign(form_.v.begin(), form_.v.end() - 1);
    q.X.assign(form_.rates.begin(), form_.rates.end() - 1);
    const Expr growth = -sign() * derivative(H, form_.v.back());
    for (std::size_t j = 0; j < costates_.size(); ++j) {
      Expr rate = growth * costates_[j];
      if (j < system_.r()) {
        for (std::size_t i = 0; i < system_.r(); ++i)
          for (std::size_t k = 0; k < system_.r(); ++k)
            rate += e.c(k, i, j) * symbolic::expand_lets(fibre()[i]) * costates_[k];
        for (std::size_t i = 0; i < system_.n(); ++i) rate -= e.rho(i, j) * derivative(H, e.x[i]);
      } else {
        rate -= derivative(H, form_.v[system_.n() + j - system_.r()]);
      }
      q.v.push_back(costates_[j]);
      q.X.push_back(rate);
    }
    q.v.push_back(form_.v.back());
    q.X.push_back(form_.rates.back());
    q.w = problem_.controls;
    for (const Expr& u : q.w) q.g.push_back(derivative(H, u));
    if (action_is_passive()) q.g.push_back(costates_.back());
    return q;
  }

  /// Returns whether the mechanical action moves neither other states nor the cost, and its end is free: its costate
  /// then vanishes at the end, and with it all along.
  [[nodiscard]] bool action_is_passive() const {
    if (problem_.kind != Kind::mechanical) return false;
    const std::string name(system_.z.name());
    const auto& boundary = problem_.boundary;
    if (boundary.final.contains(name)) return false;
    std::vector<Expr> others{problem_.cost.terminal};
    for (std::size_t i = 0; i < form_.rates.size(); ++i)
      if (form_.v[i] != system_.z) others.push_back(form_.rates[i]);
    others.insert(others.end(), boundary.conditions.begin(), boundary.conditions.end());
    const Expr last = system_.graph().symbol(final_name(name));
    return std::none_of(others.begin(), others.end(), [&](const Expr& f) {
      const Expr all = symbolic::simplify(symbolic::expand_lets(f));
      return symbolic::depends_on(all, system_.z) || symbolic::depends_on(all, last);
    });
  }

  [[nodiscard]] double value(Expr f) const {
    std::vector<Expr> symbols;
    for (const auto& parameter : system_.parameters) symbols.push_back(parameter.symbol);
    return symbolic::evaluate(f, symbols, parameters());
  }
  [[nodiscard]] double start_of(const std::string& name) const {
    const auto& initial = problem_.boundary.initial;
    const auto found = initial.find(name);
    return found == initial.end() ? 0 : value(found->second);
  }
  [[nodiscard]] double start_time() const { return start_of(std::string(system_.t.name())); }
  [[nodiscard]] std::vector<double> state() const {
    std::vector<double> values;
    for (const Expr& v : form_.v) values.push_back(start_of(std::string(v.name())));
    return values;
  }
  /// Returns values of (v, w, t): states of the start, generic costates, and controls inside their bounds.
  [[nodiscard]] std::vector<double> start() const {
    std::vector<double> values = state();
    const double zeta = values.back();
    values.pop_back();
    for (std::size_t k = 0; k < costates_.size(); ++k) values.push_back(generic(k));
    values.push_back(zeta);
    for (std::size_t u = 0; u < controls(); ++u) {
      const auto& [lower, upper] = problem_.bounds[u];
      const double low = lower ? value(*lower) : -HUGE_VAL;
      const double high = upper ? value(*upper) : HUGE_VAL;
      constexpr double inside = 0.55;
      values.push_back(std::isfinite(high - low) ? low + inside * (high - low)
                       : std::isfinite(low)      ? low + std::abs(generic(u))
                       : std::isfinite(high)     ? high - std::abs(generic(u))
                                                 : generic(u));
    }
    values.push_back(start_time());
    return values;
  }

  const Problem& problem_;
  const mechanics::System& system_;
  FirstOrder form_;
  std::vector<Expr> costates_;  ///< p (r), in mechanics then q (r) and that of the mechanical action
};

}  // namespace

std::optional<mechanics::SingularAnalysis> singular_extremals(const Problem& problem) {
  if (problem.kind == Kind::two_point) return std::nullopt;
  return Extremals(problem).analysis();
}

}  // namespace herglotz::control
