#include "switches/rest_programmes.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

}  // namespace

std::vector<bool> independent_rows(const Matrix& D, const std::vector<bool>& preferred) {
  Matrix left = D;
  std::vector<bool> chosen(static_cast<std::size_t>(D.rows()), false);
  constexpr double larger = 1 + 1e-6;
  for (const bool first : {true, false})
    while (true) {
      Index best = -1;
      double most = dependent;
      for (Index i = 0; i < D.rows(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        if (chosen[row] || preferred[row] != first || !(D(i, i) > 0)) continue;
        const double share = left(i, i) / D(i, i);
        if (!(share > most * (best < 0 ? 1 : larger))) continue;
        best = i;
        most = share;
      }
      if (best < 0) break;
      chosen[static_cast<std::size_t>(best)] = true;
      const Vector column = left.col(best) / std::sqrt(left(best, best));
      left -= column * column.transpose();
    }
  return chosen;
}

ConeSolution least_load(const Vector& F, const Discs& discs, const Matrix& N) {
  const Index size = 1 + N.cols();
  ConeProgramme programme{Matrix::Zero(size, size), Vector::Unit(size, 0), {}};
  double load = 1;
  for (Index j = 0; j < discs.count(); ++j) {
    Matrix A = Matrix::Zero(discs.size(j), size);
    A.rightCols(N.cols()) = N.middleRows(discs.at(j), discs.size(j));
    programme.cones.push_back({A, discs.part(F, j), discs.radii[j] * Vector::Unit(size, 0), 0});
    load = std::max(load, discs.part(F, j).norm() / discs.radii[j]);
  }
  constexpr double inside = 2;
  return solve(programme, inside * load * Vector::Unit(size, 0));
}

Vector longest_hold(const Vector& F, const Vector& G, const Discs& discs, const Vector& change, const Matrix& N,
                    const Vector& xi0) {
  const Index size = 1 + N.cols();
  constexpr double before = 0.01;  // the start is inside
  ConeProgramme programme{Matrix::Zero(size, size), -Vector::Unit(size, 0), {}};
  programme.cones.push_back({Matrix::Zero(1, size), Vector::Zero(1), -Vector::Unit(size, 0), 1});
  programme.cones.push_back({Matrix::Zero(1, size), Vector::Zero(1), Vector::Unit(size, 0), before});
  for (Index j = 0; j < discs.count(); ++j) {
    Matrix A(discs.size(j), size);
    A << discs.part(G, j), N.middleRows(discs.at(j), discs.size(j));
    programme.cones.push_back({A, discs.part(F, j), change[j] * Vector::Unit(size, 0), discs.radii[j]});
  }
  Vector start(size);
  start << 0, xi0;
  return solve(programme, start).x;
}

ConeSolution most_dissipation(const Matrix& D, const Vector& b, const Discs& discs) {
  const Index size = b.size();
  ConeProgramme programme{D, b, {}};
  for (Index j = 0; j < discs.count(); ++j) {
    Matrix A = Matrix::Zero(discs.size(j), size);
    A.middleCols(discs.at(j), discs.size(j)).setIdentity();
    programme.cones.push_back({A, Vector::Zero(discs.size(j)), Vector::Zero(size), discs.radii[j]});
  }
  return solve(programme, Vector::Zero(size));
}

}  // namespace herglotz::simulate
