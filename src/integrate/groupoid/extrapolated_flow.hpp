#pragma once
/// Flow of the fields rho(x) psi on M to round-off, for group actions that are not affine.

#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/integrate/groupoid_kernels.hpp"

namespace herglotz::integrate {

/// Flow by Gragg's modified midpoint rule with 2, 4, 6, .. steps. It is extrapolated to zero step, since its errors are
/// even in the step [HNW93, II.9]. Copyable; owns its work space.
class ExtrapolatedFlow {
 public:
  ExtrapolatedFlow(const kernel::Kernel& generators, std::size_t n, std::size_t r, std::span<const double> parameters);
  ExtrapolatedFlow(const ExtrapolatedFlow&);
  ExtrapolatedFlow(ExtrapolatedFlow&&) noexcept;
  ExtrapolatedFlow& operator=(const ExtrapolatedFlow&);
  ExtrapolatedFlow& operator=(ExtrapolatedFlow&&) noexcept;
  ~ExtrapolatedFlow();

  /// Computes X . exp(psi) - X (n) at X = x + rest, and the part that rounding took from it. Returns false if the flow
  /// is not finite or could not be followed.
  bool displace(const double* x, const double* rest, const double* psi, double* displacement, double* rounded);

 private:
  bool move();
  bool extrapolate(double fraction);
  void take_field(const std::vector<long double>& displacement);

  static constexpr std::size_t columns = 9;

  const kernel::Kernel* generators_;
  std::span<const double> parameters_;
  std::size_t n_;
  std::size_t r_;
  std::vector<double> rho_;
  std::vector<double> work_;
  std::vector<double> psi_;
  std::vector<double> x_;
  std::vector<double> field_;
  // These have digits beyond double, without which the errors of orbits would add up over many steps.
  std::vector<long double> point_;
  std::vector<long double> moved_;
  std::vector<long double> previous_;
  std::vector<long double> current_;
  std::vector<long double> next_;
  std::vector<long double> piece_;
  std::vector<long double> table_;  // column by column
};

/// One flow for every lane. Its functions are compiled apart from the code for lanes, which is compiled for other
/// registers.
class LaneFlows {
 public:
  LaneFlows();
  LaneFlows(const LaneFlows&);
  LaneFlows& operator=(const LaneFlows&);
  ~LaneFlows();

  /// Sets the flow of one of `width` lanes.
  void set(std::size_t lane, std::size_t width, const ExtrapolatedFlow& flow);
  [[nodiscard]] bool empty() const;
  ExtrapolatedFlow& operator[](std::size_t lane);

 private:
  std::vector<ExtrapolatedFlow> flows_;
};

}  // namespace herglotz::integrate
