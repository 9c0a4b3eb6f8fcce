#include "herglotz/control/methods.hpp"

namespace herglotz::control {

const std::vector<Method>& methods() {
  const std::string one_anchor = "any with one anchor";
  static const std::vector<Method> known{
      {"direct-gauss-2", 2, true, one_anchor, "the contact Gauss scheme of the extremals"},
      {"direct-gauss-4", 4, true, one_anchor, "the contact Gauss scheme of the extremals"},
      {"direct-gauss-6", 6, true, one_anchor, "the contact Gauss scheme of the extremals"},
      {"direct-lobatto-2", 2, true, one_anchor, "Lobatto IIIB, with the states by IIIA"},
      {"direct-lobatto-4", 4, true, one_anchor, "Lobatto IIIB, with the states by IIIA"},
      {"direct-lie-2", 2, true, "with a group that acts affinely or by angles",
       "a step on the group (lie-hph), which keeps Casimirs of the costates"},
      {"direct-herglotz", 0, false, "tangent", "the discrete Herglotz equations; DMOC for controlled mechanics"},
      {"shooting", 8, true, one_anchor, "the extremals themselves, followed from the solution of direct-gauss-6"},
  };
  return known;
}

}  // namespace herglotz::control
