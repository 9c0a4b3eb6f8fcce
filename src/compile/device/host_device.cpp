#include "device/host_device.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "device/member_kernel.hpp"
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

class HostRuns final : public kernel::DeviceRuns {
 public:
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

class HostDevice final : public Device {
 public:
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

  [[nodiscard]] kernel::DeviceLoop compile(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                           const kernel::ExplicitTableau& tableau,
                                           std::span<const std::size_t> kept) const override {
    const SteppedTapes stepped = stepped_tapes(motion, entries, kept);
    const Generated code = generate_one([&](llvm::Module& module, const llvm::TargetMachine& target) {
      emit_member_kernel(module, target, stepped, tableau, RunNumber::argument);
      return std::size_t{0};
    });
    const std::size_t rows = 2 * stepped.carried.size() + 1;
    const std::size_t parameters = stepped.tapes.start.parameters;
    return {[code, rows, parameters] { return std::make_unique<HostRuns>(code, rows, parameters); }, stepped.carried,
            parameters, runs_of_host};
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
