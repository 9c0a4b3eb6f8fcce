#include "contact/stepper.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

Method contact_gauss_2_method() {
  return {contact_gauss_info(1), run_contact_gauss<1>};
}

}  // namespace herglotz::integrate
