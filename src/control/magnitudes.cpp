#include "herglotz/control/magnitudes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::control {
namespace {

using symbolic::Op;

constexpr double no_rest = 1e-12;  ///< of a quadratic form at its least value, in parts of its terms

/// (u - o)^T Q (u - o) of controls u by their places in a problem.
struct QuadraticForm {
  Expr radicand;
  std::vector<std::size_t> controls;
  std::vector<std::vector<double>> Q;
  std::vector<double> offset;
};

bool is_root(Expr node) {
  return node.op() == Op::pow && node.child(1).is_number() && node.child(1).value() == 0.5;
}

/// Returns x of Q x = b, or `std::nullopt` if Q is not positive definite.
std::optional<std::vector<double>> solve_definite(std::vector<std::vector<double>> Q, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    double size = 0;
    for (std::size_t j = 0; j < n; ++j) size = std::max(size, std::abs(Q[k][j]));
    if (!(Q[k][k] > no_rest * size)) return std::nullopt;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = Q[i][k] / Q[k][k];
      for (std::size_t j = k; j < n; ++j) Q[i][j] -= factor * Q[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= Q[k][j] * b[j];
    b[k] /= Q[k][k];
  }
  return b;
}

class MagnitudeMaker {
 public:
  explicit MagnitudeMaker(const Problem& problem)
      : problem_(problem), graph_(problem.system.graph()), made_{problem, {}} {
    for (const auto& parameter : problem.system.parameters) {
      parameters_.push_back(parameter.symbol);
      values_.push_back(parameter.value);
    }
  }

  std::optional<Magnitudes> take() {
    make();
    if (made_.norms.empty()) return std::nullopt;
    return std::move(made_);
  }

  /// Returns the text of a norm that gets no magnitude, or an empty one.
  std::string left() {
    make();
    for (const symbolic::NodeId id : graph_.reachable(functions_of(problem_))) {
      const Expr node(graph_, id);
      if (is_root(node) && form_of(symbolic::expand_lets(node.child(0))))
        return symbolic::print(node, symbolic::Format::text);
    }
    return {};
  }

 private:
  void make() {
    for (const symbolic::NodeId id : graph_.reachable(functions_of(problem_))) {
      const Expr node(graph_, id);
      if (!is_root(node)) continue;
      if (const auto form = form_of(symbolic::expand_lets(node.child(0)))) replace(symbolic::expand_lets(node), *form);
    }
  }

  /// Returns the functions in which norms are looked for.
  static std::vector<Expr> functions_of(const Problem& problem) {
    std::vector<Expr> functions = problem.kinematics;
    functions.insert(functions.end(), problem.system.forces.begin(), problem.system.forces.end());
    functions.push_back(problem.cost.running);
    return functions;
  }

  [[nodiscard]] std::optional<double> constant(Expr f) const {
    for (const Expr& symbol : symbolic::free_symbols(std::vector{f}))
      if (std::find(parameters_.begin(), parameters_.end(), symbol) == parameters_.end()) return std::nullopt;
    return symbolic::evaluate(f, parameters_, values_);
  }

  [[nodiscard]] Expr second(Expr f, Expr a, Expr b) const {
    return symbolic::simplify(symbolic::derivative(symbolic::derivative(f, a), b));
  }

  [[nodiscard]] Expr symbol(std::size_t control) const { return problem_.controls[control]; }

  /// Returns the form of a function of controls that have no magnitude yet.
  [[nodiscard]] std::optional<QuadraticForm> form_of(Expr radicand) const {
    QuadraticForm form{radicand, {}, {}, {}};
    for (std::size_t u = 0; u < problem_.controls.size(); ++u)
      if (symbolic::depends_on(radicand, symbol(u))) form.controls.push_back(u);
    const std::size_t n = form.controls.size();
    std::vector<Expr> controls;
    for (const std::size_t u : form.controls) controls.push_back(symbol(u));
    const std::vector<Expr> zeros(n, graph_.number(0));
    std::vector<double> slopes;
    for (std::size_t i = 0; i < n; ++i) {
      if (taken_[form.controls[i]]) return std::nullopt;
      const auto slope = constant(symbolic::substitute(symbolic::derivative(radicand, controls[i]), controls, zeros));
      if (!slope) return std::nullopt;
      slopes.push_back(-*slope / 2);
      form.Q.emplace_back();
      for (std::size_t j = 0; j < n; ++j) {
        const auto entry = constant(second(radicand, controls[i], controls[j]));
        if (!entry) return std::nullopt;
        form.Q.back().push_back(*entry / 2);
      }
    }
    const auto rest = constant(symbolic::substitute(radicand, controls, zeros));
    const auto offset = n > 0 && rest ? solve_definite(form.Q, slopes) : std::nullopt;
    if (!offset) return std::nullopt;
    form.offset = *offset;
    double least = *rest;
    for (std::size_t i = 0; i < n; ++i) least -= slopes[i] * form.offset[i];
    if (std::abs(least) > no_rest * std::abs(*rest)) return std::nullopt;
    return form;
  }

  /// Puts a magnitude and directions in the places of the controls of a norm, if it has a limit and the controls are in
  /// linear terms else.
  void replace(Expr norm, const QuadraticForm& form) {
    Magnitude magnitude{symbolic::print(norm, symbolic::Format::text), norm, 0, form.Q, {}, 0, {}, 0};
    Problem& made = made_.problem;
    const Expr r = graph_.symbol(magnitude.name);
    if (!is_linear_in(form, norm, r) || !find_limit(form, norm, r, magnitude)) return;
    std::vector<Expr> from;
    std::vector<Expr> to;
    std::vector<Expr> directions;
    for (std::size_t i = 0; i < form.controls.size(); ++i) {
      const std::size_t u = form.controls[i];
      from.push_back(symbol(u));
      directions.push_back(graph_.symbol("direction of " + std::string(from.back().name())));
      to.push_back(form.offset[i] == 0 ? r * directions[i] : form.offset[i] + r * directions[i]);
      magnitude.controls.push_back({std::string(from.back().name()), u, form.offset[i]});
      made.controls[u] = directions[i];
      taken_[u] = true;
    }
    const auto change = [&](Expr& f) { f = symbolic::substitute(in_length(f, norm, r), from, to); };
    for (auto* functions : {&made.kinematics, &made.system.forces})
      for (Expr& f : *functions) change(f);
    change(made.cost.running);
    for (auto& observable : made.system.observables) change(observable.value);
    made.path[magnitude.ball] = ball(form, directions);
    magnitude.place = made.controls.size();
    made.controls.push_back(r);
    made.bounds.push_back({graph_.number(0), graph_.number(magnitude.longest)});
    guess(form, magnitude, directions);
    made_.norms.push_back(std::move(magnitude));
  }

  static Expr in_length(Expr f, Expr norm, Expr r) {
    return symbolic::substitute(symbolic::expand_lets(f), std::vector{norm}, std::vector{r});
  }

  /// Returns whether the rates are linear in the norm and in its controls, without other controls in these terms.
  [[nodiscard]] bool is_linear_in(const QuadraticForm& form, Expr norm, Expr r) const {
    std::vector<Expr> own{r};
    for (const std::size_t u : form.controls) own.push_back(symbol(u));
    std::vector<Expr> all = made_.problem.controls;
    all.push_back(r);
    const auto functions = functions_of(made_.problem);
    return std::all_of(functions.begin(), functions.end(), [&](const Expr& f) {
      return std::all_of(own.begin(), own.end(), [&](const Expr& one) {
        return !symbolic::depends_on_any(symbolic::derivative(in_length(f, norm, r), one), all);
      });
    });
  }

  /// Finds the limit of a norm. Its controls are in no other inequality and have no bounds.
  bool find_limit(const QuadraticForm& form, Expr norm, Expr r, Magnitude& magnitude) const {
    std::vector<Expr> own;
    for (const std::size_t u : form.controls) {
      own.push_back(symbol(u));
      if (problem_.bounds[u].lower || problem_.bounds[u].upper) return false;
    }
    bool found = false;
    for (std::size_t k = 0; k < made_.problem.path.size(); ++k) {
      const Expr stated = made_.problem.path[k];
      if (!symbolic::depends_on_any(symbolic::expand_lets(stated), own)) continue;
      const Expr D = in_magnitude(stated, norm, r, form);
      if (found || !is_limit(D, r)) return false;
      // c r and c r^2 have the slopes c and 2 c at 1.
      const Expr slope = symbolic::derivative(D, r);
      const double steepness = symbolic::evaluate(slope, with(r), with(1.0));
      const double rest = symbolic::evaluate(D, with(r), with(0.0));
      if (!(steepness > 0) || !(rest < 0)) return false;
      magnitude.longest = symbolic::depends_on(slope, r) ? std::sqrt(-2 * rest / steepness) : -rest / steepness;
      magnitude.limit = D;
      magnitude.ball = k;
      found = true;
    }
    return found;
  }

  /// Returns whether D depends on r and parameters alone, as c r - d or c r^2 - d.
  [[nodiscard]] bool is_limit(Expr D, Expr r) const {
    if (!symbolic::depends_on(D, r)) return false;
    if (!constant(symbolic::substitute(D, std::vector{r}, std::vector{graph_.number(0)}))) return false;
    const Expr slope = symbolic::simplify(symbolic::derivative(D, r));
    return constant(slope) ||
           (constant(second(D, r, r)) &&
            symbolic::simplify(symbolic::substitute(slope, std::vector{r}, std::vector{graph_.number(0)})).is_zero());
  }

  [[nodiscard]] std::vector<Expr> with(Expr r) const {
    std::vector<Expr> symbols = parameters_;
    symbols.push_back(r);
    return symbols;
  }
  [[nodiscard]] std::vector<double> with(double r) const {
    std::vector<double> values = values_;
    values.push_back(r);
    return values;
  }

  /// Returns f with r in the place of the norm, and with r^2 for its square where f has a multiple of that.
  [[nodiscard]] Expr in_magnitude(Expr f, Expr norm, Expr r, const QuadraticForm& form) const {
    f = in_length(f, norm, r);
    std::optional<double> share;
    for (std::size_t i = 0; i < form.controls.size(); ++i) {
      for (std::size_t j = 0; j < form.controls.size(); ++j) {
        const auto entry = constant(second(f, symbol(form.controls[i]), symbol(form.controls[j])));
        if (!entry) return f;
        if (i == 0 && j == 0) share = *entry / (2 * form.Q[0][0]);
        if (std::abs(*entry - 2 * *share * form.Q[i][j]) > no_rest * std::abs(*entry)) return f;
      }
    }
    if (*share == 0) return f;
    return symbolic::simplify(f - *share * form.radicand) + *share * r * r;
  }

  [[nodiscard]] Expr ball(const QuadraticForm& form, const std::vector<Expr>& s) const {
    Expr sum = graph_.number(-1);
    for (std::size_t i = 0; i < s.size(); ++i)
      for (std::size_t j = 0; j < s.size(); ++j) sum += form.Q[i][j] * s[i] * s[j];
    return sum;
  }

  /// Guesses magnitude and directions by the guesses of the controls.
  void guess(const QuadraticForm& form, const Magnitude& magnitude, const std::vector<Expr>& directions) {
    Guess& made = made_.problem.guess;
    const std::size_t n = form.controls.size();
    std::vector<Expr> away;
    bool any = false;
    for (const DirectedControl& control : magnitude.controls) {
      const auto found = made.values.find(control.name);
      any = any || found != made.values.end();
      away.push_back((found == made.values.end() ? graph_.number(0) : found->second) - control.offset);
    }
    // A guess that is at the kink has no direction.
    constexpr double least = 1e-100;
    if (any) {
      Expr square = graph_.number(least);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) square += form.Q[i][j] * away[i] * away[j];
      made.values.insert_or_assign(magnitude.name, symbolic::sqrt(square));
      for (std::size_t i = 0; i < n; ++i) {
        made.values.erase(magnitude.controls[i].name);
        made.values.insert_or_assign(std::string(directions[i].name()), away[i] / symbolic::sqrt(square));
      }
    }
    std::vector<std::vector<double>> columns(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto found = made.columns.find(magnitude.controls[i].name);
      if (found == made.columns.end()) return;
      columns[i] = found->second;
    }
    std::vector<double> lengths(columns.front().size());
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      double square = least;
      for (std::size_t i = 0; i < n; ++i) columns[i][k] -= form.offset[i];
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) square += form.Q[i][j] * columns[i][k] * columns[j][k];
      lengths[k] = std::sqrt(square);
      for (std::size_t i = 0; i < n; ++i) columns[i][k] /= lengths[k];
    }
    made.columns.insert_or_assign(magnitude.name, std::move(lengths));
    for (std::size_t i = 0; i < n; ++i) {
      made.columns.erase(magnitude.controls[i].name);
      made.columns.insert_or_assign(std::string(directions[i].name()), std::move(columns[i]));
    }
  }

  const Problem& problem_;
  symbolic::Graph& graph_;
  Magnitudes made_;
  std::vector<Expr> parameters_;
  std::vector<double> values_;
  std::vector<bool> taken_ = std::vector<bool>(problem_.controls.size(), false);  ///< controls that have a magnitude
};

}  // namespace

std::optional<Magnitudes> with_magnitudes(const Problem& problem) {
  if (problem.kind == Kind::two_point || problem.discrete) return std::nullopt;
  return MagnitudeMaker(problem).take();
}

std::string norm_without_magnitude(const Problem& problem) {
  return problem.kind == Kind::two_point ? std::string() : MagnitudeMaker(problem).left();
}

std::optional<Iterate> stated_path(const Problem& problem, const Magnitudes& magnitudes, const Iterate& path) {
  const std::size_t m = path.algebraic.size();
  const std::size_t controls = problem.controls.size();
  const Magnitude& first = magnitudes.norms.front();
  if (first.place >= m || path.algebraic[first.place] != first.name) return std::nullopt;
  // Magnitudes stand behind the other controls.
  const auto without_magnitudes = [&](auto& values) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(controls),
                 values.begin() + static_cast<std::ptrdiff_t>(controls + magnitudes.norms.size()));
  };
  Iterate result = path;
  for (const Magnitude& norm : magnitudes.norms)
    for (const DirectedControl& control : norm.controls) result.algebraic[control.direction] = control.name;
  without_magnitudes(result.algebraic);
  result.controls = controls;
  result.settled = false;
  result.active.assign(path.intervals() * controls, 0);
  result.stage_w.clear();
  const std::size_t first_ball = path.equations - problem.path.size();
  std::vector<Expr> symbols{first.norm};
  std::vector<double> values{0};
  for (const auto& parameter : problem.system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  for (std::size_t k = 0; k * m < path.stage_w.size(); ++k) {
    std::vector<double> w(path.stage_w.begin() + static_cast<std::ptrdiff_t>(k * m),
                          path.stage_w.begin() + static_cast<std::ptrdiff_t>((k + 1) * m));
    for (const Magnitude& norm : magnitudes.norms) {
      values.front() = w[norm.place];
      for (const DirectedControl& control : norm.controls)
        w[control.direction] = control.offset + w[norm.place] * w[control.direction];
      // K_r + kappa D_r = 0 at the limit.
      symbols.front() = magnitudes.problem.controls[norm.place];
      const double slope = symbolic::evaluate(symbolic::derivative(norm.limit, symbols.front()), symbols, values);
      const double K_r = path.stage_bound[k * m + norm.place];
      result.stage_kappa[k * path.equations + first_ball + norm.ball] = slope > 0 ? std::max(0.0, -K_r / slope) : 0;
    }
    without_magnitudes(w);
    result.stage_w.insert(result.stage_w.end(), w.begin(), w.end());
  }
  result.stage_bound.assign(result.stage_w.size(), 0.0);
  return result;
}

}  // namespace herglotz::control
