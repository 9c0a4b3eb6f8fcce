#include "contact/stepper.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

Method contact_lobatto_8_method() {
  return {contact_lobatto_info(5), run_contact_lobatto<5>};
}

}  // namespace herglotz::integrate
