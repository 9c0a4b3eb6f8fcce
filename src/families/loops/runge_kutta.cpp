#include <algorithm>
#include <cmath>

#include "herglotz/integrate/compiled_loops.hpp"
#include "loops/motion.hpp"
#include "loops/stage_passes.hpp"

namespace herglotz::families {
namespace {

class RungeKutta final : public SteppedMotion {
 public:
  RungeKutta(Model& model, int order) : state_(model, integrate::runge_kutta_tableau(order)) {}

  void restart(Model& model) override { state_.start(model); }

  std::size_t advance(double t0, double h, std::size_t first, std::size_t count) override {
    const std::size_t together = std::max<std::size_t>(state_.sites().tiling().passes / state_.stages(), 1);
    const auto time = [&](std::size_t k) { return t0 + static_cast<double>(first + k) * h; };
    for (std::size_t done = 0; done < count;) {
      const std::size_t end = std::min(done + together, count);
      std::vector<Pass> passes;
      for (std::size_t k = done; k < end; ++k) state_.add_passes(passes, time(k), h);
      const std::vector<double> sums = state_.sites().advance(passes);
      for (std::size_t k = done; k < end; ++k) {
        const double* const own = sums.data() + (k - done) * state_.sums();
        state_.attempt(time(k), h, own);
        const double z = state_.whole().tried().front().value;
        if (!std::isfinite(z) || !std::isfinite(state_.last_sum(own))) return k;
        state_.whole().accept();
      }
      done = end;
    }
    return count;
  }

  Observed observe(double t, const Take& take) override { return state_.observe(t, take); }
  [[nodiscard]] const Tiling& tiling() const override { return state_.sites().tiling(); }
  [[nodiscard]] std::string failure() const override { return state_.failure(); }
  [[nodiscard]] std::vector<std::string> start_notes() const override { return state_.start_notes(); }
  void keep() override { state_.keep(); }
  void go_back() override { state_.go_back(); }

 private:
  StagedState state_;
};

}  // namespace

std::unique_ptr<SteppedMotion> runge_kutta_motion(Model& model, int order) {
  return std::make_unique<RungeKutta>(model, order);
}

}  // namespace herglotz::families
