#include "device/cuda_device.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "device/cuda_driver.hpp"
#include "device/ptx.hpp"
#include "device/running.hpp"
#include "device/stepped_runs.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "llvm/cpu.hpp"
#include "llvm/one_loop.hpp"

namespace herglotz::compile {

namespace {

using Steps = kernel::RungeKuttaLoop::Steps;

/// Runs of a group. Each thread of this machine has a group of its own on the card, and a few such groups fill a card.
constexpr std::size_t runs_of_card = 16'384;
/// Threads of a block; with up to 255 registers each they find room on every card.
constexpr unsigned block = 128;

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

 private:
  static constexpr Cuda::Device card = 0;
  Cuda::Context context_;
};

/// Code on a card.
class CardCode {
 public:
  CardCode(std::shared_ptr<const CardContext> context, const std::string& ptx)
      : context_(std::move(context)),
        module_(context_->driver().load(ptx)),
        function_(context_->driver().function(module_, the_loop)) {}
  ~CardCode() { CudaDriver::instance().unload(module_); }
  CardCode(const CardCode&) = delete;
  CardCode& operator=(const CardCode&) = delete;

  [[nodiscard]] const CardContext& context() const { return *context_; }
  [[nodiscard]] Cuda::Function function() const { return function_; }

 private:
  std::shared_ptr<const CardContext> context_;
  Cuda::Module module_;
  Cuda::Function function_;
};

/// Doubles in the memory of a card.
class CardMemory {
 public:
  CardMemory(const CudaDriver& driver, std::size_t doubles)
      : driver_(driver), address_(driver.allocate(doubles * sizeof(double))) {}
  ~CardMemory() { driver_.free(address_); }
  CardMemory(const CardMemory&) = delete;
  CardMemory& operator=(const CardMemory&) = delete;

  [[nodiscard]] Cuda::Address address() const { return address_; }

 private:
  const CudaDriver& driver_;
  Cuda::Address address_;
};

class CudaRuns final : public kernel::DeviceRuns {
 public:
  static constexpr std::size_t width = runs_of_card;

  CudaRuns(std::shared_ptr<const CardCode> code, std::size_t rows, std::size_t parameters)
      : code_(std::move(code)),
        state_(code_->context().driver(), rows * runs_of_card),
        parameters_(code_->context().driver(), (parameters + 1) * runs_of_card) {}

  void write(std::span<const double> state, std::span<const double> parameters) override {
    const CudaDriver& driver = code_->context().driver();
    driver.to_card(state_.address(), state.data(), state.size_bytes());
    if (!parameters.empty()) driver.to_card(parameters_.address(), parameters.data(), parameters.size_bytes());
  }
  void advance(const Steps& steps) override {
    Cuda::Address state = state_.address();
    Cuda::Address parameters = parameters_.address();
    double t0 = steps.t0;
    double h = steps.h;
    std::uint64_t first = steps.first;
    std::uint64_t count = steps.count;
    std::uint64_t runs = width;
    std::array<void*, 7> arguments{&state, &parameters, &t0, &h, &first, &count, &runs};
    code_->context().driver().launch(code_->function(), runs_of_card / block, block, arguments.data());
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

  AdaptiveCard(std::shared_ptr<const CardCode> code, std::size_t rows, std::size_t parameters, std::size_t state_row)
      : code_(std::move(code)), rows_(rows), parameters_(parameters), state_row_(state_row) {}

  /// Entry of an adaptive loop.
  static void follow(const void* context, double* lanes, const double* p, const Control* control, double* /*work*/) {
    static_cast<const AdaptiveCard*>(context)->follow(lanes, p, *control);
  }

 private:
  /// Memory of a card for a group of runs.
  struct Group {
    Group(const CudaDriver& driver, std::size_t row_count, std::size_t parameter_count)
        : rows(driver, row_count * runs_of_card),
          parameters(driver, (parameter_count + 1) * runs_of_card),
          list(driver, runs_of_card) {}
    CardMemory rows;
    CardMemory parameters;
    CardMemory list;
  };

  void follow(double* lanes, const double* p, const Control& control) const {
    const CudaDriver& driver = code_->context().driver();
    std::unique_ptr<Group> group = take(driver);
    constexpr std::size_t row_size = runs_of_card * sizeof(double);
    driver.to_card(group->rows.address(), lanes, rows_ * row_size);
    if (parameters_ > 0) driver.to_card(group->parameters.address(), p, parameters_ * row_size);
    double* const states = lanes + state_row_ * runs_of_card;
    const std::span<const double> known(states, runs_of_card);
    follow_running(known, control, [&](const std::vector<std::uint64_t>& list, const Control& how) {
      launch(driver, *group, list, how);
      driver.from_card(states, group->rows.address() + state_row_ * row_size, row_size);
      return known;
    });
    driver.from_card(lanes, group->rows.address(), rows_ * row_size);
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
    std::array<void*, 11> arguments{&rows,      &parameters, &how.local, &how.t_end, &how.order, &how.most_steps,
                                    &how.still, &how.tries,  &width,     &members,   &count};
    driver.launch(code_->function(), static_cast<unsigned>((count + block - 1) / block), block, arguments.data());
  }

  std::unique_ptr<Group> take(const CudaDriver& driver) const {
    {
      const std::scoped_lock lock(mutex_);
      if (!spare_.empty()) {
        auto group = std::move(spare_.back());
        spare_.pop_back();
        return group;
      }
    }
    return std::make_unique<Group>(driver, rows_, parameters_);
  }

  std::shared_ptr<const CardCode> code_;
  std::size_t rows_;
  std::size_t parameters_;
  std::size_t state_row_;
  mutable std::mutex mutex_;  // guards spare_
  mutable std::vector<std::unique_ptr<Group>> spare_;
};

class CudaDevice final : public Device {
 public:
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

  [[nodiscard]] kernel::DeviceLoop compile(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                           const kernel::ExplicitTableau& tableau,
                                           std::span<const std::size_t> kept) const override {
    const SteppedTapes stepped = stepped_tapes(motion, entries, kept);
    return loop_of_runs<CudaRuns>(
        stepped, std::make_shared<const CardCode>(context_, ptx_of(stepped_loop(stepped, tableau), RunNumber::thread)));
  }

  [[nodiscard]] kernel::AdaptiveLoop compile_adaptive(const symbolic::Program& motion,
                                                      const kernel::LoopEntries& entries,
                                                      const kernel::EmbeddedPair& pair) const override {
    const StageTapes tapes = adaptive_tapes(motion, entries);
    const MemberLoop loop = adaptive_loop(tapes, entries, pair);
    auto code = std::make_shared<const CardCode>(context_, ptx_of(loop, RunNumber::listed));
    auto card = std::make_shared<const AdaptiveCard>(std::move(code), loop.rows, loop.parameters,
                                                     kernel::AdaptiveRows(entries).state());
    return {AdaptiveCard::follow, std::move(card), entries, loop.parameters, 0, static_cast<int>(runs_of_card)};
  }

 private:
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
