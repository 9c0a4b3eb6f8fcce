#include "herglotz/kernel/kernel.hpp"

#include <utility>

#include "herglotz/error.hpp"

namespace herglotz::kernel {

namespace {

using Function = std::function<void(std::span<const double>, std::span<const double>, std::span<double>)>;

struct Callable {
  Function f;
  std::size_t variables;
  std::size_t parameters;
  std::size_t outputs;
};

void call(const void* context, const double* u, const double* p, double* out, double* /*work*/) {
  const auto& callable = *static_cast<const Callable*>(context);
  callable.f({u, callable.variables}, {p, callable.parameters}, {out, callable.outputs});
}

}  // namespace

Kernel from_function(std::string name, std::size_t variables, std::size_t parameters, std::size_t outputs, Function f) {
  if (!f) throw Refused("kernel '" + name + "' is made from an empty function", "give it a callable");
  auto context = std::make_shared<const Callable>(Callable{std::move(f), variables, parameters, outputs});
  return {std::move(name), call, std::move(context), variables, parameters, outputs, 0, 1};
}

}  // namespace herglotz::kernel
