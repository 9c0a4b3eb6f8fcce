// This file is compiled once for each number of stages, which CMake defines.
#include "contact/stepper.hpp"

namespace herglotz::integrate {

template Outcome run_contact<HERGLOTZ_STAGES>(const Run& run, ContactScheme scheme);

}  // namespace herglotz::integrate
