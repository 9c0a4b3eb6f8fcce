#include "device/host_device.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "device/member_kernel.hpp"
#include "device/running.hpp"
#include "device/stepped_runs.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "llvm/cpu.hpp"
#include "llvm/one_loop.hpp"

namespace herglotz::compile {

namespace {

using Steps = kernel::RungeKuttaLoop::Steps;
using Entry = void (*)(double* state, const double* parameters, double t0, double h, std::uint64_t first,
                       std::uint64_t count, std::uint64_t width, std::uint64_t run);

/// Runs of a group, so few that a small ensemble has several groups.
constexpr std::size_t runs_of_host = 48;

/// Compiles the function around a loop for this processor.
Generated generate_member(const MemberLoop& loop) {
  return generate_one([&](llvm::Module& module, const llvm::TargetMachine& target) {
    emit_member_kernel(module, target, loop, RunNumber::argument);
    return std::size_t{0};
  });
}

class HostRuns final : public kernel::DeviceRuns {
 public:
  static constexpr std::size_t width = runs_of_host;

  HostRuns(Generated code, std::size_t rows, std::size_t parameters)
      : code_(std::move(code)), state_(rows * runs_of_host), parameters_(parameters * runs_of_host) {}

  void write(std::span<const double> state, std::span<const double> parameters) override {
    std::copy(state.begin(), state.end(), state_.begin());
    std::copy(parameters.begin(), parameters.end(), parameters_.begin());
  }
  void advance(const Steps& steps) override {
    const auto entry = code_.entry.toPtr<Entry>();
    for (std::size_t run = 0; run < runs_of_host; ++run)
      entry(state_.data(), parameters_.data(), steps.t0, steps.h, steps.first, steps.count, runs_of_host, run);
  }
  void read(std::span<double> state) override { std::copy(state_.begin(), state_.end(), state.begin()); }

 private:
  Generated code_;
  std::vector<double> state_;
  std::vector<double> parameters_;
};

using AdaptiveControl = kernel::AdaptiveLoop::Control;
using AdaptiveEntry = void (*)(double* rows, const double* parameters, double local, double t_end, std::int64_t order,
                               double most_steps, std::int64_t still, std::int64_t tries, std::uint64_t width,
                               std::uint64_t run);

struct AdaptiveCode {
  Generated code;
  std::size_t state_row;
};

/// Entry of an adaptive loop: it moves the running lanes one after the other.
void follow(const void* context, double* lanes, const double* p, const AdaptiveControl* control, double* /*work*/) {
  const auto& code = *static_cast<const AdaptiveCode*>(context);
  const auto entry = code.code.entry.toPtr<AdaptiveEntry>();
  const std::span<const double> states(lanes + code.state_row * runs_of_host, runs_of_host);
  follow_running(states, *control, [&](const std::vector<std::uint64_t>& list, const AdaptiveControl& how) {
    for (const std::uint64_t run : list)
      entry(lanes, p, how.local, how.t_end, how.order, how.most_steps, how.still, how.tries, runs_of_host, run);
    return states;
  });
}

class HostDevice final : public Device {
 public:
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

  [[nodiscard]] kernel::DeviceLoop compile(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                           const kernel::ExplicitTableau& tableau,
                                           std::span<const std::size_t> kept) const override {
    const SteppedTapes stepped = stepped_tapes(motion, entries, kept);
    return loop_of_runs<HostRuns>(stepped, generate_member(stepped_loop(stepped, tableau)));
  }

  [[nodiscard]] kernel::AdaptiveLoop compile_adaptive(const symbolic::Program& motion,
                                                      const kernel::LoopEntries& entries,
                                                      const kernel::EmbeddedPair& pair) const override {
    const StageTapes tapes = adaptive_tapes(motion, entries);
    auto code = std::make_shared<const AdaptiveCode>(
        AdaptiveCode{generate_member(adaptive_loop(tapes, entries, pair)), kernel::AdaptiveRows(entries).state()});
    return {follow, std::move(code), entries, tapes.start.parameters, 0, static_cast<int>(runs_of_host)};
  }

 private:
  DeviceInfo info_ = host_info();
};

}  // namespace

DeviceInfo host_info() {
  return {"host", "this machine's processor, which runs the code of a device for one member after the other", 0,
          cpu_has_fma() ? "" : "this processor has no fused multiply-add"};
}

std::shared_ptr<const Device> open_host() {
  return std::make_shared<HostDevice>();
}

}  // namespace herglotz::compile
