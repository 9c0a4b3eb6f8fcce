#pragma once
/// Ownership and error reporting for SUNDIALS objects.

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace herglotz::integrate::sundials {

/// C handle that Free(&handle) or Free(handle) frees.
template <typename Handle, auto Free>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle_ == nullptr) return;
    if constexpr (requires { Free(&handle_); }) {
      Free(&handle_);
    } else {
      Free(handle_);
    }
  }
  [[nodiscard]] Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

using Vector = Owned<N_Vector, N_VDestroy>;

/// Receiver of SUNDIALS' last error message, which would go to standard error otherwise.
struct ErrorText {
  std::string last;
  static void receive(int, const char*, const char* function, char* message, void* self) {
    static_cast<ErrorText*>(self)->last = std::string(function) + ": " + message;
  }
};

/// Returns the name of a flag from XXXGetReturnFlagName, whose result the caller owns.
inline std::string flag_name(char* owned) {
  const std::unique_ptr<char, decltype(&std::free)> name(owned, &std::free);
  return name ? std::string(name.get()) : std::string("unknown flag");
}

inline double* data(N_Vector vector) {
  return N_VGetArrayPointer(vector);
}

inline N_Vector copy_of(const std::vector<double>& values, SUNContext context) {
  N_Vector vector = N_VNew_Serial(static_cast<sunindextype>(values.size()), context);
  if (vector == nullptr) throw std::bad_alloc();
  N_VEnableFusedOps_Serial(vector, SUNTRUE);
  std::copy(values.begin(), values.end(), data(vector));
  return vector;
}

/// Context of SUNDIALS objects. It must be freed after everything made in it.
class Context {
 public:
  Context() {
    if (SUNContext_Create(nullptr, &context_) != 0) throw std::bad_alloc();
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { SUNContext_Free(&context_); }
  [[nodiscard]] SUNContext get() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

}  // namespace herglotz::integrate::sundials
