#pragma once
/// The device that follows the members of an ensemble.

#include <string>
#include <vector>

#include "herglotz/simulate/members.hpp"

namespace herglotz::ensemble {

/// Returns the members on a device by its name: cpu, host, cuda, hip or auto. `auto` takes the first card if it is
/// there and follows these members, otherwise the processor with `lanes` lanes. `taken` becomes a text for users on
/// what was taken, which is empty for cpu. Throws Refused if the device is not there or does not follow these members.
simulate::Members members_on(const std::string& device, int lanes, const simulate::Simulator& simulator,
                             const simulate::Common& common, const std::vector<simulate::Varying>& varying,
                             std::string& taken);

}  // namespace herglotz::ensemble
