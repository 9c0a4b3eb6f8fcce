#include "contact/stepper.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

Method contact_gauss_6_method() {
  return {contact_gauss_info(3), run_contact_gauss<3>};
}

}  // namespace herglotz::integrate
