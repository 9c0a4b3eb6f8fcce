#pragma once
/// Time stepping of Moreau and Jean: steps over impacts, with the impulses of all contacts at once.

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "energy/stepper.hpp"
#include "herglotz/integrate/over_impacts.hpp"
#include "moreau/contact_law.hpp"

namespace herglotz::integrate {

/// Stepper of one run. A step is one of ContactEnergy under contact forces that are constant over it, J/h. With the
/// rates of the gaps and the slips at its ends, the impulses J obey [Mor88, Jea99, AB08]
///   0 <= g_dot(1) + e g_dot(0), J_n >= 0, one of them 0, for contacts whose gap is at most 1e-9 at the middle of the
///   step, where g + h/2 g_dot predicts it; J_n = 0 for all others;
///   |J_t| <= mu J_n, and the slip at the end vanishes or is opposite to J_t, which then has the size mu J_n.
/// The impulses are linear in the velocities up to O(h), so a few steps with corrected impulses obey the laws to
/// round-off, or to a relative 1e-10 where rounding leaves more. Directions of slip that turn back and forth are held
/// after 20 corrections, and the laws are those of these directions then. Forces do the work h J/h (G y)_m of the
/// middle, with which the energy law of the step closes.
class MoreauStepper final : public FixedStepper {
 public:
  /// Values of the contacts, five each as for a ContactSink, at the times sampled since the last step began.
  using Shown = std::map<double, std::vector<double>>;

  MoreauStepper(const Run& run, const ContactKernels& map, std::shared_ptr<Shown> shown);
  MoreauStepper(const MoreauStepper& other);
  MoreauStepper& operator=(const MoreauStepper&) = delete;

  Status start() override;
  Status step(double t, double h) override;
  Status sample(double t, Sample& sample) override;
  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<MoreauStepper>(*this); }
  void follow(const FixedStepper& other) override;
  [[nodiscard]] std::span<const double> last_state() override { return step_->last_state(); }
  [[nodiscard]] const Reason& reason() const override { return reason_.empty() ? step_->reason() : reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return step_->newton_iterations(); }
  [[nodiscard]] const ContactGain& gain() const { return gain_; }
  [[nodiscard]] const ContactChoice& choice() const { return choice_; }
  [[nodiscard]] const ContactParts& parts() const { return parts_; }

 private:
  /// Data of the contacts at one state: coefficients, rates of gaps and slips, and their derivatives.
  struct Touch {
    std::vector<ContactRows> rows;  // of the active contacts
    std::vector<double> restitution;
    Eigen::VectorXd u;  // slips; the rates of gaps are 0 until they are asked for
    Eigen::MatrixXd H;  // their derivatives by the velocities
  };

  [[nodiscard]] std::vector<double> values(const kernel::Kernel& kernel, double t, std::span<const double> state) const;
  [[nodiscard]] std::vector<double> functions_at(double t, std::span<const double> state) const;
  [[nodiscard]] Touch touch(const std::vector<double>& functions) const;
  [[nodiscard]] Eigen::MatrixXd mass_at(double t, std::span<const double> state) const;
  [[nodiscard]] double rate(const Contact& contact, const std::vector<double>& functions,
                            std::span<const double> state) const;
  void find_active(const std::vector<double>& functions, double h);
  /// Returns what is wrong with a coefficient of the active contacts, or an empty string.
  [[nodiscard]] std::string refuse_coefficients(const std::vector<double>& functions) const;
  /// Makes one step under the contact forces as they are set. On failure the state stays as it was.
  Status careful_step(double t, double h, double balanced_speed);
  /// Sets the contact forces of the next step to J/h; J has the rows of the active contacts.
  void push(const Eigen::VectorXd& J, double h);
  /// Makes a step at once, or in two halves if that fails and it may be halved so many times.
  Status step_in_parts(double t, double h, int halvings);
  /// Makes a step at once. On failure the state stays as it was.
  Status whole_step(double t, double h);
  Status step_in_contact(double t, double h, const std::vector<double>& begin);
  void count_work(double t, double h);
  /// Counts the work that contacts give in a step, if it is positive.
  void count_gain(double t, double work);

  /// Notes which contacts have chosen forces in a step with the impulses J and D = H W^-1 H^T.
  void note_choice(double t, const Eigen::MatrixXd& D, const Eigen::VectorXd& J, const std::vector<ContactRows>& rows);

  Run run_;
  const ContactKernels* map_;
  std::shared_ptr<Shown> shown_;
  bool aside_ = false;                               // a copy, which steps while another one is at its start
  std::shared_ptr<std::vector<double>> parameters_;  // every step sets the contact forces in it
  std::unique_ptr<ContactEnergy> step_;
  std::unique_ptr<ContactEnergy> before_;  // at the start of a step, which is made several times
  std::vector<std::size_t> active_;        // contacts that may push in this step
  std::vector<double> columns_;            // per contact: force of friction, force, work of friction, loss, drive
  ContactGain gain_;
  ContactChoice choice_;
  ContactParts parts_;
  Reason reason_;
};

/// Follows a run of a system without contacts.
Outcome run_without_contacts(const Run& run);
/// Follows a run over the impacts of its contacts.
ContactOutcome run_over_impacts(const Run& run, const ContactKernels& map, const ContactSink& sink,
                                const ContactWatch& watch);

}  // namespace herglotz::integrate
