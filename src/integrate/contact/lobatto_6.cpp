#include "contact/stepper.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

Method contact_lobatto_6_method() {
  return {contact_lobatto_info(4), run_contact_lobatto<4>};
}

}  // namespace herglotz::integrate
