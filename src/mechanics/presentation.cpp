#include "herglotz/mechanics/presentation.hpp"

#include <algorithm>

#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "notation.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::printed_size;

/// Longer expressions are printed as derived: simplifying them costs more than it helps a reader.
constexpr std::size_t largest_simplified = 4000;
/// Beyond this rank a mass matrix that is not diagonal is left on the left-hand side.
constexpr std::size_t largest_inverted = 4;
/// A solved form may be this much longer than W dw/dt = b.
constexpr std::size_t growth = 2;
constexpr std::size_t short_form = 160;

Expr readable(Expr f) {
  return printed_size(f) > largest_simplified ? f : simplify(f);
}

std::vector<Expr> readable(std::vector<Expr> f) {
  for (Expr& e : f) e = readable(e);
  return f;
}

std::size_t size_of(const std::vector<Expr>& f) {
  std::size_t total = 0;
  for (const Expr& e : f) total += std::min(printed_size(e), std::size_t{1} << 40U);
  return total;
}

bool is_diagonal(const Matrix& W) {
  for (std::size_t i = 0; i < W.rows; ++i)
    for (std::size_t j = 0; j < W.cols; ++j)
      if (i != j && !W(i, j).is_zero()) return false;
  return true;
}

bool anchor_is_identity(const geometry::Algebroid& e) {
  return e.n() == e.r() && e.rho.entries == symbolic::identity(*e.graph, e.n()).entries;
}

/// dw/dt where it reads well, else nothing.
std::vector<Expr> solved(const Matrix& W, const std::vector<Expr>& b) {
  const bool diagonal = is_diagonal(W);
  std::vector<Expr> rates;
  if (diagonal) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (W(i, i).is_zero()) return {};
      rates.push_back(readable(b[i] / W(i, i)));
    }
    return rates;
  }
  const std::size_t rows = size_of(W.entries) + size_of(b);
  if (W.rows > largest_inverted || rows > largest_simplified) return {};
  const auto inverse = geometry::inverse_if_regular(W);
  if (!inverse) return {};
  rates = readable(multiply(*inverse, b));
  return size_of(rates) <= std::max(short_form, growth * rows) ? rates : std::vector<Expr>{};
}

class Presenter {
 public:
  Presenter(const System& system, const Equations& equations)
      : system_(system), equations_(equations), notation_(system) {}

  Presentation present() {
    const bool hamiltonian = system_.formulation == Formulation::hamiltonian;
    result_.title = system_.title.empty() ? system_.name : system_.title;
    for (const Expr& definition : system_.definitions) result_.definitions.push_back({definition, definition.child(0)});
    kinematics();
    section(hamiltonian ? "Velocities" : "Momenta", hamiltonian ? system_.algebroid.y : system_.p,
            readable(hamiltonian ? equations_.y : equations_.p));
    motion();
    section("Action", {notation_.rate(system_.z)}, {readable(equations_.L)});
    section("Energy", {notation_.energy()}, {readable(equations_.energy)});
    const Expr L_z = readable(equations_.L_z);
    section("Dissipation rate", {notation_.dissipation_rate()}, {L_z});
    balance(L_z);
    constraints();
    result_.program =
        system_.r() <= straight_line_rank ? flow_program(system_, equations_) : mass_program(system_, equations_);
    result_.notation = notation_.entries();
    return std::move(result_);
  }

 private:
  void section(std::string title, const std::vector<Expr>& left, const std::vector<Expr>& right,
               bool restates = false) {
    Section s{std::move(title), {}, restates};
    for (std::size_t i = 0; i < left.size(); ++i) s.equations.push_back({left[i], right[i]});
    if (!s.equations.empty()) result_.sections.push_back(std::move(s));
  }

  std::vector<Expr> rates(const std::vector<Expr>& of, int order = 1) {
    std::vector<Expr> symbols;
    for (const Expr& symbol : of) symbols.push_back(notation_.rate(symbol, order));
    return symbols;
  }

  void kinematics() { section("Kinematics", rates(system_.algebroid.x), readable(equations_.x_dot)); }

  void motion() {
    Matrix W = equations_.W;
    W.entries = readable(W.entries);
    const auto b = readable(equations_.b);
    const auto w_dot = rates(system_.w());
    const auto right = solved(W, b);
    if (right.empty()) {
      section("Equations of motion", b.empty() ? b : multiply(W, w_dot), b);
      return;
    }
    section("Equations of motion", w_dot, right);
    if (system_.formulation == Formulation::lagrangian && anchor_is_identity(system_.algebroid))
      section("Second-order form", rates(system_.algebroid.x, 2),
              symbolic::substitute(right, system_.algebroid.y, rates(system_.algebroid.x)), true);
  }

  void balance(Expr L_z) {
    Section s{"Balance laws", {}, false};
    const auto laws = balance_laws(system_, equations_);
    for (std::size_t k = 0; k < laws.size(); ++k) {
      const Expr quantity = k == 0 ? notation_.energy() : notation_.momentum(laws[k].name);
      if (k > 0) s.equations.push_back({quantity, readable(laws[k].quantity)});
      s.equations.push_back({notation_.rate(quantity), L_z * quantity + readable(laws[k].source)});
    }
    result_.sections.push_back(std::move(s));
  }

  void constraints() {
    if (system_.constraints.rule == Rule::none) return;
    const bool nonholonomic = system_.constraints.rule == Rule::nonholonomic;
    const std::vector<Expr> zeros(system_.constraints.equations.size(), system_.graph().number(std::int64_t{0}));
    section(std::string("Constraints (") + (nonholonomic ? "nonholonomic" : "vakonomic") +
                "), whose forces the equations above do not include",
            system_.constraints.equations, zeros);
  }

  const System& system_;
  const Equations& equations_;
  NotationTable notation_;
  Presentation result_;
};

}  // namespace

Presentation equations_of_motion(const System& system, const Equations& equations) {
  return Presenter(system, equations).present();
}

}  // namespace herglotz::mechanics
