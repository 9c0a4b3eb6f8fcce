#include "device/cuda_device.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "device/cuda_driver.hpp"
#include "device/member_device.hpp"
#include "device/member_kernel.hpp"
#include "device/ptx.hpp"
#include "device/running.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "llvm/cpu.hpp"
#include "llvm/one_loop.hpp"

namespace herglotz::compile {

namespace {

using Steps = kernel::RungeKuttaLoop::Steps;

/// Runs of a group. Each thread of this machine has a group of its own on the card, and a few such groups fill a card.
constexpr std::size_t runs_of_card = 16'384;
/// Returns the number of blocks that together have this number of threads or a few more.
unsigned blocks_for(std::size_t threads) {
  return static_cast<unsigned>((threads + threads_of_block - 1) / threads_of_block);
}

/// The context of a card, kept while anything lives on it.
class CardContext {
 public:
  CardContext() : context_(CudaDriver::instance().retain(card)) {}
  ~CardContext() { CudaDriver::instance().release(card); }
  CardContext(const CardContext&) = delete;
  CardContext& operator=(const CardContext&) = delete;

  /// Returns the driver, with this context in the calling thread.
  [[nodiscard]] const CudaDriver& driver() const {
    const CudaDriver& driver = CudaDriver::instance();
    driver.use(context_);
    return driver;
  }
  void unload(Cuda::Module module) const noexcept { CudaDriver::instance().unload(context_, module); }
  void free(Cuda::Address address) const noexcept { CudaDriver::instance().free(context_, address); }

 private:
  static constexpr Cuda::Device card = 0;
  Cuda::Context context_;
};

/// A module on a card.
class CardModule {
 public:
  CardModule(std::shared_ptr<const CardContext> context, const std::string& ptx)
      : context_(std::move(context)), module_(context_->driver().load(ptx)) {}
  ~CardModule() { context_->unload(module_); }
  CardModule(const CardModule&) = delete;
  CardModule& operator=(const CardModule&) = delete;

  [[nodiscard]] const CardContext& context() const { return *context_; }
  [[nodiscard]] Cuda::Module get() const { return module_; }

 private:
  std::shared_ptr<const CardContext> context_;
  Cuda::Module module_;
};

/// Code on a card.
class CardCode {
 public:
  CardCode(const std::shared_ptr<const CardContext>& context, const std::string& ptx)
      : module_(context, ptx), function_(context->driver().function(module_.get(), the_loop)) {}

  [[nodiscard]] const CardContext& context() const { return module_.context(); }
  [[nodiscard]] Cuda::Function function() const { return function_; }

 private:
  CardModule module_;
  Cuda::Function function_;
};

/// Doubles in the memory of a card.
class CardMemory {
 public:
  CardMemory(const CardContext& context, std::size_t doubles)
      : context_(context), address_(context.driver().allocate(doubles * sizeof(double))) {}
  ~CardMemory() { context_.free(address_); }
  CardMemory(const CardMemory&) = delete;
  CardMemory& operator=(const CardMemory&) = delete;

  [[nodiscard]] Cuda::Address address() const { return address_; }

 private:
  const CardContext& context_;
  Cuda::Address address_;
};

class CudaRuns final : public kernel::DeviceRuns {
 public:
  CudaRuns(std::shared_ptr<const CardCode> code, std::size_t rows, std::size_t parameters)
      : code_(std::move(code)),
        state_(code_->context(), rows * runs_of_card),
        parameters_(code_->context(), (parameters + 1) * runs_of_card) {}

  void write(std::span<const double> state, std::span<const double> parameters) override {
    const CudaDriver& driver = code_->context().driver();
    driver.to_card(state_.address(), state.data(), state.size_bytes());
    if (!parameters.empty()) driver.to_card(parameters_.address(), parameters.data(), parameters.size_bytes());
  }
  void advance(const Steps& steps, std::size_t count) override {
    Cuda::Address state = state_.address();
    Cuda::Address parameters = parameters_.address();
    double t0 = steps.t0;
    double h = steps.h;
    std::uint64_t first = steps.first;
    std::uint64_t taken = steps.count;
    std::uint64_t width = runs_of_card;
    std::array<void*, 7> arguments{&state, &parameters, &t0, &h, &first, &taken, &width};
    code_->context().driver().launch(code_->function(), blocks_for(count), threads_of_block, arguments.data());
  }
  void read(std::span<double> state) override {
    code_->context().driver().from_card(state.data(), state_.address(), state.size_bytes());
  }

 private:
  std::shared_ptr<const CardCode> code_;
  CardMemory state_;
  CardMemory parameters_;
};

/// Adaptive steps of groups of runs. Each call takes memory of the card that no other call uses.
class AdaptiveCard {
 public:
  using Control = kernel::AdaptiveLoop::Control;

  AdaptiveCard(std::shared_ptr<const CardCode> code, const kernel::StateLayout& entries, std::size_t parameters)
      : code_(std::move(code)), rows_(entries), parameters_(parameters) {}

  /// Entry of an adaptive loop.
  static void follow(const void* context, double* lanes, const double* p, const Control* control, double* /*work*/) {
    static_cast<const AdaptiveCard*>(context)->follow(lanes, p, *control);
  }

 private:
  /// Memory of a card for a group of runs.
  struct Group {
    Group(const CardContext& context, std::size_t row_count, std::size_t parameter_count)
        : rows(context, row_count * runs_of_card),
          parameters(context, (parameter_count + 1) * runs_of_card),
          list(context, runs_of_card) {}
    CardMemory rows;
    CardMemory parameters;
    CardMemory list;
  };

  void follow(double* lanes, const double* p, const Control& control) const {
    const CudaDriver& driver = code_->context().driver();
    std::unique_ptr<Group> group = take();
    constexpr std::size_t row_size = runs_of_card * sizeof(double);
    driver.to_card(group->rows.address(), lanes, rows_.count() * row_size);
    if (parameters_ > 0) driver.to_card(group->parameters.address(), p, parameters_ * row_size);
    const auto row = [&](std::size_t i) { return std::span<const double>(lanes + i * runs_of_card, runs_of_card); };
    const auto read = [&](std::size_t i) {
      driver.from_card(lanes + i * runs_of_card, group->rows.address() + i * row_size, row_size);
    };
    const RunProgress progress{row(rows_.state()), row(rows_.tries())};
    follow_running(progress, control, [&](const std::vector<std::uint64_t>& list, const Control& how) {
      launch(driver, *group, list, how);
      read(rows_.state());
      read(rows_.tries());
    });
    driver.from_card(lanes, group->rows.address(), rows_.count() * row_size);
    const std::scoped_lock lock(mutex_);
    spare_.push_back(std::move(group));
  }

  void launch(const CudaDriver& driver, const Group& group, const std::vector<std::uint64_t>& list, Control how) const {
    driver.to_card(group.list.address(), list.data(), list.size() * sizeof(std::uint64_t));
    Cuda::Address rows = group.rows.address();
    Cuda::Address parameters = group.parameters.address();
    Cuda::Address members = group.list.address();
    std::uint64_t width = runs_of_card;
    std::uint64_t count = list.size();
    std::array<void*, 11> arguments{&rows,           &parameters,      &how.local, &how.t_end, &how.order,
                                    &how.most_steps, &how.min_running, &how.tries, &width,     &members,
                                    &count};
    driver.launch(code_->function(), blocks_for(count), threads_of_block, arguments.data());
  }

  std::unique_ptr<Group> take() const {
    {
      const std::scoped_lock lock(mutex_);
      if (!spare_.empty()) {
        auto group = std::move(spare_.back());
        spare_.pop_back();
        return group;
      }
    }
    return std::make_unique<Group>(code_->context(), rows_.count(), parameters_);
  }

  std::shared_ptr<const CardCode> code_;
  kernel::AdaptiveRows rows_;
  std::size_t parameters_;
  mutable std::mutex mutex_;  // guards spare_
  mutable std::vector<std::unique_ptr<Group>> spare_;
};

class CudaDevice final : public MemberDevice {
 public:
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

 private:
  [[nodiscard]] std::size_t width() const override { return runs_of_card; }
  [[nodiscard]] kernel::DeviceLoop::MakeRuns groups_of(const MemberLoop& loop) const override {
    return [code = std::make_shared<const CardCode>(context_, ptx_of(loop, RunNumber::thread)), rows = loop.rows,
            parameters = loop.parameters] { return std::make_unique<CudaRuns>(code, rows, parameters); };
  }
  [[nodiscard]] kernel::AdaptiveLoop adaptive(const MemberLoop& loop,
                                              const kernel::StateLayout& entries) const override {
    auto code = std::make_shared<const CardCode>(context_, ptx_of(loop, RunNumber::listed));
    auto card = std::make_shared<const AdaptiveCard>(std::move(code), entries, loop.parameters);
    return {AdaptiveCard::follow, std::move(card), entries, loop.parameters, 0, static_cast<int>(runs_of_card)};
  }

  DeviceInfo info_ = cuda_infos().front();
  std::shared_ptr<const CardContext> context_ = std::make_shared<const CardContext>();
};

/// Returns the reason for which no card can be used, or an empty string.
std::string missing() {
  if (!writes_ptx()) return "this build's LLVM does not write code for cards of NVIDIA";
  if (!cpu_has_fma()) return "this machine's processor has no fused multiply-add, so its results would be others";
  return CudaDriver::instance().missing();
}

}  // namespace

std::vector<DeviceInfo> cuda_infos() {
  if (std::string reason = missing(); !reason.empty()) return {{"cuda", "a card of NVIDIA", 0, std::move(reason)}};
  std::vector<DeviceInfo> infos;
  for (const auto& card : CudaDriver::instance().cards()) infos.push_back({"cuda", card.name, card.memory, {}});
  return infos;
}

std::shared_ptr<const Device> open_cuda() {
  return std::make_shared<const CudaDevice>();
}

}  // namespace herglotz::compile
