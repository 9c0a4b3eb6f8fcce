// This file is compiled once for each width of registers, which CMake defines.
// It holds the steps of contact Runge-Kutta methods in the registers of W lanes.

#include "contact/lanes.hpp"

#include "contact/step.hpp"

namespace herglotz::integrate {

template <int W, int S>
class ContactLanesOf final : public ContactLanes {
 public:
  ContactLanesOf(const Dynamics& wide, const double* parameters, ContactScheme scheme)
      : step_(wide, parameters, contact_tableau<S>(scheme.gauss), kept_iterations(scheme, wide.variables() - 1)) {}

  [[nodiscard]] std::unique_ptr<ContactLanes> copy() const override {
    return std::unique_ptr<ContactLanes>(new ContactLanesOf(*this));
  }
  void follow(const ContactLanes& other) override { step_.follow(static_cast<const ContactLanesOf&>(other).step_); }

  [[nodiscard]] const double* state() const override { return plain(step_.state().data()); }
  double* last_state() override { return plain(step_.last_state()); }
  double* moves() override { return plain(step_.moves()); }
  void start(int lane, const double* last, const double* carried) override {
    for (std::size_t i = 0; i < step_.state_size(); ++i) {
      Pack<W> entry = step_.state()[i];
      entry.set(lane, carried[i]);
      step_.state().set(i, entry);
    }
    for (std::size_t j = 0; j < step_.equations().layout().size; ++j) step_.last_state()[j].set(lane, last[j]);
  }

  unsigned step(double t, double h, unsigned lanes) override {
    return bits_of(step_.step(t, h, Mask<W>::of_bits(lanes)));
  }
  bool show_end() override {
    if (!step_.velocity_known()) {
      step_.guess_end();
      return true;
    }
    step_.take_positions();
    return false;
  }
  void end_is_known() override { step_.velocity_known(true); }
  [[nodiscard]] bool projects() const override { return step_.projects(); }
  void begin_projection() override { step_.begin_projection(); }
  unsigned project_directly(double t, unsigned lanes) override {
    return bits_of(step_.project_directly(t, Mask<W>::of_bits(lanes)));
  }
  void end_projection() override { step_.end_projection(); }

 private:
  ContactStep<Pack<W>, S, 0> step_;
};

template <int W>
std::unique_ptr<ContactLanes> make_contact_lanes(const Dynamics& wide, const double* parameters, ContactScheme scheme) {
  const auto made = [&]<int S>() {
    return std::unique_ptr<ContactLanes>(new ContactLanesOf<W, S>(wide, parameters, scheme));
  };
  switch (scheme.stages) {
    case 1:
      return made.template operator()<1>();
    case 2:
      return made.template operator()<2>();
    case 3:
      return made.template operator()<3>();
    case 4:
      return made.template operator()<4>();
    case 5:
      return made.template operator()<5>();
    default:
      return made.template operator()<6>();
  }
}

template std::unique_ptr<ContactLanes> make_contact_lanes<HERGLOTZ_WIDTH>(const Dynamics& wide,
                                                                          const double* parameters,
                                                                          ContactScheme scheme);

}  // namespace herglotz::integrate
