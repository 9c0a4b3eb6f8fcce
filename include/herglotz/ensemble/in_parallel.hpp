#pragma once
/// Loops over the cores, with what the thread sanitizer must know of them.

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#define HERGLOTZ_WATCHES_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HERGLOTZ_WATCHES_THREADS 1
#endif
#endif

#ifdef HERGLOTZ_WATCHES_THREADS
#include <sanitizer/tsan_interface.h>
#endif

namespace herglotz::ensemble {

/// Tells the thread sanitizer what TBB promises of a parallel loop: every call in the loop sees what was written before
/// it, and what the calls wrote is seen after it. Nothing is promised between two calls. The sanitizer cannot see this
/// by itself, since TBB's library is not compiled with it. Without the sanitizer the class does nothing.
class LoopOrder {
 public:
#ifdef HERGLOTZ_WATCHES_THREADS
  LoopOrder() { __tsan_release(&begun_); }
  ~LoopOrder() { __tsan_acquire(&ended_); }
  void enter() { __tsan_acquire(&begun_); }
  void leave() { __tsan_release(&ended_); }

 private:
  char begun_ = 0;
  char ended_ = 0;

 public:
#else
  void enter() {}
  void leave() {}
#endif

  /// One call of the loop.
  class Call {
   public:
    explicit Call(LoopOrder& order) : order_(order) { order_.enter(); }
    ~Call() { order_.leave(); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    LoopOrder& order_;
  };
};

/// Calls `visit(begin, end)` for parts of 0, .., count - 1 that cover it once, on the threads of the arena that it is
/// called in. `partitioner` is one of TBB's: by default parts are as large as balance allows, with `simple_partitioner`
/// each is one number. What a call throws is thrown here.
template <class Visit, class Partitioner = tbb::auto_partitioner>
void in_parallel(std::size_t count, const Visit& visit, const Partitioner& partitioner = {}) {
  LoopOrder order;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const tbb::blocked_range<std::size_t>& part) {
        const LoopOrder::Call call(order);
        visit(part.begin(), part.end());
      },
      partitioner);
}

/// The same, called as `visit(k)` for each k = 0, .., count - 1.
template <class Visit, class Partitioner = tbb::auto_partitioner>
void each_in_parallel(std::size_t count, const Visit& visit, const Partitioner& partitioner = {}) {
  in_parallel(
      count,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k != end; ++k) visit(k);
      },
      partitioner);
}

}  // namespace herglotz::ensemble
