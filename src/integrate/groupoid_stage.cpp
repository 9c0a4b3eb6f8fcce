#include <algorithm>
#include <cmath>

#include "groupoid_step.hpp"

namespace herglotz::integrate {

GroupoidStage::GroupoidStage(const Dynamics& dynamics, std::span<const double> parameters)
    : map_(&dynamics.groupoid), parameters_(parameters), n_(dynamics.n), r_(dynamics.r), m_(dynamics.m) {
  v_.resize(n_ + r_ + 2 + m_);
  out_.resize(2 * r_ + 2 + m_ + m_ * r_);
  entries_.resize(map_->stage_jacobian.outputs());
  work_.resize(std::max(map_->stage.work_size(), map_->stage_jacobian.work_size()));
  jacobian_.setZero(static_cast<Eigen::Index>(out_.size()), static_cast<Eigen::Index>(n_ + r_ + 1));
}

bool GroupoidStage::evaluate() {
  map_->stage(v_.data(), parameters_.data(), out_.data(), work_.data());
  return std::all_of(out_.begin(), out_.end(), [](double value) { return std::isfinite(value); });
}

void GroupoidStage::differentiate() {
  map_->stage_jacobian(v_.data(), parameters_.data(), entries_.data(), work_.data());
  const kernel::Pattern& pattern = map_->stage_pattern;
  for (std::size_t e = 0; e < entries_.size(); ++e)
    jacobian_(static_cast<Eigen::Index>(pattern.row[e]), static_cast<Eigen::Index>(pattern.col[e])) = entries_[e];
}

Eigen::Map<const Eigen::VectorXd> GroupoidStage::values(std::size_t at, std::size_t size) const {
  return {out_.data() + at, static_cast<Eigen::Index>(size)};
}

Eigen::Map<const Eigen::MatrixXd> GroupoidStage::directions() const {
  return {out_.data() + 2 * r_ + 2 + m_, static_cast<Eigen::Index>(r_), static_cast<Eigen::Index>(m_)};
}

}  // namespace herglotz::integrate
