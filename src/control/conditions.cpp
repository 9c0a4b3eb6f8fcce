#include "herglotz/control/conditions.hpp"

#include <algorithm>
#include <optional>

#include "herglotz/control/first_order.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::control {
namespace {

using mechanics::PrintedEquation;
using symbolic::derivative;

constexpr std::size_t most_solved = 3;  ///< more controls that H couples are not solved for

class Conditions {
 public:
  explicit Conditions(const Problem& problem)
      : problem_(problem), system_(problem.system), form_(first_order(problem)) {
    result_.title = system_.title.empty() ? system_.name : system_.title;
    result_.notation = mechanics::names_in_latex(system_);
    for (const Expr& definition : system_.definitions) result_.definitions.push_back({definition, definition.child(0)});
    ell_ = sign() * form_.rates.back();
    name_costates();
    write_accelerations();
    H_ = hamiltonian();
  }

  mechanics::Presentation take() {
    section("Hamiltonian", {{symbol("H", "H", "H"), readable(H_)}});
    write_states();
    write_costates();
    write_multipliers();
    write_controls();
    write_ends();
    write_abnormal();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool mechanical() const { return problem_.kind == Kind::mechanical; }
  [[nodiscard]] Expr number(std::int64_t value) const { return system_.graph().number(value); }
  [[nodiscard]] Expr sign() const { return number(problem_.cost.maximise ? -1 : 1); }
  [[nodiscard]] Expr zeta() const { return form_.v.back(); }
  [[nodiscard]] static Expr readable(Expr f) { return symbolic::simplify(f); }

  Expr symbol(const std::string& name, std::string latex, std::string sympy) {
    const Expr made = system_.graph().symbol(name);
    const bool known = std::any_of(result_.notation.begin(), result_.notation.end(),
                                   [&](const mechanics::Notation& one) { return one.symbol == made; });
    if (!known) result_.notation.push_back({made, std::move(latex), std::move(sympy)});
    return made;
  }
  [[nodiscard]] std::string latex_of(Expr of) const {
    for (const auto& known : result_.notation)
      if (known.symbol == of) return known.latex;
    return symbolic::print(of, symbolic::Format::latex);
  }
  Expr rate(Expr of) {
    const std::string name(of.name());
    return symbol("d" + name + "/dt", "\\frac{d}{dt}" + latex_of(of), name + "_dot");
  }
  Expr at_end(Expr of, bool last) {
    const std::string name(of.name());
    return symbol(name + (last ? "(T)" : "(0)"), latex_of(of) + (last ? "(T)" : "(0)"),
                  name + (last ? "_final" : "_initial"));
  }
  void section(std::string title, std::vector<PrintedEquation> equations) {
    if (!equations.empty()) result_.sections.push_back({std::move(title), std::move(equations), {}});
  }

  /// Costates have the names of their columns.
  void name_costates() {
    const auto named = [&](const std::string& prefix, Expr of) {
      const std::string name = prefix + "_" + std::string(of.name());
      return symbol(name, prefix + "_{" + latex_of(of) + "}", name);
    };
    for (const Expr& y : system_.algebroid.y) p_.push_back(named("p", y));
    if (mechanical()) {
      for (const Expr& y : system_.algebroid.y) others_.push_back(named("q", y));
      others_.push_back(named("p", system_.z));
    }
    R_ = symbol("R", "R", "R");
    for (std::size_t j = 0; j < form_.equations.size(); ++j) {
      const std::string index = std::to_string(j + 1);
      kappa_.push_back(symbol("kappa" + index, "\\kappa_{" + index + "}", "kappa" + index));
    }
    for (std::size_t j = 0; j < form_.inequalities.size(); ++j) {
      const std::string index = std::to_string(j + 1);
      delta_.push_back(symbol("delta" + index, "\\delta_{" + index + "}", "delta" + index));
    }
  }

  /// Accelerations are symbols of the problem; here they get the names of rates.
  void write_accelerations() {
    if (!mechanical()) return;
    std::vector<Expr> from;
    std::vector<Expr> to;
    for (std::size_t a = 0; a < system_.r(); ++a) {
      from.push_back(form_.w[problem_.controls.size() + a]);
      to.push_back(rate(system_.algebroid.y[a]));
    }
    form_.w = symbolic::substitute(form_.w, from, to);
    form_.rates = symbolic::substitute(form_.rates, from, to);
    form_.equations = symbolic::substitute(form_.equations, from, to);
  }

  [[nodiscard]] const std::vector<Expr>& fibre() const {
    return mechanical() ? system_.algebroid.y : problem_.kinematics;
  }

  [[nodiscard]] Expr hamiltonian() const {
    Expr sum = -ell_;
    for (std::size_t a = 0; a < system_.r(); ++a) sum += p_[a] * fibre()[a];
    for (std::size_t i = 0; i < others_.size(); ++i) sum += others_[i] * form_.rates[system_.n() + i];
    for (std::size_t j = 0; j < kappa_.size(); ++j) sum -= kappa_[j] * form_.equations[j];
    for (std::size_t j = 0; j < delta_.size(); ++j) sum -= delta_[j] * form_.inequalities[j];
    return sum;
  }

  void write_states() {
    std::vector<PrintedEquation> rows;
    for (std::size_t i = 0; i < form_.v.size(); ++i) {
      if (mechanical() && i >= system_.n() && i < system_.n() + system_.r()) continue;  // these follow from C = 0
      rows.push_back({rate(form_.v[i]), readable(form_.rates[i])});
    }
    section("States", std::move(rows));
    rows.clear();
    for (const Expr& equation : form_.equations) rows.push_back({readable(equation), number(0)});
    section("Equations of motion", std::move(rows));
  }

  /// Returns ell_zeta - p f_zeta, by which costates grow: -H_zeta, with the sign of the cost.
  [[nodiscard]] Expr growth() const { return -sign() * derivative(H_, zeta()); }

  /// Returns c^k_ij f^i p_k - rho^i_j H_{x^i}.
  [[nodiscard]] Expr along_anchor(std::size_t j, const Expr& H) const {
    const auto& e = system_.algebroid;
    Expr sum = number(0);
    for (std::size_t i = 0; i < system_.r(); ++i)
      for (std::size_t k = 0; k < system_.r(); ++k) sum += e.c(k, i, j) * fibre()[i] * p_[k];
    for (std::size_t i = 0; i < system_.n(); ++i) sum -= e.rho(i, j) * derivative(H, e.x[i]);
    return sum;
  }

  void write_costates() {
    std::vector<PrintedEquation> rows;
    for (std::size_t j = 0; j < system_.r(); ++j)
      rows.push_back({rate(p_[j]), readable(growth() * p_[j] + along_anchor(j, H_))});
    for (std::size_t i = 0; i < others_.size(); ++i)
      rows.push_back({rate(others_[i]), readable(growth() * others_[i] - derivative(H_, form_.v[system_.n() + i]))});
    section("Costates", std::move(rows));
    section("Price of cost", {{rate(R_), readable(-growth() * R_)}, {at_end(R_, true), number(1)}});
  }

  /// Writes H_w = 0 for accelerations and multipliers of constraints.
  void write_multipliers() {
    std::vector<PrintedEquation> rows;
    for (std::size_t j = problem_.controls.size(); j < form_.w.size(); ++j)
      rows.push_back({readable(derivative(H_, form_.w[j])), number(0)});
    section("Multipliers kappa of the equations of motion", std::move(rows));
  }

  void write_controls() {
    std::vector<std::size_t> curved;
    std::vector<PrintedEquation> switching;
    for (std::size_t u = 0; u < problem_.controls.size(); ++u) {
      const auto is_in = [&](const std::vector<std::size_t>& some) {
        return std::find(some.begin(), some.end(), u) != some.end();
      };
      if (!is_in(form_.linear) || (is_in(form_.coupled) && !any_bounds({u}))) {
        curved.push_back(u);
        continue;
      }
      const Expr control = problem_.controls[u];
      const std::string name(control.name());
      switching.push_back({symbol("switch(" + name + ")", "S_{" + latex_of(control) + "}", "switch_" + name),
                           readable(derivative(H_, control))});
    }
    if (!curved.empty()) {
      if (const auto solved = maximising(curved)) {
        std::vector<PrintedEquation> rows;
        for (std::size_t k = 0; k < curved.size(); ++k)
          rows.push_back({problem_.controls[curved[k]], readable((*solved)[k])});
        section(any_bounds(curved) ? "Maximising controls, where no bound is active" : "Maximising controls",
                std::move(rows));
      } else {
        std::vector<PrintedEquation> rows;
        for (const std::size_t u : curved) rows.push_back({readable(derivative(H_, problem_.controls[u])), number(0)});
        section("Maximising controls, where no bound is active, obey", std::move(rows));
      }
    }
    section("Switching functions: upper bound where positive, lower bound where negative", std::move(switching));
  }

  [[nodiscard]] bool any_bounds(const std::vector<std::size_t>& controls) const {
    return std::any_of(controls.begin(), controls.end(), [&](std::size_t u) {
      return problem_.bounds[u].lower.has_value() || problem_.bounds[u].upper.has_value();
    });
  }

  /// Returns the zeros of H_u if H is quadratic in these controls and has one stationary point by Cramer's rule.
  [[nodiscard]] std::optional<std::vector<Expr>> maximising(const std::vector<std::size_t>& controls) const {
    const std::size_t m = controls.size();
    if (m > most_solved) return std::nullopt;
    std::vector<Expr> u;
    for (const std::size_t k : controls) u.push_back(problem_.controls[k]);
    const auto slopes = symbolic::gradient(H_, u);
    symbolic::Matrix A(m, m, number(0));
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        A(i, j) = symbolic::simplify(derivative(slopes[i], u[j]));
        for (const Expr& control : problem_.controls)
          if (symbolic::depends_on(A(i, j), control)) return std::nullopt;
      }
    }
    const Expr det = readable(symbolic::determinant(A));
    if (det.is_zero()) return std::nullopt;
    const std::vector<Expr> zeros(m, number(0));
    std::vector<Expr> solved;
    for (std::size_t k = 0; k < m; ++k) {
      symbolic::Matrix replaced = A;
      for (std::size_t i = 0; i < m; ++i) replaced(i, k) = -symbolic::substitute(slopes[i], u, zeros);
      solved.push_back(readable(symbolic::determinant(replaced)) / det);
    }
    return solved;
  }

  /// Writes p(T) = -G_{x(T)}, p(0) R(0) = G_{x(0)} and H(T) = G_T with G = m + e psi; a given end value is a condition.
  void write_ends() {
    std::vector<PrintedEquation> rows;
    write_end(true, rows);
    write_end(false, rows);
    if (!problem_.boundary.duration && !problem_.boundary.shortest && !problem_.boundary.longest) {
      const Expr T = symbol(std::string(problem_.boundary.duration_symbol.name()), "T", "duration");
      Expr slope = sign() * derivative(end_cost(), T);
      for (std::size_t b = 0; b < problem_.boundary.conditions.size(); ++b)
        slope += multiplier(b) * derivative(problem_.boundary.conditions[b], T);
      rows.push_back({at_end(symbol("H", "H", "H"), true), shown_ends(slope)});
    }
    section("Transversality", std::move(rows));
  }

  /// Writes the conditions of extremals with R = 0, in which the cost does not appear. If rates of states depend on the
  /// cost, R does not stay 0, and nothing is written.
  void write_abnormal() {
    const auto depends = [&](const std::vector<Expr>& functions) {
      return std::any_of(functions.begin(), functions.end(),
                         [&](const Expr& f) { return symbolic::depends_on(f, zeta()); });
    };
    if (depends({form_.rates.begin(), form_.rates.end() - 1}) || depends(form_.equations)) return;
    const Expr H0 = H_ + ell_;
    std::vector<PrintedEquation> rows{{symbol("H0", "H_0", "H0"), readable(H0)}};
    for (std::size_t j = 0; j < system_.r(); ++j) rows.push_back({rate(p_[j]), readable(along_anchor(j, H0))});
    for (std::size_t i = 0; i < others_.size(); ++i)
      rows.push_back({rate(others_[i]), readable(-derivative(H0, form_.v[system_.n() + i]))});
    for (std::size_t j = 0; j < form_.w.size(); ++j) {
      const bool has_bounds = j < problem_.controls.size() && any_bounds({j});
      if (!has_bounds) rows.push_back({readable(derivative(H0, form_.w[j])), number(0)});
    }
    section("Abnormal extremals: R = 0, not all costates vanish, and controls with bounds maximise H0",
            std::move(rows));
  }

  Expr multiplier(std::size_t condition) {
    const std::string index = std::to_string(condition + 1);
    return symbol("e" + index, "e_{" + index + "}", "e" + index);
  }
  Expr multiplier_of(Expr state, bool last) {
    const std::string name(state.name());
    const std::string end = last ? "final" : "initial";
    return symbol("e(" + name + "_" + end + ")", "e_{" + latex_of(state) + (last ? "(T)}" : "(0)}"),
                  "e_" + name + "_" + end);
  }
  /// Returns the terminal cost in the names of final values that conditions have.
  [[nodiscard]] Expr end_cost() const {
    std::vector<Expr> finals;
    for (const Expr& v : form_.v) finals.push_back(system_.graph().symbol(final_name(v.name())));
    return symbolic::substitute(problem_.cost.terminal, form_.v, finals);
  }
  /// Returns f with the values at the ends written as x(0) and x(T).
  Expr shown_ends(Expr f) {
    std::vector<Expr> from;
    std::vector<Expr> to;
    for (const Expr& v : form_.v) {
      from.push_back(system_.graph().symbol(initial_name(v.name())));
      to.push_back(at_end(v, false));
      from.push_back(system_.graph().symbol(final_name(v.name())));
      to.push_back(at_end(v, true));
    }
    return readable(symbolic::substitute(f, from, to));
  }
  [[nodiscard]] bool is_free(Expr state, bool last) const {
    const auto& boundary = problem_.boundary;
    if (last) return !boundary.final.contains(state.name());
    return std::find(boundary.free_initial.begin(), boundary.free_initial.end(), state.name()) !=
           boundary.free_initial.end();
  }

  void write_end(bool last, std::vector<PrintedEquation>& rows) {
    const std::size_t states = form_.v.size() - 1;
    std::vector<Expr> slopes;
    std::vector<bool> given;
    for (std::size_t i = 0; i < states; ++i) {
      const Expr state = form_.v[i];
      const Expr end = system_.graph().symbol(last ? final_name(state.name()) : initial_name(state.name()));
      given.push_back(!is_free(state, last));
      Expr slope = last ? sign() * derivative(end_cost(), end) : number(0);
      for (std::size_t b = 0; b < problem_.boundary.conditions.size(); ++b)
        slope += multiplier(b) * derivative(problem_.boundary.conditions[b], end);
      if (given.back()) slope += multiplier_of(state, last);
      slopes.push_back(last ? -slope : slope);
    }
    const Expr price = last ? number(1) : at_end(R_, false);
    // A frame mixes the base coordinates: all of them are free, or multipliers stand for those that are given.
    for (std::size_t a = 0; a < system_.r(); ++a) {
      Expr sum = number(0);
      bool any_free = false;
      for (std::size_t i = 0; i < system_.n(); ++i) {
        const Expr entry = at_end_of(system_.algebroid.rho(i, a), last);
        any_free = any_free || (!given[i] && !entry.is_zero());
        sum += entry * slopes[i];
      }
      if (any_free) rows.push_back({price * at_end(p_[a], last), shown_ends(sum)});
    }
    for (std::size_t i = 0; i < others_.size(); ++i)
      if (!given[system_.n() + i])
        rows.push_back({price * at_end(others_[i], last), shown_ends(slopes[system_.n() + i])});
  }
  [[nodiscard]] Expr at_end_of(Expr f, bool last) const {
    std::vector<Expr> ends;
    for (const Expr& x : system_.algebroid.x)
      ends.push_back(system_.graph().symbol(last ? final_name(x.name()) : initial_name(x.name())));
    return symbolic::substitute(f, system_.algebroid.x, ends);
  }

  const Problem& problem_;
  const mechanics::System& system_;
  FirstOrder form_;
  mechanics::Presentation result_;
  Expr ell_;
  Expr H_;
  Expr R_;
  std::vector<Expr> p_;
  std::vector<Expr> others_;  ///< costates of velocities and of the mechanical action
  std::vector<Expr> kappa_;
  std::vector<Expr> delta_;
};

}  // namespace

mechanics::Presentation pontryagin_conditions(const Problem& problem) {
  if (problem.controls.empty())
    throw Refused("[boundary] stands without [control]", "the equations of motion are those of derive", "[boundary]");
  return Conditions(problem).take();
}

}  // namespace herglotz::control
