// This file is compiled once for each width of registers, which CMake defines.
// It holds the steps of variational methods in the registers of W lanes.

#include "variational/lanes.hpp"

#include "variational/discrete_step.hpp"
#include "variational/galerkin_step.hpp"

namespace herglotz::integrate {

/// Steps of W lanes. Step is DiscreteHerglotzStep or GalerkinStep of Pack<W>.
template <int W, class Step>
class VariationalLanesOf final : public VariationalLanes {
 public:
  explicit VariationalLanesOf(const Step& step) : step_(step) {}

  [[nodiscard]] std::unique_ptr<VariationalLanes> copy() const override {
    return std::unique_ptr<VariationalLanes>(new VariationalLanesOf(*this));
  }
  void follow(const VariationalLanes& other) override {
    step_.follow(static_cast<const VariationalLanesOf&>(other).step_);
  }
  void forget() override { step_.forget(); }
  void start(int lane, const double* last, const double* carried) override { step_.carried().set(lane, last, carried); }
  unsigned step(double t, double h, unsigned lanes) override {
    return bits_of(step_.step(t, h, Mask<W>::of_bits(lanes)));
  }
  unsigned show(double t, unsigned lanes) override {
    return bits_of(step_.carried().recover_velocity(t, Mask<W>::of_bits(lanes)));
  }
  [[nodiscard]] const double* carried() const override { return plain(step_.carried().data()); }
  const double* last_state() override { return plain(step_.carried().last_state()); }

 private:
  Step step_;
};

template <int W>
std::unique_ptr<VariationalLanes> make_variational_lanes(const Dynamics& wide, const double* parameters,
                                                         const GalerkinPolynomials* polynomials) {
  using P = Pack<W>;
  if (polynomials == nullptr)
    return std::unique_ptr<VariationalLanes>(
        new VariationalLanesOf<W, DiscreteHerglotzStep<P>>(DiscreteHerglotzStep<P>(wide, parameters)));
  return std::unique_ptr<VariationalLanes>(
      new VariationalLanesOf<W, GalerkinStep<P>>(GalerkinStep<P>(wide, parameters, *polynomials)));
}

template std::unique_ptr<VariationalLanes> make_variational_lanes<HERGLOTZ_WIDTH>(
    const Dynamics& wide, const double* parameters, const GalerkinPolynomials* polynomials);

}  // namespace herglotz::integrate
