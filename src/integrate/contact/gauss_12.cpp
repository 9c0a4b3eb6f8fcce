#include "contact/stepper.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

Method contact_gauss_12_method() {
  return {contact_gauss_info(6), run_contact_gauss<6>};
}

}  // namespace herglotz::integrate
