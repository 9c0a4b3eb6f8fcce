#include "herglotz/compile/deferred.hpp"

#include <sys/resource.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>

#include "interpreter.hpp"
#include "llvm/machine_code.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {
namespace {

/// Calls of the interpreter that take as long as machine code takes to generate. Measured: 10 to 20 us for the code of
/// an operation, and 1.5 to 3 ns for running it.
constexpr std::size_t patience = 6000;

class Deferred;

}  // namespace

/// Kernels that wait for their code, and the thread that generates it.
class CodeThread::Impl {
 public:
  explicit Impl(std::size_t early) : early_(early), thread_([this] { work(); }) {}
  ~Impl() {
    {
      const std::scoped_lock lock(access_);
      stopped_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] std::size_t early() const { return early_; }
  [[nodiscard]] bool busy() {
    const std::scoped_lock lock(access_);
    return generating_ || !waiting_.empty();
  }
  void add(std::weak_ptr<const Deferred> kernel) {
    const std::scoped_lock lock(access_);
    waiting_.push_back(std::move(kernel));
    changed_.notify_one();
  }

 private:
  void work();

  const std::size_t early_;
  std::mutex access_;
  std::condition_variable changed_;
  std::deque<std::weak_ptr<const Deferred>> waiting_;  // kernels of a model that is left need no code
  bool generating_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

namespace {

std::atomic<CodeThread::Impl*>& code_thread() {
  static std::atomic<CodeThread::Impl*> one = nullptr;
  return one;
}

class Deferred : public std::enable_shared_from_this<Deferred> {
 public:
  Deferred(Tape given, std::size_t chunk) : tape_(std::move(given)), chunk_(chunk) {}

  [[nodiscard]] const Tape& tape() const { return tape_; }

  void run(const double* u, const double* p, double* out, double* work) const {
    if (ready_.load(std::memory_order_acquire)) return machine_code_(u, p, out, work);
    if (is_due(calls_.fetch_add(1, std::memory_order_relaxed)) && generate_once())
      return machine_code_(u, p, out, work);
    run_interpreted(tape_, u, p, out, work);
  }

  /// Returns false while another thread generates the code.
  bool generate_once() const {
    const std::unique_lock lock(generating_, std::try_to_lock);
    if (!lock) return false;
    if (!ready_.load(std::memory_order_relaxed)) {
      machine_code_ = generate(std::span(&tape_, 1), 1, chunk_).front();
      ready_.store(true, std::memory_order_release);
    }
    return true;
  }

  /// Lets the next caller try, and see the error.
  void leave_to_callers() const { left_to_callers_.store(true, std::memory_order_relaxed); }

 private:
  /// Returns whether this caller, before whom there were so many, is to generate the code.
  [[nodiscard]] bool is_due(std::size_t calls) const {
    auto* const thread = code_thread().load(std::memory_order_acquire);
    if (left_to_callers_.load(std::memory_order_relaxed)) return true;
    if (thread == nullptr) return calls >= patience;
    if (calls >= thread->early() && !asked_.exchange(true, std::memory_order_relaxed)) thread->add(weak_from_this());
    return false;
  }

  const Tape tape_;
  const std::size_t chunk_;
  mutable std::atomic<std::size_t> calls_ = 0;
  mutable std::atomic<bool> asked_ = false;  // of the thread
  mutable std::atomic<bool> left_to_callers_ = false;
  mutable std::atomic<bool> ready_ = false;
  mutable std::mutex generating_;
  mutable kernel::Kernel machine_code_;  // written once, before `ready_`
};

void run_deferred(const void* context, const double* u, const double* p, double* out, double* work) {
  static_cast<const Deferred*>(context)->run(u, p, out, work);
}

kernel::Kernel defer(Tape tape, std::size_t chunk) {
  auto context = std::make_shared<const Deferred>(std::move(tape), chunk);
  const Tape& kept = context->tape();
  // Machine code keeps some of the results in memory, and the interpreter all of them.
  return {kept.name,           run_deferred,           context, kept.variables, kept.parameters,
          kept.outputs.size(), kept.operations.size(), 1};
}

}  // namespace

void CodeThread::Impl::work() {
  constexpr int gentle = 5;
  // In Linux this holds for the calling thread alone.
  (void)::setpriority(PRIO_PROCESS, 0, gentle);
  std::unique_lock lock(access_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
    if (stopped_) return;
    const auto next = std::move(waiting_.front());
    waiting_.pop_front();
    generating_ = true;
    lock.unlock();
    if (const auto kernel = next.lock()) {
      try {
        kernel->generate_once();
      } catch (const CompileError&) {
        kernel->leave_to_callers();
      }
    }
    lock.lock();
    generating_ = false;
  }
}

CodeThread::CodeThread(std::size_t early) : impl_(std::make_unique<Impl>(early)) {
  Impl* none = nullptr;
  if (!code_thread().compare_exchange_strong(none, impl_.get()))
    throw std::logic_error("two threads for the code of deferred kernels");
}

CodeThread::~CodeThread() {
  code_thread().store(nullptr, std::memory_order_release);
}

bool CodeThread::busy() {
  auto* const thread = code_thread().load(std::memory_order_acquire);
  return thread != nullptr && thread->busy();
}

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
