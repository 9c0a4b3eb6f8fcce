#pragma once
/// The rates of a system and other functions of its state, with their derivatives.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Values of functions with their derivatives by the state and by the parameters.
struct Slopes {
  Eigen::VectorXd values;
  Eigen::MatrixXd by_state;
  Eigen::MatrixXd by_parameters;
};

/// The compiled rates, constraints and outputs of a system, at given parameters.
class TangentField {
 public:
  /// Throws Refused for outputs that are not functions of the state. `near` is the start.
  TangentField(const Simulator& simulator, std::vector<double> parameters, const InitialState& near,
               const std::vector<std::string>& outputs);

  [[nodiscard]] double parameter(std::size_t place) const { return parameters_[place]; }
  void set_parameter(std::size_t place, double value) { parameters_[place] = value; }
  [[nodiscard]] Slopes rates(double t, const Eigen::VectorXd& y) const;
  /// Returns velocity-free constraints, velocity constraints, and functions that every motion keeps minus their values
  /// at the start: declared invariants, and quadratic Casimirs of the anchor.
  [[nodiscard]] Slopes constraints(double t, const Eigen::VectorXd& y) const;
  [[nodiscard]] Slopes outputs(double t, const Eigen::VectorXd& y) const;
  /// Returns for each state whether some rate depends on it with these parameters: not on the action in -gamma z if
  /// gamma is 0.
  [[nodiscard]] const std::vector<bool>& matters() const { return matters_; }
  [[nodiscard]] bool depends_on_time() const { return depends_on_time_; }

 private:
  /// A kernel of values and one of their derivatives along (dy, dtheta).
  struct Code {
    kernel::Kernel values;
    kernel::Kernel derivatives;
    std::size_t count = 0;
  };
  [[nodiscard]] Slopes evaluate(const Code& code, double t, const Eigen::VectorXd& y) const;
  /// Takes back that states matter by which all derivatives are exactly 0, here and at states beside.
  void leave_out_without_effect(double t, const std::vector<double>& state);

  std::vector<double> parameters_;
  Code rates_;
  Code constraints_;
  Code outputs_;
  std::vector<bool> matters_;
  bool depends_on_time_ = false;
};

}  // namespace herglotz::simulate
