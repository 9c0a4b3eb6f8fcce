#include "contact/stepper.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

Method contact_lobatto_4_method() {
  return {contact_lobatto_info(3), run_contact_lobatto<3>};
}

}  // namespace herglotz::integrate
