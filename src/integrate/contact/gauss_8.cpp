#include "contact/stepper.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

Method contact_gauss_8_method() {
  return {contact_gauss_info(4), run_contact_gauss<4>};
}

}  // namespace herglotz::integrate
