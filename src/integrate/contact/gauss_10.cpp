#include "contact/stepper.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

Method contact_gauss_10_method() {
  return {contact_gauss_info(5), run_contact_gauss<5>};
}

}  // namespace herglotz::integrate
