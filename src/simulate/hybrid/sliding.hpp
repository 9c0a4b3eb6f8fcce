#pragma once
/// Contacts that slide.

#include "hybrid/course.hpp"

namespace herglotz::simulate {

/// Throws Failed for a contact whose friction leaves no motion that slides on from here. A slip as small as what forces
/// change velocities by within the resolution of time, `instant`, is rounding: of a body at rest all velocities are as
/// small.
void require_opening(const Course& course, const Motion& motion, const Start& here, double instant);

}  // namespace herglotz::simulate
