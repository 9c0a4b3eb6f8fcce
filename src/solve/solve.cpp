#include "herglotz/solve/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "certificate/certificate.hpp"
#include "certificate/dependent_ends.hpp"
#include "certificate/gaps.hpp"
#include "certificate/judgement.hpp"
#include "certificate/measures.hpp"
#include "certificate/no_best_control.hpp"
#include "certificate/slopes.hpp"
#include "certificate/verdict.hpp"
#include "extremal.hpp"
#include "facts.hpp"
#include "final_set/motion.hpp"
#include "gauss_nlp.hpp"
#include "guess.hpp"
#include "herglotz/error.hpp"
#include "junctions.hpp"
#include "requirements.hpp"
#include "rows.hpp"
#include "scale/sizes.hpp"
#include "shooting/shoot.hpp"
#include "start/best_duration.hpp"
#include "start/branches.hpp"
#include "start/from_guess.hpp"
#include "start/independent_conditions.hpp"
#include "start/inequalities.hpp"
#include "start/singular_ends.hpp"
#include "start/starts.hpp"
#include "start/warm_start.hpp"
#include "steps/solve_steps.hpp"
#include "structure.hpp"

namespace herglotz::solve {
namespace {

using optimise::Minimum, optimise::Verdict;
constexpr int most_rounds = 15;
constexpr int most_moves = 12;
constexpr double still = 1e-11;           ///< a junction that moves less has settled
constexpr double finest_mesh = 1e-12;     ///< smaller errors are rounding errors
constexpr double before_shooting = 1e-9;  ///< of the mesh; shooting does the rest
constexpr double unreached = 1e-3;        ///< an end nearer than that is tried
constexpr double followed = 1e-3;         ///< a path that violates its equations by more has no cost
constexpr int enough_searches = 2;        ///< for an end that cannot be reached in the given time
constexpr int enough_falls = 2;           ///< starts from which the cost falls without bound
constexpr const char* unsettled = "the arcs on which controls are at their bounds were not settled";

class Solver {
 public:
  Solver(const control::Problem& problem, const std::function<bool()>& go_on)
      : model_(problem, PathIndependentCosts::taken), method_(collocation_of(problem.settings.method)), go_on_(go_on) {
    check_method(model_);
    model_.sizes = sizes_of(model_);
    if (model_.sizes.time != 1) model_.sizes = sizes_of(model_);  // the guess may depend on the time
    setup_.emplace(model_.divided_by(model_.sizes));
    if (std::string note = limited_duration(model_); !note.empty()) notes_.push_back(std::move(note));
  }

  Solution run() {
    if (!begin_warm()) {
      if (const std::string broken = broken_at_ends(model_); !broken.empty()) throw Failed(broken, "", "[control]");
      begin_where_ends_depend();
      if (solved() && has_best_growth()) keep_at_limit();
      if (solved()) measure_by_solution();
      if (solved()) release_dependent_ends();
      if (solved() && setup().form.inequalities.empty()) {
        join_branches();
        if (solved() && setup().has_bounds()) find_arcs();
        if (solved()) polish();
      }
    }
    const bool shoots = shoots_after_refining();
    if (solved()) refine(shoots ? before_shooting : finest_mesh, !shoots);
    if (solved() && shoots) shoot_from_here();
    return solution();
  }

 private:
  [[nodiscard]] const Setup& setup() const { return *setup_; }
  [[nodiscard]] const Units& units() const { return setup_->units; }

  /// The result of one solve, to go back to if the next one fails.
  struct State {
    Mesh mesh;
    Path path;
    Status status;
    std::string reason;
    double defect, stationarity;
  };
  [[nodiscard]] State state() const { return {mesh_, path_, status_, reason_, defect_, stationarity_}; }
  void go_back_to(const State& before) {
    std::tie(mesh_, path_, status_, reason_) = std::tie(before.mesh, before.path, before.status, before.reason);
    std::tie(defect_, stationarity_) = std::tie(before.defect, before.stationarity);
  }
  [[nodiscard]] bool solved() const { return status_ == Status::solved; }
  /// Takes a reason why there is no solution, if there is one, and returns whether there is.
  bool ends_with(Status status, const std::string& reason) {
    if (reason.empty()) return false;
    status_ = status;
    reason_ = reason;
    return true;
  }
  void fail(std::string reason) {
    status_ = Status::not_converged;
    reason_ = std::move(reason);
  }
  [[nodiscard]] optimise::MinimiseOptions options(double tolerance, int most, bool warm = false) const {
    return {tolerance, most, warm, warm ? 1e-7 : 0, go_on_};
  }

  /// Solves from the iterate of the guess. Returns false if there is none, or if its arcs lead to no solution.
  bool begin_warm() {
    auto start = warm_start(model_);
    if (!start) return false;
    mesh_ = start->mesh = in_units(units(), start->mesh);
    path_ = in_units(units(), std::move(start->path));
    if (setup().form.inequalities.empty() && !reaches_bounds(path_, mesh_)) {
      GaussNlp nlp(setup(), method_, mesh_);
      const Minimum found = optimise::find_stationary(nlp, nlp.iterate(path_), options(fine_tolerance, 30));
      if (found.verdict != Verdict::solved) return false;
      accept(nlp, found);
    } else {
      solve_on(start->mesh);
    }
    if (solved()) keep_at_limit();
    return status_ == Status::stopped || (solved() && is_consistent(setup(), path_, mesh_.arcs));
  }

  /// Replaces the units by the sizes along the first solution if these differ much. Bounded controls may be far from
  /// their best values in units that are too large, so that the problem is solved again until the units settle.
  void measure_by_solution() {
    for (int round = 0; round < 4; ++round) {
      const bool again = misses_controls(setup(), path_);
      Units along = sizes_along(setup(), path_, again ? hardly_if_far : hardly);
      if (!differ_much(along)) return;
      const State before = state();
      const Units last = units();
      path_ = in_units(along, std::move(path_));
      mesh_ = in_units(along, std::move(mesh_));
      use_units(product(last, std::move(along)));
      if (!again) return;
      GaussNlp nlp(setup(), method_, mesh_);
      accept(nlp, optimise::minimise(nlp, nlp.iterate(path_), options(coarse_tolerance, 300)));
      if (solved()) continue;
      use_units(last);
      return go_back_to(before);
    }
  }

  void use_units(const Units& units) {
    setup_.emplace(model_.divided_by(units));
    released_.leave_out(*setup_);
  }

  void begin() {
    mesh_ = in_units(units(), uniform_mesh(model_));
    std::optional<State> first;
    for (const StartingGuess& start : starts(setup())) {
      if (begin_from(start) || (!first && begin_in_units_of_model(start))) return;
      if (status_ == Status::stopped ||
          (!first &&
           ends_with(Status::infeasible, conflict_of_inequalities(model_, setup(), method_, mesh_, go_on_))) ||
          (!first &&
           ends_with(Status::not_converged, falling_in_vain(model_, setup(), method_, mesh_, path_, go_on_))) ||
          (!first && ends_with(Status::not_converged, growing_hamiltonian(setup(), path_))) ||
          (defect_ < followed && ends_with(status_, unbounded_cost(setup(), path_))))
        return;
      if ((setup().duration && failed_searches_ == enough_searches) || falls_ == enough_falls) break;
      if (!first) first = state();
    }
    go_back_to(*first);
    if (!farthest_.empty()) ends_with(Status::infeasible, out_of_reach(farthest_));
  }

  /// Leaves out dependent final values of the solution, as long as they hold all the same.
  void release_dependent_ends() {
    const State before = state();
    if (released_.release(*setup_, method_, path_)) {
      solve_on(mesh_);
      if (!solved() || !released_.hold(path_) || is_abnormal()) {
        released_.restore(*setup_);
        go_back_to(before);
      }
    }
    if (!released_.empty()) notes_.push_back(released_.note(setup()));
  }

  /// Begins without the final values that follow from others along a path that comes near the ends.
  void begin_where_ends_depend() {
    mesh_ = in_units(units(), uniform_mesh(model_));
    const auto near = may_depend(model_) ? path_to_soft_ends(model_, setup(), method_, mesh_, go_on_) : std::nullopt;
    if (near) {
      released_.release(*setup_, method_, *near);
      path_ = *near;
      set_durations(mesh_, path_);
      solve_on(mesh_);
    }
    if (!near || (!solved() && status_ != Status::stopped)) begin();
    if (released_.empty() || status_ == Status::stopped) return;
    if (solved() && released_.hold(path_) && !is_abnormal()) return;
    released_.restore(*setup_);
    begin();
  }

  /// Solves from one start in the units in which the model is written, where the sizes that were found for it lead to
  /// no solution. Returns whether that led to one; otherwise units and result are those from before.
  bool begin_in_units_of_model(const StartingGuess& start) {
    if (status_ == Status::stopped || !differ_much(units())) return false;
    const State before = state();
    const Units last = units();
    use_units(model_.units);
    mesh_ = uniform_mesh(model_);
    if (begin_from(start)) return true;
    if (status_ == Status::stopped) return false;
    use_units(last);
    go_back_to(before);
    return false;
  }

  /// Solves from one start, and returns whether that led to a solution.
  bool begin_from(const StartingGuess& from) {
    Path guess = in_units(units(), guessed_path(model_, method_, mesh_, from.bend));
    set_durations(mesh_, guess);
    if (from.nearest) {
      const NearestEnd nearest = nearest_end(model_, setup(), method_, mesh_, guess, go_on_);
      if (!nearest.found) return false;
      if (nearest.distance > unreached) {
        ++failed_searches_;
        if (farthest_.empty() || nearest.distance < distance_) {
          farthest_ = nearest.farthest;
          distance_ = nearest.distance;
        }
        return false;
      }
      farthest_.clear();
      guess = nearest.path;
      set_durations(mesh_, guess);
    }
    GaussNlp nlp(setup(), method_, mesh_);
    FromGuess from_guess = solve_from_guess(setup(), nlp, guess, go_on_);
    if (from_guess.is_only_stationary)
      notes_.push_back("the extremal is not a minimum of its discretisation: it was found as a stationary point");
    accept(nlp, from_guess.found);
    falls_ += from_guess.found.falls ? 1 : 0;
    return solved() && !(setup().has_bounds() && !is_abnormal() && misses_maximum(legendre_margin(setup(), path_)));
  }

  /// Solves again with the controls of all stages on one branch, as long as that changes some of them.
  void join_branches() {
    for (int round = 0; round < 3; ++round) {
      const auto smoother = on_one_branch(setup(), path_);
      if (!smoother) return;
      const State before = state();
      GaussNlp nlp(setup(), method_, mesh_);
      auto barrier = options(coarse_tolerance, 300, true);
      barrier.barrier = 1e-5;
      accept(nlp, optimise::minimise(nlp, nlp.iterate(*smoother), barrier));
      if (!solved()) return go_back_to(before);
    }
  }

  /// Returns false, with the reason, if the cost becomes better as long as the duration or a control grows.
  bool has_best_growth() {
    const ControlSlope slope = largest_control_slope(setup(), path_);
    return !ends_with(Status::not_converged, falling_with_duration(model_, setup(), method_, mesh_, path_, go_on_)) &&
           (is_abnormal() || !ends_with(Status::not_converged, falling_with_controls(setup(), path_, slope)));
  }

  /// Solves with the duration at its limit if it came to one.
  void keep_at_limit() {
    const auto limit = reached_limit(setup(), path_);
    if (!limit) return;
    const State before = state();
    setup_->duration = limit;
    solve_on(mesh_);
    if (solved()) {
      model_.duration = *limit * units().time;
    } else {
      setup_->duration.reset();
      go_back_to(before);
    }
  }

  void accept(GaussNlp& nlp, const Minimum& found) {
    iterations_ += static_cast<std::size_t>(found.iterations);
    path_ = nlp.path(found.at);
    set_durations(mesh_, path_);
    const Judgement judgement = judgement_of(nlp, found);
    std::tie(status_, reason_) = std::tie(judgement.status, judgement.reason);
    std::tie(defect_, stationarity_) = std::tie(judgement.defect, judgement.stationarity);
    if (judgement.hardly_off && is_abnormal()) status_ = Status::solved;
  }

  [[nodiscard]] bool is_abnormal() const { return has_no_price(setup(), path_); }

  /// Solves on a mesh, starting from the present path. Controls come so near to their limits that the cost is right to
  /// `limits`, if that is not 0.
  void solve_on(const Mesh& mesh, double limits = 0) {
    mesh_ = mesh;
    GaussNlp nlp(setup(), method_, mesh_);
    const auto start = nlp.iterate(path_);
    if (setup().form.inequalities.empty() && !reaches_bounds(path_, mesh_)) {
      const Minimum found = optimise::find_stationary(nlp, start, options(fine_tolerance, 30));
      if (found.verdict == Verdict::solved) return accept(nlp, found);
    }
    // If bounds are reached, the barrier must be high enough at first to move stages away from a wrong bound.
    auto with_barrier = options(coarse_tolerance, 200, !reaches_bounds(path_, mesh_));
    with_barrier.barrier = reaches_bounds(path_, mesh_) ? 1e-3 : 1e-7;
    if (limits > 0) with_barrier.products = largest_product(limits, mesh.intervals() * method_.stages());
    accept(nlp, optimise::minimise(nlp, start, with_barrier));
  }

  void polish() {
    if (reaches_bounds(path_, mesh_)) return;
    GaussNlp nlp(setup(), method_, mesh_);
    const Minimum found = optimise::find_stationary(nlp, nlp.iterate(path_), options(fine_tolerance, 20));
    if (found.verdict == Verdict::solved) accept(nlp, found);
  }

  void find_arcs() {
    for (int round = 0; round < 6; ++round) {
      const Mesh mesh = arcs_of(setup(), path_, setup().problem.settings.intervals);
      if (round > 0 && same_arcs(mesh, mesh_)) break;
      if (mesh.arcs.size() == 1 && same_arcs(mesh, mesh_)) return;
      const State before = state();
      solve_on_arcs(mesh);
      if (!solved()) {
        go_back_to(before);
        break;
      }
      if (is_consistent(setup(), path_, mesh_.arcs)) return;
    }
    if (!is_consistent(setup(), path_, mesh_.arcs)) notes_.emplace_back(unsettled);
  }

  void solve_on_arcs(const Mesh& mesh) {
    mesh_ = mesh;
    GaussNlp nlp(setup(), method_, mesh_);
    accept(nlp, optimise::minimise(nlp, nlp.iterate(path_), options(coarse_tolerance, 500, true)));
    if (solved()) polish();
  }

  [[nodiscard]] bool shoots_after_refining() const {
    const std::string& method = setup().problem.settings.method;
    return method == "shooting" || (method == "auto" && !active_inequality(setup(), path_));
  }

  /// Solves once more by multiple shooting. If that fails, the method `auto` keeps the direct solution.
  void shoot_from_here() {
    Shot shot = shoot(setup(), path_, is_abnormal(), go_on_);
    iterations_ += shot.iterations;
    if (shot.path) {
      path_ = std::move(*shot.path);
      std::tie(defect_, stationarity_, mesh_error_) = std::tie(shot.defect, shot.stationarity, shot.flow_error);
      for (std::string& note : notes_of(shot)) notes_.push_back(std::move(note));
      shot_ = std::move(shot);
      return;
    }
    if (setup().problem.settings.method == "shooting") {
      if (shot.refused) throw Refused("[mesh] asks for shooting, but " + shot.reason, "use direct-gauss-6", "[mesh]");
      status_ = shot.reason == "stopped" ? Status::stopped : Status::not_converged;
      reason_ = "shooting: " + shot.reason;
      return;
    }
    notes_.push_back("the solution is that of direct-gauss-6, not of shooting: " + shot.reason);
    refine(finest_mesh, true);
  }

  /// Refines the mesh to the tolerance of the problem, which is at least `finest`. If it does not close the gap,
  /// shooting does so.
  void refine(double finest, bool closes_gap) {
    const double tolerance = std::max(setup().problem.settings.tolerance, finest);
    GapProgress progress;
    for (int round = 0; round < most_rounds; ++round) {
      settle_junctions();
      const double target = 0.3 * tolerance / static_cast<double>(mesh_.intervals());
      MeshErrors errors = mesh_errors(setup(), path_, target, closes_gap && why_no_gap(setup(), is_abnormal()).empty());
      errors_ = std::move(errors.of_steps);
      mesh_error_ = errors.largest;
      const double missed = errors.missed;
      if (mesh_error_ <= tolerance || !has_best_growth()) return;
      if (missed > tolerance && (!keeps_signs(setup(), path_, mesh_.arcs) || progress.is_in_vain(missed)))
        return fail(missed_cost(setup(), path_, missed));
      if (round == 0 && missed > tolerance) {
        // Controls may miss so much because they keep off their limits.
        solve_on(mesh_, tolerance);
        if (!solved()) return;
        continue;
      }
      if (ends_with(Status::not_converged, unsettled_bounds(setup(), path_, mesh_))) return;
      Mesh finer = split(mesh_, errors_.of_intervals, errors.unseen, target, method_.order);
      if (finer.intervals() > setup().problem.settings.most_intervals())
        return fail(too_few_intervals(setup(), mesh_.intervals(), mesh_error_, finer.intervals()));
      solve_on(finer, tolerance);
      if (!solved()) return;
    }
    fail(fmt::format("refining the mesh does not bring the error below {:.2g}", mesh_error_));
  }

  /// Makes the times at which controls come to their bounds or leave them nodes of the mesh, if that can be done.
  void settle_junctions() {
    const bool has_junctions = !mesh_.arcs.front().kept.empty();
    const bool has_none = !has_junctions && !reaches_bounds(path_, mesh_);
    if (!setup().form.inequalities.empty() || mesh_.arcs.size() > 1 || has_none) return;
    const State before = state();
    for (int round = 0; round < most_moves; ++round) {
      const auto next = with_junctions(setup(), path_, mesh_);
      if (!next) break;
      if (next->moved <= still) {
        if (!keeps_bounds(setup(), path_)) break;
        return;
      }
      mesh_ = next->mesh;
      GaussNlp nlp(setup(), method_, mesh_);
      const Minimum found = optimise::find_stationary(nlp, nlp.iterate(path_), options(fine_tolerance, 30));
      if (found.verdict != Verdict::solved) break;
      accept(nlp, found);
    }
    go_back_to(before);
    if (has_junctions) solve_on(without_junctions(mesh_));
  }

  Solution solution() {
    Solution result;
    result.status = status_;
    const Path path = add_to_cost(in_model(units(), path_), [&](double t) { return model_.independent.at(t); });
    result.reason = reason_ + (status_ == Status::not_converged ? hint_of_controls(model_, path) : "");
    if (solved() && is_consistent(setup(), path_, mesh_.arcs)) std::erase(notes_, unsettled);
    result.notes = notes_;
    result.abnormal = is_abnormal();
    result.cost = cost_of(model_, path);
    result.duration = path.end() - path.start();
    result.intervals = mesh_.intervals();
    result.iterations = iterations_;
    result.method = shot_ ? "shooting" : direct_method(setup().problem.settings.method);
    result.solvers = optimise::solver_versions();
    result.mesh_error = mesh_error_;
    const bool no_gap = result.abnormal || control::has_constant_cost(setup().problem);
    if (solved())
      result.cost_error = with_rounding(units().cost() * ((shot_ ? shot_->cost_error : errors_.of_cost) +
                                                          (no_gap ? 0 : gaps_of(setup(), path_).of_cost)),
                                        result.cost);
    const Structure structure = structure_of(model_, path);
    result.structure = structure.text;
    result.switching_times = structure.switching_times;
    const Rows rows = rows_of(model_, setup(), path_, result.abnormal);
    result.trajectory.columns = rows.columns;
    result.residuals = {{"defect", defect_},
                        {"stationarity", stationarity_},
                        {"hamiltonian", rows.largest_hamiltonian_residual},
                        {"price_share", price_share(model_, path)}};
    if (solved()) certify({setup(), method_, mesh_, path_}, result);
    if (defect_ < followed) judge_gap(setup(), path_, result);
    if (shot_) judge_difference(shot_->difference, setup().problem.settings.tolerance, result);
    result.iterate = iterate_of(model_, path, errors_.of_intervals);
    state_facts(model_.problem, result);
    return result;
  }

  Setup model_;                 ///< in the units of the model
  std::optional<Setup> setup_;  ///< in the units in which the problem is solved
  Collocation method_;
  const std::function<bool()>& go_on_;
  Mesh mesh_;
  Path path_;
  std::optional<Shot> shot_;  ///< if path_ is a result of shooting
  Status status_ = Status::not_converged;
  std::string reason_;
  ReleasedEnds released_;
  std::string farthest_;  ///< the condition at the ends that the nearest path does not meet
  double distance_ = 0;
  int failed_searches_ = 0;
  int falls_ = 0;
  std::vector<std::string> notes_;
  std::size_t iterations_ = 0;
  double defect_ = 0;
  double stationarity_ = 0;
  LocalErrors errors_;  ///< on the last mesh on which they were estimated
  double mesh_error_ = std::nan("");
};

}  // namespace

Solution solve(const control::Problem& problem, const std::function<bool()>& go_on) {
  check_mesh(problem.settings);
  const auto solved = [&](const control::Problem& one) {
    return without_dependent_conditions(one, [&](const auto& fewer) { return Solver(fewer, go_on).run(); });
  };
  if (const auto singular = singular_ends(problem)) return solve_on_final_set(problem, *singular, solved);
  return problem.settings.method == "direct-herglotz" ? solve_steps(problem, go_on) : solved(problem);
}

}  // namespace herglotz::solve
