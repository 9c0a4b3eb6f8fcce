#pragma once
/// The flow of the fields rho(x) psi on M to round-off, for group actions that are not affine.

#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/integrate/groupoid_map.hpp"

namespace herglotz::integrate {

/// Gragg's modified midpoint rule with 2, 4, 6, .. steps, extrapolated to zero step, errors being even in the step
/// [HNW93, II.9]. Copyable; owns its work space.
class ExtrapolatedFlow {
 public:
  ExtrapolatedFlow(const kernel::Kernel& generators, std::size_t n, std::size_t r, std::span<const double> parameters);
  ExtrapolatedFlow(const ExtrapolatedFlow&);
  ExtrapolatedFlow(ExtrapolatedFlow&&) noexcept;
  ExtrapolatedFlow& operator=(const ExtrapolatedFlow&);
  ExtrapolatedFlow& operator=(ExtrapolatedFlow&&) noexcept;
  ~ExtrapolatedFlow();

  /// X . exp(psi) - X (n) at X = x + rest, and what rounding took from it. False where the flow is not finite or could
  /// not be followed.
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
  // Digits beyond double, without which the errors of orbits would add up over many steps.
  std::vector<long double> point_;
  std::vector<long double> moved_;
  std::vector<long double> previous_;
  std::vector<long double> current_;
  std::vector<long double> next_;
  std::vector<long double> piece_;
  std::vector<long double> table_;  // column by column
};

/// One flow for every lane. Nothing of it is written in code for lanes, which is compiled for other registers.
class LaneFlows {
 public:
  LaneFlows();
  LaneFlows(const LaneFlows&);
  LaneFlows& operator=(const LaneFlows&);
  ~LaneFlows();

  /// Of `width` lanes.
  void set(std::size_t lane, std::size_t width, const ExtrapolatedFlow& flow);
  [[nodiscard]] bool empty() const;
  ExtrapolatedFlow& operator[](std::size_t lane);

 private:
  std::vector<ExtrapolatedFlow> flows_;
};

}  // namespace herglotz::integrate
