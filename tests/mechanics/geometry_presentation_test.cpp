#include "herglotz/mechanics/geometry_presentation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "contact_systems.hpp"
#include "project_folders.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using samples::ContactSystem;
using symbolic::Format;
using testing::HasSubstr;
using testing::Not;

const ContactSystem& sleigh_sample() {
  static const ContactSystem sample = samples::sleigh();
  return sample;
}

const Presentation& sleigh_geometry() {
  static const Presentation presentation = geometry_of(sleigh_sample().system);
  return presentation;
}

/// The printed value of what has this name.
Expr printed_as(const std::string& left) {
  for (const PrintedSection& section : sleigh_geometry().sections)
    for (const PrintedEquation& equation : section.equations)
      if (equation.left.name() == left) return equation.right;
  ADD_FAILURE() << "not printed: " << left;
  return sleigh_sample().system.graph().number(0);
}

/// Its value at phi, speed u along the blade and w.
double value(const std::string& left, double alpha, double beta, double gamma, double phi, double u, double w) {
  const std::vector<double> point{0.4, -0.7, phi, u * std::cos(phi), u * std::sin(phi), w, 0.3, alpha, beta, gamma};
  return symbolic::evaluate(printed_as(left), sleigh_sample().names(), point);
}

// The printed table of [LJL21, Sec. 8] has C where its inverse belongs; these are the values with the inverse.
TEST(GeometryPresentation, NonholonomicBracketsOfTheSleighAreTheRightOnes) {
  const auto at = [](const std::string& left) { return value(left, 0.3, 0.2, -0.1, 0.5, 0.8, 1.2); };
  EXPECT_NEAR(at("{x, vx}_D"), -0.78489089, 1e-8);
  EXPECT_NEAR(at("{x, vy}_D"), -0.42878785, 1e-8);
  EXPECT_NEAR(at("{y, vx}_D"), -0.42878785, 1e-8);
  EXPECT_NEAR(at("{x, w}_D"), -0.08397919, 1e-8);
  EXPECT_NEAR(at("{phi, vx}_D"), -0.08397919, 1e-8);
  EXPECT_NEAR(at("{y, vy}_D"), -0.23424787, 1e-8);
  EXPECT_NEAR(at("{y, w}_D"), -0.04587804, 1e-8);
  EXPECT_NEAR(at("{phi, vy}_D"), -0.04587804, 1e-8);
  EXPECT_NEAR(at("{phi, w}_D"), -0.4784689, 1e-8);
  EXPECT_NEAR(at("{vx, w}_D"), 0.03234962, 1e-8);
  EXPECT_NEAR(at("{vy, w}_D"), -0.41849725, 1e-8);
  EXPECT_NEAR(at("{1, z}_D"), -1, 1e-15);
  EXPECT_NEAR(at("{x, z}_D"), -0.4, 1e-15);
}

// [LJL21, Sec. 8]: Eq. 113 as printed gives 0.14695 and -1.392, which is not tangent to the constraint.
TEST(GeometryPresentation, ConstrainedDynamicsOfTheSleighIsTheRightOne) {
  const auto at = [](const std::string& left) { return value(left, 1, -0.4, -0.2, 0.5, 0.8, 1.2); };
  EXPECT_NEAR(at("Gamma_D(vx)"), 0.842786070835, 1e-12);
  EXPECT_NEAR(at("Gamma_D(vy)"), 1.55433029913, 1e-11);
  EXPECT_NEAR(at("Gamma_D(w)"), -0.752, 1e-12);
}

// [LJL21, Sec. 8]: P^xd_xd = 1 - ((alpha^2 + 2) sin^2 + alpha beta sin cos)/(alpha^2 + 2), C = -alpha^2/2 - 1.
TEST(GeometryPresentation, ProjectorOfTheSleighIsTheRightOne) {
  const double a = 0.3;
  const double b = 0.2;
  const double s = std::sin(0.5);
  const double c = std::cos(0.5);
  const auto at = [&](const std::string& left) { return value(left, a, b, -0.1, 0.5, 0.8, 1.2); };
  EXPECT_NEAR(at("C(1, 1)"), -a * a / 2 - 1, 1e-14);
  EXPECT_NEAR(at("Z1(vx)"), -a * b * c / 2 - (a * a + 2) * s / 2, 1e-14);
  EXPECT_NEAR(at("P(vx, vx)"), 1 - ((a * a + 2) * s * s + a * b * s * c) / (a * a + 2), 1e-14);
  EXPECT_NEAR(at("P(w, vx)"), -a * s / (a * a + 2), 1e-14);
  EXPECT_NEAR(at("P(w, vy)"), a * c / (a * a + 2), 1e-14);
}

TEST(GeometryPresentation, TableInTheDocumentsIsThePrintedOne) {
  std::ifstream file(source_folder() + "/docs/contact-geometry.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string table = render(sleigh_geometry(), Format::latex);
  const auto from = table.find("&\\textbf{Constraint fields}");
  ASSERT_NE(from, std::string::npos);
  std::size_t rows = 0;
  for (std::size_t at = from; at < table.size();) {
    const std::size_t end = table.find('\n', at);
    const std::string row = table.substr(at, table.find(" \\\\", at) < end ? table.find(" \\\\", at) - at : end - at);
    if (row.find('=') != std::string::npos) {
      EXPECT_THAT(text, HasSubstr(row));
      ++rows;
    }
    at = end == std::string::npos ? table.size() : end + 1;
  }
  EXPECT_GT(rows, 40U);
}

TEST(GeometryPresentation, IsPrintedInEveryFormat) {
  const std::string sympy = render(sleigh_geometry(), Format::sympy);
  EXPECT_THAT(sympy, HasSubstr("nonholonomic_x_vx"));
  EXPECT_THAT(sympy, HasSubstr("Reeb"));
  const std::string latex = render(sleigh_geometry(), Format::latex);
  EXPECT_THAT(latex, HasSubstr("\\{x, \\dot{x}\\}_{\\Delta}"));
  EXPECT_THAT(latex, HasSubstr("\\mathcal{R}_{\\Delta}"));
}

TEST(GeometryPresentation, IntegrableConstraintsHaveNoJacobiators) {
  const auto sample = samples::read_system(
      {"Line", samples::flat_system(3), "(v1^2 + v2^2 + v3^2)/2 - z/5", {"v3 - v1"}, {{"v3", "v1"}}, true});
  const std::string text = render(geometry_of(sample.system), Format::text);
  EXPECT_THAT(text, HasSubstr("Nonholonomic brackets"));
  EXPECT_THAT(text, Not(HasSubstr("Jacobiators")));
  EXPECT_THAT(render(sleigh_geometry(), Format::text), HasSubstr("Jacobiators of the nonholonomic bracket"));
}

// On so(3): {p1, p2} = p3, and no contact form.
TEST(GeometryPresentation, AlgebroidsBesideTangentBundlesHaveLinearBrackets) {
  auto graph = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::lie_algebra(graph, {{}, samples::symbols(*graph, {"w1", "w2", "w3"})},
                                               geometry::group_structure(*graph, "so3", 3)));
  s.formulation = Formulation::hamiltonian;
  s.generator = s.p[0] * s.p[0] / 2 + s.p[1] * s.p[1] / 4 + s.p[2] * s.p[2] / 6 + s.z / 5;
  const std::string text = render(geometry_of(s), Format::text);
  EXPECT_THAT(text, HasSubstr("Linear Jacobi brackets"));
  EXPECT_THAT(text, HasSubstr("{p_w1, p_w2} = p_w3"));
  EXPECT_THAT(text, Not(HasSubstr("Contact form")));
}

TEST(GeometryPresentation, VakonomicRuleIsRefused) {
  System s = sleigh_sample().system;
  s.constraints.rule = Rule::vakonomic;
  EXPECT_THROW(geometry_of(s), std::invalid_argument);
}

}  // namespace
