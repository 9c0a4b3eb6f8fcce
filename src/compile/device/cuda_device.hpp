#pragma once
/// Cards of NVIDIA as devices.

#include <memory>
#include <vector>

#include "herglotz/compile/device.hpp"

namespace herglotz::compile {

/// Returns what is known of each card, or the reason why there is no card.
std::vector<DeviceInfo> cuda_infos();
/// Opens the first card, which must be there.
std::shared_ptr<const Device> open_cuda();

}  // namespace herglotz::compile
