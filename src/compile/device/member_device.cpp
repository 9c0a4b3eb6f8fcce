#include "device/member_device.hpp"

#include "herglotz/compile/compile.hpp"

namespace herglotz::compile {

kernel::DeviceLoop MemberDevice::fixed(const MemberLoop& loop) const {
  return {groups_of(loop), (loop.rows - 2) / 2, loop.parameters, width()};
}

kernel::DeviceLoop MemberDevice::compile(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                         const kernel::ExplicitTableau& tableau,
                                         std::span<const std::size_t> kept) const {
  const SteppedTapes stepped = stepped_tapes(motion, entries, kept);
  return fixed(stepped_loop(stepped, tableau));
}

kernel::DeviceLoop MemberDevice::compile_composition(const symbolic::Program& step, std::size_t unread,
                                                     std::size_t substeps) const {
  const Tape tape = lower(step);
  return fixed(composed_loop(tape, unread, substeps));
}

kernel::AdaptiveLoop MemberDevice::compile_adaptive(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                                    const kernel::EmbeddedPair& pair) const {
  const StageTapes tapes = adaptive_tapes(motion, entries);
  return adaptive(adaptive_loop(tapes, entries, pair), entries);
}

kernel::AdaptiveLoop MemberDevice::compile_taylor(const symbolic::Program& motion,
                                                  const kernel::StateLayout& entries) const {
  const AnalyticTape tape = taylor_tape(motion, entries);
  return adaptive(taylor_loop(tape, entries), entries);
}

}  // namespace herglotz::compile
