#include "certificate/certificate.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "certificate/measures.hpp"
#include "gauss_nlp.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;

constexpr double least_margin = 1e-9;  ///< eigenvalues below this in magnitude are rounding errors

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

double size_of(const Values& P) {
  double size = 0;
  for (const double value : P) size = std::max(size, std::abs(value));
  return size;
}

}  // namespace

double transversality(const Setup& setup, const Path& path) {
  const std::size_t d = setup.d();
  Values slopes(2 * d);  // of G by v(0), then by v(T)
  slopes[d + setup.form.cost()] = setup.sign;
  const auto& places = setup.ends.jacobian();
  Values entries(places.row.size());
  setup.ends.jacobian(end_point(path), entries);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (places.col[e] >= 2 * d) continue;
    const double weight = places.row[e] == 0 ? setup.sign : path.ends[places.row[e] - 1];
    slopes[places.col[e]] += weight * entries[e];
  }
  const Values& first = path.intervals.front().P0;
  const Values& last = path.intervals.back().P1;
  double worst = 0;
  for (std::size_t a = 0; a < d; ++a) {
    if (!setup.initial[a]) worst = std::max(worst, std::abs(first[a] + slopes[a]) / size_of(first));
    if (!setup.final[a]) worst = std::max(worst, std::abs(last[a] - slopes[d + a]) / size_of(last));
  }
  return worst;
}

std::optional<double> legendre_margin(const Setup& setup, const Path& path) {
  std::optional<double> margin;
  const std::size_t d = setup.d();
  for (const Interval& interval : path.intervals) {
    if (interval.mixed) continue;
    std::vector<std::size_t> free = free_variables(setup, interval.held);
    std::erase_if(free, [&](std::size_t w) { return w < setup.problem.controls.size() && setup.is_linear(w); });
    if (free.empty()) continue;
    const auto controls =
        std::count_if(free.begin(), free.end(), [&](std::size_t w) { return w < setup.problem.controls.size(); });
    if (controls == 0 && !setup.problem.controls.empty()) continue;
    const StageDerivatives e = derivatives_at(setup, interval.stages, 1);
    for (std::size_t k = 0; k < interval.stages.size(); ++k) {
      const double price = std::abs(interval.stages[k].P[setup.form.cost()]);
      Matrix second(index(free.size()), index(free.size()));
      Matrix equations(index(setup.equations()), index(free.size()));
      for (std::size_t i = 0; i < free.size(); ++i) {
        for (std::size_t j = 0; j < free.size(); ++j)
          second(index(i), index(j)) = e.H[k](index(d + free[i]), index(d + free[j]));
        for (std::size_t c = 0; c < setup.equations(); ++c)
          equations(index(c), index(i)) = e.J[k](index(d + c), index(d + free[i]));
      }
      Matrix along = Matrix::Identity(second.rows(), second.cols());
      if (setup.equations() > 0) {
        // Columns of Q beyond the rank span the directions along which the equations hold.
        const Eigen::ColPivHouseholderQR<Matrix> qr(equations.transpose());
        const Matrix Q = qr.householderQ();
        along = Q.rightCols(index(free.size()) - qr.rank());
      }
      if (along.cols() == 0) continue;
      // Directions are measured by their controls, on which accelerations and multipliers depend.
      const Matrix measured = controls > 0 ? Matrix(along.topRows(controls)) : along;
      const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(
          along.transpose() * second * along, measured.transpose() * measured, Eigen::EigenvaluesOnly);
      const double least = eigen.eigenvalues()[0] / price;
      margin = std::min(margin.value_or(least), least);
    }
  }
  return margin;
}

void certify(const Certified& what, Solution& result) {
  result.residuals.emplace_back("transversality", transversality(what.setup, what.path));
  if (result.abnormal) return;
  if (const auto margin = legendre_margin(what.setup, what.path)) {
    if (*margin < -least_margin) result.notes.emplace_back("controls do not maximise the Hamiltonian everywhere");
    if (*margin < -least_margin && !what.setup.problem.controls.empty()) {
      result.status = Status::not_converged;
      result.reason =
          "what was found is no extremal, because its controls do not maximise the Hamiltonian; the cost may have no "
          "bound";
    }
    const Path path = in_model(what.setup.units, what.path);
    result.residuals.emplace_back("legendre_margin", legendre_margin(what.model, path).value_or(*margin));
  }
  GaussNlp nlp(what.setup, what.method, what.mesh);
  const auto found = optimise::directions(nlp, nlp.iterate(what.path));
  if (!found) {
    result.notes.emplace_back(
        "whether the solution is a local minimum was not decided: rounding, or bounds that are neither clearly active "
        "nor "
        "inactive, do not allow it");
    return;
  }
  result.residuals.emplace_back("negative_directions", static_cast<double>(found->negative));
  if (found->negative > 0)
    result.notes.push_back(fmt::format("the solution is no minimum: its second variation is negative in {} direction{}",
                                       found->negative, found->negative == 1 ? "" : "s"));
  else if (found->flat > 0)
    result.notes.emplace_back("the second variation vanishes in some directions: the solution may be one of a family");
}

}  // namespace herglotz::solve
