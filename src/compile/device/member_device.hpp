#pragma once
/// Devices that run the function of emit_member_kernel() in each thread.

#include "device/member_loop.hpp"
#include "herglotz/compile/device.hpp"

namespace herglotz::compile {

/// Device that compiles loops of members; what the loops are is the same for all devices.
class MemberDevice : public Device {
 public:
  [[nodiscard]] kernel::DeviceLoop compile(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                           const kernel::ExplicitTableau& tableau,
                                           std::span<const std::size_t> kept) const final;
  [[nodiscard]] kernel::DeviceLoop compile_composition(const symbolic::Program& step, std::size_t unread,
                                                       std::size_t substeps) const final;
  [[nodiscard]] kernel::AdaptiveLoop compile_adaptive(const symbolic::Program& motion,
                                                      const kernel::StateLayout& entries,
                                                      const kernel::EmbeddedPair& pair) const final;
  [[nodiscard]] kernel::AdaptiveLoop compile_taylor(const symbolic::Program& motion,
                                                    const kernel::StateLayout& entries) const final;

 private:
  [[nodiscard]] kernel::DeviceLoop fixed(const MemberLoop& loop) const;
  /// Returns the number of runs of a group.
  [[nodiscard]] virtual std::size_t width() const = 0;
  /// Compiles a loop over steps of one size to a maker of groups.
  [[nodiscard]] virtual kernel::DeviceLoop::MakeRuns groups_of(const MemberLoop& loop) const = 0;
  /// Compiles a loop over adaptive steps.
  [[nodiscard]] virtual kernel::AdaptiveLoop adaptive(const MemberLoop& loop,
                                                      const kernel::StateLayout& entries) const = 0;
};

}  // namespace herglotz::compile
