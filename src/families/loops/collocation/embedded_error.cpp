#include "loops/collocation/embedded_error.hpp"

#include <algorithm>
#include <utility>

namespace herglotz::families {

EmbeddedError::EmbeddedError(Stages& stages) : stages_(&stages), weights_{gamma_0} {
  for (std::size_t j = 0; j < stages.stages(); ++j) weights_.push_back(-gamma_0 * stages.polynomial(j, 0));
}

std::optional<SiteErrors> EmbeddedError::of(const Step& step) {
  V_.clear();
  force_.clear();
  for (std::size_t k = 0; k < stages_->size(); ++k) {
    V_.push_back(stages_->copy(stages_->V(k)));
    force_.push_back(stages_->copy(stages_->force(k)));
  }
  return filtered(step.h, differences(step.h, step.velocity, V_), differences(step.h, step.force, force_));
}

std::optional<SiteErrors> EmbeddedError::again(const Step& step, const SiteErrors& errors) {
  Values r_q = differences(step.h, step.velocity, V_);
  Values r_p = differences(step.h, step.force, force_);
  const Values force = forces_at(step, errors);
  restore();
  for (std::size_t f = 0; f < r_q.size(); ++f)
    for (std::size_t site = 0; site < r_q[f].size(); ++site) {
      r_q[f][site] += step.h * gamma_0 * errors.v[f][site];
      r_p[f][site] += step.h * gamma_0 * (force[f][site] - step.force[f][site]);
    }
  return filtered(step.h, r_q, r_p);
}

void EmbeddedError::restore() {
  for (std::size_t k = 0; k < V_.size(); ++k) {
    std::copy(V_[k].begin(), V_[k].end(), stages_->V(k));
    std::copy(force_[k].begin(), force_[k].end(), stages_->force(k));
  }
}

/// Returns h times the weighted sum of rates at the start and at the stages.
EmbeddedError::Values EmbeddedError::differences(double h, const Values& start, const Values& stages) const {
  Values found = start;
  for (std::size_t f = 0; f < found.size(); ++f)
    for (std::size_t site = 0; site < found[f].size(); ++site) {
      double sum = weights_[0] * start[f][site];
      for (std::size_t j = 0; j + 1 < weights_.size(); ++j) sum += weights_[1 + j] * stages[j * found.size() + f][site];
      found[f][site] = h * sum;
    }
  return found;
}

/// Moves the start of the step, finds the residuals, and moves it back.
void EmbeddedError::find_residuals_from(const Values& q, const Values& p) {
  std::vector<std::pair<double*, const std::vector<double>*>> moves;
  for (std::size_t f = 0; f < stages_->n(); ++f) {
    moves.emplace_back(stages_->q(f), &q[f]);
    moves.emplace_back(stages_->p(f), &p[f]);
  }
  Values before;
  for (const auto& [values, by] : moves) {
    before.push_back(stages_->copy(values));
    for (std::size_t site = 0; site < by->size(); ++site) values[site] += (*by)[site];
  }
  stages_->find_residuals();
  for (std::size_t k = 0; k < moves.size(); ++k) std::copy(before[k].begin(), before[k].end(), moves[k].first);
}

/// Returns what q and v of the first stage change by if the start of the step does by r.
std::optional<SiteErrors> EmbeddedError::filtered(double h, const Values& r_q, const Values& r_p) {
  find_residuals_from(r_q, r_p);
  if (!stages_->find_update()) return std::nullopt;
  const std::size_t n = stages_->n();
  SiteErrors errors{r_q, r_p};
  for (std::size_t site = 0; site < stages_->count(); ++site) {
    const double* const update = stages_->update().data() + site * stages_->size();
    for (std::size_t f = 0; f < n; ++f) {
      for (std::size_t k = 0; k < stages_->stages(); ++k) errors.q[f][site] -= h * stages_->a(0, k) * update[k * n + f];
      errors.v[f][site] = -update[f];
    }
  }
  return errors;
}

/// Returns the rates of the momenta at the start moved by a change of q and v.
EmbeddedError::Values EmbeddedError::forces_at(const Step& step, const SiteErrors& change) {
  const std::size_t n = stages_->n();
  for (std::size_t k = 0; k < stages_->size(); ++k)
    for (std::size_t site = 0; site < stages_->count(); ++site)
      stages_->V(k)[site] = step.velocity[k % n][site] + change.v[k % n][site];
  stages_->set_step(step.t, 0, stages_->rates_of_action(step.t, 0));
  find_residuals_from(change.q, Values(n, std::vector<double>(stages_->count())));
  Values forces;
  for (std::size_t f = 0; f < n; ++f) forces.push_back(stages_->copy(stages_->force(f)));
  stages_->set_step(step.t, step.h, stages_->rates_of_action(step.t, step.h));
  return forces;
}

}  // namespace herglotz::families
