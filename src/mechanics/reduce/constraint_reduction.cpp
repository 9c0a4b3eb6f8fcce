#include <algorithm>
#include <cmath>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/mechanics/reduction.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/factor.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "reduce/multiplied_out.hpp"

namespace herglotz::mechanics {
namespace {

using Near = std::map<std::string, double, std::less<>>;
using symbolic::Matrix;

/// Returns whether an equation is a function of base coordinates.
bool is_holonomic(const System& system, const Expr& equation) {
  std::vector<Expr> others = system.algebroid.y;
  others.insert(others.end(), {system.z, system.t});
  return !symbolic::depends_on_any(equation, others) && symbolic::depends_on_any(equation, system.algebroid.x);
}

/// Returns the coefficients of the velocities (m x r); those of a holonomic equation are of its rate.
Matrix coefficients(const System& system) {
  const auto& equations = system.constraints.equations;
  Matrix rows(equations.size(), system.r(), system.graph().number(std::int64_t{0}));
  std::vector<Expr> others = system.algebroid.y;
  others.insert(others.end(), {system.z, system.t});
  for (std::size_t k = 0; k < equations.size(); ++k) {
    Expr rest = symbolic::expand_lets(equations[k]);
    if (is_holonomic(system, rest)) {
      const auto along = symbolic::gradient(rest, system.algebroid.x);
      rest = system.graph().number(std::int64_t{0});
      for (std::size_t a = 0; a < system.r(); ++a)
        for (std::size_t i = 0; i < system.n(); ++i)
          rest += along[i] * system.algebroid.rho(i, a) * system.algebroid.y[a];
    }
    const auto slopes = symbolic::gradient(rest, system.algebroid.y);
    bool linear = false;
    for (std::size_t a = 0; a < system.r(); ++a) {
      rows(k, a) = multiplied_out(slopes[a]);
      linear = linear || !rows(k, a).is_zero();
      rest -= rows(k, a) * system.algebroid.y[a];
    }
    for (std::size_t a = 0; a < system.r(); ++a) linear = linear && !symbolic::depends_on_any(rows(k, a), others);
    if (!linear || !multiplied_out(rest).is_zero())
      throw Refused("constraint " + std::to_string(k + 1) +
                    " is not linear in the velocities with coefficients on the base, nor a function on the base");
  }
  return rows;
}

/// Values at which pivots are chosen.
struct Point {
  std::vector<Expr> symbols;
  std::vector<double> values;

  Point(const System& system, const Near& near) {
    double generic = 0.3711;
    for (const Expr& x : system.algebroid.x) {
      const auto given = near.find(x.name());
      symbols.push_back(x);
      values.push_back(given == near.end() ? generic : given->second);
      generic += 0.1709;
    }
    for (const Parameter& parameter : system.parameters) {
      symbols.push_back(parameter.symbol);
      values.push_back(parameter.value);
    }
  }
  [[nodiscard]] std::vector<double> operator()(const Matrix& m) const {
    return symbolic::evaluate(m.entries, symbols, values);
  }
};

/// A function on the base that a velocity is divided by where a constraint is solved for it.
struct Pole {
  std::string velocity;
  Expr divisor;
};

/// Sections that span what is left of E after some constraints, with the names of their coordinates.
class Frame {
 public:
  Frame(const System& system, std::vector<std::string> fibre, std::string stays)
      : system_(system), names_given_(std::move(fibre)), stays_(std::move(stays)) {
    const auto& y = system.algebroid.y;
    span_ = symbolic::identity(system.graph(), system.r());
    for (const Expr& one : y) names_.emplace_back(one.name());
    const auto is_given = [&](const std::string& name) {
      return std::any_of(y.begin(), y.end(), [&](const Expr& one) { return one.name() == name; });
    };
    keeps_ = !names_given_.empty() && std::all_of(names_given_.begin(), names_given_.end(), is_given);
    for (const auto& name : names_given_)
      if (!is_given(name)) new_names_.push_back(name);
  }

  [[nodiscard]] const Matrix& span() const { return span_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::vector<Pole>& poles() const { return poles_; }

  /// Restricts the frame by rows of coefficients (m x r).
  void restrict(const Matrix& rows, const Point& at) {
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < rows.rows; ++k) left.push_back(k);
    while (!left.empty()) {
      std::vector<std::vector<Expr>> c;
      for (const std::size_t k : left) c.push_back(coefficients_in_frame(rows, k));
      std::size_t chosen = 0;
      for (std::size_t k = left.size(); k-- > 0;)
        if (constant_pivot(c[k])) chosen = k;
      const std::size_t row = left[chosen];
      restrict_by(c[chosen], at, row);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
  }

  /// Throws Refused unless the coordinates are those that were asked for.
  void check() const {
    auto got = names_;
    auto wanted = names_given_;
    std::sort(got.begin(), got.end());
    std::sort(wanted.begin(), wanted.end());
    if (wanted.empty() || got == wanted) return;
    std::string text;
    for (const auto& name : names_) text += (text.empty() ? "" : ", ") + name;
    throw Refused("the constraints leave the fibre coordinates " + text + ", and others were to be kept",
                  "name these, or leave the choice out", "fibre");
  }

 private:
  [[nodiscard]] std::vector<Expr> coefficients_in_frame(const Matrix& rows, std::size_t k) const {
    std::vector<Expr> row;
    for (std::size_t a = 0; a < rows.cols; ++a) row.push_back(rows(k, a));
    auto c = multiply(span_, row);
    for (Expr& value : c) value = multiplied_out(value);
    return c;
  }
  [[nodiscard]] bool may_go(std::size_t a) const {
    return names_[a] != stays_ && std::find(names_given_.begin(), names_given_.end(), names_[a]) == names_given_.end();
  }
  [[nodiscard]] std::optional<std::size_t> constant_pivot(const std::vector<Expr>& c) const {
    std::optional<std::size_t> best;
    for (std::size_t a = 0; a < c.size(); ++a)
      if (c[a].is_number() && !c[a].is_zero() && may_go(a) &&
          (!best || std::abs(c[a].value()) > std::abs(c[*best].value())))
        best = a;
    return best;
  }
  /// Restricts the frame to sections with c_a y^a = 0.
  void restrict_by(const std::vector<Expr>& c, const Point& at, std::size_t row) {
    if (const auto a = constant_pivot(c)) return solve_for(*a, c);
    for (std::size_t p = 0; !keeps_ && p < c.size(); ++p)
      for (std::size_t q = p + 1; q < c.size(); ++q) {
        if (c[p].is_zero() || c[q].is_zero() || !may_go(p) || !may_go(q)) continue;
        const Expr size = multiplied_out(c[p] * c[p] + c[q] * c[q]);
        if (size.is_number() && size.value() > 0) return turn(p, q, c, size);
      }
    constexpr double smallest = 1e-9;
    const auto values = symbolic::evaluate(c, at.symbols, at.values);
    std::optional<std::size_t> best;
    for (std::size_t a = 0; a < c.size(); ++a)
      if (may_go(a) && std::abs(values[a]) > smallest && (!best || std::abs(values[a]) > std::abs(values[*best])))
        best = a;
    if (!best)
      throw Refused("constraint " + std::to_string(row + 1) + " does not determine another velocity near the start");
    note_pole(names_[*best], c[*best]);
    solve_for(*best, c);
  }
  /// Notes where a divisor vanishes: the product of its distinct factors on the base, which changes its sign at zeros
  /// of even order too. A divisor of parameters alone is not a pole along a motion.
  void note_pole(const std::string& velocity, const Expr& divisor) {
    Expr zeros = system_.graph().number(std::int64_t{1});
    for (const Expr& factor : symbolic::factors_of_numerator(divisor))
      if (symbolic::depends_on_any(factor, system_.algebroid.x)) zeros *= factor;
    if (symbolic::depends_on_any(zeros, system_.algebroid.x)) poles_.push_back({velocity, zeros});
  }
  void solve_for(std::size_t a, const std::vector<Expr>& c) {
    for (std::size_t j = 0; j < c.size(); ++j)
      if (j != a) add(j, -c[j] / c[a], a);
    drop(a);
  }
  /// Takes (-c_q S_p + c_p S_q) for S_p and S_q.
  void turn(std::size_t p, std::size_t q, const std::vector<Expr>& c, const Expr& size) {
    for (std::size_t j = 0; j < c.size(); ++j) {
      if (j == p || j == q || c[j].is_zero()) continue;
      add(j, -c[j] * c[p] / size, p);
      add(j, -c[j] * c[q] / size, q);
    }
    for (std::size_t a = 0; a < span_.cols; ++a) span_(p, a) = multiplied_out(c[p] * span_(q, a) - c[q] * span_(p, a));
    names_[p] = new_name();
    drop(q);
  }
  /// Adds factor S_from to S_to.
  void add(std::size_t to, const Expr& factor, std::size_t from) {
    for (std::size_t a = 0; a < span_.cols; ++a)
      if (!span_(from, a).is_zero()) span_(to, a) = multiplied_out(span_(to, a) + factor * span_(from, a));
  }
  void drop(std::size_t a) {
    const auto begin = span_.entries.begin() + static_cast<std::ptrdiff_t>(a * span_.cols);
    span_.entries.erase(begin, begin + static_cast<std::ptrdiff_t>(span_.cols));
    --span_.rows;
    names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(a));
  }
  [[nodiscard]] bool is_taken(const std::string& name) const {
    const auto named = [&](const Expr& symbol) { return symbol.name() == name || symbol.name() == "p_" + name; };
    for (const auto* list : {&system_.algebroid.x, &system_.algebroid.y, &system_.p, &system_.definitions})
      if (std::any_of(list->begin(), list->end(), named)) return true;
    const auto is = [&](const auto& one) { return one.name == name; };
    return named(system_.z) || named(system_.t) ||
           std::any_of(system_.parameters.begin(), system_.parameters.end(),
                       [&](const Parameter& one) { return named(one.symbol); }) ||
           std::any_of(system_.observables.begin(), system_.observables.end(), is) ||
           std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  std::string new_name() {
    if (!new_names_.empty()) {
      const std::string name = new_names_.front();
      new_names_.erase(new_names_.begin());
      if (is_taken(name)) throw Refused("the name '" + name + "' of a new coordinate is taken");
      return name;
    }
    std::string name = "u";
    for (int k = 1; is_taken(name); ++k) name = "u" + std::to_string(k);
    return name;
  }

  const System& system_;
  std::vector<std::string> names_given_;
  std::string stays_;                   ///< a coordinate that always remains
  std::vector<std::string> new_names_;  ///< names for turned sections, in order
  bool keeps_ = false;                  ///< whether every name given is one of the coordinates
  Matrix span_;
  std::vector<std::string> names_;
  std::vector<Pole> poles_;
};

void check_names(const System& system, std::size_t constraints, const std::vector<std::string>& fibre) {
  if (fibre.empty()) return;
  for (const Expr& x : system.algebroid.x)
    for (const auto& name : fibre)
      if (x.name() == name)
        throw Refused("'" + name + "' is not a fibre coordinate that could be kept", "name fibre coordinates", "fibre");
  const std::size_t size = system.r() - constraints;
  if (fibre.size() != size)
    throw Refused(
        "the constraints leave " + std::to_string(size) + " fibre coordinates, not " + std::to_string(fibre.size()),
        "name as many, or leave the choice out", "fibre");
}

/// Returns the metric of the projection.
Matrix metric_of(const System& system, const Matrix& span, const Point& at) {
  auto& graph = system.graph();
  std::vector<Expr> at_rest = system.algebroid.y;
  at_rest.insert(at_rest.end(), {system.z, system.t});
  const std::vector<Expr> zeros(at_rest.size(), graph.number(std::int64_t{0}));
  Matrix W = symbolic::to_dense(graph, symbolic::hessian(symbolic::expand_lets(system.generator), system.algebroid.y));
  for (Expr& entry : W.entries) entry = multiplied_out(symbolic::substitute(entry, at_rest, zeros));
  const auto value = at(multiply(multiply(span, W), transpose(span)));
  // The restricted metric must be invertible; its determinant by elimination with row exchanges.
  const std::size_t s = span.rows;
  auto a = value;
  double determinant = 1;
  for (std::size_t k = 0; k < s; ++k) {
    std::size_t row = k;
    for (std::size_t i = k; i < s; ++i)
      if (std::abs(a[i * s + k]) > std::abs(a[row * s + k])) row = i;
    for (std::size_t j = 0; j < s; ++j) std::swap(a[k * s + j], a[row * s + j]);
    determinant *= a[k * s + k];
    for (std::size_t i = k + 1; i < s; ++i) {
      const double factor = a[i * s + k] / a[k * s + k];
      for (std::size_t j = k; j < s; ++j) a[i * s + j] -= factor * a[k * s + j];
    }
  }
  constexpr double smallest = 1e-12;
  return std::isfinite(determinant) && std::abs(determinant) > smallest ? W : symbolic::identity(graph, system.r());
}

/// Changes the metric so that the section S_0 of `stays` is orthogonal to the others, which keep theirs: it becomes
/// that of y less its part along S_0, with 1 for S_0 itself.
void separate(std::size_t stays, const std::vector<Expr>& S0, Matrix& W) {
  const std::size_t r = W.rows;
  const Expr one = S0[stays];
  std::vector<Expr> lowered(r, one);
  for (std::size_t a = 0; a < r; ++a) {
    Expr sum = -W(a, stays) * one;
    for (std::size_t b = 0; b < r; ++b) sum += W(a, b) * S0[b];
    lowered[a] = multiplied_out(sum);
  }
  Expr square = one;
  for (std::size_t a = 0; a < r; ++a)
    if (a != stays) square += S0[a] * lowered[a];
  for (std::size_t a = 0; a < r; ++a) W(a, stays) = W(stays, a) = multiplied_out(-lowered[a]);
  W(stays, stays) = multiplied_out(square);
}

/// Moves expressions of the given system to D.
class Restriction {
 public:
  Restriction(const System& system, const Matrix& span, const std::vector<Expr>& y) : system_(system) {
    velocities_ = multiply(transpose(span), y);
    for (Expr& velocity : velocities_) velocity = symbolic::simplify(velocity);
  }

  [[nodiscard]] const std::vector<Expr>& velocities() const { return velocities_; }
  [[nodiscard]] Expr operator()(const Expr& f) const {
    return symbolic::simplify(symbolic::substitute(symbolic::expand_lets(f), system_.algebroid.y, velocities_));
  }
  /// Opens momenta as well.
  [[nodiscard]] Expr observed(const Expr& f) const {
    const auto p = symbolic::gradient(symbolic::expand_lets(system_.generator), system_.algebroid.y);
    return (*this)(symbolic::substitute(symbolic::expand_lets(f), system_.p, p));
  }

 private:
  const System& system_;
  std::vector<Expr> velocities_;
};

/// Sets the forces of the reduced system: S_a (dp/dt) + (dS_a/dt) p on D, without what its own bracket and Lagrangian
/// give.
void set_forces(const System& given, const Matrix& span, const Restriction& restricted, System& reduced) {
  System free = given;
  free.constraints = {};
  const Equations full = derive(free);
  const Equations own = derive(reduced);
  const auto& x = given.algebroid.x;
  for (std::size_t a = 0; a < reduced.r(); ++a) {
    Expr force = -own.f[a];
    for (std::size_t k = 0; k < given.r(); ++k) {
      if (span(a, k).is_zero()) continue;
      force += span(a, k) * restricted(full.f[k]);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Expr slope = derivative(span(a, k), x[i]);
        if (!slope.is_zero()) force += slope * own.x_dot[i] * restricted(full.p[k]);
      }
    }
    reduced.forces[a] = multiplied_out(force);
  }
}

void carry_symmetries(const System& given, const Matrix& rows, ConstraintReduction& to) {
  for (const Symmetry& symmetry : given.symmetries) {
    bool inside = true;
    for (std::size_t k = 0; k < rows.rows; ++k) {
      Expr value = given.graph().number(std::int64_t{0});
      for (std::size_t a = 0; a < given.r(); ++a) value += rows(k, a) * symmetry.section[a];
      inside = inside && multiplied_out(value).is_zero();
    }
    if (!inside) {
      to.left_out.push_back("the symmetry " + symmetry.name + " is not a section of the constraint");
      continue;
    }
    Symmetry section{symmetry.name, multiply(to.coordinates, symmetry.section)};
    for (Expr& component : section.section) component = multiplied_out(component);
    to.system.symmetries.push_back(std::move(section));
  }
}

bool is_name_of(const std::vector<Invariant>& invariants, const std::string& name) {
  return std::any_of(invariants.begin(), invariants.end(), [&](const Invariant& one) { return one.name == name; });
}

void carry_outputs(const System& given, const Restriction& restricted, ConstraintReduction& to) {
  const auto carried = [&](const std::string& what, const std::string& name, const Expr& value) {
    const bool multiplier = symbolic::depends_on_any(symbolic::expand_lets(value), given.constraints.multipliers);
    if (multiplier) to.left_out.push_back("the " + what + " " + name + " has a multiplier");
    return !multiplier;
  };
  for (const Observable& o : given.observables)
    if (carried("observable", o.name, o.value)) to.system.observables.push_back({o.name, restricted.observed(o.value)});
  for (Event event : given.events) {
    if (changes_state(event)) {
      to.left_out.push_back("the event " + event.name + " changes the state");
      continue;
    }
    if (!carried("event", event.name, event.value)) continue;
    event.value = restricted.observed(event.value);
    to.system.events.push_back(std::move(event));
  }
  for (const Invariant& invariant : given.invariants)
    to.system.invariants.push_back({invariant.name, symbolic::expand_lets(invariant.value)});
  for (std::size_t k = 0; k < given.constraints.equations.size(); ++k) {
    const Expr equation = symbolic::expand_lets(given.constraints.equations[k]);
    if (!is_holonomic(given, equation)) continue;
    std::string name = "leaf" + std::to_string(k + 1);
    while (is_name_of(to.system.invariants, name)) name += "_";
    to.system.invariants.push_back({name, equation});
  }
  for (const Dissipated& f : given.dissipated) {
    const Expr value = symbolic::expand_lets(f.value);
    if (symbolic::depends_on_any(value, given.p))
      to.left_out.push_back("the dissipated function " + f.name + " has momenta of the given system");
    else
      to.system.dissipated.push_back({f.name, value});
  }
}

/// Adds events at which runs end: beyond a pole of its formulas the reduced system has other motions.
void stop_at(const std::vector<Pole>& poles, System& reduced) {
  for (const Pole& pole : poles) {
    std::string name = "pole_" + pole.velocity;
    const auto taken = [&](const Event& event) { return event.name == name; };
    while (std::any_of(reduced.events.begin(), reduced.events.end(), taken)) name += "_";
    Event event;
    event.name = name;
    event.value = pole.divisor;
    event.stop = true;
    reduced.events.push_back(std::move(event));
  }
}

}  // namespace

ConstraintReduction reduce_by_constraints(const System& system, const Near& near, const std::vector<std::string>& fibre,
                                          const std::string& stays) {
  if (system.formulation == Formulation::hamiltonian)
    throw Refused("the reduction by constraints needs a Lagrangian, and this system has a Hamiltonian");
  if (system.constraints.rule != Rule::nonholonomic)
    throw Refused(
        "the reduction by constraints needs linear, affine or holonomic constraints with rule = nonholonomic");
  const Matrix rows = coefficients(system);
  if (rows.rows >= system.r()) throw Refused("the constraints leave no velocity");
  const Point at(system, near);
  check_names(system, rows.rows, fibre);
  Frame frame(system, fibre, stays);
  frame.restrict(rows, at);
  frame.check();
  ConstraintReduction result;
  result.span = frame.span();
  std::vector<Expr> y;
  for (const auto& name : frame.names()) y.push_back(system.graph().symbol(name));
  const Restriction restricted(system, result.span, y);
  const Matrix columns = transpose(result.span);
  result.coordinates =
      multiply(geometry::inverse(multiply(result.span, columns), "the sections of the constraint"), result.span);
  for (Expr& entry : result.coordinates.entries) entry = multiplied_out(entry);

  Matrix metric = metric_of(system, result.span, at);
  const auto& all = system.algebroid.y;
  const auto place_in = [&](const std::vector<Expr>& list) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Expr& one) { return one.name() == stays; });
    return static_cast<std::size_t>(found - list.begin());
  };
  if (!stays.empty()) {
    const std::size_t row = place_in(y);
    std::vector<Expr> S0;
    for (std::size_t a = 0; a < system.r(); ++a) S0.push_back(result.span(row, a));
    separate(place_in(all), S0, metric);
  }
  auto algebroid = geometry::constrained(system.algebroid, y, result.span, metric);
  for (auto* anchor : {&algebroid.rho, &algebroid.sigma})
    for (Expr& entry : anchor->entries) entry = multiplied_out(entry);
  System& reduced = result.system;
  reduced = make_system(std::move(algebroid), system.z.name(), system.t.name());
  reduced.name = system.name;
  reduced.title = system.title;
  reduced.reference = system.reference;
  reduced.parameters = system.parameters;
  reduced.generator = restricted(system.generator);
  set_forces(system, result.span, restricted, reduced);
  if (!stays.empty()) reduced.forces[place_in(y)] = system.graph().number(std::int64_t{0});
  carry_symmetries(system, rows, result);
  carry_outputs(system, restricted, result);
  stop_at(frame.poles(), reduced);
  const auto is_kept = [&](const Expr& one) { return std::find(y.begin(), y.end(), one) != y.end(); };
  for (std::size_t a = 0; a < system.r(); ++a)
    if (!is_kept(system.algebroid.y[a]))
      reduced.observables.push_back({std::string(system.algebroid.y[a].name()), restricted.velocities()[a]});
  for (const auto& [name, latex] : system.latex) {
    const auto named = [of = std::string_view(name)](const Expr& symbol) { return symbol.name() == of; };
    bool gone = std::any_of(system.definitions.begin(), system.definitions.end(), named);
    for (std::size_t a = 0; a < system.r(); ++a)
      gone = gone || (!is_kept(system.algebroid.y[a]) && (named(system.algebroid.y[a]) || named(system.p[a])));
    if (!gone) reduced.latex.emplace(name, latex);
  }
  return result;
}

}  // namespace herglotz::mechanics
