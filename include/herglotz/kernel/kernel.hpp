#pragma once
/// The ABI of a compiled function: spans in, spans out. It knows neither symbols, nor LLVM, nor mechanics.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace herglotz::kernel {

/// Compiled function out = f(u, p) on `lanes` independent copies at once. Arrays are lane-minor: entry i of lane l is
/// at [i*lanes + l]. A kernel is copyable, immutable and thread-safe: state lives in the caller's `work` buffer of
/// `work_size` doubles.
class Kernel {
 public:
  using Entry = void (*)(const void* context, const double* u, const double* p, double* out, double* work);

  Kernel() = default;
  Kernel(std::string name, Entry entry, std::shared_ptr<const void> context, std::size_t variables,
         std::size_t parameters, std::size_t outputs, std::size_t work_size, int lanes)
      : name_(std::move(name)),
        entry_(entry),
        context_(std::move(context)),
        variables_(variables),
        parameters_(parameters),
        outputs_(outputs),
        work_size_(work_size),
        lanes_(lanes) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t variables() const { return variables_; }
  [[nodiscard]] std::size_t parameters() const { return parameters_; }
  [[nodiscard]] std::size_t outputs() const { return outputs_; }
  /// Returns the number of doubles of scratch that a call needs (all lanes together).
  [[nodiscard]] std::size_t work_size() const { return work_size_; }
  [[nodiscard]] int lanes() const { return lanes_; }
  explicit operator bool() const { return entry_ != nullptr; }

  /// Computes `out`. The pointers are to variables()*lanes(), parameters()*lanes(), outputs()*lanes() and work_size()
  /// doubles, which do not overlap.
  void operator()(const double* u, const double* p, double* out, double* work) const {
    entry_(context_.get(), u, p, out, work);
  }

 private:
  std::string name_;
  Entry entry_ = nullptr;
  std::shared_ptr<const void> context_;
  std::size_t variables_ = 0;
  std::size_t parameters_ = 0;
  std::size_t outputs_ = 0;
  std::size_t work_size_ = 0;
  int lanes_ = 1;
};

/// Makes a one-lane kernel from any callable f(u, p, out), for tests and for systems written by hand.
Kernel from_function(
    std::string name, std::size_t variables, std::size_t parameters, std::size_t outputs,
    std::function<void(std::span<const double> u, std::span<const double> p, std::span<double> out)> f);

/// The structural nonzeros of a Jacobian whose kernel outputs their values in this order.
struct Pattern {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<std::size_t> row;
  std::vector<std::size_t> col;
};

}  // namespace herglotz::kernel
