#include "herglotz/mechanics/presentation.hpp"

#include <algorithm>

#include "herglotz/geometry/inverse.hpp"
#include "herglotz/mechanics/readable_equations.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "present/notation.hpp"
#include "present/printed_program.hpp"
#include "shorten/readable.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::printed_size;

/// The largest rank for which a mass matrix that is not diagonal is inverted; beyond it W stays on the left-hand side.
constexpr std::size_t largest_inverted = 4;

std::size_t size_of(const std::vector<Expr>& f) {
  std::size_t total = 0;
  for (const Expr& e : f) total += std::min(printed_size(e), std::size_t{1} << 40U);
  return total;
}

bool is_diagonal(const Matrix& W) {
  for (std::size_t i = 0; i < W.rows; ++i)
    for (std::size_t j = 0; j < W.cols; ++j)
      if ((i == j) == W(i, j).is_zero()) return false;
  return true;
}

/// Returns the equations as formulas. Those of a constrained Hamiltonian are derived again, without pivots chosen at
/// run time.
Equations formulas(const System& system, const Equations& equations) {
  const bool same = system.formulation == Formulation::lagrangian || equations.m() == 0;
  return same ? equations : readable_equations(system);
}

class Presenter {
 public:
  Presenter(const System& system, const Equations& equations)
      : system_(system),
        compiled_(equations),
        equations_(formulas(system, equations)),
        notation_(system),
        read_(system),
        L_z_(read_(equations_.L_z)) {}

  Presentation present() {
    const bool hamiltonian = system_.formulation == Formulation::hamiltonian;
    result_.title = system_.title.empty() ? system_.name : system_.title;
    for (const Expr& definition : system_.definitions) result_.definitions.push_back({definition, definition.child(0)});
    kinematics();
    section(hamiltonian ? "Velocities" : "Momenta", hamiltonian ? system_.algebroid.y : system_.p,
            read_(hamiltonian ? equations_.y : equations_.p));
    motion();
    // A Lagrangian is printed as its author wrote it.
    section("Action", {notation_.rate(system_.z)}, {hamiltonian ? read_(equations_.L) : equations_.L});
    section("Energy", {notation_.energy()}, {energy()});
    section("Dissipation rate", {notation_.dissipation_rate()}, {L_z_});
    constraints();
    multipliers();
    balance();
    auto printed = program_to_print(system_, compiled_);
    result_.program = std::move(printed.program);
    result_.outputs = std::move(printed.outputs);
    result_.notation = notation_.entries();
    return std::move(result_);
  }

 private:
  void section(std::string title, const std::vector<Expr>& left, const std::vector<Expr>& right) {
    PrintedSection s{std::move(title), {}, {}};
    for (std::size_t i = 0; i < left.size(); ++i) s.equations.push_back({left[i], right[i]});
    if (!s.equations.empty()) result_.sections.push_back(std::move(s));
  }

  std::vector<Expr> rates(const std::vector<Expr>& of, int order = 1) {
    std::vector<Expr> symbols;
    for (const Expr& symbol : of) symbols.push_back(notation_.rate(symbol, order));
    return symbols;
  }

  /// Returns the energy. A Lagrangian's energy keeps its author's terms if the constraints leave the momenta alone.
  Expr energy() const {
    if (system_.formulation == Formulation::hamiltonian) return equations_.energy;
    return equations_.rule == Rule::vakonomic ? read_(equations_.energy) : energy_by_degrees(system_);
  }

  void kinematics() { section("Kinematics", rates(system_.algebroid.x), read_(equations_.x_dot)); }

  void motion() {
    Matrix W = equations_.W;
    W.entries = read_(W.entries);
    const auto w_dot = rates(system_.w());
    const auto forces = constraint_forces();
    auto right = solved(W, w_dot);
    const bool is_solved = !right.empty() && (forces_by_mass(W, forces, right) || equations_.m() == 0);
    if (!is_solved) {
      right = with_momenta();
      for (std::size_t a = 0; a < right.size(); ++a) right[a] += forces[a];
    }
    section("Equations of motion", is_solved ? w_dot : multiply(W, w_dot), right);
    if (system_.formulation == Formulation::lagrangian && anchor_is_identity(system_.algebroid) && !w_dot.empty())
      typeset_second_order(result_.sections.back());
  }

  /// Adds W^-1 Phi_y^T ell to dw/dt and returns true if W is diagonal; else returns false.
  bool forces_by_mass(const Matrix& W, const std::vector<Expr>& forces, std::vector<Expr>& w_dot) const {
    if (!is_diagonal(W)) return false;
    for (std::size_t a = 0; a < w_dot.size(); ++a) w_dot[a] += forces[a] / W(a, a);
    return true;
  }

  /// Writes the rates of x for y, and the second derivatives of x for dy/dt.
  void typeset_second_order(PrintedSection& motion) {
    std::vector<Expr> from = system_.algebroid.y;
    std::vector<Expr> to;
    for (const Expr& x : system_.algebroid.x) to.push_back(notation_.velocity(x));
    const auto first = rates(system_.algebroid.y);
    const auto second = rates(system_.algebroid.x, 2);
    from.insert(from.end(), first.begin(), first.end());
    to.insert(to.end(), second.begin(), second.end());
    for (const Expr& definition : system_.definitions) {
      from.push_back(definition);
      to.push_back(definition);
    }
    for (const PrintedEquation& e : motion.equations)
      motion.typeset.push_back({symbolic::substitute(e.left, from, to), symbolic::substitute(e.right, from, to)});
  }

  /// Returns f - d(dL/dy)/dt without W dw/dt and without L_z p.
  Expr rest(std::size_t j) const { return equations_.b[j] - equations_.L_z * equations_.p[j]; }

  /// Returns lambda, or d nu/dt under the vakonomic rule.
  std::vector<Expr> ell() { return equations_.rule == Rule::vakonomic ? rates(equations_.l) : equations_.l; }

  /// Returns Phi_y^T ell.
  std::vector<Expr> constraint_forces() {
    std::vector<Expr> forces(system_.r(), system_.graph().number(std::int64_t{0}));
    const auto multipliers = ell();
    for (std::size_t A = 0; A < multipliers.size(); ++A)
      for (std::size_t a = 0; a < forces.size(); ++a) forces[a] += multipliers[A] * read_(equations_.Phi_y(A, a));
    return forces;
  }

  /// Returns the right-hand sides of W dw/dt = rest + L_z p, with p by name.
  std::vector<Expr> with_momenta() const {
    std::vector<Expr> right;
    for (std::size_t j = 0; j < equations_.b.size(); ++j)
      right.push_back(read_(rest(j)) + with_plain_signs(L_z_ * system_.p[j]));
    return right;
  }

  /// Returns dw/dt if it exists as a formula and is short enough to read, else `{}`.
  std::vector<Expr> solved(const Matrix& W, const std::vector<Expr>& w_dot) const {
    for (std::size_t j = 0; j < W.rows; ++j)
      if (is_diagonal(W) && W(j, j).is_zero()) return {};
    if (is_diagonal(W)) return divided(W);
    const std::size_t rows = size_of(multiply(W, w_dot)) + size_of(with_momenta());
    if (W.rows > largest_inverted || rows > largest_simplified) return {};
    const auto inverse = geometry::inverse_if_regular(W);
    if (!inverse) return {};
    auto rates = read_(multiply(*inverse, equations_.b));
    return size_of(rates) + w_dot.size() <= rows ? rates : std::vector<Expr>{};
  }

  /// Returns b_j/W_jj, with the dissipation as a separate term if that is not much longer.
  std::vector<Expr> divided(const Matrix& W) const {
    constexpr std::size_t much = 2;
    std::vector<Expr> rates;
    for (std::size_t j = 0; j < W.rows; ++j) {
      const Expr whole = read_(equations_.b[j] / W(j, j));
      const Expr dissipation = read_(equations_.L_z * equations_.p[j] / W(j, j));
      const Expr over_one_line = read_(rest(j)) / W(j, j) + dissipation;
      const Expr term_by_term = read_(rest(j) / W(j, j)) + dissipation;
      const bool one_line = printed_size(over_one_line) <= printed_size(term_by_term);
      const Expr apart = one_line ? over_one_line : term_by_term;
      rates.push_back(printed_size(apart) <= printed_size(whole) + much ? apart : whole);
    }
    return rates;
  }

  /// Returns J = p_a s^a in the coordinates, or with the momenta by name if that is much shorter.
  Expr momentum(const Symmetry& symmetry, Expr quantity) const {
    constexpr std::size_t long_form = 30;
    const Expr open = read_(quantity);
    const std::vector<Expr> section = read_(symmetry.section);
    Expr named = system_.graph().number(0);
    for (std::size_t a = 0; a < section.size(); ++a) named += section[a] * system_.p[a];
    const bool shorter = printed_size(open) > long_form && 3 * printed_size(named) <= 2 * printed_size(open);
    return shorter ? named : open;
  }

  void balance() {
    PrintedSection s{"Balance laws", {}, {}};
    const auto laws = balance_laws(system_, equations_);
    for (std::size_t k = 0; k < laws.size(); ++k) {
      const auto& law = laws[k];
      const Expr quantity = law.kind == LawKind::energy     ? notation_.energy()
                            : law.kind == LawKind::momentum ? notation_.momentum(law.name)
                                                            : notation_.dissipated(law.name);
      if (law.kind == LawKind::momentum)
        s.equations.push_back({quantity, momentum(system_.symmetries[k - 1], law.quantity)});
      if (law.kind == LawKind::dissipated)
        s.equations.push_back({quantity, system_.dissipated[k - 1 - system_.symmetries.size()].value});
      s.equations.push_back({notation_.rate(quantity), with_plain_signs(L_z_ * quantity) + read_(laws[k].source)});
    }
    result_.sections.push_back(std::move(s));
  }

  /// Adds the constraints as the model writes them, and the derivatives of the velocity-free ones.
  void constraints() {
    if (equations_.m() == 0) return;
    const bool nonholonomic = equations_.rule == Rule::nonholonomic;
    std::vector<Expr> rows = system_.constraints.equations;
    for (std::size_t k = 0; k < equations_.phi.size(); ++k) rows.push_back(read_(equations_.Phi[k]));
    const std::vector<Expr> zeros(rows.size(), system_.graph().number(std::int64_t{0}));
    section(std::string("Constraints (") + (nonholonomic ? "nonholonomic" : "vakonomic") + " rule)", rows, zeros);
  }

  /// Adds ell = C^-1 (-beta - Phi_w W^-1 b) with C = Phi_w W^-1 Phi_y^T if it is short enough to read, else the rows
  /// Phi_w dw/dt = -beta that determine ell.
  void multipliers() {
    if (equations_.m() == 0) return;
    constexpr std::size_t readable = 150;
    const std::string title = equations_.rule == Rule::vakonomic ? "Rates of the multipliers" : "Multipliers";
    const auto values = solved_multipliers();
    if (!values.empty() && size_of(values) <= readable) {
      section(title, ell(), values);
      return;
    }
    std::vector<Expr> right;
    for (const Expr& rate : equations_.beta) right.push_back(read_(-rate));
    Matrix Phi_w = equations_.Phi_w;
    Phi_w.entries = read_(Phi_w.entries);
    section(title + ", from the derivatives of the constraints", multiply(Phi_w, rates(system_.w())), right);
  }

  std::vector<Expr> solved_multipliers() const {
    if (equations_.W.rows > largest_inverted && !is_diagonal(equations_.W)) return {};
    const auto mass = geometry::inverse_if_regular(equations_.W);
    if (!mass) return {};
    const Matrix Phi_over_W = multiply(equations_.Phi_w, *mass);
    const Matrix C = multiply(Phi_over_W, transpose(equations_.Phi_y));
    const Expr determinant = C.rows <= largest_inverted ? shortest(symbolic::determinant(C)) : C(0, 0);
    if (C.rows > largest_inverted || determinant.is_zero()) return {};
    std::vector<Expr> right = velocity_dissipation(Phi_over_W);
    std::vector<Expr> values;
    for (std::size_t A = 0; A < right.size(); ++A) {
      Matrix replaced = C;  // by Cramer's rule: terms cancel before the division
      for (std::size_t B = 0; B < right.size(); ++B) replaced(B, A) = -(right[B] + equations_.beta[B]);
      values.push_back(read_(shortest(symbolic::determinant(replaced)) / determinant));
    }
    return values;
  }

  /// Returns Phi_w W^-1 b. If p = W y + p_0, its part L_z Phi_w W^-1 p is L_z (Phi_w y + Phi_w W^-1 p_0). The code
  /// writes Phi_w y - Phi for Phi_w y: the two agree along the motion, on which Phi = 0.
  std::vector<Expr> velocity_dissipation(const Matrix& Phi_over_W) const {
    std::vector<Expr> p_0 = multiply(equations_.W, equations_.y);
    for (std::size_t a = 0; a < p_0.size(); ++a) p_0[a] = read_(read_.expanded(equations_.p[a] - p_0[a]));
    const auto is_velocity_free = [&](const Expr& f) {
      return std::none_of(system_.w().begin(), system_.w().end(),
                          [&](const Expr& w) { return symbolic::depends_on(f, w); });
    };
    if (system_.formulation == Formulation::hamiltonian || !std::all_of(p_0.begin(), p_0.end(), is_velocity_free) ||
        !std::all_of(equations_.Phi_w.entries.begin(), equations_.Phi_w.entries.end(), is_velocity_free))
      return multiply(Phi_over_W, equations_.b);
    std::vector<Expr> forces;
    for (std::size_t a = 0; a < p_0.size(); ++a) forces.push_back(read_(rest(a)) + equations_.L_z * p_0[a]);
    auto right = multiply(Phi_over_W, forces);
    const auto Phi_w_y = multiply(equations_.Phi_w, equations_.y);
    for (std::size_t A = 0; A < right.size(); ++A) right[A] += equations_.L_z * read_(Phi_w_y[A] - equations_.Phi[A]);
    return right;
  }

  /// Returns the shorter of the value as it is and the value multiplied out, since products of inverses often shrink
  /// then.
  Expr shortest(const Expr& value) const {
    const Expr closed = read_(value);
    if (printed_size(value) > largest_simplified) return closed;
    const Expr open = read_(read_.expanded(symbolic::expand_lets(value)));
    return printed_size(open) < printed_size(closed) ? open : closed;
  }

  const System& system_;
  const Equations& compiled_;  ///< the equations that every run uses
  const Equations equations_;
  NotationTable notation_;
  Reader read_;
  Expr L_z_;
  Presentation result_;
};

}  // namespace

Presentation equations_of_motion(const System& system, const Equations& equations) {
  return Presenter(system, equations).present();
}

}  // namespace herglotz::mechanics
