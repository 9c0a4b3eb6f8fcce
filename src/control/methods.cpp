#include "herglotz/control/methods.hpp"

namespace herglotz::control {

const std::vector<Method>& methods() {
  static const std::vector<Method> known{
      {"direct-gauss-2", 2, "the contact Gauss scheme of the extremals"},
      {"direct-gauss-4", 4, "the contact Gauss scheme of the extremals"},
      {"direct-gauss-6", 6, "the contact Gauss scheme of the extremals"},
      {"direct-herglotz", 0, "the discrete Herglotz equations; DMOC for controlled mechanics"},
  };
  return known;
}

}  // namespace herglotz::control
