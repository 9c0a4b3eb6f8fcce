// The theorems of [GG08] on variations: of paths, of the action, and under constraints; on every kind of algebroid,
// with the Herglotz term and forces.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "herglotz/geometry/axioms.hpp"
#include "herglotz/mechanics/geometry/tulczyjew.hpp"
#include "herglotz/mechanics/variation.hpp"
#include "mechanics/motion.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using namespace herglotz::mechanics::samples;

class GG08Variations : public testing::TestWithParam<Kind> {
 protected:
  [[nodiscard]] static System sample() { return generic_system(GetParam().algebroid); }
  std::mt19937_64 engine{19};
};

/// The same algebroid in the frame e'_a = e_0 A^0_a + .. with A = 1 + N, N in the first column only: y = A y'.
Algebroid in_frame(const Algebroid& e, const symbolic::Matrix& A, std::vector<Expr> y) {
  const std::size_t r = e.r();
  Algebroid other{e.kind, e.graph, e.x, std::move(y), multiply(e.rho, A), multiply(e.sigma, A), e.c};
  const auto slope = [&](std::size_t l, std::size_t i, const symbolic::Matrix& anchor, std::size_t along) {
    Expr sum = e.graph->number(std::int64_t{0});
    for (std::size_t b = 0; b < e.n(); ++b) sum += anchor(b, along) * derivative(A(l, i), e.x[b]);
    return sum;
  };
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < r; ++j) {
      // [fX, gY] = f rho(X)(g) Y - g sigma(Y)(f) X + f g [X, Y]. [GG08, Thm 1].
      std::vector<Expr> bracket;
      for (std::size_t l = 0; l < r; ++l) {
        bracket.push_back(slope(l, j, other.rho, i) - slope(l, i, other.sigma, j));
        for (std::size_t m = 0; m < r; ++m)
          for (std::size_t n = 0; n < r; ++n) bracket[l] += e.c(l, m, n) * A(m, i) * A(n, j);
      }
      for (std::size_t k = 0; k < r; ++k) other.c.set(k, i, j, k == 0 ? bracket[0] : bracket[k] - A(k, 0) * bracket[0]);
    }
  return other;
}

// [GG08, Thm 2]: the variation is kappa of the tangent prolongation of zeta = s, the dual of eps: for every covector of
// E
// <(dx, dy), (a, p)> = <(s, ds/dt), eps(a, p)>. Along admissible paths it is the same vector in every frame.
TEST_P(GG08Variations, Theorem2VerticalFieldsDefineVariationsOfAdmissiblePathsInEveryFrame) {
  const System s = sample();
  const auto& e = s.algebroid;
  const std::size_t r = e.r();
  const auto alpha = fresh(s, "alpha_", e.n());
  const auto p = fresh(s, "xi_", r);
  const auto y = fresh(s, "u_", r);
  const auto section = fresh(s, "s_", r);
  const auto section_dot = fresh(s, "s_dot_", r);
  const auto x_dot = fresh(s, "x_dot_", e.n());
  const auto dot = [&](const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), zero(s));
  };
  const Variation v = variation(s, section, section_dot);
  const Expr duality =
      dot(v.x, alpha) + dot(v.y, p) - dot(section_dot, p) - dot(section, algebroid_map(s, alpha, p).p_dot);

  symbolic::Matrix A = symbolic::identity(s.graph(), r);
  for (std::size_t a = 1; a < r; ++a) A(a, 0) = e.x.empty() ? s.graph().number(0.7) : sin(e.x[0]) + e.x.back() / 2;
  const Variation other = variation(make_system(in_frame(e, A, y)), section, section_dot);
  // y = A y' and zeta = A s: the tangent vector (dx, A dy' + A_x dx y') is that of zeta_dot = A s_dot + A_x x_dot s.
  const auto moved = [&](const std::vector<Expr>& values, const std::vector<Expr>& by) {
    return symbolic::directional_derivative(multiply(A, values), e.x, by);
  };
  auto zeta_dot = moved(section, x_dot);
  const auto A_s_dot = multiply(A, section_dot);
  for (std::size_t a = 0; a < r; ++a) zeta_dot[a] += A_s_dot[a];
  const Variation plain = variation(s, multiply(A, section), zeta_dot);
  const auto turned = moved(y, other.x);
  const auto A_dy = multiply(A, other.y);
  std::vector<Expr> apart;
  for (std::size_t i = 0; i < e.n(); ++i) apart.push_back(plain.x[i] - other.x[i]);
  for (std::size_t a = 0; a < r; ++a)
    apart.push_back(symbolic::substitute(plain.y[a], e.y, multiply(A, y)) - A_dy[a] - turned[a]);
  const auto admissible = symbolic::substitute(apart, x_dot, multiply(multiply(e.rho, A), y));

  const auto names =
      joined(joined(joined(joined(joined(joined(e.x, e.y), alpha), p), y), joined(section, section_dot)), x_dot);
  double otherwise = 0;  // along paths that are not admissible
  for (int k = 0; k < 3; ++k) {
    const Values at = random_values(names.size(), engine);
    EXPECT_NEAR(symbolic::evaluate(duality, names, at), 0, 1e-12);
    EXPECT_LT(largest_of(symbolic::evaluate(admissible, names, at)), 1e-11);
    otherwise = std::max(otherwise, largest_of(symbolic::evaluate(apart, names, at)));
  }
  EXPECT_EQ(otherwise > 1e-2, e.n() > 0) << otherwise;
}

// [GG08, Thm 3]: delta(x_dot) = d(delta x)/dt for all admissible paths and sections exactly where rho = sigma is a
// homomorphism of brackets.
TEST_P(GG08Variations, Theorem3VariationsAreTangentToAdmissiblePathsExactlyOnAlmostLieAlgebroids) {
  const System s = sample();
  const auto& e = s.algebroid;
  if (e.n() == 0) return;
  const auto section = fresh(s, "s_", e.r());
  const auto section_dot = fresh(s, "s_dot_", e.r());
  const auto y_dot = fresh(s, "y_dot_", e.r());
  const Variation v = variation(s, section, section_dot);
  const auto x_dot = multiply(e.rho, e.y);
  const auto moved = symbolic::directional_derivative(v.x, joined(e.x, section), joined(x_dot, section_dot));
  std::vector<Expr> defect;
  for (std::size_t a = 0; a < e.n(); ++a) defect.push_back(moved[a] - varied(s, x_dot[a], v));
  const auto names = joined(joined(e.x, e.y), joined(section, section_dot));
  double largest = 0;
  for (int k = 0; k < 4; ++k)
    largest = std::max(largest, largest_of(symbolic::evaluate(defect, names, random_values(names.size(), engine))));
  const auto axioms = geometry::check_axioms(e, {}, {}, Values(e.n(), 0.5));
  if (axioms.algebroid_class >= geometry::AlgebroidClass::almost_lie)
    EXPECT_LT(largest, 1e-12);
  else
    EXPECT_GT(largest, 1e-2);
}

// [GG08, Thm 4]: delta L = d(p s)/dt + s (sigma L_x + c y p - dp/dt) along every path, with any acceleration, so that
// with d(delta z)/dt = L_z delta z + delta L the boundary term is p s and delta L = 0 is the Euler-Lagrange(-Herglotz)
// equation.
TEST_P(GG08Variations, Theorem4VariationOfTheActionIsABoundaryTermAndTheEulerLagrangeForm) {
  const System s = sample();
  const Equations q = derive(s);
  const auto& e = s.algebroid;
  const auto section = fresh(s, "s_", e.r());
  const auto section_dot = fresh(s, "s_dot_", e.r());
  const auto y_dot = fresh(s, "y_dot_", e.r());
  auto along = joined(q.u, section);
  auto speed = joined(joined(q.x_dot, y_dot), {q.L, s.graph().number(std::int64_t{1})});
  speed = joined(speed, section_dot);
  const auto p_dot = symbolic::directional_derivative(q.p, along, speed);
  Expr pairing = zero(s);
  Expr form = zero(s);
  for (std::size_t j = 0; j < e.r(); ++j) {
    pairing += q.p[j] * section[j];
    form += section[j] * (q.f[j] - s.forces[j] - p_dot[j]);
  }
  const auto boundary = symbolic::directional_derivative(std::vector<Expr>{pairing}, along, speed).front();
  const Expr defect = varied(s, s.generator, variation(s, section, section_dot)) - boundary - form;
  auto names = joined(joined(along, section_dot), y_dot);
  for (const auto& parameter : s.parameters) names.push_back(parameter.symbol);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(symbolic::evaluate(defect, names, random_values(names.size(), engine)), 0, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GG08Variations, testing::ValuesIn(roomy_algebroids()),
                         [](const auto& given) { return given.param.name; });

/// sin^2(k pi t/T): zero with its slope at 0 and T.
Expr bump(const System& s, double T, int k) {
  const Expr wave = sin(s.t * (k * 3.14159265358979323846 / T));
  return wave * wave;
}

/// A system of moderate size whose constraint, solved for the last velocity, depends on x, z and t.
System variational_sample(const std::string& kind, Rule rule) {
  for (const auto& candidate : every_algebroid())
    if (candidate.name == kind) {
      System s = generic_system(candidate.algebroid);
      s.parameters[0].value = 0.2;
      constrain(s, rule, {solvable_constraint(s)});
      return s;
    }
  throw std::logic_error(kind);
}

Values start_of(const Flow& flow) {
  Values v(flow.q.u.size() + 1, 0.3);
  v[v.size() - 2] = 0;  // t
  v.back() = 0.4;       // nu
  move_onto(flow, v);
  return v;
}

class OfTheAction : public testing::TestWithParam<std::string> {
 protected:
  static constexpr double T = 0.5;
  static constexpr int steps = 360;
  /// Ends of (v, more) with d(more)/dt = rates.
  static Values end_of(const Flow& flow, const std::vector<Expr>& more, const std::vector<Expr>& rates) {
    const auto names = joined(
        joined(joined(flow.q.u, flow.q.l), more),
        std::vector<Expr>(flow.names.end() - static_cast<std::ptrdiff_t>(flow.parameters.size()), flow.names.end()));
    std::vector<Expr> outputs = flow.speed;
    if (flow.q.rule != Rule::vakonomic) outputs.push_back(zero(flow.system));
    outputs = joined(outputs, rates);
    const auto field = [&](const Values& v) { return symbolic::evaluate(outputs, names, joined(v, flow.parameters)); };
    return advance(field, joined(start_of(flow), Values(more.size(), 0.0)), T, steps);
  }
  /// d(delta z)/dt = L_z delta z + L_x delta x + L_y delta y + F s.
  static Expr action_rate(const System& s, const Variation& v, const std::vector<Expr>& section, Expr delta_z) {
    Expr rate = derivative(s.generator, s.z) * delta_z + varied(s, s.generator, v);
    for (std::size_t a = 0; a < s.r(); ++a) rate += s.forces[a] * section[a];
    return rate;
  }
};

// [GG08, Def. 2, Sec. 5.3; LLMR21, Sec. 2.5]: delta z(T) = 0 for variations by sections with Phi_y s = 0, s(0) = s(T) =
// 0.
TEST_P(OfTheAction, IsStationaryUnderNonholonomicVariations) {
  const Flow flow(variational_sample(GetParam(), Rule::nonholonomic));
  const System& s = flow.system;
  const Expr delta_z = s.graph().symbol("delta_z");
  const Expr Phi = s.constraints.equations[0];
  const auto Phi_y = symbolic::gradient(Phi, s.algebroid.y);
  for (int k = 1; k <= 2; ++k) {
    std::vector<Expr> section(s.r(), zero(s));
    section[0] = bump(s, T, k) * (1.0 + s.algebroid.y[0]);
    if (s.r() > 2) section[1] = bump(s, T, k + 1);
    for (const bool admissible : {true, false}) {
      Expr work = zero(s);
      for (std::size_t a = 0; a + 1 < s.r(); ++a) work += Phi_y[a] * section[a];
      section.back() = admissible ? -work / Phi_y.back() : bump(s, T, k);
      const Variation v = variation(s, section, flow.rate(section));
      const double end = end_of(flow, {delta_z}, {action_rate(s, v, section, delta_z)}).back();
      if (admissible)
        EXPECT_NEAR(end, 0, 1e-9);
      else
        EXPECT_GT(std::abs(end), 1e-4);
    }
  }
}

// [GG08, Def. 2, Sec. 5.1; LLMR21, Sec. 5]: delta z(T) = 0 for variations tangent to the constraint, delta Phi = 0 with
// delta z in it. The last component of s follows from the others by d(delta Phi) = 0; of two such variations one
// combination has s(T) = 0. Along nonholonomic motions the same combination gives something else.
TEST_P(OfTheAction, IsStationaryUnderVariationsTangentToTheConstraintAlongVakonomicMotions) {
  for (const Rule rule : {Rule::vakonomic, Rule::nonholonomic}) {
    const Flow flow(variational_sample(GetParam(), rule));
    const System& s = flow.system;
    const Expr Phi = s.constraints.equations[0];
    const Expr delta_z = s.graph().symbol("delta_z");
    const Expr dependent = s.graph().symbol("s_dependent");
    Values ends;
    for (const int k : {1, 2}) {
      std::vector<Expr> free(s.r(), zero(s));
      free[0] = bump(s, T, k);
      if (s.r() > 2) free[1] = bump(s, T, 3 - k) / 2;
      auto free_dot = flow.rate(free);
      std::vector<Expr> section = free;
      section.back() = dependent;
      // Phi_y delta y has Phi_y,last s_last_dot in it; all the rest is known.
      const Expr rest = varied(s, Phi, variation(s, section, free_dot)) + derivative(Phi, s.z) * delta_z;
      auto section_dot = free_dot;
      section_dot.back() = -rest / derivative(Phi, s.algebroid.y.back());
      const Variation v = variation(s, section, section_dot);
      const Values end = end_of(flow, {dependent, delta_z}, {section_dot.back(), action_rate(s, v, section, delta_z)});
      ends = joined(ends, {end[end.size() - 2], end.back()});
    }
    // ends = (s_1, delta z_1, s_2, delta z_2): the combination s_2 (1) - s_1 (2).
    const double size = std::hypot(ends[0], ends[2]);
    ASSERT_GT(size, 1e-4);
    const double delta = (ends[2] * ends[1] - ends[0] * ends[3]) / size;
    if (rule == Rule::vakonomic)
      EXPECT_NEAR(delta, 0, 1e-9);
    else
      EXPECT_GT(std::abs(delta), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OfTheAction,
                         testing::Values("tangent", "hamel", "so3", "action", "product", "general", "constrained"),
                         [](const auto& given) { return given.param; });

}  // namespace
