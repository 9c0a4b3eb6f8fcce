#include "contact_runge_kutta.hpp"

namespace herglotz::integrate {

Method contact_gauss_6_method() {
  return {contact_gauss_info(3), run_contact_gauss<3>};
}

}  // namespace herglotz::integrate
