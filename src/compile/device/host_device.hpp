#pragma once
/// The processor of this machine as a device, for tests.

#include <memory>

#include "herglotz/compile/device.hpp"

namespace herglotz::compile {

DeviceInfo host_info();
std::shared_ptr<const Device> open_host();

}  // namespace herglotz::compile
