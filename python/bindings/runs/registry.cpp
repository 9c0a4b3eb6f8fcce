#include "runs/registry.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "herglotz/error.hpp"

namespace herglotz::python {
namespace {

struct Registry {
  std::mutex mutex{};
  std::int64_t last = 0;
  std::unordered_map<std::int64_t, std::shared_ptr<VectorFunction>> functions{};
};

/// Threads of other libraries may ask for functions while the process ends, so it is never destroyed.
Registry& registry() {
  static auto* const only = new Registry;
  return *only;
}

}  // namespace

std::shared_ptr<VectorFunction> function_of(std::int64_t number) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  const auto at = all.functions.find(number);
  if (at == all.functions.end())
    throw Failed("the runs that compiled code asks for are gone", "compile it again in this process");
  return at->second;
}

Registered::Registered(std::shared_ptr<VectorFunction> function) : function_(std::move(function)) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  number_ = ++all.last;
  all.functions.emplace(number_, function_);
}

Registered::~Registered() {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  all.functions.erase(number_);  // `function_` is still there, so nothing is destroyed under the lock
}

}  // namespace herglotz::python
