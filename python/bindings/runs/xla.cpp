#include "runs/xla.hpp"

#ifdef HERGLOTZ_JAXLIB

#include <xla/ffi/api/ffi.h>

#include <cfenv>
#include <cstdint>
#include <exception>
#include <span>

#include "runs/interrupts.hpp"
#include "runs/registry.hpp"

namespace herglotz::python {
namespace {

namespace ffi = xla::ffi;
using Numbers = ffi::Buffer<ffi::F64>;
using Found = ffi::Result<Numbers>;

/// Arithmetic as a program begins with it. XLA may have small numbers flushed to zero in its threads.
class PlainArithmetic {
 public:
  PlainArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  PlainArithmetic(const PlainArithmetic&) = delete;
  PlainArithmetic& operator=(const PlainArithmetic&) = delete;
  ~PlainArithmetic() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_{};
};

std::span<const double> numbers(const Numbers& buffer) {
  return {buffer.typed_data(), buffer.element_count()};
}

/// The buffer with the dimensions before its last ones as leading ones.
Members members(const Numbers& buffer, std::size_t last) {
  const auto dimensions = buffer.dimensions();
  return {numbers(buffer), Shape(dimensions.begin(), dimensions.end() - static_cast<std::ptrdiff_t>(last))};
}

/// XLA calls from threads of its own, without the interpreter: Ctrl-C ends the work with an error, and Python raises
/// KeyboardInterrupt once it has that.
template <class Work>
ffi::Error with_function(std::int64_t number, Found& into, const Work& work) {
  try {
    const PlainArithmetic plain;
    const Interrupts interrupts;
    work(*function_of(number), std::span<double>(into->typed_data(), into->element_count()),
         [&] { interrupts.attend(); });
    return ffi::Error::Success();
  } catch (const std::exception& error) {
    return {ffi::ErrorCode::kAborted, error.what()};
  }
}

ffi::Error values(std::int64_t number, Numbers u, Found into) {
  return with_function(number, into, [&](VectorFunction& f, std::span<double> found, const Attend& attend) {
    f.values(numbers(u), found, attend);
  });
}

ffi::Error variation(std::int64_t number, Numbers u, Numbers du, Found into) {
  return with_function(number, into, [&](VectorFunction& f, std::span<double> found, const Attend& attend) {
    along(f, members(u, 1), members(du, 1), found, attend);
  });
}

ffi::Error adjoint(std::int64_t number, Numbers u, Numbers c, Found into) {
  return with_function(number, into, [&](VectorFunction& f, std::span<double> found, const Attend& attend) {
    back(f, members(u, 1), members(c, f.shape().size()), found, attend);
  });
}

auto with_one() {
  return ffi::Ffi::Bind().Attr<std::int64_t>("function").Arg<Numbers>().Ret<Numbers>();
}

auto with_two() {
  return ffi::Ffi::Bind().Attr<std::int64_t>("function").Arg<Numbers>().Arg<Numbers>().Ret<Numbers>();
}

XLA_FFI_DEFINE_HANDLER(values_handler, values, with_one());
XLA_FFI_DEFINE_HANDLER(variation_handler, variation, with_two());
XLA_FFI_DEFINE_HANDLER(adjoint_handler, adjoint, with_two());

nanobind::dict handlers() {
  nanobind::dict by_name;
  by_name["herglotz_values"] = nanobind::capsule(reinterpret_cast<void*>(values_handler));
  by_name["herglotz_variation"] = nanobind::capsule(reinterpret_cast<void*>(variation_handler));
  by_name["herglotz_adjoint"] = nanobind::capsule(reinterpret_cast<void*>(adjoint_handler));
  return by_name;
}

}  // namespace

void bind_xla(nanobind::module_& module) {
  module.attr("xla_jaxlib") = HERGLOTZ_JAXLIB;
  module.def("xla_handlers", &handlers, "Handlers of custom calls, by the names of their targets.");
}

}  // namespace herglotz::python

#else

namespace herglotz::python {

void bind_xla(nanobind::module_& module) {
  module.attr("xla_jaxlib") = nanobind::none();
  module.def("xla_handlers", [] { return nanobind::dict(); }, "Nothing: there was no header of XLA to compile with.");
}

}  // namespace herglotz::python

#endif
