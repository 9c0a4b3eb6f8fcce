#pragma once
/// Discrete Hamilton-Pontryagin-Herglotz methods on action groupoids, with and without constraints.

#include <optional>
#include <vector>

#include "fixed_step.hpp"
#include "groupoid_step.hpp"
#include "rates.hpp"
#include "saddle_point.hpp"

namespace herglotz::integrate {

/// Symmetric compositions of GroupoidStep: one step of each fraction of h in turn. The state is (x, mu, z) in the frame
/// where the structure constants are constant, mu = B^T p. Budgets follow the momenta,
///   (1 - h/2 L_z,1) g1 = (1 + h/2 L_z,0) g0 + (h/2)(source_0 + source_1),
/// the sources being those of (x0, B xi, z0, lambda) and (x1, B xi, z1, lambda') with the multipliers of the step,
/// kappa/h and kappa'/h; log R1 = log R0 - log sigma. Multipliers in samples are those of the state.
class GroupoidStepper final : public FixedStepper {
 public:
  GroupoidStepper(const Run& run, RetractionKind kind, std::vector<double> fractions);

  Status start() override;
  Status step(double t, double h) override;
  Status sample(double t, Sample& sample) override;
  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<GroupoidStepper>(*this); }
  void follow(const FixedStepper& other) override;
  [[nodiscard]] std::span<const double> last_state() override;
  [[nodiscard]] const std::string& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return step_.iterations(); }

 private:
  void take_frame(const double* x);
  void load(const double* x, double z, double t, const double* l);
  Status find_start();
  void guess_velocity();
  Status know_velocity(double t);
  void advance(double h);
  void add_sources(const GroupoidStage& stage, const Eigen::VectorXd& impulse, double h);

  const Run run_;
  std::vector<double> fractions_;
  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::size_t base_;  // n + r + 1
  std::size_t laws_;
  GroupoidStep step_;
  SaddlePoint saddle_;
  std::optional<Rates> rates_;
  CompensatedVector state_;  // x, mu, z, log factor, budgets
  CompensatedVector before_;
  std::vector<double> last_state_;  // (x, w, z), w being the last one known
  std::vector<double> multipliers_;
  bool velocity_known_ = false;
  std::vector<double> v_;  // (x, w, z, t, l)
  std::vector<double> frame_values_;
  std::vector<double> balance_;
  std::vector<double> sources_;
  std::vector<double> work_;
  Eigen::MatrixXd frame_;
  Eigen::VectorXd xi_;
  Eigen::VectorXd w_;
  std::string reason_;
};

/// The fractions of h of a symmetric composition of symmetric steps of order 2, for order 2 or 4: Suzuki's five,
/// [HLW06, II.4], whose error constants are far below those of the three of a triple jump.
std::vector<double> composition_fractions(int order);

}  // namespace herglotz::integrate
