#include "contact_runge_kutta.hpp"

namespace herglotz::integrate {

Method contact_lobatto_6_method() {
  return {contact_lobatto_info(4), run_contact_lobatto<4>};
}

}  // namespace herglotz::integrate
