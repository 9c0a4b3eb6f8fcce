#pragma once
/// Machine code of loops over steps of a motion.

#include <cstddef>
#include <memory>
#include <utility>

#include "herglotz/kernel/loop_entries.hpp"

namespace herglotz::kernel {

/// Compiled loop over steps of y' = f(t, y) in lanes; `Call` says what one call does. Row i of lane k is entry
/// i lanes() + k of an array. A loop is copyable, immutable and thread-safe.
template <class Call>
class CompiledLoop {
 public:
  using Entry = void (*)(const void* context, double* state, const double* p, const Call* call, double* work);

  CompiledLoop() = default;
  CompiledLoop(Entry entry, std::shared_ptr<const void> context, const StateLayout& entries, std::size_t parameters,
               std::size_t work_size, int lanes)
      : entry_(entry),
        context_(std::move(context)),
        entries_(entries),
        parameters_(parameters),
        work_size_(work_size),
        lanes_(lanes) {}

  [[nodiscard]] const StateLayout& entries() const { return entries_; }
  [[nodiscard]] std::size_t parameters() const { return parameters_; }
  /// Returns the number of doubles of scratch that a call needs (all lanes together).
  [[nodiscard]] std::size_t work_size() const { return work_size_; }
  [[nodiscard]] int lanes() const { return lanes_; }
  explicit operator bool() const { return entry_ != nullptr; }

  void operator()(double* state, const double* p, const Call& call, double* work) const {
    entry_(context_.get(), state, p, &call, work);
  }

 private:
  Entry entry_ = nullptr;
  std::shared_ptr<const void> context_;
  StateLayout entries_;
  std::size_t parameters_ = 0;
  std::size_t work_size_ = 0;
  int lanes_ = 1;
};

}  // namespace herglotz::kernel
