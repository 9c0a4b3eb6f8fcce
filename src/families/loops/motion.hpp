#pragma once
/// A motion of all sites that is followed step by step.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loops/site_state.hpp"

namespace herglotz::families {

/// Terms of one balance law at a row; see analyse::LawSample.
struct LawRow {
  double quantity = 0;
  double scale = 0;
  double rate_terms = 0;
  std::optional<double> budget{};  ///< `std::nullopt` if the law has no source
};

/// Values of a row that do not belong to a family.
struct Observed {
  double z = 0;
  double log_factor = 0;
  std::vector<LawRow> laws{};  ///< the energy, then the symmetries
  std::vector<double> observables{};
  std::vector<double> events{};                    ///< values of the functions of the events
  std::vector<double> constraints{};               ///< the largest |c| of each constraint
  double largest_constraint = 0;                   ///< of |c| and |dc/dt|
  std::vector<std::vector<double>> multipliers{};  ///< of the equations of each constraint
};

class Motion {
 public:
  Motion() = default;
  Motion(const Motion&) = delete;
  Motion& operator=(const Motion&) = delete;
  virtual ~Motion() = default;

  /// Called for every tile with the coordinates of its own sites, then their velocities.
  using Take = std::function<void(std::size_t tile, double* const* values)>;

  /// Starts again from the values of the parameters and the start that the model has now. What was derived and compiled
  /// stays.
  virtual void restart(Model& model) = 0;
  /// Returns the values at the present state, whose time is t, and passes the families to `take`.
  virtual Observed observe(double t, const Take& take) = 0;
  [[nodiscard]] virtual const Tiling& tiling() const = 0;
  /// Keeps a copy of the present state, to which `go_back` returns.
  virtual void keep() = 0;
  virtual void go_back() = 0;
  /// Returns sentences on the start and the constraints, for the reader of a run.
  [[nodiscard]] virtual std::vector<std::string> start_notes() const { return {}; }
  /// Returns the number of Newton iterations since the start.
  [[nodiscard]] virtual std::size_t newton_iterations() const { return 0; }
};

/// Motion by steps of one size.
class SteppedMotion : public Motion {
 public:
  /// Takes `count` steps of size h from the time t0 + first h. Returns how many of them ended in a finite state.
  virtual std::size_t advance(double t0, double h, std::size_t first, std::size_t count) = 0;
  /// Returns the sentence that says why the last step was not made, or an empty string if its state is not finite.
  [[nodiscard]] virtual std::string failure() const { return {}; }
};

/// Motion by steps whose size follows from their errors.
class AdaptiveMotion : public Motion {
 public:
  /// Continues to the time t_stop in at most `most` steps. Returns the sentence that says why the motion stopped
  /// earlier, or an empty string.
  virtual std::string advance(double t_stop, std::size_t most) = 0;
  /// Takes one step of size h, without a look at its error.
  virtual void take(double h) = 0;
  [[nodiscard]] virtual double t() const = 0;
  [[nodiscard]] virtual std::size_t steps() const = 0;
  [[nodiscard]] virtual std::size_t rejected() const = 0;
  /// Returns the sentence that says from when on another method took the steps, or an empty string.
  [[nodiscard]] virtual std::string note() const { return {}; }
};

struct MotionState;

/// Adaptive motion by an explicit method, which another one can take over.
class ExplicitMotion : public AdaptiveMotion {
 public:
  [[nodiscard]] virtual MotionState state() = 0;
};

/// Adaptive motion by an implicit method.
class ImplicitMotion : public AdaptiveMotion {
 public:
  /// Goes on from a state of a motion of the same model, with a first step of size h. Steps are counted from here.
  virtual void go_on_from(Model& model, const MotionState& state, double h) = 0;
};

/// Scheme of passes in which coordinates drift by dH/dp and momenta are kicked by the forces.
enum class Scheme : std::uint8_t { splitting, lobatto };

/// Throws Refused as `split` does, and for constraints.
void require_drift_kick(Model& model);

/// Returns the motion by the explicit contact splitting of that order, or by the Lobatto IIIA-IIIB pair of order 2.
/// Throws Refused as `require_drift_kick` does.
std::unique_ptr<SteppedMotion> drift_kick_motion(Model& model, Scheme scheme, int order);

/// Throws Refused as `split` does, and for constraints that are not of coordinates.
void require_rattle(Model& model);

/// Returns the motion by RATTLE of order 2 or 4. Throws Refused as `require_rattle` does.
std::unique_ptr<SteppedMotion> rattle_motion(Model& model, int order);

/// Returns the motion by the explicit Runge-Kutta method of order 4 or 8 with steps of one size.
std::unique_ptr<SteppedMotion> runge_kutta_motion(Model& model, int order);

/// Returns the motion by the contact Gauss method of order 2, 4 or 6. Throws Refused as `collocation_passes` does.
std::unique_ptr<SteppedMotion> contact_gauss_motion(Model& model, int order);

/// Returns the motion by the method Radau IIA of order 5 with a tolerance; t_end is the end of the run. Throws Refused
/// as `collocation_passes` does.
std::unique_ptr<ImplicitMotion> radau_motion(Model& model, double tolerance, double t_end);

/// Returns the motion by the pair of Prince and Dormand with a tolerance; t_end is the end of the run.
std::unique_ptr<ExplicitMotion> reference_motion(Model& model, double tolerance, double t_end);

/// Returns the motion by that pair, which goes on by Radau IIA where that takes far longer steps on trial. `prepare` is
/// called before that method is derived.
std::unique_ptr<AdaptiveMotion> motion_by_stiffness(Model& model, double tolerance, double t_end,
                                                    std::function<void()> prepare);

}  // namespace herglotz::families
