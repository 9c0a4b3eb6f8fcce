#pragma once
/// Reactions of constraints in loops, and the way back onto the constraints.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loops/arrays/arrays.hpp"
#include "loops/reactions/constraint_rows.hpp"
#include "loops/reactions/elimination.hpp"

namespace herglotz::families {

/// Arrays over the sites, one of each kind for each base family.
struct ConstrainedMotion {
  double* const* q = nullptr;
  double* const* v = nullptr;
  const double* const* acceleration = nullptr;     ///< without reactions
  const double* const* inverse_inertia = nullptr;  ///< dv_f/dp_f
  /// Those with which velocities move onto the constraints, if they are other ones.
  const double* const* for_velocities = nullptr;
  /// The low-order parts that rounding takes from q and from v. Null if sums are not compensated.
  double* const* lost_q = nullptr;
  double* const* lost_v = nullptr;
};

/// The reactions lambda G of nonholonomic constraints: lambda solves d2c/dt2 = 0, or dc/dt = 0 for a constraint c on
/// velocities, by the elimination of G M^-1 G^T. They cost a number of operations that is proportional to the number of
/// equations where sites are joined as in chains and trees.
class Reactions {
 public:
  /// Throws Refused as `require_reactions` does.
  explicit Reactions(Model& model);

  /// Takes the values of the parameters, and of the families that do not change. Comes before all that follows.
  void set(const Model& model, const SiteValues& values);

  /// The work of reactions on balance laws: the number of a law, and the work on it.
  using Works = std::vector<std::pair<std::size_t, double>>;

  /// Adds the reactions to the forces on the base families, and returns their powers. If the multipliers are not
  /// determined, the forces become NaN. The sums of the |terms| of the reactions go to `size`, unless it is null.
  Works react(const ConstrainedMotion& at, double t, double* const* force, double* const* size);

  /// Moves the coordinates by M^-1 G^T k onto the constraints, then the velocities, and returns the works of the
  /// impulses k, or nothing if Newton's method does not arrive.
  std::optional<Works> project(const ConstrainedMotion& at, double t);

  /// The parts of a step of RATTLE [And83] for constraints on coordinates. At its start the slopes G_0 are found at q.
  bool begin(const ConstrainedMotion& at, double t);
  /// With q moved to the end of a step of size h without reactions: moves it by M^-1 G_0^T k so that the constraints
  /// hold at the time t, and v by M^-1 G_0^T k/h. Returns the works of the impulses k/h, or nothing if the iteration,
  /// whose slopes stay those of the start, does not arrive.
  std::optional<Works> keep_coordinates(const ConstrainedMotion& at, double t, double h);
  /// With v moved to the end of the step: moves it by M^-1 G^T k so that the constraints hold on. What is found here
  /// is what `begin` finds for the next step. Returns the works of the impulses k, or nothing.
  std::optional<Works> keep_velocities(const ConstrainedMotion& at, double t);

  /// Returns the sentence that says why, since the last way back, there were no reactions or Newton's method did not
  /// arrive, if that is due to the constraints; else nothing.
  [[nodiscard]] const std::string& failure() const { return failure_; }

  /// Finds the inverse inertias of each base family at every site, at the present state.
  using FindInertia = std::function<void(std::vector<std::vector<double>>& inverse_inertia)>;

  /// Moves a start that satisfies the constraints to rounding onto them, and one that does not if the settings say so,
  /// with the coordinates and velocities that they name fixed. Throws Failed for another start, and for constraints
  /// that contradict each other there. Equations that follow from the others are left out. Returns the notes of the
  /// run: which equations were left out, and that the start has moved.
  std::vector<std::string> settle(const Model& model, ConstrainedMotion at, const FindInertia& find_inertia);

  /// Returns the largest |c| of each constraint at the state that was looked at last.
  [[nodiscard]] std::vector<double> residuals() const;
  /// Returns the largest of |c| and |dc/dt| there.
  [[nodiscard]] double largest_residual() const;
  /// Returns the multipliers of each constraint that `react` found last.
  [[nodiscard]] std::vector<std::span<const double>> multipliers() const;

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  /// Relative size of a step of Newton's method below which a step that is no smaller than the last one is rounding.
  static constexpr double round_off = 1e-11;
  static constexpr int most_iterations = 50;
  /// Sites that one thread visits at once.
  static constexpr std::size_t some = 4096;

  /// The equations of one constraint, among all equations.
  struct Group {
    ConstraintRows rows;
    std::size_t first = 0;  ///< equation
    std::size_t slope = 0;  ///< place of the first slope among all slopes
    std::vector<double> room{};
    ConstraintRows::Values values{};
  };

  /// The equation that is farthest from holding, with its value or that of its derivative by time.
  struct Defect {
    double relative = 0;  ///< to the larger of 1 and the size of the terms G v
    std::string sentence;
  };
  [[nodiscard]] Defect defect(const ConstrainedMotion& at) const;
  void find(const ConstrainedMotion& at, double t);
  bool factorise(const double* const* inverse_inertia);
  bool stays_independent(double t);
  [[nodiscard]] std::string name(std::size_t equation) const;
  [[nodiscard]] double wanted(const Group& group, std::size_t row, double change) const;
  bool others_follow();
  /// Returns the number of parts into which the sites of all families are cut.
  [[nodiscard]] std::size_t parts() const;
  /// Calls `visit` with the family, the number of the part, and its first site and the one after its last.
  template <class Visit>
  void for_parts(const Visit& visit) const {
    const std::size_t of_family = parts() / n_;
    for_each_part(parts(), n_ * sites_, [&](std::size_t part) {
      const std::size_t first = part % of_family * some;
      visit(part / of_family, part, first, std::min(sites_, first + some));
    });
  }
  /// Returns the works of reactions of 1 that were found last, of each equation on each of its laws.
  [[nodiscard]] std::vector<const double*> unit_works() const;
  [[nodiscard]] Works works_of(const std::vector<double>& multipliers, const std::vector<const double*>& of_unit) const;
  /// Takes the sentence for the reason of a failure, unless there is one.
  std::nullopt_t not_arrived(const char* sentence);
  /// Finds the multipliers k of a step of Newton's method that changes each equation by what the function gives.
  template <class Change>
  void find_step(const Change& change) {
    for (const Group& group : groups_)
      for (std::size_t row = 0; row < group.rows.rows(); ++row)
        k_[group.first + row] = wanted(group, row, change(group, row));
    elimination_->solve(k_);
  }
  bool move_coordinates(const ConstrainedMotion& at, double t, bool& far);
  bool move_velocities(const ConstrainedMotion& at, double t, bool far);
  bool settle_velocities(const ConstrainedMotion& at, double t, const double* const* inverse_inertia);
  bool move_to_nearest(const ConstrainedMotion& at, double t, const double* const* inverse_inertia);
  [[nodiscard]] double along(const Group& group, std::size_t row, const std::vector<std::vector<double>>& values) const;
  double moved(double* const* values, double* const* lost, const std::vector<double>& k, double& size) const;

  std::size_t n_;
  std::size_t sites_;
  std::vector<Group> groups_;
  std::vector<double> slopes_;  // G of all equations
  std::optional<Elimination> elimination_;
  std::vector<double> multipliers_;
  std::vector<double> k_;  // of a step of Newton's method
  std::vector<double> impulse_;
  std::vector<std::vector<double>> nearest_to_;  // the velocities of the start, while they settle
  std::vector<std::size_t> dropped_;             // equations that follow from the others
  std::function<void()> renew_inertia_;          // while the start settles
  Elimination::Held held_ = Elimination::Held::dependent;
  std::string failure_;
  double t0_ = 0;
  double t_last_ = 0;              // of the last way back
  int small_steps_ = 0;            // in a row
  double first_independence_ = 0;  // at the start
};

}  // namespace herglotz::families
