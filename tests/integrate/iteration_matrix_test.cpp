// The matrices of Newton's iteration of implicit steps in mass form, against those of the rates with K inverted.

#include "motion/iteration_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "integrate/two_lanes.hpp"
#include "radau/iteration_matrices.hpp"

namespace herglotz::integrate {
namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;
using ComplexMatrix = Eigen::MatrixXcd;
using ComplexVector = Eigen::VectorXcd;
using Two = Pack<2>;

/// Places of a chain of r links, on which every third constraint holds two neighbours together.
struct Shape {
  std::string name;
  std::size_t r;
  std::size_t m;
  Multipliers multipliers;
  bool velocities;  // x_dot = w; otherwise x_dot depends on everything near
  bool by_z;        // whether forces depend on z
};

struct Chain {
  Dynamics dynamics;
  std::vector<double> values;  // entries of K, those of B, and 1
};

/// A chain with random entries.
Chain chain_of(const Shape& shape, unsigned seed) {
  Chain chain;
  Dynamics& d = chain.dynamics;
  d.n = d.r = shape.r;
  d.m = shape.m;
  d.multipliers = shape.multipliers;
  d.velocities = shape.velocities;
  const std::size_t n = d.n;
  const std::size_t r = d.r;
  const std::size_t z = n + r;
  const auto near = [](std::size_t i, std::size_t j) { return i <= j + 1 && j <= i + 1; };
  const auto held = [](std::size_t A, std::size_t j) { return j == 3 * A || j == 3 * A + 1; };
  const auto entry = [&](std::size_t row, std::size_t col) {
    d.saddle_pattern.row.push_back(row);
    d.saddle_pattern.col.push_back(col);
  };
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < r; ++j)
      if (near(i, j)) entry(i, j);
    for (std::size_t A = 0; A < d.m; ++A)
      if (held(A, i)) entry(i, r + A);
  }
  for (std::size_t A = 0; A < d.m; ++A)
    for (std::size_t j = 0; j < r; ++j)
      if (held(A, j)) entry(r + A, j);
  const auto slope = [&](std::size_t row, std::size_t col) {
    d.mass_pattern.row.push_back(row);
    d.mass_pattern.col.push_back(col);
  };
  for (std::size_t i = 0; i < n; ++i) {
    slope(i, n + i);
    for (std::size_t j = 0; j < n && !shape.velocities; ++j)
      if (near(i, j)) slope(i, j);
  }
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < r; ++j) {
      if (!near(i, j)) continue;
      slope(n + i, j);
      slope(n + i, n + j);
    }
    if (shape.by_z) slope(n + i, z);
  }
  for (std::size_t j = 0; j <= z; ++j) slope(z, j);
  for (std::size_t A = 0; A < d.m; ++A) {
    for (std::size_t j = 0; j < r; ++j) {
      if (!held(A, j)) continue;
      slope(z + 1 + A, j);
      slope(z + 1 + A, n + j);
      if (d.differential()) slope(n + j, z + 1 + A);
    }
  }
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::size_t k = 0; k < d.saddle_pattern.row.size(); ++k)
    chain.values.push_back(uniform(engine) + (d.saddle_pattern.row[k] == d.saddle_pattern.col[k] ? 4 : 0));
  for (std::size_t k = 0; k < d.mass_pattern.row.size(); ++k)
    chain.values.push_back(shape.velocities && d.mass_pattern.row[k] < n ? 1 : uniform(engine));
  chain.values.push_back(1);
  return chain;
}

/// Returns f_u as a dense matrix: K^-1 B in the rows of w and nu.
Matrix derivatives_of_rates(const Chain& chain) {
  const Dynamics& d = chain.dynamics;
  const kernel::Pattern& places = d.saddle_pattern;
  const auto index = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  const Eigen::Index q = index(d.r + d.m);
  Matrix K = Matrix::Zero(q, q);
  for (std::size_t k = 0; k < places.row.size(); ++k) K(index(places.row[k]), index(places.col[k])) = chain.values[k];
  const Eigen::Index all = index(d.n + 1) + q;
  const Eigen::Index size = index(d.dimension());
  Matrix B = Matrix::Zero(all, all);
  for (std::size_t k = 0; k < d.mass_pattern.row.size(); ++k)
    B(index(d.mass_pattern.row[k]), index(d.mass_pattern.col[k])) = chain.values[places.row.size() + k];
  Matrix right(q, all);
  right << B.middleRows(index(d.n), index(d.r)), B.bottomRows(index(d.m));
  const Matrix solved = K.fullPivLu().solve(right);
  B.middleRows(index(d.n), index(d.r)) = solved.topRows(index(d.r));
  B.bottomRows(index(d.m)) = solved.bottomRows(index(d.m));
  return B.topLeftCorner(size, size);
}

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  using enum Multipliers;
  for (const std::size_t r : {6, 90}) {
    for (const bool velocities : {true, false}) {
      for (const bool by_z : {true, false}) {
        const std::string of = std::to_string(r) + (velocities ? "Velocities" : "") + (by_z ? "ByZ" : "");
        all.push_back({"Free" + of, r, 0, algebraic, velocities, by_z});
        all.push_back({"Nonholonomic" + of, r, r / 3, algebraic, velocities, by_z});
        all.push_back({"Vakonomic" + of, r, r / 3, differential, velocities, by_z});
      }
    }
  }
  return all;
}

class MassForm : public ::testing::TestWithParam<Shape> {};

TEST_P(MassForm, SolvesTheSystemOfTheRates) {
  const Chain chain = chain_of(GetParam(), 3);
  const IterationForm form(chain.dynamics);
  ASSERT_EQ(form.values, chain.values.size());
  EXPECT_EQ(form.positions, GetParam().velocities ? chain.dynamics.n : 0u);
  EXPECT_EQ(form.sparse(), GetParam().r > 6);
  const Matrix f_u = derivatives_of_rates(chain);
  const auto d = chain.dynamics.dimension();
  const auto size = static_cast<Eigen::Index>(d);
  std::vector<double> r(2 * d);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = std::sin(1 + static_cast<double>(i));
  for (const double g : {0.7, 30.0}) {
    IterationMatrix<double, 1> real(form);
    ASSERT_TRUE(real.factorise(chain.values.data(), {g}));
    std::vector<double> x(2 * d);
    real.solve(chain.values.data(), r.data(), x.data());
    const Eigen::VectorXd expected =
        (g * Matrix::Identity(size, size) - f_u).fullPivLu().solve(Eigen::Map<const Eigen::VectorXd>(r.data(), size));
    EXPECT_LT((Eigen::Map<const Eigen::VectorXd>(x.data(), size) - expected).norm(), 1e-9 * expected.norm()) << g;

    const Complex c(g, -1.3 * g);
    IterationMatrix<double, 2> complex(form);
    ASSERT_TRUE(complex.factorise(chain.values.data(), {c.real(), c.imag()}));
    complex.solve(chain.values.data(), r.data(), x.data());
    ComplexVector right(size);
    ComplexVector found(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      const auto k = static_cast<std::size_t>(i);
      right(i) = Complex(r[k], r[d + k]);
      found(i) = Complex(x[k], x[d + k]);
    }
    const ComplexVector wanted =
        (c * ComplexMatrix::Identity(size, size) - f_u.cast<Complex>()).fullPivLu().solve(right);
    EXPECT_LT((found - wanted).norm(), 1e-9 * wanted.norm()) << g;
  }
}

TEST_P(MassForm, HasTheBitsOfARunAloneInEveryLane) {
  const std::array<Chain, 2> chains{chain_of(GetParam(), 5), chain_of(GetParam(), 6)};
  const IterationForm form(chains[0].dynamics);
  const std::size_t d = form.dimension;
  std::vector<Two> values(form.values);
  for (std::size_t k = 0; k < values.size(); ++k)
    for (int lane = 0; lane < 2; ++lane) values[k].set(lane, chains[static_cast<std::size_t>(lane)].values[k]);
  IterationMatrix<Two, 2> pack(form);
  pack.factorise(values.data(), {Two(2.5), Two(-1.5)});
  const std::vector<Two> r(2 * d, Two(0.75));
  std::vector<Two> x(2 * d);
  pack.solve(values.data(), r.data(), x.data());
  for (int lane = 0; lane < 2; ++lane) {
    const std::vector<double>& own = chains[static_cast<std::size_t>(lane)].values;
    IterationMatrix<double, 2> alone(form);
    alone.factorise(own.data(), {2.5, -1.5});
    const std::vector<double> right(2 * d, 0.75);
    std::vector<double> found(2 * d);
    alone.solve(own.data(), right.data(), found.data());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(x[i][lane], found[i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(OfChains, MassForm, ::testing::ValuesIn(shapes()),
                         [](const auto& shape) { return shape.param.name; });

// The form depends on the system alone, and small systems keep the dense matrices.
TEST(MassForm, IsForLargeSystems) {
  const auto pays = [](std::size_t r, bool velocities) {
    Dynamics dynamics = chain_of({"", r, 0, Multipliers::algebraic, velocities, false}, 1).dynamics;
    dynamics.lagrangian = true;
    dynamics.mass = kernel::from_function("mass", dynamics.variables(), 0, 0, [](auto, auto, auto) {});
    return IterationForm::if_it_pays(dynamics).has_value();
  };
  EXPECT_FALSE(pays(32, true));
  EXPECT_TRUE(pays(33, true));
  EXPECT_TRUE(pays(60, false)) << "sparse, as its positions are among the unknowns";
}

}  // namespace
}  // namespace herglotz::integrate
