#pragma once
/// Numbers of the whole that a Runge-Kutta method carries beside the sites.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/families/model.hpp"
#include "herglotz/kernel/explicit_tableau.hpp"
#include "herglotz/kernel/kernel.hpp"
#include "herglotz/kernel/quadrature.hpp"
#include "loops/motion.hpp"

namespace herglotz::families {

/// The action z, log(lambda), and the budgets g of the laws that have a source:
///   dz/dt = sum of l + rest,   d log(lambda)/dt = -L_z,   dg/dt = L_z g + source.
/// The parts that depend on the sites are given as sums: l, then the sources of these laws in their order.
class Whole {
 public:
  /// `driven` says which laws have a source, the energy first.
  Whole(Model& model, std::vector<bool> driven);

  void set_parameters(const std::vector<double>& values) { parameters_ = values; }
  /// Starts from z0 and the quantities of the laws, which are those of the row that `observe` gives once z is known.
  template <class Observe>
  void begin(double z0, const Observe& observe) {
    std::vector<double> quantities(driven_.size());
    start(z0, quantities);
    const Observed row = observe();
    for (std::size_t k = 0; k < quantities.size(); ++k) quantities[k] = row.laws[k].quantity;
    start(z0, quantities);
  }
  /// Goes on from the numbers of a motion of the same model.
  void go_on_from(const std::vector<Compensated>& numbers) { now_ = numbers; }
  /// Returns a row from the sums of a look: quantity, size and |terms of the rate| of each law.
  [[nodiscard]] Observed row(const std::vector<double>& sums, double t) const;

  /// Tries a step of size h from the time t. `sums` holds the sums of the stages, `stride` apart. `difference` holds
  /// the coefficients of the error, or is empty.
  void attempt(const kernel::ExplicitTableau& tableau, std::span<const double> difference, double t, double h,
               const double* sums, std::size_t stride);
  /// Tries a step of a contact Gauss method, with the factors R_j of the stages and R_1 of its end relative to its
  /// start: z_1 = z_0 + h sum b_j L_j with Z_j = z_0 + h sum a_jk L_k, log(lambda) += log R_1, and g_1 = (g_0 + h sum
  /// b_j R_j source_j)/R_1. `sums` holds the sums of the stages one after the other.
  void attempt(const kernel::Quadrature& quadrature, const std::vector<double>& R, double end_factor, double t,
               double h, const std::vector<double>& sums);
  /// Tries a step of a method Radau IIA, in which the budgets solve g_i = g_0 + h sum_j a_ij (L_z g_j + source_j).
  /// `sums` holds the sums at the start of the step, then those of the stages. The errors are those of `difference`,
  /// the weights of the rates at the start and at the stages, less 1/(1 - h filter L_z) times of what L_z damps.
  struct Errors {
    std::span<const double> difference;
    double filter = 0;
  };
  void attempt(const kernel::Quadrature& quadrature, const Errors& errors, double t, double h,
               const std::vector<double>& sums);
  /// Parts of a step by the trapezoidal rule, at its start and at its end.
  struct Halves {
    std::array<double, 2> lagrangian{};          ///< l
    std::vector<double> sources{};               ///< of each law, the mean of both
    std::vector<std::array<double, 2>> works{};  ///< of impulses, on each law
  };
  /// Tries a step in which z_1 - z_0 = (h/2)(L_0 + L_1) and a budget obeys
  ///   (1 - h/2 L_z) g_1 = (1 + h/2 L_z) g_0 + h source + work_0 + (1 - h/2 L_z) work_1.
  /// L_z is constant, and the rest does not depend on time.
  void attempt(const Halves& halves, double L_z, double t, double h);
  /// Adds to the budget of a law that has a source at the end of the step that was tried.
  void add_to_budget(std::size_t law, double work) { next_[2 + place_[law]].add(work); }
  void accept() { now_ = next_; }
  /// Keeps a copy of the present values, to which `go_back` returns.
  void keep() { kept_ = now_; }
  void go_back() { now_ = kept_; }

  [[nodiscard]] double z() const { return now_[0].value; }
  [[nodiscard]] double log_factor() const { return now_[1].value; }
  /// Returns the budget of a law that has a source.
  [[nodiscard]] double budget(std::size_t law) const { return now_[2 + place_[law]].value; }
  [[nodiscard]] const std::vector<bool>& driven() const { return driven_; }
  /// Returns z, log(lambda) and the budgets, at the end of the step that was tried or at its start.
  [[nodiscard]] const std::vector<Compensated>& tried() const { return next_; }
  [[nodiscard]] const std::vector<Compensated>& now() const { return now_; }
  /// Returns the errors of the step that was tried.
  [[nodiscard]] const std::vector<double>& errors() const { return errors_; }
  /// Returns rest and d rest/dz.
  struct Rest {
    double value = 0;
    double L_z = 0;
    double by_time = 0;
  };
  [[nodiscard]] Rest rest(double z, double t) const;

 private:
  void start(double z0, std::span<const double> quantities);
  /// The action at the stages of a collocation method.
  struct Stage {
    double rate = 0;  ///< dz/dt
    double L_z = 0;
    double by_time = 0;  ///< d rest/dt
  };
  /// Returns them for a step of size h from the time t. `sums` holds the sums of the stages, one after the other.
  [[nodiscard]] std::vector<Stage> stages_of(const kernel::Quadrature& quadrature, double t, double h,
                                             std::span<const double> sums) const;

  std::vector<bool> driven_;
  std::vector<std::size_t> place_;  // of the budget of each law
  std::vector<double> parameters_;
  kernel::Kernel rest_;
  mutable std::vector<double> work_;
  std::vector<Compensated> now_;
  std::vector<Compensated> next_;
  std::vector<Compensated> kept_;
  std::vector<double> errors_;
};

}  // namespace herglotz::families
