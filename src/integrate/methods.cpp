#include <algorithm>

#include "drive/method.hpp"
#include "registry.hpp"

namespace herglotz::integrate {

const std::vector<Method>& registry() {
  static const std::vector<Method> registered{reference_method(),
                                              taylor_method(),
                                              runge_kutta_4_method(),
                                              runge_kutta_8_method(),
                                              stiff_method(),
                                              contact_gauss_2_method(),
                                              contact_gauss_4_method(),
                                              contact_gauss_6_method(),
                                              contact_gauss_8_method(),
                                              contact_gauss_10_method(),
                                              contact_gauss_12_method(),
                                              contact_lobatto_2_method(),
                                              contact_lobatto_4_method(),
                                              contact_lobatto_6_method(),
                                              contact_lobatto_8_method(),
                                              contact_galerkin_2_method(),
                                              contact_galerkin_4_method(),
                                              contact_galerkin_6_method(),
                                              contact_galerkin_8_method(),
                                              contact_splitting_2_method(),
                                              contact_splitting_4_method(),
                                              contact_splitting_6_method(),
                                              contact_splitting_8_method(),
                                              contact_energy_2_method(),
                                              contact_energy_4_method(),
                                              lie_hph_2_method(),
                                              lie_hph_4_method(),
                                              lie_hph_cayley_2_method(),
                                              lie_hph_cayley_4_method(),
                                              contact_rattle_2_method(),
                                              contact_rattle_4_method(),
                                              contact_dla_2_method(),
                                              contact_dla_4_method(),
                                              discrete_herglotz_method(),
                                              discrete_galerkin_method()};
  return registered;
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
  const auto& all = methods();
  const auto it = std::find_if(all.begin(), all.end(), [&](const MethodInfo& info) { return info.name == name; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace herglotz::integrate
