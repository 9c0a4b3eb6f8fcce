#include "contact_runge_kutta.hpp"

namespace herglotz::integrate {

Method contact_gauss_4_method() {
  return {contact_gauss_info(2), run_contact_gauss<2>};
}

}  // namespace herglotz::integrate
