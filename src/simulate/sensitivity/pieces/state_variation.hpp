#pragma once
/// A state that is followed along a run, with its derivatives and those of its time.

#include <functional>
#include <span>
#include <vector>

#include "sensitivity/pieces/tangent_code.hpp"

namespace herglotz::simulate {

/// A state y at a time t, with their derivatives along directions of the start and the parameters. At the end of a
/// smooth piece of the run a function g of the state vanishes, so that its time has the derivative
///   dt = -(g_y dy + g_theta dtheta + g_t dt)/g',
/// and the state moves along with it. Behind it the boundaries of steps move too.
class StateVariation {
 public:
  /// Derivatives of a state and of its time, lane-minor, by group of directions.
  struct Variation {
    std::vector<std::vector<double>> dy;
    std::vector<std::vector<double>> dt;

    [[nodiscard]] bool moves() const;
  };

  /// `dy` and `dtheta` are those of each direction at the start, where the time is fixed; `dtheta` has all parameters
  /// of the law.
  StateVariation(TangentCode& code, const std::vector<std::vector<double>>& dy,
                 const std::vector<std::vector<double>>& dtheta);

  [[nodiscard]] double t() const { return t_; }
  [[nodiscard]] const std::vector<double>& y() const { return y_; }
  [[nodiscard]] const Variation& now() const { return now_; }
  /// Returns the derivative of the state along direction k.
  [[nodiscard]] std::vector<double> direction(std::size_t k) const;
  /// Returns the state that the last of the functions below reached.
  [[nodiscard]] const std::vector<double>& reached() const { return reached_; }

  /// Returns the derivatives of the state along the only direction at a boundary of a path, where the variation is, and
  /// at some behind it, state after state. Throws RunFailed if they are not defined.
  [[nodiscard]] std::vector<double> along(const sensitivity::MappedPath& path, std::size_t boundary, std::size_t count);
  /// Continues with another derivative of the state, along the only direction.
  void set_direction(std::span<const double> dy) { now_.dy.front().assign(dy.begin(), dy.end()); }
  /// Continues with the code of another law, which has as many lanes.
  void set_code(TangentCode& code);
  /// Continues from a state, with the variation as it is.
  void set(double t, std::span<const double> y);
  void set_parameters(const std::vector<double>& theta);

  /// Takes what AdjointSteps::forward() kept of the next step, which is then not solved for again.
  void recall(std::span<const double> kept) { code_->steps->recall(kept); }
  /// Makes a step, whose end is at a fixed time if `to_fixed_time`, and else moves as its start does.
  void step(double h, bool to_fixed_time);
  /// Makes many steps of one size.
  void advance(const sensitivity::TangentSteps::Steps& steps);
  /// Makes the steps of a path from one boundary to another. Returns false, and stays where it is, if the path has no
  /// matrices of them.
  bool advance(sensitivity::MappedPath& path, std::size_t from, std::size_t to);
  /// Returns the variation inside the next step of size h at a time that moves as the step's start does.
  Variation within(double h, double part);
  /// Returns the variation inside the next step at a fixed time.
  Variation within_fixed(double h, double part);
  /// Returns the variation inside the next step at a time at which a function of the code stays zero, `place` among its
  /// functions. Throws RunFailed if the rate of this function is zero.
  Variation within_at_zero(double h, double part, std::size_t place);
  /// Moves to that time.
  void go_to_zero(double h, double part, std::size_t place);
  /// Applies the jump of an event to the state and its variation.
  void jump(const mechanics::System& system, std::size_t event);

  /// Returns the derivatives of the functions of the code at a state along direction k; they are valid until the next
  /// call.
  std::span<const double> derivatives(std::size_t k, double t, const std::vector<double>& y,
                                      const Variation& variation);
  /// Returns the rate of a function of the code, `place` among them, at a state with this rate and with these
  /// parameters.
  double rate(std::size_t place, double t, const std::vector<double>& y, std::span<const double> y_dot,
              const std::vector<double>& theta);

 private:
  const std::vector<double>& timed(std::size_t g);
  void find_slope(double h, double part);
  void stay(Variation& there) const;
  void evaluate(double t, const std::vector<double>& y);
  [[nodiscard]] std::size_t states() const { return reached_.size(); }

  TangentCode* code_;
  std::vector<std::vector<double>> dtheta_;  // by direction
  std::size_t lanes_;
  std::size_t count_;  // of the parameters of the law
  double t_ = 0;
  std::vector<double> y_;
  std::vector<double> reached_;
  std::vector<double> slope_;                    // derivative of reached_ by the size of the step to it
  Variation now_;                                // of y_ and t_
  std::vector<std::vector<double>> parameters_;  // (theta, dtheta, dt), lane-minor, by group
  std::vector<double> directed_;                 // (theta, dtheta, dt) of one direction
  std::vector<double> point_;
  std::vector<double> values_;
  std::vector<double> work_;
};

/// Returns the failure of a step after the time t.
RunFailed without_derivative(double t);

}  // namespace herglotz::simulate
