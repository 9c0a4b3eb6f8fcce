#include "contact/stepper.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

Method contact_gauss_4_method() {
  return {contact_gauss_info(2), run_contact_gauss<2>};
}

}  // namespace herglotz::integrate
