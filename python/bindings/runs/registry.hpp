#pragma once
/// Functions of vectors by number: machine code that other libraries make calls them by that.

#include <cstdint>
#include <memory>

#include "runs/vector_function.hpp"

namespace herglotz::python {

/// Returns the function of a number. Throws Failed if it is gone.
std::shared_ptr<VectorFunction> function_of(std::int64_t number);

/// A function with its number, by which it is found as long as this object is there.
class Registered {
 public:
  explicit Registered(std::shared_ptr<VectorFunction> function);
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  ~Registered();

  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] const std::shared_ptr<VectorFunction>& function() const { return function_; }

 private:
  std::shared_ptr<VectorFunction> function_;
  std::int64_t number_;
};

}  // namespace herglotz::python
