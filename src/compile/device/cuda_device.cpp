#include "device/cuda_device.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include "device/cuda_driver.hpp"
#include "device/ptx.hpp"
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
    std::uint64_t width = runs_of_card;
    std::array<void*, 7> arguments{&state, &parameters, &t0, &h, &first, &count, &width};
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

class CudaDevice final : public Device {
 public:
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

  [[nodiscard]] kernel::DeviceLoop compile(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                           const kernel::ExplicitTableau& tableau,
                                           std::span<const std::size_t> kept) const override {
    const SteppedTapes stepped = stepped_tapes(motion, entries, kept);
    const auto code = std::make_shared<const CardCode>(context_, ptx_of(stepped, tableau));
    const std::size_t rows = 2 * stepped.carried.size() + 1;
    const std::size_t parameters = stepped.tapes.start.parameters;
    return {[code, rows, parameters] { return std::make_unique<CudaRuns>(code, rows, parameters); }, stepped.carried,
            parameters, runs_of_card};
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
