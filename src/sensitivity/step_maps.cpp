#include "herglotz/sensitivity/step_maps.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "implicit_maps.hpp"

namespace herglotz::sensitivity {

std::unique_ptr<StepMaps> implicit_maps(ImplicitForm form, const ImplicitTableau& tableau) {
  if (tableau.dense) return nullptr;
  switch (form.kernel.lanes()) {
    case 1:
      return make_implicit_maps<1>(std::move(form), tableau);
    case 4:
      return make_implicit_maps<4>(std::move(form), tableau);
    case 8:
      return make_implicit_maps<8>(std::move(form), tableau);
    default:
      return nullptr;
  }
}

bool MappedPath::linearise(std::size_t first, std::size_t count, bool keeps) {
  first_ = first;
  count_ = count;
  numbers_.resize(count * maps_.numbers());
  kept_.resize(keeps ? count * maps_.kept() : 0);
  return maps_.linearise(path(), first, count, numbers_, kept_);
}

bool MappedPath::cover(std::size_t step) {
  constexpr std::size_t some = 64;
  return (step >= first_ && step < first_ + count_) || linearise(step, std::min(some, t_.size() - step), false);
}

AdjointSteps::ByTimes MappedPath::go_back(std::size_t step, std::span<double> cotangent,
                                          std::span<double> by_theta) const {
  const std::size_t states = maps_.states();
  next_.assign(maps_.columns(), 0.0);
  const double* row = map(step);
  for (std::size_t e = 0; e < states; ++e, row += next_.size())
    for (std::size_t c = 0; c < next_.size(); ++c) next_[c] += cotangent[e] * row[c];
  std::copy_n(next_.begin(), states, cotangent.begin());
  for (std::size_t j = 0; j < by_theta.size(); ++j) by_theta[j] += next_[states + j];
  return {next_[next_.size() - 2], next_.back()};
}

void MappedPath::go_on(std::size_t step, std::span<double> dy, std::span<const double> direction,
                       std::size_t lanes) const {
  const std::size_t states = maps_.states();
  const std::size_t columns = maps_.columns();
  const std::size_t directed = std::min(columns - states - 1, direction.size() / lanes);
  next_.assign(dy.size(), 0.0);
  const double* row = map(step);
  for (std::size_t e = 0; e < states; ++e, row += columns) {
    double* const to = next_.data() + e * lanes;
    if (lanes == 1) {
      *to = std::inner_product(row, row + states, dy.data(), 0.0);
      *to = std::inner_product(row + states, row + states + directed, direction.data(), *to);
      continue;
    }
    const auto add = [&](double factor, const double* from) {
      if (factor == 0) return;
      for (std::size_t lane = 0; lane < lanes; ++lane) to[lane] += factor * from[lane];
    };
    for (std::size_t c = 0; c < states; ++c) add(row[c], dy.data() + c * lanes);
    for (std::size_t c = 0; c < directed; ++c) add(row[states + c], direction.data() + c * lanes);
  }
  std::copy(next_.begin(), next_.end(), dy.begin());
}

std::vector<double> MappedPath::vary(std::size_t first, std::size_t count, std::span<const double> dy,
                                     std::span<const double> direction) const {
  const std::size_t states = maps_.states();
  // Each step is varied along the direction that the matrices give; what it differs from them by goes on through them.
  std::vector<double> along(dy.begin(), dy.end());
  std::vector<double> here(dy.begin(), dy.end());
  for (std::size_t k = 0; k < count; ++k) {
    go_on(first + k, here, direction, 1);
    along.insert(along.end(), here.begin(), here.end());
  }
  std::vector<double> varied(dy.begin(), dy.end());
  varied.resize(along.size());
  const auto kept = std::span<const double>(kept_).subspan((first - first_) * maps_.kept());
  if (!maps_.vary(path(), first, count, kept, std::span<const double>(along).first(count * states), direction,
                  std::span<double>(varied).subspan(states)))
    return {};
  std::vector<double> difference(states, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    go_on(first + k, difference, {}, 1);
    for (std::size_t e = 0; e < states; ++e) {
      double& reached = varied[(k + 1) * states + e];
      const double before = difference[e];
      difference[e] += reached - along[(k + 1) * states + e];
      reached += before;
    }
  }
  return varied;
}

}  // namespace herglotz::sensitivity
