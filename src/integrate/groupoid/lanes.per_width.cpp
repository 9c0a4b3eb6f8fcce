// This file is compiled once for each width of registers, which CMake defines.
// It holds the steps of methods on action groupoids in the registers of W lanes.

#include "groupoid/lanes.hpp"

#include "groupoid/motion.hpp"

namespace herglotz::integrate {

template <int W>
class GroupoidLanesOf final : public GroupoidLanes {
 public:
  GroupoidLanesOf(const Dynamics& wide, const double* parameters, const GroupoidScheme& scheme)
      : motion_(wide, parameters, scheme.kind, scheme.fractions) {}

  [[nodiscard]] std::unique_ptr<GroupoidLanes> copy() const override {
    return std::unique_ptr<GroupoidLanes>(new GroupoidLanesOf(*this));
  }
  void follow(const GroupoidLanes& other) override {
    motion_.follow(static_cast<const GroupoidLanesOf&>(other).motion_);
  }

  [[nodiscard]] const double* state() const override { return plain(motion_.state().data()); }
  [[nodiscard]] const double* xi() const override { return plain(motion_.one_step().xi().data()); }
  void start(int lane, const GroupStructure& group, const ActionNumbers& action, const double* state, const double* xi,
             const double* multipliers) override {
    GroupoidStep<Pack<W>>& step = motion_.one_step();
    step.take(lane, group, action);
    for (std::size_t i = 0; i < motion_.state_size(); ++i) {
      Pack<W> entry = motion_.state()[i];
      entry.set(lane, state[i]);
      motion_.state().set(i, entry);
    }
    for (std::size_t a = 0; a < step.xi().size(); ++a) step.xi()[a].set(lane, xi[a]);
    for (std::size_t A = 0; A < step.multipliers().size(); ++A) step.multipliers()[A].set(lane, multipliers[A]);
  }
  unsigned step(double t, double h, unsigned lanes) override {
    return bits_of(motion_.step(t, h, Mask<W>::of_bits(lanes)));
  }

 private:
  GroupoidMotion<Pack<W>> motion_;
};

template <int W>
std::unique_ptr<GroupoidLanes> make_groupoid_lanes(const Dynamics& wide, const double* parameters,
                                                   const GroupoidScheme& scheme) {
  return std::make_unique<GroupoidLanesOf<W>>(wide, parameters, scheme);
}

template std::unique_ptr<GroupoidLanes> make_groupoid_lanes<HERGLOTZ_WIDTH>(const Dynamics& wide,
                                                                            const double* parameters,
                                                                            const GroupoidScheme& scheme);

}  // namespace herglotz::integrate
