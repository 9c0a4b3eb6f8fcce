#include "herglotz/mechanics/symmetry_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "group_coordinates.hpp"
#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "reduce/multiplied_out.hpp"
#include "sample_points.hpp"

namespace herglotz::mechanics {
namespace {

using Near = std::map<std::string, double, std::less<>>;
using symbolic::Matrix;

/// Names that the reduced system may use.
class Names {
 public:
  explicit Names(const System& system) {
    for (const auto* list : {&system.algebroid.x, &system.algebroid.y, &system.p, &system.definitions})
      for (const Expr& symbol : *list) taken_.emplace(symbol.name());
    for (const Parameter& parameter : system.parameters) taken_.emplace(parameter.symbol.name());
    for (const Expr& symbol : {system.z, system.t, system.energy}) taken_.emplace(symbol.name());
    const auto add = [&](const auto& list) {
      for (const auto& one : list) taken_.insert(one.name);
    };
    add(system.observables);
    add(system.symmetries);
    add(system.dissipated);
    add(system.invariants);
    add(system.events);
  }
  std::string fresh(std::string name) {
    while (taken_.contains(name) || taken_.contains("p_" + name)) name += "_";
    taken_.insert(name);
    return name;
  }

 private:
  std::set<std::string, std::less<>> taken_;
};

/// The section of the orbits with its symbols, and expressions on it.
class Section {
 public:
  Section(const System& system, const SymmetryGroup& group, const std::vector<double>& values, Names& names)
      : system_(system) {
    auto& graph = system.graph();
    for (std::size_t i = 0; i < system.n(); ++i) {
      const Expr& x = system.algebroid.x[i];
      const auto at = std::find(group.fixed.begin(), group.fixed.end(), i);
      if (at != group.fixed.end()) {
        const double value = values.at(static_cast<std::size_t>(at - group.fixed.begin()));
        if (value == std::numbers::pi / 2) {
          replace(sin(x), graph.number(std::int64_t{1}));
          replace(cos(x), graph.number(std::int64_t{0}));
        }
        x_.push_back(graph.number(value));
      } else {
        const bool moved = std::any_of(group.fields.begin(), group.fields.end(),
                                       [&](const auto& field) { return !field[i].is_zero(); });
        const std::string name(x.name());
        x_.push_back(moved ? graph.symbol(names.fresh(name + "_bar")) : x);
        free_.push_back(i);
        moved_.push_back(moved);
      }
      replace(x, x_.back());
    }
  }

  [[nodiscard]] const std::vector<Expr>& x() const { return x_; }
  [[nodiscard]] const std::vector<std::size_t>& free() const { return free_; }  ///< places of s in x
  [[nodiscard]] bool moved(std::size_t j) const { return moved_[j]; }  ///< whether s^j is not an invariant of G
  [[nodiscard]] std::vector<Expr> s() const {
    std::vector<Expr> symbols;
    for (const std::size_t i : free_) symbols.push_back(x_[i]);
    return symbols;
  }
  [[nodiscard]] Expr operator()(const Expr& f) const {
    return multiplied_out(symbolic::substitute(symbolic::expand_lets(f), from_, to_));
  }
  [[nodiscard]] Matrix operator()(Matrix m) const {
    for (Expr& entry : m.entries) entry = (*this)(entry);
    return m;
  }
  /// Returns f on the section at the velocities y' of the reduced system.
  [[nodiscard]] Expr at(const Expr& f, const std::vector<Expr>& velocities) const {
    auto from = from_;
    auto to = to_;
    from.insert(from.end(), system_.algebroid.y.begin(), system_.algebroid.y.end());
    to.insert(to.end(), velocities.begin(), velocities.end());
    return symbolic::simplify(symbolic::substitute(symbolic::expand_lets(f), from, to));
  }

 private:
  void replace(const Expr& from, const Expr& to) {
    from_.push_back(from);
    to_.push_back(to);
  }

  const System& system_;
  std::vector<Expr> x_;
  std::vector<std::size_t> free_;
  std::vector<bool> moved_;
  std::vector<Expr> from_;
  std::vector<Expr> to_;
};

class Reducer {
 public:
  Reducer(const System& system, SymmetryGroup group, OrbitSection orbits, const Near& near)
      : system_(system), near_(near), names_(system), section_(system, group, orbits.values, names_) {
    result_.group = std::move(group);
    result_.orbits = std::move(orbits);
    result_.section = section_.x();
    for (const auto& field : result_.group.fields) {
      lifts_.push_back(lift_of(system, field));
      const auto& entries = lifts_.back().entries;
      result_.keeps_frame =
          result_.keeps_frame && std::all_of(entries.begin(), entries.end(), [](const Expr& f) { return f.is_zero(); });
    }
    tangent_ = is_tangent_in_a_frame(system, near);
  }

  SymmetryReduction reduce(bool group_coordinates) {
    auto& graph = system_.graph();
    const std::size_t d = result_.group.size();
    const std::size_t q = moving().size();
    if (result_.keeps_frame && q < d)
      throw Refused("these symmetries leave the points of a section where they are, and do not turn the frame",
                    "reduce by some of them");
    fields_ = Matrix(system_.n(), q, zero());
    for (std::size_t b = 0; b < q; ++b)
      for (std::size_t i = 0; i < system_.n(); ++i) fields_(i, b) = section_(result_.group.fields[moving()[b]][i]);
    std::vector<Expr> g;
    if (group_coordinates) {
      for (std::size_t A = 0; A < d; ++A) {
        result_.coordinates.push_back(names_.fresh(d == 1 ? "g" : "g" + std::to_string(A + 1)));
        g.push_back(graph.symbol(result_.coordinates.back()));
      }
      matrices_ = group_matrices(result_.group.c, g);
    }
    auto algebroid = result_.keeps_frame ? in_given_frame(g) : in_invariant_frame(g);
    System& reduced = result_.system;
    reduced = make_system(std::move(algebroid), system_.z.name(), system_.t.name());
    reduced.name = system_.name;
    reduced.title = system_.title;
    reduced.reference = system_.reference;
    reduced.parameters = system_.parameters;
    velocities_ = multiply(result_.frame, reduced.algebroid.y);
    for (Expr& velocity : velocities_) velocity = multiplied_out(velocity);
    reduced.generator = at(system_.generator);
    for (std::size_t b = 0; b < reduced.r(); ++b) {
      Expr force = zero();
      for (std::size_t a = 0; a < system_.r(); ++a)
        if (!system_.forces[a].is_zero() && !result_.frame(a, b).is_zero())
          force += at(system_.forces[a]) * result_.frame(a, b);
      reduced.forces[b] = multiplied_out(force);
    }
    if (system_.constraints.rule != Rule::none) {
      std::vector<Expr> equations;
      for (const Expr& equation : system_.constraints.equations) equations.push_back(at(equation));
      constrain(reduced, system_.constraints.rule, std::move(equations));
    }
    carry_symmetries();
    add_momenta();
    carry_outputs();
    carry_latex();
    return std::move(result_);
  }

 private:
  [[nodiscard]] Expr zero() const { return system_.graph().number(std::int64_t{0}); }
  [[nodiscard]] Expr at(const Expr& f) const { return section_.at(f, velocities_); }
  [[nodiscard]] const std::vector<std::size_t>& moving() const { return result_.orbits.moving; }
  /// e_A along e_moving[b]; the rest is in the algebra of the isotropy group.
  [[nodiscard]] Expr onto(std::size_t A, std::size_t b) const {
    return system_.graph().number(result_.orbits.onto[A][b]);
  }

  /// Returns the rows of an anchor on the section, without the part along the orbits: first those of s, then eta^A = h
  /// y (n x r).
  [[nodiscard]] Matrix split(const Matrix& anchor) const {
    const auto& fixed = result_.group.fixed;
    const std::size_t q = fixed.size();
    Matrix along(q, q, zero());
    Matrix rates(q, anchor.cols, zero());
    const Matrix on = section_(anchor);
    for (std::size_t A = 0; A < q; ++A) {
      for (std::size_t b = 0; b < q; ++b) along(A, b) = fields_(fixed[A], b);
      for (std::size_t a = 0; a < anchor.cols; ++a) rates(A, a) = on(fixed[A], a);
    }
    const Matrix h = multiply(geometry::inverse(along, "the symmetries on the section"), rates);
    const auto& free = section_.free();
    Matrix rows(anchor.rows, anchor.cols, zero());
    for (std::size_t a = 0; a < anchor.cols; ++a) {
      for (std::size_t j = 0; j < free.size(); ++j) {
        Expr value = on(free[j], a);
        for (std::size_t b = 0; b < q; ++b) value -= fields_(free[j], b) * h(b, a);
        rows(j, a) = multiplied_out(value);
      }
      for (std::size_t b = 0; b < q; ++b) rows(free.size() + b, a) = multiplied_out(h(b, a));
    }
    return rows;
  }

  /// Returns the base (s, g) with an anchor (r' x n'): `rows` as `split` has them.
  [[nodiscard]] Matrix anchor_rows(const Matrix& rows, const std::vector<Expr>& g) const {
    const std::size_t free = section_.free().size();
    Matrix anchor(rows.cols, free + g.size(), zero());
    for (std::size_t a = 0; a < rows.cols; ++a) {
      for (std::size_t j = 0; j < free; ++j) anchor(a, j) = rows(j, a);
      for (std::size_t A = 0; A < g.size(); ++A) {
        Expr rate = zero();
        for (std::size_t b = 0; b < moving().size(); ++b) rate += matrices_.rates(A, moving()[b]) * rows(free + b, a);
        anchor(a, free + A) = multiplied_out(rate);
      }
    }
    return anchor;
  }

  geometry::Algebroid in_given_frame(const std::vector<Expr>& g) {
    const auto& e = system_.algebroid;
    result_.frame = symbolic::identity(system_.graph(), e.r());
    geometry::Coordinates coordinates{section_.s(), e.y};
    coordinates.x.insert(coordinates.x.end(), g.begin(), g.end());
    geometry::StructureFunctions c(e.r(), zero());
    for (const auto& [place, value] : e.c.nonzero()) c.set(place[0], place[1], place[2], section_(value));
    return geometry::custom(e.graph, std::move(coordinates), anchor_rows(split(e.rho), g), std::move(c),
                            anchor_rows(split(e.sigma), g));
  }

  geometry::Algebroid in_invariant_frame(const std::vector<Expr>& g) {
    const auto& e = system_.algebroid;
    auto& graph = system_.graph();
    const std::size_t q = moving().size();
    const auto& free = section_.free();
    const bool tangent = geometry::is_tangent(e);
    geometry::Coordinates coordinates{section_.s(), {}};
    for (std::size_t j = 0; j < free.size(); ++j) {
      const std::string name(tangent ? e.y[free[j]].name() : coordinates.x[j].name());
      if (tangent && !section_.moved(j))
        coordinates.y.push_back(e.y[free[j]]);
      else
        coordinates.y.push_back(graph.symbol(names_.fresh(tangent ? name + "_bar" : "v_" + name)));
    }
    for (std::size_t b = 0; b < q; ++b)
      coordinates.y.push_back(graph.symbol(names_.fresh(q == 1 ? "eta" : "eta" + std::to_string(b + 1))));
    // x_dot = s_dot + eta^A X_A on the section.
    Matrix columns(e.n(), free.size() + q, zero());
    for (std::size_t j = 0; j < free.size(); ++j) columns(free[j], j) = graph.number(std::int64_t{1});
    for (std::size_t i = 0; i < e.n(); ++i)
      for (std::size_t b = 0; b < q; ++b) columns(i, free.size() + b) = fields_(i, b);
    result_.frame = tangent ? columns : section_(multiply(geometry::inverse(section_(e.rho), "the anchor"), columns));
    // Brackets of the fields that move the section, without their part in the isotropy algebra.
    geometry::StructureFunctions c(q, zero());
    for (std::size_t a = 0; a < q; ++a)
      for (std::size_t b = 0; b < q; ++b)
        for (std::size_t k = 0; k < q; ++k) {
          Expr bracket = zero();
          for (std::size_t C = 0; C < result_.group.size(); ++C)
            bracket -= result_.group.c(C, moving()[a], moving()[b]) * onto(C, k);
          c.set(k, a, b, symbolic::simplify(bracket));
        }
    if (g.empty() && result_.group.is_free()) {
      if (free.empty()) return geometry::lie_algebra(e.graph, std::move(coordinates), std::move(c));
      return geometry::atiyah(e.graph, std::move(coordinates), c, Matrix(free.size(), q, zero()));
    }
    geometry::StructureFunctions whole(free.size() + q, zero());
    for (const auto& [place, value] : c.nonzero())
      whole.set(free.size() + place[0], free.size() + place[1], free.size() + place[2], value);
    coordinates.x.insert(coordinates.x.end(), g.begin(), g.end());
    return geometry::custom(e.graph, std::move(coordinates), anchor_rows(symbolic::identity(graph, free.size() + q), g),
                            std::move(whole));
  }

  /// Returns y' = frame^-1 y for a section on S.
  [[nodiscard]] std::vector<Expr> in_frame(std::vector<Expr> section) const {
    for (Expr& component : section) component = section_(component);
    if (result_.keeps_frame) return section;
    section = multiply(geometry::inverse(result_.frame, "the invariant frame"), section);
    for (Expr& component : section) component = multiplied_out(component);
    return section;
  }

  /// Returns X_A(f) + (dy of X_A) f_y.
  [[nodiscard]] Expr change(std::size_t A, const Expr& f) const {
    Expr total = base_change(A, f);
    const auto slopes = symbolic::gradient(f, system_.algebroid.y);
    const auto moved = multiply(lifts_[A], system_.algebroid.y);
    for (std::size_t a = 0; a < slopes.size(); ++a) total += slopes[a] * moved[a];
    return total;
  }
  [[nodiscard]] Expr base_change(std::size_t A, const Expr& f) const {
    Expr total = zero();
    const auto slopes = symbolic::gradient(f, system_.algebroid.x);
    for (std::size_t i = 0; i < slopes.size(); ++i) total += slopes[i] * result_.group.fields[A][i];
    return total;
  }
  template <class Change>
  [[nodiscard]] bool is_invariant(const Change& change) const {
    for (std::size_t A = 0; A < result_.group.size(); ++A)
      if (!vanishes(system_, near_, change(A))) return false;
    return true;
  }
  void leave_out(const std::string& what, const std::string& name) {
    result_.left_out.push_back("the " + what + " " + name + " is not invariant");
  }

  void carry_symmetries() {
    for (const Symmetry& symmetry : system_.symmetries) {
      bool invariant = true;
      for (std::size_t a = 0; a < system_.r() && invariant; ++a)
        invariant = is_invariant([&](std::size_t A) {
          Expr total = base_change(A, symbolic::expand_lets(symmetry.section[a]));
          for (std::size_t b = 0; b < system_.r(); ++b) total -= lifts_[A](a, b) * symmetry.section[b];
          return total;
        });
      const auto& names = result_.group.names;
      const bool own = std::find(names.begin(), names.end(), symmetry.name) != names.end();
      if (invariant)
        result_.system.symmetries.push_back({symmetry.name, in_frame(symmetry.section)});
      else if (!own || result_.coordinates.empty())
        leave_out("symmetry", symmetry.name);
    }
  }

  /// Adds the momenta J_A of the group: those of central X_A, and all of them where g is in the base.
  void add_momenta() {
    if (!tangent_) return;
    const std::size_t d = result_.group.size();
    const bool all = !result_.coordinates.empty();
    const Matrix inverse =
        result_.keeps_frame ? section_(geometry::inverse(section_(system_.algebroid.rho), "the anchor")) : Matrix();
    for (std::size_t A = 0; A < d; ++A) {
      const std::string& name = result_.group.names[A];
      const auto& carried = result_.system.symmetries;
      if (std::any_of(carried.begin(), carried.end(), [&](const Symmetry& one) { return one.name == name; })) continue;
      bool central = true;
      for (std::size_t B = 0; B < d; ++B)
        for (std::size_t C = 0; C < d; ++C) central = central && result_.group.c(C, A, B).is_zero();
      if (!central && !all) continue;
      std::vector<Expr> section(system_.r(), zero());
      for (std::size_t b = 0; b < moving().size(); ++b) {
        Expr factor = central ? onto(A, b) : zero();
        for (std::size_t B = 0; B < d && !central; ++B) factor += matrices_.adjoint(B, A) * onto(B, b);
        if (factor.is_zero()) continue;
        for (std::size_t a = 0; a < system_.r(); ++a)
          for (std::size_t i = 0; result_.keeps_frame && i < system_.n(); ++i)
            section[a] += factor * inverse(a, i) * fields_(i, b);
        if (!result_.keeps_frame) section[system_.r() - moving().size() + b] += factor;
      }
      for (Expr& component : section) component = symbolic::simplify(component);
      result_.system.symmetries.push_back({name, std::move(section)});
    }
  }

  void carry_outputs() {
    System& reduced = result_.system;
    const Expr L = symbolic::expand_lets(system_.generator);
    const auto p = symbolic::gradient(L, system_.algebroid.y);
    Expr energy = -L;
    for (std::size_t a = 0; a < p.size(); ++a) energy += p[a] * system_.algebroid.y[a];
    std::vector<Expr> from = system_.p;
    std::vector<Expr> to = p;
    from.push_back(system_.energy);
    to.push_back(energy);
    const auto carried = [&](const std::string& what, const std::string& name, const Expr& given) {
      const Expr f = symbolic::expand_lets(given);
      for (const Expr& multiplier : system_.constraints.multipliers)
        if (symbolic::depends_on(f, multiplier)) {
          result_.left_out.push_back("the " + what + " " + name + " has a multiplier");
          return Expr();
        }
      const Expr opened = symbolic::substitute(f, from, to);
      if (is_invariant([&](std::size_t A) { return change(A, opened); })) return at(opened);
      leave_out(what, name);
      return Expr();
    };
    for (const Observable& one : system_.observables)
      if (const Expr value = carried("observable", one.name, one.value); value.valid())
        reduced.observables.push_back({one.name, value});
    for (Event event : system_.events) {
      if (changes_state(event)) {
        result_.left_out.push_back("the event " + event.name + " changes the state");
        continue;
      }
      event.value = carried("event", event.name, event.value);
      if (event.value.valid()) reduced.events.push_back(std::move(event));
    }
    for (const Invariant& one : system_.invariants)
      if (const Expr value = carried("invariant", one.name, one.value); value.valid())
        reduced.invariants.push_back({one.name, value});
    carry_dissipated();
    if (!system_.gauge.conditions.empty()) result_.left_out.emplace_back("the conditions of the gauge");
  }

  // Momenta are p = (frame^-1)^T p'; their lift is -A^T p.
  void carry_dissipated() {
    System& reduced = result_.system;
    if (system_.dissipated.empty()) return;
    const Matrix back = result_.keeps_frame ? result_.frame : geometry::inverse(result_.frame, "the invariant frame");
    const auto p = multiply(transpose(back), reduced.p);
    for (const Dissipated& one : system_.dissipated) {
      const Expr f = symbolic::expand_lets(one.value);
      const bool invariant = is_invariant([&](std::size_t A) {
        Expr total = base_change(A, f);
        const auto slopes = symbolic::gradient(f, system_.p);
        const auto moved = multiply(transpose(lifts_[A]), system_.p);
        for (std::size_t a = 0; a < slopes.size(); ++a) total -= slopes[a] * moved[a];
        return total;
      });
      if (invariant)
        reduced.dissipated.push_back({one.name, symbolic::simplify(symbolic::substitute(section_(f), system_.p, p))});
      else
        leave_out("dissipated function", one.name);
    }
  }

  void carry_latex() {
    const auto& reduced = result_.system.algebroid;
    for (const auto& [name, latex] : system_.latex) {
      const auto named = [of = std::string_view(name)](const Expr& symbol) { return symbol.name() == of; };
      const auto has = [&](const std::vector<Expr>& list) { return std::any_of(list.begin(), list.end(), named); };
      const bool was =
          has(system_.algebroid.x) || has(system_.algebroid.y) || has(system_.p) || has(system_.definitions);
      if (!was || has(reduced.x) || has(reduced.y) || has(result_.system.p)) result_.system.latex.emplace(name, latex);
    }
  }

  const System& system_;
  const Near& near_;
  Names names_;
  Section section_;
  SymmetryReduction result_;
  std::vector<Matrix> lifts_;  // A of every field
  Matrix fields_;              // X_A^i on the section (n x d)
  bool tangent_ = false;
  GroupMatrices matrices_;
  std::vector<Expr> velocities_;  // y in y'
};

}  // namespace

SymmetryReduction reduce_by_symmetry(const System& system, SymmetryGroup group, OrbitSection orbits, const Near& near,
                                     bool group_coordinates) {
  if (system.formulation == Formulation::hamiltonian)
    throw Refused("the reduction by symmetry needs a Lagrangian, and this system has a Hamiltonian");
  return Reducer(system, std::move(group), std::move(orbits), near).reduce(group_coordinates);
}

}  // namespace herglotz::mechanics
