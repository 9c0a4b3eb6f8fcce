#include "shooting/extremal_system.hpp"

#include <Eigen/Core>

#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Eigen::Index;
using linear::index;

}  // namespace

ExtremalSystem::ExtremalSystem(const Setup& setup, const std::vector<Hold>& held, const SingularArc* singular)
    : setup_(setup), held_(held), free_(free_variables(setup, held)), singular_(singular) {}

Values ExtremalSystem::algebraic_of(const Stage& stage) const {
  Values w;
  for (const std::size_t j : free_) w.push_back(stage.w[j]);
  for (std::size_t c = 0; c < setup_.equations(); ++c) w.push_back(stage.kappa[c]);
  return w;
}

Stage ExtremalSystem::stage_at(const sensitivity::EvaluationPoint& at) const {
  const auto d = static_cast<std::ptrdiff_t>(setup_.d());
  Stage stage;
  stage.t = at.t;
  stage.v.assign(at.x.begin(), at.x.begin() + d);
  stage.P.assign(at.x.begin() + d, at.x.end());
  stage.w.assign(setup_.m(), 0.0);
  setup_.keep(held_, stage.w);
  for (std::size_t l = 0; l < free_.size(); ++l) stage.w[free_[l]] = at.w[l];
  stage.kappa.assign(setup_.along(), 0.0);
  for (std::size_t c = 0; c < setup_.equations(); ++c) stage.kappa[c] = at.w[free_.size() + c];
  stage.bound.assign(setup_.m(), 0.0);
  return stage;
}

void ExtremalSystem::evaluate(const sensitivity::EvaluationPoint& at, std::span<double> values,
                              std::span<double> slopes) const {
  const StageDerivatives e = derivatives_at(setup_, {stage_at(at)}, 1);
  const Index d = index(setup_.d());
  const Index free = index(free_.size());
  const Index c = index(setup_.equations());
  const Vector& f = e.f.front();
  const Vector& slope = e.slope.front();
  Eigen::Map<Vector> out(values.data(), 2 * d + free + c);
  out.head(d) = f.head(d);
  out.segment(d, d) = -slope.head(d);
  for (Index l = 0; l < free; ++l) out[2 * d + l] = slope[d + index(free_[static_cast<std::size_t>(l)])];
  out.tail(c) = f.segment(d, c);
  SingularArc::Rates rates;
  if (singular_ != nullptr) {
    rates = singular_->at(stage_at(at));
    out[2 * d] = rates.second;
  }
  if (slopes.empty()) return;
  const Matrix& J = e.J.front();
  const Matrix& H = e.H.front();
  Eigen::Map<Matrix> to(slopes.data(), 2 * d + free + c, 2 * d + free + c);
  to.setZero();
  // The derivatives by one variable of K: those of F, -K_v, K_w and C, with the matching column of K's own variable.
  const auto by_variable = [&](Index column, Index variable) {
    to.block(0, column, d, 1) = J.block(0, variable, d, 1);
    to.block(d, column, d, 1) = -H.block(0, variable, d, 1);
    for (Index l = 0; l < free; ++l) to(2 * d + l, column) = H(d + index(free_[static_cast<std::size_t>(l)]), variable);
    to.block(2 * d + free, column, c, 1) = J.block(d, variable, c, 1);
  };
  // The derivatives of -K_v and K_w by the multiplier of function `row`, which is P or kappa.
  const auto by_multiplier = [&](Index column, Index row) {
    to.block(d, column, d, 1) = -J.block(row, 0, 1, d).transpose();
    for (Index l = 0; l < free; ++l) to(2 * d + l, column) = J(row, d + index(free_[static_cast<std::size_t>(l)]));
  };
  for (Index a = 0; a < d; ++a) {
    by_variable(a, a);
    by_multiplier(d + a, a);
  }
  for (Index l = 0; l < free; ++l) by_variable(2 * d + l, d + index(free_[static_cast<std::size_t>(l)]));
  for (Index k = 0; k < c; ++k) by_multiplier(2 * d + free + k, d + k);
  if (singular_ == nullptr) return;
  to.row(2 * d).head(2 * d) = rates.second_by_x;
  to(2 * d, 2 * d) = rates.second_by_u;
}

std::optional<ExtremalSystem::Facts> ExtremalSystem::facts(double t, std::span<const double> x, Values& w) const {
  const auto solved = sensitivity::algebraic_variables(*this, {t, x, w, {}});
  if (!solved) return std::nullopt;
  w = *solved;
  const sensitivity::EvaluationPoint at{t, x, w, {}};
  const Index d = index(setup_.d());
  const Index n = 2 * d;
  const Index m = index(algebraic());
  Vector values(n + m);
  Matrix slopes(n + m, n + m);
  evaluate(at, {values.data(), static_cast<std::size_t>(n + m)},
           {slopes.data(), static_cast<std::size_t>(slopes.size())});
  const StageDerivatives e = derivatives_at(setup_, {stage_at(at)}, 1);
  Facts facts;
  facts.rate = values.head(n);
  facts.K_x.resize(n);
  facts.K_x << -values.segment(d, d), values.head(d);
  facts.K = values.head(d).dot(Eigen::Map<const Vector>(x.data() + d, d));
  const Index all = index(setup_.m());
  facts.K_t = e.slope.front()[d + all + 1];
  facts.slopes = e.slope.front().segment(d, all);
  facts.slopes_by_x.resize(all, n);
  facts.slopes_by_x << e.H.front().block(d, 0, all, d), e.J.front().block(0, d, d, all).transpose();
  const Index time = d + all + 1;
  facts.slopes_by_t = e.H.front().col(time).segment(d, all);
  if (m == 0) return facts;
  const auto free = index(free_.size());
  Matrix by_w(all, m);
  Matrix g(m, n + 1);  // the derivatives of g by (x, t)
  g.leftCols(n) = slopes.bottomLeftCorner(m, n);
  for (Index l = 0; l < free; ++l) {
    const Index variable = d + index(free_[static_cast<std::size_t>(l)]);
    by_w.col(l) = e.H.front().block(d, variable, all, 1);
    g(l, n) = e.H.front()(variable, time);
  }
  for (Index k = 0; k < m - free; ++k) {
    by_w.col(free + k) = e.J.front().block(d + k, d, 1, all).transpose();
    g(free + k, n) = e.J.front()(d + k, time);
  }
  const Matrix w_by = linear::PartialLu(slopes.bottomRightCorner(m, m)).solve(-g);
  facts.slopes_by_x += by_w * w_by.leftCols(n);
  facts.slopes_by_t += by_w * w_by.col(n);
  return facts;
}

}  // namespace herglotz::solve
