// Pontryagin's conditions as they are printed, along solutions.

#include "herglotz/control/conditions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace {

using namespace herglotz;
using symbolic::Expr;

/// A rod on SE(2) whose energy is discounted; the algebroid has brackets, and its frame turns. The end is free in th.
const std::string discounted_rod = R"toml([algebroid]
kind = "action"
base = ["x", "y", "th"]
fibre = ["a", "b", "w"]
generators = [["cos(th)", "sin(th)", "0"], ["-sin(th)", "cos(th)", "0"], ["0", "0", "1"]]
[algebroid.brackets]
"w,a" = { b = "1" }
"w,b" = { a = "-1" }
[parameters]
g = -0.5
[control]
controls = ["u"]
kinematics = { a = "1 + x/5", b = "0", w = "u" }
[cost]
running = "u^2/2 + x*y/3 + g*zeta"
terminal = "th^2 + duration"
sense = "SENSE"
[boundary]
duration = 1
final = { x = 0.8, y = 0.4 }
[guess]
u = "3*(2*s - 1)"
[mesh]
intervals = 200
tolerance = 1e-7
method = "direct-gauss-6"
)toml";

class Printed {
 public:
  explicit Printed(const control::Problem& problem)
      : problem_(problem), shown_(control::pontryagin_conditions(problem)), solution_(solve::solve(problem)) {}

  [[nodiscard]] const analyse::Trajectory& rows() const { return solution_.trajectory; }
  [[nodiscard]] bool solved() const { return solution_.status == solve::Status::solved; }

  /// Returns the right side of the row with this left side.
  [[nodiscard]] Expr right(const std::string& left) const {
    for (const auto& section : shown_.sections)
      for (const auto& row : section.equations)
        if (row.left.name() == left) return row.right;
    ADD_FAILURE() << "no row " << left;
    return {};
  }

  [[nodiscard]] double value(Expr f, std::size_t row) const {
    std::vector<Expr> symbols;
    std::vector<double> values;
    for (const auto& column : rows().columns) {
      symbols.push_back(problem_.system.graph().symbol(column.name));
      values.push_back(column.values[row]);
    }
    for (const char* name : {"x", "y", "th"}) {
      symbols.push_back(problem_.system.graph().symbol(std::string(name) + "(T)"));
      values.push_back(rows()[name].back());
    }
    for (const auto& parameter : problem_.system.parameters) {
      symbols.push_back(parameter.symbol);
      values.push_back(parameter.value);
    }
    return symbolic::evaluate(f, symbols, values);
  }

 private:
  const control::Problem& problem_;
  mechanics::Presentation shown_;
  solve::Solution solution_;
};

}  // namespace

TEST(Conditions, HoldAlongSolutions) {
  for (const std::string sense : {"minimise", "maximise"}) {
    std::string text = discounted_rod;
    text.replace(text.find("SENSE"), 5, sense);
    if (sense == "maximise") text.replace(text.find("u^2/2 + x*y/3"), 13, "x*y/3 - u^2/2");
    if (sense == "maximise") text.replace(text.find("th^2 +"), 6, "-th^2+");
    const control::Problem problem = io::parse_problem(text);
    const Printed printed(problem);
    ASSERT_TRUE(printed.solved());
    const auto& rows = printed.rows();
    ASSERT_EQ(rows.rows(), 201u);
    const double h = rows["t"][1] - rows["t"][0];
    for (std::size_t k = 2; k + 2 < rows.rows(); k += 11) {
      EXPECT_NEAR(printed.value(printed.right("u"), k), rows["u"][k], 1e-9);
      EXPECT_NEAR(printed.value(printed.right("H"), k), rows["hamiltonian"][k], 1e-9);
      for (const std::string name : {"p_a", "p_b", "p_w", "R", "zeta", "x"}) {
        const auto& f = rows[name];
        const double rate = (f[k - 2] - 8 * f[k - 1] + 8 * f[k + 1] - f[k + 2]) / (12 * h);
        EXPECT_NEAR(printed.value(printed.right("d" + name + "/dt"), k), rate, 1e-5 * std::max(1.0, std::abs(rate)))
            << sense << " " << name;
      }
    }
    EXPECT_NEAR(printed.value(printed.right("p_w(T)"), rows.rows() - 1), rows["p_w"].back(), 1e-9);
  }
}

TEST(Conditions, OfMechanicsKeepAccelerationsAsUnknowns) {
  const control::Problem problem = io::parse_problem(R"toml([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - v*q - z/5"
forces = { v = "u" }
[control]
controls = ["u"]
[cost]
running = "u^2"
[boundary]
duration = "free"
final = { q = 1 }
)toml");
  const auto text = mechanics::render(control::pontryagin_conditions(problem), symbolic::Format::text);
  for (const char* row : {"dp_z/dt = ", "u = kappa1/2", "q_v - kappa1 = 0", "q_v(T) = 0", "p_z(T) = 0", "H(T) = 0"})
    EXPECT_NE(text.find(row), std::string::npos) << row << " in\n" << text;
}
