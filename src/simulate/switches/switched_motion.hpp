#pragma once
/// Motions across the comparisons that the equations of a system make.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/integrate/pieces.hpp"
#include "herglotz/mechanics/events/switches.hpp"

namespace herglotz::simulate {

/// The law of motion between switches, of which some may hold the motion.
struct PieceLaw {
  const mechanics::SwitchedSystem* switched = nullptr;
  const integrate::Dynamics* dynamics = nullptr;
  const kernel::Kernel* functions = nullptr;  ///< kernel of the events of switched->system
};

/// Pieces of one run between the switches of a system. The outcome of every comparison is a parameter. A switch that is
/// passed twice at one time, so that both of its sides lead back to it, holds the motion if it may slide.
class SwitchedMotion final : public integrate::Pieces {
 public:
  /// Returns the law of the motion that these switches hold, or the reason why the method cannot follow it.
  using Laws = std::function<PieceLaw(const std::vector<bool>& slides, std::string& why_not)>;

  /// `parameters` are the values of the parameters that the system had without its switches. The first piece is that of
  /// the start.
  SwitchedMotion(Laws laws, std::vector<double> parameters, double t0, const std::vector<double>& state, double t_end);

  [[nodiscard]] const integrate::Dynamics& dynamics() const override { return *law_.dynamics; }
  [[nodiscard]] std::span<const double> parameters() const override { return parameters_; }
  [[nodiscard]] const kernel::Kernel& functions() const override { return *law_.functions; }
  [[nodiscard]] std::vector<integrate::Condition> conditions() const override;
  std::string pass(std::size_t condition, double t, std::vector<double>& state) override;
  void show(integrate::Sample& sample) const override;

  /// Returns sentences about the switches that the run passed, and about those that held it.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  /// Energy and the size of its terms.
  struct Energy {
    double value;
    double scale;
  };
  struct Record {
    bool fresh = false;          // the motion leaves the zero set on which it was held
    std::optional<double> last;  // when the switch was passed last
    std::size_t passed = 0;
    std::size_t held = 0;
    double first = 0;  // when it held the motion first
  };

  [[nodiscard]] const std::vector<mechanics::Switch>& switches() const { return law_.switched->switches; }
  [[nodiscard]] double& mode(std::size_t k) { return parameters_[first_mode_ + k]; }
  [[nodiscard]] std::vector<double> point(double t, const std::vector<double>& state) const;
  [[nodiscard]] std::vector<double> values(const std::vector<double>& v) const;
  [[nodiscard]] double side(std::size_t k, double t0, const std::vector<double>& state, double ahead);
  [[nodiscard]] Energy energy(double t, const std::vector<double>& state) const;
  bool hold(std::size_t k, double t, std::vector<double>& state);
  std::string change(std::size_t k, std::size_t event, double t, const std::vector<double>& state);

  Laws laws_;
  PieceLaw law_;
  double duration_;
  std::size_t first_mode_;  // place of the first mode among the parameters
  std::vector<double> parameters_;
  std::vector<bool> slides_;
  std::vector<Record> records_;
};

}  // namespace herglotz::simulate
