// The contact structure on the prolongation of an algebroid. [ASC25, Rem. 3.3].

#include "herglotz/mechanics/geometry/prolongation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/geometry_presentation.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using testing::HasSubstr;

class ProlongationOfEveryAlgebroid : public testing::TestWithParam<samples::Kind> {};

TEST_P(ProlongationOfEveryAlgebroid, HasTheDerivedMotionAsItsContactField) {
  System system = samples::generic_system(GetParam().algebroid);
  for (Expr& force : system.forces) force = system.graph().number(std::int64_t{0});
  system.generator = symbolic::substitute(system.generator, std::vector<Expr>{system.t},
                                          std::vector<Expr>{system.graph().number(std::int64_t{1})});
  const auto& e = system.algebroid;
  const std::size_t r = e.r();
  if (r > 3) GTEST_SKIP() << "small ranks show it";
  bool skew = true;
  for (std::size_t k = 0; k < e.rho.entries.size(); ++k)
    skew = skew && symbolic::simplify(e.rho.entries[k] - e.sigma.entries[k]).is_zero();
  for (std::size_t k = 0; k < r; ++k)
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < r; ++j)
        skew = skew && symbolic::simplify(symbolic::expand(e.c(k, i, j) + e.c(k, j, i))).is_zero();
  if (!skew) {
    EXPECT_THROW(static_cast<void>(prolongation(system)), Refused);
    return;
  }
  const Prolongation found = prolongation(system);
  const Equations q = derive(system);
  const std::size_t size = 2 * r + 1;
  std::vector<Expr> outputs = found.contact_form;
  outputs.insert(outputs.end(), found.reeb_section.begin(), found.reeb_section.end());
  outputs.insert(outputs.end(), found.dynamics.begin(), found.dynamics.end());
  outputs.insert(outputs.end(), found.form_differential.entries.begin(), found.form_differential.entries.end());
  outputs.insert(outputs.end(), q.y.begin(), q.y.end());
  const auto rates = flow_program(system, q).outputs;
  outputs.insert(outputs.end(), rates.begin() + static_cast<std::ptrdiff_t>(e.n()), rates.end());
  std::mt19937_64 engine(7);
  for (int k = 0; k < 3; ++k) {
    const auto v = symbolic::evaluate(outputs, samples::names_of(system, q), samples::random_point(system, q, engine));
    const double* eta = v.data();
    const double* reeb = eta + size;
    const double* gamma = reeb + size;
    const double* d = gamma + size;
    const double* motion = d + size * size;  // y, dy/dt, dz/dt
    double of_reeb = 0;
    for (std::size_t A = 0; A < size; ++A) {
      EXPECT_NEAR(gamma[A], motion[A], 1e-10 * (1 + std::abs(motion[A]))) << A;
      of_reeb += eta[A] * reeb[A];
      double inner = 0;
      for (std::size_t B = 0; B < size; ++B) inner += reeb[B] * d[B * size + A];
      EXPECT_NEAR(inner, 0, 1e-10);
    }
    EXPECT_NEAR(of_reeb, 1, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Algebroids, ProlongationOfEveryAlgebroid, testing::ValuesIn(samples::every_algebroid()),
                         [](const auto& each) { return each.param.name; });

TEST(ProlongationPresentation, IsPrintedWhereTheAlgebroidIsNoTangentBundle) {
  int printed = 0;
  for (const auto& [name, algebroid] : samples::every_algebroid()) {
    if (name != "so3" && name != "tangent") continue;
    System system = samples::generic_system(algebroid);
    Expr L = system.z / -5;
    for (const Expr& y : system.algebroid.y) L += y * y / 2;
    system.generator = L;
    const std::string text = render(geometry_of(system), symbolic::Format::text);
    if (name == "so3")
      EXPECT_THAT(text, testing::AllOf(HasSubstr("Contact form on the prolongation"), HasSubstr("eta(Z) = 1"),
                                       HasSubstr("R(Z) = 1"), HasSubstr("Gamma(T_")));
    else
      EXPECT_THAT(text, testing::Not(HasSubstr("prolongation")));
    ++printed;
  }
  EXPECT_EQ(printed, 2);
}

}  // namespace
