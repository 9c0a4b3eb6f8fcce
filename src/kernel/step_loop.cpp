#include "herglotz/kernel/step_loop.hpp"

#include <algorithm>
#include <vector>

namespace herglotz::kernel {
namespace {

struct Around {
  Kernel step;
  std::size_t read;  // entries of u that the step depends on
};

void run(const void* context, double* state, const double* p, const double* substeps, const StepLoop::Steps* steps) {
  const auto& [step, read] = *static_cast<const Around*>(context);
  const auto lanes = static_cast<std::size_t>(step.lanes());
  const std::size_t sums = step.outputs() * lanes;
  const std::size_t row = (step.variables() - read) * lanes;
  std::vector<double> u(step.variables() * lanes);
  std::vector<double> out(sums);
  std::vector<double> work(step.work_size());
  double* const lost = state + sums;
  for (std::size_t k = steps->first; k < steps->first + steps->count; ++k) {
    const double t = k == 0 ? steps->t0 : steps->t0 + static_cast<double>(k) * steps->h;
    for (std::size_t s = 0; s < steps->substeps; ++s) {
      std::copy_n(state, read * lanes, u.begin());
      std::copy_n(substeps + s * row, row, u.begin() + static_cast<std::ptrdiff_t>(read * lanes));
      for (std::size_t lane = 0; lane < lanes; ++lane) u[read * lanes + lane] += t;
      step(u.data(), p, out.data(), work.data());
      for (std::size_t i = 0; i < sums; ++i) {
        const double corrected = out[i] - lost[i];
        const double sum = state[i] + corrected;
        lost[i] = (sum - state[i]) - corrected;
        state[i] = sum;
      }
    }
  }
}

}  // namespace

StepLoop loop_around(Kernel step, std::size_t unread) {
  const std::size_t sums = step.outputs();
  const std::size_t read = sums - unread;
  const std::size_t constants = step.variables() - read - 2;
  const int lanes = step.lanes();
  return {run, std::make_shared<const Around>(Around{std::move(step), read}), sums, constants, lanes};
}

}  // namespace herglotz::kernel
