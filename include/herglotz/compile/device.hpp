#pragma once
/// Devices: processors that follow the members of an ensemble, one member in each thread.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/device_loop.hpp"
#include "herglotz/kernel/embedded_pair.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile {

/// Facts about a device.
struct DeviceInfo {
  std::string name;         ///< as a user names it: cpu, host, cuda or hip
  std::string description;  ///< such as the name of a card
  std::size_t memory = 0;   ///< memory of its own in bytes; 0 if it has none
  std::string missing;      ///< the reason for which it cannot be used; empty if it can
};

/// Returns what is known of every device. `cuda` is listed once for each card, and once without a card if there is
/// none.
std::vector<DeviceInfo> devices();
/// Returns the names that open_device() takes.
std::vector<std::string> device_names();

/// Device that has been opened; it may be used from several threads.
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  /// Compiles the loop that compile_runge_kutta() compiles for lanes. Throws Refused if the steps are too long for a
  /// device, and CompileError if the device does not accept the code.
  [[nodiscard]] virtual kernel::DeviceLoop compile(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                                   const kernel::ExplicitTableau& tableau,
                                                   std::span<const std::size_t> kept) const = 0;
  /// Compiles the loop that compile_loop() compiles for lanes, for steps of so many substeps. Throws as compile().
  [[nodiscard]] virtual kernel::DeviceLoop compile_composition(const symbolic::Program& step, std::size_t unread,
                                                               std::size_t substeps) const = 0;
  /// Compiles the loop that compile_adaptive() compiles for lanes, with as many lanes as a group of the device has
  /// runs. Each run has a bounded number of tries at a time; then those that are under way go on. A run that needs a
  /// function that the device does not have becomes `undefined`. Throws as compile(); a call throws Failed if the
  /// device fails.
  [[nodiscard]] virtual kernel::AdaptiveLoop compile_adaptive(const symbolic::Program& motion,
                                                              const kernel::StateLayout& entries,
                                                              const kernel::EmbeddedPair& pair) const = 0;
  /// Compiles the loop that compile_taylor() compiles for lanes, and otherwise behaves like compile_adaptive(). Throws
  /// CompileError too if y' has kinks or is too long.
  [[nodiscard]] virtual kernel::AdaptiveLoop compile_taylor(const symbolic::Program& motion,
                                                            const kernel::StateLayout& entries) const = 0;
};

/// Opens a device other than `cpu`: `host` is this machine's processor, which runs the code of a device for one member
/// after the other, for tests; `cuda` is the first card that NVIDIA's driver shows. Throws Refused for a device that is
/// not there, and for an unknown name.
std::shared_ptr<const Device> open_device(const std::string& name);

}  // namespace herglotz::compile
