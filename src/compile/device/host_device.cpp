#include "device/host_device.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "device/member_device.hpp"
#include "device/member_kernel.hpp"
#include "device/running.hpp"
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
  HostRuns(Generated code, std::size_t rows, std::size_t parameters)
      : code_(std::move(code)), state_(rows * runs_of_host), parameters_(parameters * runs_of_host) {}

  void write(std::span<const double> state, std::span<const double> parameters) override {
    std::copy(state.begin(), state.end(), state_.begin());
    std::copy(parameters.begin(), parameters.end(), parameters_.begin());
  }
  void advance(const Steps& steps, std::size_t count) override {
    const auto entry = code_.entry.toPtr<Entry>();
    for (std::size_t run = 0; run < count; ++run)
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
  kernel::AdaptiveRows rows;
};

/// Entry of an adaptive loop: it moves the running lanes one after the other.
void follow(const void* context, double* lanes, const double* p, const AdaptiveControl* control, double* /*work*/) {
  const auto& code = *static_cast<const AdaptiveCode*>(context);
  const auto entry = code.code.entry.toPtr<AdaptiveEntry>();
  const auto row = [&](std::size_t i) { return std::span<const double>(lanes + i * runs_of_host, runs_of_host); };
  const RunProgress progress{row(code.rows.state()), row(code.rows.tries())};
  follow_running(progress, *control, [&](const std::vector<std::uint64_t>& list, const AdaptiveControl& how) {
    for (const std::uint64_t run : list)
      entry(lanes, p, how.local, how.t_end, how.order, how.most_steps, how.min_running, how.tries, runs_of_host, run);
  });
}

class HostDevice final : public MemberDevice {
 public:
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

 private:
  [[nodiscard]] std::size_t width() const override { return runs_of_host; }
  [[nodiscard]] kernel::DeviceLoop::MakeRuns groups_of(const MemberLoop& loop) const override {
    return [code = generate_member(loop), rows = loop.rows, parameters = loop.parameters] {
      return std::make_unique<HostRuns>(code, rows, parameters);
    };
  }
  [[nodiscard]] kernel::AdaptiveLoop adaptive(const MemberLoop& loop,
                                              const kernel::StateLayout& entries) const override {
    auto code =
        std::make_shared<const AdaptiveCode>(AdaptiveCode{generate_member(loop), kernel::AdaptiveRows(entries)});
    return {follow, std::move(code), entries, loop.parameters, 0, static_cast<int>(runs_of_host)};
  }

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
