#include "herglotz/mechanics/geometry/prolongation.hpp"

#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "shorten/shortest.hpp"

namespace herglotz::mechanics {
namespace {

/// Throws Refused unless rho = sigma and c is skew, without which there is no exterior derivative.
void require_skew(const geometry::Algebroid& e, symbolic::Effort& effort) {
  const auto require = [&](const Expr& defect, const char* what) {
    if (!is_zero(defect, effort))
      throw Refused(
          std::string("a prolongation has a contact form where the bracket is skew and both anchors agree; ") + what,
          "use the linear brackets of `derive --geometry`");
  };
  for (std::size_t k = 0; k < e.rho.entries.size(); ++k)
    require(e.rho.entries[k] - e.sigma.entries[k], "the anchors differ");
  for (const auto& [place, value] : e.c.nonzero())
    require(value + e.c(place[0], place[2], place[1]), "the bracket is not skew");
}

/// The derivatives on T^E(E x R).
class Frame {
 public:
  explicit Frame(const System& system) : system_(system) {}

  [[nodiscard]] std::size_t size() const { return 2 * system_.r() + 1; }
  /// Returns the derivative of f along the section e_A of the frame.
  [[nodiscard]] Expr along(std::size_t A, Expr f) const {
    const auto& e = system_.algebroid;
    const std::size_t r = system_.r();
    if (A == 2 * r) return symbolic::derivative(f, system_.z);
    if (A >= r) return symbolic::derivative(f, e.y[A - r]);
    Expr total = system_.graph().number(std::int64_t{0});
    for (std::size_t i = 0; i < e.n(); ++i) total += e.rho(i, A) * symbolic::derivative(f, e.x[i]);
    return total;
  }
  /// Returns d alpha(e_A, e_B) = e_A(alpha_B) - e_B(alpha_A) - alpha([e_A, e_B]).
  [[nodiscard]] Matrix differential(const std::vector<Expr>& alpha) const {
    const std::size_t r = system_.r();
    Matrix d(size(), size(), system_.graph().number(std::int64_t{0}));
    for (std::size_t A = 0; A < size(); ++A)
      for (std::size_t B = 0; B < size(); ++B) {
        d(A, B) = along(A, alpha[B]) - along(B, alpha[A]);
        for (std::size_t k = 0; A < r && B < r && k < r; ++k) d(A, B) -= system_.algebroid.c(k, A, B) * alpha[k];
      }
    return d;
  }

 private:
  const System& system_;
};

/// Solves flat(X) = alpha. With X = (x, v, s) the rows of V say W x = alpha_V; the row of Z gives eta(X) = alpha_Z -
/// x.p_z and hence s; those of T, which are d eta(x, .) - W v - s p_z - eta(X) p = alpha_T, give v.
std::vector<Expr> sharp(const System& system, const Equations& q, const Matrix& W_inverse, const Matrix& d_eta,
                        const std::vector<Expr>& alpha) {
  const std::size_t r = system.r();
  const auto part = [&](std::size_t first) {
    return std::vector<Expr>(alpha.begin() + static_cast<std::ptrdiff_t>(first),
                             alpha.begin() + static_cast<std::ptrdiff_t>(first + r));
  };
  const std::vector<Expr> x = multiply(W_inverse, part(r));
  Expr value = alpha[2 * r];
  Expr rate = system.graph().number(std::int64_t{0});
  for (std::size_t a = 0; a < r; ++a) {
    value -= x[a] * symbolic::derivative(q.p[a], system.z);
    rate += x[a] * q.p[a];
  }
  rate += value;
  std::vector<Expr> rest = part(0);
  for (std::size_t a = 0; a < r; ++a) {
    rest[a] = -rest[a] - rate * symbolic::derivative(q.p[a], system.z) - value * q.p[a];
    for (std::size_t b = 0; b < r; ++b) rest[a] += x[b] * d_eta(b, a);
  }
  std::vector<Expr> result = x;
  for (const Expr& entry : multiply(W_inverse, rest)) result.push_back(entry);
  result.push_back(rate);
  return result;
}

}  // namespace

Prolongation prolongation(const System& given) {
  if (given.formulation == Formulation::hamiltonian)
    throw Refused("the contact form of a prolongation is that of a Lagrangian, and the system has a Hamiltonian",
                  "give a Lagrangian");
  System system = given;
  system.constraints = {};
  system.generator = symbolic::expand_lets(given.generator);
  symbolic::Effort effort{most_effort};
  require_skew(system.algebroid, effort);
  const Equations q = derive(system);
  const std::size_t r = system.r();
  const Frame frame(system);
  Prolongation result;
  result.energy = shortest(q.energy, effort);
  for (const Expr& p : q.p) result.contact_form.push_back(shortest(-p, effort));
  result.contact_form.resize(2 * r, system.graph().number(std::int64_t{0}));
  result.contact_form.push_back(system.graph().number(std::int64_t{1}));
  result.form_differential = shortest(frame.differential(result.contact_form), effort);
  const Matrix W_inverse =
      shortest(geometry::inverse(shortest(q.W, effort), "contact form of a prolongation: velocity Hessian"), effort);
  const auto solved = [&](const std::vector<Expr>& alpha) {
    return shortest(sharp(system, q, W_inverse, result.form_differential, alpha), effort);
  };
  result.reeb_section = solved(result.contact_form);
  Expr of_energy = q.energy;
  for (std::size_t A = 0; A < frame.size(); ++A) of_energy += result.reeb_section[A] * frame.along(A, q.energy);
  std::vector<Expr> alpha;
  for (std::size_t A = 0; A < frame.size(); ++A)
    alpha.push_back(frame.along(A, q.energy) - of_energy * result.contact_form[A]);
  result.dynamics = solved(alpha);
  return result;
}

}  // namespace herglotz::mechanics
