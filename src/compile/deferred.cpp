#include "herglotz/compile/deferred.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "interpreter.hpp"
#include "llvm/machine_code.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {
namespace {

/// Calls of the interpreter that take as long as machine code takes to generate. Measured: 10 to 20 us for the code of
/// an operation, and 1.5 to 3 ns for running it.
constexpr std::size_t patience = 6000;

struct Deferred {
  Deferred(Tape given, std::size_t chunk_size) : tape(std::move(given)), chunk(chunk_size) {}

  void run(const double* u, const double* p, double* out, double* work) const {
    if (ready.load(std::memory_order_acquire)) return machine_code(u, p, out, work);
    if (calls.fetch_add(1, std::memory_order_relaxed) >= patience && generate_once())
      return machine_code(u, p, out, work);
    run_interpreted(tape, u, p, out, work);
  }

  const Tape tape;
  const std::size_t chunk;

 private:
  /// Returns false while another thread generates the code.
  bool generate_once() const {
    const std::unique_lock lock(generating, std::try_to_lock);
    if (!lock) return false;
    if (!ready.load(std::memory_order_relaxed)) {
      machine_code = generate(std::span(&tape, 1), 1, chunk).front();
      ready.store(true, std::memory_order_release);
    }
    return true;
  }

  mutable std::atomic<std::size_t> calls = 0;
  mutable std::atomic<bool> ready = false;
  mutable std::mutex generating;
  mutable kernel::Kernel machine_code;  // written once, before `ready`
};

void run_deferred(const void* context, const double* u, const double* p, double* out, double* work) {
  static_cast<const Deferred*>(context)->run(u, p, out, work);
}

kernel::Kernel defer(Tape tape, std::size_t chunk) {
  auto context = std::make_shared<const Deferred>(std::move(tape), chunk);
  const Tape& kept = context->tape;
  // Machine code keeps some of the results in memory, and the interpreter all of them.
  return {kept.name,           run_deferred,           context, kept.variables, kept.parameters,
          kept.outputs.size(), kept.operations.size(), 1};
}

}  // namespace

std::vector<kernel::Kernel> compile_deferred(std::span<const symbolic::Program> programs, const Options& options,
                                             std::size_t many) {
  if (options.backend != Backend::llvm || options.lanes != 1 || options.chunk == 0) return compile(programs, options);
  std::vector<kernel::Kernel> kernels(programs.size());
  std::vector<Tape> others;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    Tape tape = lower(programs[k]);
    if (tape.operations.size() > many) {
      kernels[k] = defer(std::move(tape), options.chunk);
    } else {
      others.push_back(std::move(tape));
      places.push_back(k);
    }
  }
  if (others.empty()) return kernels;
  auto generated = generate(others, options.lanes, options.chunk);
  for (std::size_t k = 0; k < places.size(); ++k) kernels[places[k]] = std::move(generated[k]);
  return kernels;
}

}  // namespace herglotz::compile
