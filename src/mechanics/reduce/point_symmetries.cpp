#include "herglotz/mechanics/point_symmetries.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/geometry/null_space.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "sample_points.hpp"
#include "symmetry_ansatz.hpp"
#include "symmetry_conditions.hpp"

namespace herglotz::mechanics {
namespace {

using Near = std::map<std::string, double, std::less<>>;
using Vector = std::vector<double>;
using Field = std::vector<Expr>;

/// Returns X(f).
Expr along(const System& system, const Field& field, const Expr& f) {
  Expr total = system.graph().number(std::int64_t{0});
  for (std::size_t i = 0; i < field.size(); ++i)
    if (!field[i].is_zero()) total += field[i] * symbolic::derivative(f, system.algebroid.x[i]);
  return total;
}

/// Returns column a of an anchor.
Field section_of(const System& system, const symbolic::Matrix& anchor, std::size_t a) {
  Field section;
  for (std::size_t j = 0; j < system.n(); ++j) section.push_back(anchor(j, a));
  return section;
}

Field bracket(const System& system, const Field& X, const Field& Y) {
  Field result;
  for (std::size_t i = 0; i < system.n(); ++i)
    result.push_back(symbolic::simplify(along(system, X, Y[i]) - along(system, Y, X[i])));
  return result;
}

/// Returns the null space of conditions whose columns may differ in size as 1 and the square of a large coordinate do.
std::vector<Vector> combinations(SymmetryConditions::Rows rows, std::size_t unknowns) {
  Vector sizes(unknowns, 0.0);
  for (const Vector& row : rows)
    for (std::size_t k = 0; k < unknowns; ++k) sizes[k] = std::max(sizes[k], std::abs(row[k]));
  for (double& size : sizes)
    if (size == 0) size = 1;
  for (Vector& row : rows)
    for (std::size_t k = 0; k < unknowns; ++k) row[k] /= sizes[k];
  auto found = geometry::null_space(std::move(rows), unknowns);
  for (Vector& a : found) {
    // The last entry that is not rounding is that of the column that is free, which is 1.
    std::size_t last = unknowns - 1;
    while (last > 0 && std::abs(a[last]) < 1e-6) --last;
    for (std::size_t k = 0; k < unknowns; ++k) a[k] *= sizes[last] / sizes[k];
  }
  return found;
}

/// Returns the combinations of the functions that satisfy all conditions, with rational coefficients.
std::vector<Field> solutions(const System& system, const Near& near, const std::vector<Expr>& functions,
                             bool moves_frame, bool whole) {
  const SymmetryConditions conditions(system, functions, moves_frame, whole);
  const std::size_t unknowns = conditions.unknowns();
  SymmetryConditions::Rows rows;
  SamplePoints points(system, near, 5, whole);
  const std::size_t wanted = unknowns + 16;
  while (rows.size() < wanted * (moves_frame ? 1 : 2)) {
    const std::size_t before = rows.size();
    if (!conditions.add(points, rows)) return {};
    if (rows.size() == before) break;  // nothing depends on the base
  }
  SymmetryConditions::Rows others;
  SamplePoints other(system, near, 17, whole);
  for (int k = 0; k < 12; ++k) (void)conditions.add(other, others);
  const auto holds = [&](const Vector& a) {
    return std::all_of(others.begin(), others.end(), [&](const Vector& row) {
      double total = 0;
      double size = 0;
      for (std::size_t k = 0; k < unknowns; ++k) {
        total += row[k] * a[k];
        size = std::max(size, std::abs(row[k] * a[k]));
      }
      return std::abs(total) <= 1e-9 * size;
    });
  };
  std::vector<Field> fields;
  for (const Vector& solution : combinations(std::move(rows), unknowns)) {
    Vector a(unknowns);
    Field field(system.n(), system.graph().number(std::int64_t{0}));
    bool rational = true;
    for (std::size_t k = 0; k < unknowns && rational; ++k) {
      const auto value = geometry::near_rational(solution[k]);
      rational = value.has_value();
      if (!rational) break;
      a[k] = value->to_double();
      if (a[k] != 0) field[k % system.n()] += system.graph().number(*value) * functions[k / system.n()];
    }
    if (!rational || !holds(a)) continue;
    // The simplest term of the last component is positive, as in x d/dy - y d/dx.
    double sign = 1;
    for (std::size_t i = 0, at = 0; i < system.n(); ++i)
      for (std::size_t k = i; k < unknowns; k += system.n())
        if (a[k] != 0 && i >= at) {
          at = i;
          sign = a[k] < 0 ? -1 : 1;
        }
    for (Expr& component : field) component = sign * component;
    fields.push_back(std::move(field));
  }
  // The shortest functions are last.
  std::reverse(fields.begin(), fields.end());
  return fields;
}

/// Gives the fields their names, and the signs of declared symmetries.
void name(const System& system, PointSymmetries& to) {
  const auto is_declared = [&](const Field& field, const Symmetry& declared, double sign) {
    const auto moved = multiply(system.algebroid.rho, declared.section);
    for (std::size_t i = 0; i < system.n(); ++i)
      if (!symbolic::simplify(symbolic::expand_lets(moved[i]) - sign * field[i]).is_zero()) return false;
    return true;
  };
  const auto name_of = [&](Field& field) -> std::string {
    for (const Symmetry& declared : system.symmetries)
      for (const double sign : {1.0, -1.0})
        if (is_declared(field, declared, sign)) {
          for (Expr& component : field) component = sign * component;
          return declared.name;
        }
    std::size_t moved = system.n();
    for (std::size_t i = 0; i < system.n(); ++i) {
      if (field[i].is_zero()) continue;
      if (moved != system.n() || !field[i].is_one()) return {};
      moved = i;
    }
    return std::string(system.algebroid.x.at(moved).name());
  };
  for (std::size_t A = 0; A < to.fields.size(); ++A) {
    std::string one = name_of(to.fields[A]);
    if (one.empty() || std::find(to.names.begin(), to.names.end(), one) != to.names.end())
      one = "symmetry" + std::to_string(A + 1);
    to.names.push_back(std::move(one));
  }
}

void find_structure(const System& system, const Near& near, PointSymmetries& to) {
  const std::size_t d = to.size();
  to.c = geometry::StructureFunctions(d, system.graph().number(std::int64_t{0}));
  to.closed.assign(d, std::vector<bool>(d, true));
  std::vector<Expr> outputs;
  for (const Field& field : to.fields) outputs.insert(outputs.end(), field.begin(), field.end());
  const std::size_t n = system.n();
  for (std::size_t A = 0; A < d; ++A)
    for (std::size_t B = A + 1; B < d; ++B) {
      const Field field = bracket(system, to.fields[A], to.fields[B]);
      if (std::all_of(field.begin(), field.end(), [](const Expr& f) { return f.is_zero(); })) continue;
      auto all = outputs;
      all.insert(all.end(), field.begin(), field.end());
      SymmetryConditions::Rows rows;
      SamplePoints points(system, near, 29);
      while (rows.size() < n * (d + 6)) {
        const Vector at = points.next(all);
        if (at.empty()) break;
        for (std::size_t i = 0; i < n; ++i) {
          Vector row;
          for (std::size_t C = 0; C <= d; ++C) row.push_back(at[C * n + i]);
          rows.push_back(std::move(row));
        }
      }
      const auto relations = geometry::null_space(std::move(rows), d + 1);
      bool closed = relations.size() == 1 && relations.front().back() == 1;
      for (std::size_t C = 0; C < d && closed; ++C) {
        const auto value = geometry::near_rational(-relations.front()[C]);
        closed = value.has_value();
        if (!closed) break;
        to.c.set(C, A, B, system.graph().number(*value));
        to.c.set(C, B, A, -to.c(C, A, B));
      }
      if (closed) continue;
      to.closed[A][B] = to.closed[B][A] = false;
      for (std::size_t C = 0; C < d; ++C) {
        to.c.set(C, A, B, system.graph().number(std::int64_t{0}));
        to.c.set(C, B, A, system.graph().number(std::int64_t{0}));
      }
    }
}

}  // namespace

bool is_tangent_in_a_frame(const System& system, const Near& near) {
  const auto& e = system.algebroid;
  if (e.n() != e.r() || e.n() == 0) return false;
  if (geometry::is_tangent(e)) return true;
  if (!geometry::inverse_if_regular(e.rho)) return false;
  for (std::size_t k = 0; k < e.rho.entries.size(); ++k)
    if (!vanishes(system, near, e.rho.entries[k] - e.sigma.entries[k])) return false;
  for (std::size_t a = 0; a < e.r(); ++a)
    for (std::size_t b = a; b < e.r(); ++b) {
      const Field of_anchor = bracket(system, section_of(system, e.rho, a), section_of(system, e.rho, b));
      for (std::size_t i = 0; i < e.n(); ++i)
        for (const auto& [first, second, sign] : {std::tuple{a, b, 1.0}, std::tuple{b, a, -1.0}}) {
          Expr defect = sign * of_anchor[i];
          for (std::size_t k = 0; k < e.r(); ++k) defect -= e.c(k, first, second) * e.rho(i, k);
          if (!vanishes(system, near, defect)) return false;
        }
    }
  return true;
}

symbolic::Matrix lift_of(const System& system, const Field& field) {
  const auto& e = system.algebroid;
  symbolic::Matrix turned(e.n(), e.r(), system.graph().number(std::int64_t{0}));
  bool kept = true;
  for (std::size_t a = 0; a < e.r(); ++a) {
    const Field one = bracket(system, section_of(system, e.rho, a), field);
    for (std::size_t i = 0; i < e.n(); ++i) {
      turned(i, a) = one[i];
      kept = kept && one[i].is_zero();
    }
  }
  if (kept) return symbolic::Matrix(e.r(), e.r(), system.graph().number(std::int64_t{0}));
  return geometry::is_tangent(e) ? turned : multiply(geometry::inverse(e.rho, "the anchor"), turned);
}

PointSymmetries point_symmetries(const System& system, const Near& near) {
  if (system.formulation == Formulation::hamiltonian)
    throw Refused("point symmetries are those of a Lagrangian, and this system has a Hamiltonian");
  PointSymmetries found;
  if (system.n() == 0) return found;
  const bool moves_frame = is_tangent_in_a_frame(system, near);
  auto functions = symmetry_ansatz(system, false);
  found.fields = solutions(system, near, functions, moves_frame, true);
  // The richer ansatz is kept only if it has more to give, since far from 0 its functions nearly depend on each other.
  if (auto richer = symmetry_ansatz(system, true); !richer.empty())
    if (auto fields = solutions(system, near, richer, moves_frame, true); fields.size() > found.size()) {
      found.fields = std::move(fields);
      functions = std::move(richer);
    }
  const bool more = !system.constraints.equations.empty() ||
                    std::any_of(system.forces.begin(), system.forces.end(), [](const Expr& f) { return !f.is_zero(); });
  if (more) {
    const std::size_t of_lagrangian = solutions(system, near, functions, moves_frame, false).size();
    found.of_lagrangian_only = of_lagrangian > found.size() ? of_lagrangian - found.size() : 0;
  }
  name(system, found);
  find_structure(system, near, found);
  return found;
}

}  // namespace herglotz::mechanics
