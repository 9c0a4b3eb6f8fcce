// This file is compiled once for each width of registers, which CMake defines.
// It holds the steps of methods that obey the energy law in the registers of W lanes.

#include "energy/lanes.hpp"

#include "energy/step.hpp"

namespace herglotz::integrate {

template <int W>
class EnergyLanesOf final : public EnergyLanes {
 public:
  EnergyLanesOf(const Dynamics& wide, const double* parameters, std::span<const double> fractions)
      : step_(wide, parameters, fractions) {}

  [[nodiscard]] std::unique_ptr<EnergyLanes> copy() const override {
    return std::unique_ptr<EnergyLanes>(new EnergyLanesOf(*this));
  }
  void follow(const EnergyLanes& other) override { step_.follow(static_cast<const EnergyLanesOf&>(other).step_); }

  [[nodiscard]] const double* state() const override { return plain(step_.state().data()); }
  [[nodiscard]] const double* last_state() const override { return plain(step_.last_state().data()); }
  void start(int lane, const double* last, const double* state, double mass) override {
    step_.set_mass(Mask<W>::of_bits(1U << static_cast<unsigned>(lane)), Pack<W>(mass));
    for (std::size_t i = 0; i < step_.state_size(); ++i) {
      Pack<W> entry = step_.state()[i];
      entry.set(lane, state[i]);
      step_.state().set(i, entry);
    }
    for (std::size_t i = 0; i < step_.last_state().size(); ++i) step_.last_state()[i].set(lane, last[i]);
  }
  unsigned step(double t, double h, unsigned lanes) override {
    return bits_of(step_.step(t, h, Mask<W>::of_bits(lanes)));
  }

 private:
  EnergyStep<Pack<W>> step_;
};

template <int W>
std::unique_ptr<EnergyLanes> make_energy_lanes(const Dynamics& wide, const double* parameters,
                                               std::span<const double> fractions) {
  return std::make_unique<EnergyLanesOf<W>>(wide, parameters, fractions);
}

template std::unique_ptr<EnergyLanes> make_energy_lanes<HERGLOTZ_WIDTH>(const Dynamics& wide, const double* parameters,
                                                                        std::span<const double> fractions);

}  // namespace herglotz::integrate
