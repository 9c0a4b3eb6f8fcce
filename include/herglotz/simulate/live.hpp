#pragma once
/// Code and data with which a page follows a motion itself, in a browser.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// A motion compiled for a page, with the numbers that its steps take. The page starts from the parameters and the
/// initial state of a run, and follows it by `method`: that of the run if a page has it, else `reference`.
struct LiveMotion {
  /// An initial value that follows from parameters and other initial values: a kernel at (x, w, z, t, p), with p = 0.
  struct Follower {
    std::string name;
    std::size_t kernel = 0;
  };
  /// What keeps a motion on its constraints: the members of integrate::Dynamics of the same names, and kernels at
  /// (x, w, z, t, l, p).
  struct Constraints {
    std::size_t m = 0;
    std::size_t positions = 0;
    bool differential = false;
    bool position_uses_action = false;
    bool forces_use_velocity = false;
    bool laws_use_multipliers = false;
    std::vector<std::size_t> equation{};  ///< the equation of the model that each multiplier belongs to
    std::size_t stage = 0;
    std::size_t stage_jacobian = 0;
    std::vector<std::size_t> row{};  ///< the places of the outputs of `stage_jacobian`
    std::vector<std::size_t> col{};
    std::size_t values = 0;                 ///< every equation, then the derivatives of velocity-free ones
    std::optional<std::size_t> position{};  ///< unset without velocity-free equations
  };

  /// The new value of an entry of the state, which is an output of the kernel of the events.
  struct Reset {
    std::size_t entry = 0;
    std::size_t output = 0;
  };
  /// A watched function whose zeros are located: `direction` is -1 where it falls, 1 where it rises, 0 for both.
  struct Event {
    std::string name;
    int direction = 0;
    bool stop = false;
    std::vector<Reset> resets{};
  };

  /// A comparison of the equations whose outcome a parameter holds along a smooth piece of the motion: its members are
  /// those of mechanics::Switch. It does not hold the motion.
  struct Switch {
    std::string text;
    bool rounds = false;
  };

  std::string method;
  std::string module;                  ///< the bytes of compile::WebModule
  std::size_t data = 0;                ///< of the same
  std::size_t work = 0;                ///< of the same
  std::size_t n = 0;                   ///< base coordinates
  std::size_t r = 0;                   ///< fibre coordinates
  std::vector<std::string> state{};    ///< names of x, w, z
  bool factor = false;                 ///< whether log lambda is an entry of the loop
  std::size_t laws = 0;                ///< balance laws
  std::vector<std::size_t> budgets{};  ///< the laws whose budgets are entries
  std::vector<std::string> law_names{};
  std::vector<std::string> dissipated{};  ///< names of the laws that are of dissipated functions
  std::vector<std::string> invariants{};
  std::size_t observables = 0;
  std::vector<Follower> followers{};
  std::optional<Constraints> constraints{};
  std::vector<Event> events{};
  std::size_t watched = 0;            ///< the kernel of the events' functions and resets, at (x, w, z, t, l, p)
  std::size_t functions = 0;          ///< its outputs
  std::vector<Switch> switches{};     ///< their modes follow the parameters, their functions those of the events
  std::size_t piece_balance = 0;      ///< the kernel of the balance laws with the modes as parameters
  std::vector<std::size_t> losses{};  ///< the events that have columns of losses
  /// The kernel of the flow if `eliminated`, else of the mass form; there is one if there are constraints or events.
  std::size_t rates = 0;
  bool eliminated = false;
  std::vector<integrate::Break> breaks{};  ///< where pieces of inputs meet
  std::size_t numbers = 0;                 ///< doubles that all kernels together read and write
  std::optional<double> step{};            ///< with the sign of the run; unset for adaptive methods
  double tolerance = 0;
  double local = 0;  ///< kernel::AdaptiveLoop::Control
  std::size_t order = 0;
  std::size_t every = 0;        ///< steps between rows, or 0
  double interval = 0;          ///< time between rows, or 0
  std::vector<double> times{};  ///< rows between start and end, if neither is given
};

/// Throws Refused for a motion that a page cannot follow: one in scaled time, with impacts or friction, with switches
/// that may hold it, with constraints that follow from others, or whose accelerations are solved for with exchanges of
/// rows.
void require_live(const Simulator& simulator, const Problem& problem);
/// Compiles the motion of a run for a page. The kernels are those of balance laws, their verification and the
/// observables, then those of the rates, the events, the constraints and the followers. Throws Refused as
/// `require_live` does, and CompileError as compile_web does.
LiveMotion live_motion(const Simulator& simulator, const Problem& problem, const analyse::Trajectory& run);

}  // namespace herglotz::simulate
