#pragma once
/// Motions across the comparisons that the equations of a system make, and through the modes of its frictions.

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/integrate/pieces.hpp"
#include "herglotz/mechanics/events/switches.hpp"
#include "start.hpp"

namespace herglotz::simulate {

/// The law of motion between switches, of which some may hold the motion.
struct PieceLaw {
  const mechanics::SwitchedSystem* switched = nullptr;
  const integrate::Dynamics* dynamics = nullptr;
  const kernel::Kernel* functions = nullptr;  ///< kernel of the events of switched->system
  bool contacts = false;                      ///< contacts at rest are among the constraints
  bool only_contacts = false;                 ///< beside what switches hold, all constraints are contacts at rest
};

/// Record of a run at one switch.
struct Passage {
  std::string text{};
  bool friction = false;
  std::size_t passed = 0;
  std::size_t held = 0;  ///< how often it held the motion
  double first = 0;      ///< when it held the motion first
  /// When its force at rest was first one of many that hold the motion alike.
  std::optional<double> chosen{};
};

/// Adds what a part of a run did to what the parts before it did, switch by switch.
void add(std::vector<Passage>& whole, const std::vector<Passage>& part);
/// Returns sentences about the switches that a run passed, and about those that held it.
std::vector<std::string> notes_of(const std::vector<Passage>& passages);

/// Pieces of one run between the switches of a system. The outcome of every comparison is a parameter. A switch that is
/// passed twice at one time, so that both of its sides lead back to it, holds the motion if it may slide. Friction
/// whose velocity vanishes holds the motion if the force that this takes is within its bounds. Friction on two
/// velocities holds a direction along each piece, and takes the present one of the slip where its part along the held
/// one has become much slower or faster.
class SwitchedMotion final : public integrate::Pieces {
 public:
  /// Returns the law of the motion that these switches hold, or the reason why the method cannot follow it.
  using Laws = std::function<PieceLaw(const mechanics::Holds& holds, integrate::Reason& why_not)>;
  /// Whether the method of the run chooses its steps, or they have one size along each piece.
  enum class Steps { chosen, fixed };

  /// `parameters` are the values of the parameters that the system had without its switches. The first piece is that of
  /// the start, which friction that sticks may move by round-off.
  SwitchedMotion(Laws laws, std::vector<double> parameters, double t0, std::vector<double>& state, double t_end,
                 Steps steps);

  /// Moves a state onto the constraints of the motion that goes on from it up to t_end, by impulses with friction along
  /// the slip. What sticks is held; a slip that friction would turn round keeps its velocity.
  static integrate::Projection project(const Laws& laws, const std::vector<double>& parameters, const Start& from,
                                       double t_end);

  [[nodiscard]] const integrate::Dynamics& dynamics() const override { return *law_.dynamics; }
  [[nodiscard]] std::span<const double> parameters() const override { return parameters_; }
  [[nodiscard]] const kernel::Kernel& functions() const override { return *law_.functions; }
  [[nodiscard]] std::vector<integrate::Condition> conditions() const override;
  [[nodiscard]] double tolerance(double asked, std::span<const double> state) const override;
  [[nodiscard]] double step(double asked, double t, const std::vector<double>& state) const override;
  integrate::Reason pass(std::size_t condition, double t, std::vector<double>& state) override;
  [[nodiscard]] bool leaves_jump_to_caller() const override { return at_edge_; }
  void show(integrate::Sample& sample) const override;

  /// Returns how every switch takes part in the present piece.
  [[nodiscard]] const mechanics::Holds& holds() const { return holds_; }
  /// Returns the reason why there is no first piece, or an empty one.
  [[nodiscard]] const integrate::Reason& refusal() const { return refusal_; }
  [[nodiscard]] std::vector<Passage> passages() const;

 private:
  /// Slip, relative to the greatest one, at which a body is at rest. A slip in a plane turns faster the slower it is,
  /// and comes to rest in a limit.
  static constexpr double still = 1e-12;
  /// Share of the run in which times are one.
  static constexpr double moment = 1e-12;
  /// Share of the run in which slips that stop each other come to rest together.
  static constexpr double longer_moment = 1e-9;
  /// Mode of a friction without a force.
  static constexpr double idle = 0;
  /// Rate of a slip, relative to what friction changes it by, below which rounding may decide its sign.
  static constexpr double resolved = 1e-6;

  /// Energy and the size of its terms.
  struct Energy {
    double value;
    double scale;
  };
  /// Distances of the force that holds a switch from the ends of its interval: negative if the force is outside.
  struct Reserve {
    double forwards = 0;            // behind this end the function of the switch becomes positive
    double backwards = 0;           // behind this end it becomes negative
    std::array<double, 2> force{};  // of friction on two velocities
    [[nodiscard]] bool holds() const { return forwards >= 0 && backwards >= 0; }
    [[nodiscard]] double towards(double side) const { return side > 0 ? forwards : backwards; }
    /// Returns the size of the force and of its bounds.
    [[nodiscard]] double scale() const { return std::abs(forwards + backwards) + std::hypot(force[0], force[1]); }
  };
  /// Forces with which a switch may hold the motion: those within its interval, or any for now.
  enum class Within { bounds, any };
  /// Bounds of a slip along the direction of its friction, and the slip below which it has that direction.
  struct Bounds {
    double lower = 0;
    double upper = 0;
    double blur = 0;
  };
  struct Record {
    bool fresh = false;               // the motion leaves the zero set on which it was held
    std::optional<double> left;       // when the motion left it last
    std::optional<double> last;       // when the switch was passed last, or its slip took a new direction
    double aimed = 0;                 // of friction on two velocities: slip at which its direction was taken
    std::optional<double> unhurried;  // time of its change from rest at which steps have their full size
    double greatest = 0;              // of a friction: greatest size of the terms of its velocity where pieces began
    std::size_t passed = 0;
    std::size_t held = 0;
    double first = 0;              // when it held the motion first
    double since = 0;              // when it began to hold the motion last
    std::optional<double> chosen;  // when its force at rest was first one of many that hold alike
    void choose(double t) {
      if (!chosen) chosen = t;
    }
    /// Forgets a choice that was made at this time and did not last.
    void choose_no_more(double t) {
      if (chosen == t) chosen.reset();
    }
  };

  [[nodiscard]] const std::vector<mechanics::Switch>& switches() const { return law_.switched->switches; }
  [[nodiscard]] bool is_held(std::size_t k) const { return holds_[k] == mechanics::Hold::constraint; }
  /// Returns whether a switch is a friction on two velocities that is at rest, whether it holds the motion or shares.
  [[nodiscard]] bool is_plane_at_rest(std::size_t k) const {
    return switches()[k].plane && holds_[k] != mechanics::Hold::none;
  }
  [[nodiscard]] double& mode(std::size_t k) { return parameters_[first_mode_ + k]; }
  [[nodiscard]] double mode(std::size_t k) const { return parameters_[first_mode_ + k]; }
  [[nodiscard]] std::vector<double> point(double t, const std::vector<double>& state) const;
  [[nodiscard]] std::vector<double> values(const std::vector<double>& v) const;
  [[nodiscard]] std::vector<double> values_with_multipliers(double t, const std::vector<double>& state) const;
  [[nodiscard]] std::array<double, 2> slip(std::size_t k, double t, const std::vector<double>& state) const;
  /// Returns whether friction on two velocities has a slip beyond round-off.
  [[nodiscard]] bool is_slipping(std::size_t k, double t, const std::vector<double>& state) const;
  [[nodiscard]] double greatest_slip(std::size_t k, double t, std::vector<double> state) const;
  /// Returns whether two times are one, but for round-off.
  [[nodiscard]] bool is_now(std::optional<double> then, double t, double share = moment) const;
  integrate::Reason begin(std::size_t k, double value, double t0, const std::vector<double>& state);
  void change_compared(std::size_t k, const std::vector<double>& before, double t, const std::vector<double>& state);
  [[nodiscard]] double begun(std::size_t k, double value, double t0, const std::vector<double>& state) const;
  void begin_between(std::size_t k, double value, double t0, const std::vector<double>& state);
  void note_leaving(std::size_t k, double t0, const std::vector<double>& state);
  [[nodiscard]] double side(std::size_t k, double t0, const std::vector<double>& state, double ahead);
  [[nodiscard]] double side_ahead(std::size_t k, double t, const std::vector<double>& state);
  [[nodiscard]] Energy energy(double t, const std::vector<double>& state) const;
  [[nodiscard]] Reserve reserve_of(std::size_t k, const std::vector<double>& held) const;
  std::optional<Reserve> hold(std::size_t k, Within within, double t, std::vector<double>& state);
  void count_rest(std::size_t k, double t);
  void leave(std::size_t k, double side, double t);
  void share(std::size_t k, double part, double t);
  [[nodiscard]] bool may_be_helped(std::size_t k) const;
  bool exchange(std::size_t k, double side, double t, std::vector<double>& state);
  [[nodiscard]] bool is_held_by_others(std::size_t k, double t, const std::vector<double>& state) const;
  [[nodiscard]] bool is_held_by_contacts(std::size_t k) const;
  void aim(std::size_t k, double angle, const Bounds& bounds);
  void aim_along(std::size_t k, const std::array<double, 2>& slip);
  [[nodiscard]] std::span<double> plane_parameters(std::size_t k);
  void slip_off(std::size_t k, double t, const std::vector<double>& state, const std::array<double, 2>& force);
  [[nodiscard]] double shortest_step(double t) const;
  [[nodiscard]] double fastest_rate(std::size_t k, double t, const std::vector<double>& state) const;
  [[nodiscard]] bool stops_now(std::size_t k, double t, const std::vector<double>& state) const;
  [[nodiscard]] bool is_too_slow(std::size_t k, double size, double t, const std::vector<double>& state) const;
  void begin_slip(std::size_t k, double angle, double rate);
  struct Response;  // of the velocities of frictions to their forces
  [[nodiscard]] std::vector<std::size_t> planes_at_rest(std::size_t k, double t,
                                                        const std::vector<double>& state) const;
  [[nodiscard]] std::vector<std::size_t> both_at_rest(std::size_t k, double t, const std::vector<double>& state) const;
  [[nodiscard]] std::size_t first_velocity(std::size_t k) const;
  [[nodiscard]] std::optional<Response> response_of(const std::vector<std::size_t>& group, double t,
                                                    const std::vector<double>& state);
  [[nodiscard]] bool depend_on_each_other(const std::vector<std::size_t>& group, const Response& response) const;
  void find_slid(const std::vector<std::size_t>& group, Response& response, double t, const std::vector<double>& state);
  [[nodiscard]] Eigen::MatrixXd rates_by(const std::vector<std::size_t>& group, double unit, double t,
                                         const std::vector<double>& state);
  [[nodiscard]] double& probe_of(std::size_t k, std::size_t along);
  [[nodiscard]] std::span<double> change_parameters(std::size_t k);
  [[nodiscard]] Eigen::VectorXd bounds_of(const std::vector<std::size_t>& group, double t,
                                          const std::vector<double>& state);
  static void free_powerless(Response& response);
  [[nodiscard]] Eigen::VectorXd forces_of(const std::vector<std::size_t>& group, const std::vector<double>& held) const;
  std::optional<integrate::Reason> settle_together(std::size_t k, double t, std::vector<double>& state);
  std::optional<integrate::Reason> settle_group(const std::vector<std::size_t>& group, double t,
                                                std::vector<double>& state);
  bool hold_independent(const std::vector<std::size_t>& group, const Response& response, double t,
                        std::vector<double>& state);
  integrate::Reason share_at_rest(const std::vector<std::size_t>& group, const Response& response, double t,
                                  const std::vector<double>& state);
  void change_share(std::size_t k, double part, double rate, double t);
  integrate::Reason slip_together(const std::vector<std::size_t>& group, const Response& response, double t,
                                  std::vector<double>& state);
  integrate::Reason settle_rest(const std::vector<std::size_t>& resting, double t, std::vector<double>& state);
  [[nodiscard]] std::array<double, 2> slip_rate(std::size_t k, double t, const std::vector<double>& state) const;
  [[nodiscard]] bool is_overloaded(std::size_t k, double t, const std::vector<double>& state) const;
  [[nodiscard]] bool goes_back(std::size_t k, double t, const std::vector<double>& state);
  integrate::Reason settle_others(double t, std::vector<double>& state);
  integrate::Reason cross(std::size_t condition, double t, std::vector<double>& state);
  integrate::Reason turn(std::size_t k, bool slows, double t, std::vector<double>& state);
  integrate::Reason come_to_rest(std::size_t k, double t, std::vector<double>& state);
  integrate::Reason settle(std::size_t k, double t, std::vector<double>& state);
  integrate::Reason settle_alone(std::size_t k, double t, std::vector<double>& state);
  integrate::Reason change(std::size_t k, std::size_t event, double t, const std::vector<double>& state);
  integrate::Reason move_onto_constraints(std::size_t k, double t, std::vector<double>& state);

  Laws laws_;
  PieceLaw law_;
  double duration_;
  bool fixed_steps_;
  std::size_t first_mode_;  // place of the first mode among the parameters
  std::vector<double> parameters_;
  mechanics::Holds holds_;
  double largest_energy_ = 0;  // of the sizes of its terms at the start and at switches
  double together_ = moment;   // share of the run in which slips come to rest together
  bool released_ = false;      // a switch has ceased to hold the motion, so that frictions that share may have to
  std::vector<Record> records_;
  integrate::Reason refusal_;
  bool at_edge_ = false;  // a surface in contact has an edge where the last piece ended
};

/// Integrates a motion from a start through its switches, and adds what it did at them to `passages`.
integrate::Outcome follow_between_switches(const SwitchedMotion::Laws& laws, const std::vector<double>& parameters,
                                           const Start& from, const integrate::Settings& settings,
                                           const integrate::Sink& sink, const integrate::Watch& watch,
                                           std::vector<Passage>& passages);

}  // namespace herglotz::simulate
