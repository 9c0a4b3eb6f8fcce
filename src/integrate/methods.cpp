#include "contact/methods.hpp"

#include <algorithm>

#include "energy/methods.hpp"
#include "groupoid/methods.hpp"
#include "moreau/methods.hpp"
#include "radau/methods.hpp"
#include "registry.hpp"
#include "runge_kutta/methods.hpp"
#include "splitting/methods.hpp"
#include "stiff/methods.hpp"
#include "variational/methods.hpp"

namespace herglotz::integrate {

const std::vector<Method>& registry() {
  static const std::vector<Method> registered = [] {
    std::vector<Method> all;
    for (const auto& family : {runge_kutta_methods, stiff_methods, radau_methods, contact_methods, variational_methods,
                               splitting_methods, energy_methods, moreau_methods, groupoid_methods})
      for (auto& method : family()) all.push_back(std::move(method));
    return all;
  }();
  return registered;
}

const Method* registered_method(std::string_view name) {
  const auto& all = registry();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Method& method) { return method.info.name == name; });
  return it == all.end() ? nullptr : &*it;
}

std::vector<std::string> every_constraint() {
  return {"nonholonomic", "vakonomic", "holonomic"};
}

const std::vector<MethodInfo>& methods() {
  static const std::vector<MethodInfo> infos = [] {
    std::vector<MethodInfo> all;
    for (const auto& method : registry()) all.push_back(method.info);
    return all;
  }();
  return infos;
}

const MethodInfo* find_method(std::string_view name) {
  const Method* method = registered_method(name);
  return method == nullptr ? nullptr : &method->info;
}

}  // namespace herglotz::integrate
