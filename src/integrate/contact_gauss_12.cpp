#include "contact_runge_kutta.hpp"

namespace herglotz::integrate {

Method contact_gauss_12_method() {
  return {contact_gauss_info(6), run_contact_gauss<6>};
}

}  // namespace herglotz::integrate
