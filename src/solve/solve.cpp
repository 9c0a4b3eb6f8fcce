#include "herglotz/solve/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "certificate/certificate.hpp"
#include "certificate/gaps.hpp"
#include "certificate/judgement.hpp"
#include "certificate/kinks.hpp"
#include "certificate/measures.hpp"
#include "certificate/no_best_control.hpp"
#include "certificate/verdict.hpp"
#include "facts.hpp"
#include "final_set/motion.hpp"
#include "herglotz/control/epigraphs.hpp"
#include "herglotz/control/magnitudes.hpp"
#include "herglotz/control/signed_parts.hpp"
#include "herglotz/error.hpp"
#include "junctions.hpp"
#include "maximum/better_controls.hpp"
#include "maximum/needles.hpp"
#include "parts/without_kinks.hpp"
#include "parts/without_norms.hpp"
#include "requirements.hpp"
#include "rows.hpp"
#include "search/first_solution.hpp"
#include "shooting/shoot.hpp"
#include "start/from_guess.hpp"
#include "start/independent_conditions.hpp"
#include "start/inequalities.hpp"
#include "start/singular_ends.hpp"
#include "start/warm_start.hpp"
#include "steps/solve_steps.hpp"
#include "structure.hpp"

namespace herglotz::solve {
namespace {

constexpr int most_rounds = 15;
constexpr double finest_mesh = 1e-12;     ///< smaller errors are rounding errors
constexpr double before_shooting = 1e-9;  ///< of the mesh; shooting does the rest
constexpr double low_barrier = 1e-6;      ///< that does not move better controls far
constexpr int most_steps = 500;           ///< of a solver from better controls
constexpr double followed = 1e-3;         ///< a path that violates its equations by more has no cost

class Solver {
 public:
  Solver(const control::Problem& problem, const std::function<bool()>& go_on) : s_(problem, go_on) {}

  Solution run() {
    if (!begin_warm(s_)) {
      if (const std::string broken = broken_at_ends(s_.model); !broken.empty()) throw Failed(broken, "", "[control]");
      begin_cold(s_);
    }
    const bool shoots = shoots_after_refining();
    if (s_.solved()) refine(shoots ? before_shooting : finest_mesh, !shoots);
    if (s_.solved() && shoots) shoot_from_here();
    if (s_.status == Status::not_converged) s_.ends_with(Status::not_converged, infinite_hamiltonian(setup(), s_.path));
    return solution();
  }

  /// Solves from the iterate of the guess with better controls on arcs of their own.
  std::optional<Solution> run_from(const MaximumCondition& condition, Needles needles) {
    const auto found = warm_start(s_.model);
    auto start = found ? with_needles(*found, condition, needles) : std::nullopt;
    if (!start) return std::nullopt;
    s_.mesh = in_units(s_.units(), std::move(start->mesh));
    s_.path = in_units(s_.units(), std::move(start->path));
    GaussNlp nlp(setup(), s_.method, s_.mesh);
    auto near = s_.options(coarse_tolerance, most_steps);
    near.barrier = s_.barrier_at_bounds = low_barrier;
    s_.accept(nlp, optimise::minimise(nlp, nlp.iterate(s_.path), near));
    if (s_.solved()) s_.polish();
    if (s_.solved()) refine(finest_mesh, true);
    return solution();
  }

 private:
  [[nodiscard]] const Setup& setup() const { return s_.setup(); }

  [[nodiscard]] bool shoots_after_refining() const {
    const std::string& method = setup().problem.settings.method;
    return method == "shooting" || (method == "auto" && !active_inequality(setup(), s_.path));
  }

  /// Solves once more by multiple shooting. If that fails, the method `auto` keeps the direct solution.
  void shoot_from_here() {
    Shot shot = shoot(setup(), s_.path, s_.is_abnormal(), s_.go_on);
    s_.iterations += shot.iterations;
    if (shot.path) {
      s_.path = std::move(*shot.path);
      std::tie(s_.defect, s_.stationarity, mesh_error_) = std::tie(shot.defect, shot.stationarity, shot.flow_error);
      for (std::string& note : notes_of(shot)) s_.notes.push_back(std::move(note));
      shot_ = std::move(shot);
      return;
    }
    if (setup().problem.settings.method == "shooting") {
      if (shot.refused) throw Refused("[mesh] asks for shooting, but " + shot.reason, "use direct-gauss-6", "[mesh]");
      s_.status = shot.reason == "stopped" ? Status::stopped : Status::not_converged;
      s_.reason = "shooting: " + shot.reason;
      return;
    }
    s_.notes.push_back("the solution is that of direct-gauss-6, not of shooting: " + shot.reason);
    refine(finest_mesh, true);
  }

  [[nodiscard]] bool has_wrong_arcs() const { return !keeps_signs(setup(), s_.path, s_.mesh.arcs); }

  /// Refines the mesh to the tolerance of the problem, which is at least `finest`. If it does not close the gap,
  /// shooting does so.
  void refine(double finest, bool closes_gap) {
    const double tolerance = std::max(setup().problem.settings.tolerance, finest);
    GapProgress progress;
    for (int round = 0; round < most_rounds; ++round) {
      s_.settle_junctions();
      const double target = 0.3 * tolerance / static_cast<double>(s_.mesh.intervals());
      MeshErrors errors =
          mesh_errors(setup(), s_.path, target, closes_gap && why_no_gap(setup(), s_.is_abnormal()).empty());
      errors_ = std::move(errors.of_steps);
      mesh_error_ = errors.largest;
      const double missed = errors.missed;
      if (mesh_error_ <= tolerance || !s_.has_best_growth()) return;
      if (missed > tolerance && has_wrong_arcs() && find_arcs_on_finer_meshes(s_)) continue;
      if (missed > tolerance && (has_wrong_arcs() || progress.is_in_vain(missed)))
        return s_.fail(missed_cost(setup(), s_.path, missed));
      if (round == 0 && missed > tolerance) {
        // Controls may miss so much because they keep off their limits.
        s_.solve_on(s_.mesh, tolerance);
        if (!s_.solved()) return;
        continue;
      }
      if (s_.ends_with(Status::not_converged, unsettled_bounds(setup(), s_.path, s_.mesh))) return;
      Mesh finer = split(s_.mesh, errors_.of_intervals, errors.unseen, target, s_.method.order);
      if (finer.intervals() > setup().problem.settings.most_intervals())
        return s_.fail(too_few_intervals(setup(), s_.mesh.intervals(), mesh_error_, finer.intervals()));
      s_.solve_on(finer, tolerance);
      if (!s_.solved()) return;
    }
    s_.fail(fmt::format("refining the mesh does not bring the error below {:.2g}", mesh_error_));
  }

  Solution solution() {
    Solution result;
    const Path path = add_to_cost(in_model(s_.units(), s_.path), [&](double t) { return s_.model.independent.at(t); });
    if (s_.solved()) s_.ends_with(Status::not_converged, stays_on_kink(s_.model, path));
    result.status = s_.status;
    result.reason = s_.reason + (s_.status == Status::not_converged ? hint_of_controls(s_.model, path) : "");
    if (s_.solved() && s_.has_its_arcs()) std::erase(s_.notes, unsettled);
    result.notes = s_.notes;
    result.abnormal = s_.is_abnormal();
    result.cost = cost_of(s_.model, path);
    result.duration = path.end() - path.start();
    result.intervals = s_.mesh.intervals();
    result.iterations = s_.iterations;
    result.method = shot_ ? "shooting" : direct_method(setup().problem.settings.method);
    result.solvers = optimise::solver_versions();
    result.mesh_error = mesh_error_;
    const bool no_gap = result.abnormal || control::has_constant_cost(setup().problem);
    if (s_.solved())
      result.cost_error = with_rounding(s_.units().cost() * ((shot_ ? shot_->cost_error : errors_.of_cost) +
                                                             (no_gap ? 0 : gaps_of(setup(), s_.path).of_cost)),
                                        result.cost);
    result.arcs = arcs_in_words(s_.model, path);
    state_structure(result);
    const Rows rows = rows_of(s_.model, setup(), s_.path, result.abnormal);
    result.trajectory.columns = rows.columns;
    result.residuals = {{"defect", s_.defect},
                        {"stationarity", s_.stationarity},
                        {"hamiltonian", rows.largest_hamiltonian_residual},
                        {"price_share", price_share(s_.model, path)}};
    if (s_.solved()) certify({setup(), s_.method, s_.mesh, s_.path}, result);
    if (s_.defect < followed) judge_gap(setup(), s_.path, result);
    if (shot_) judge_difference(shot_->difference, setup().problem.settings.tolerance, result);
    result.iterate = iterate_of(s_.model, path, errors_.of_intervals);
    state_facts(s_.model.problem, result);
    return result;
  }

  Search s_;
  std::optional<Shot> shot_;  ///< if the path is a result of shooting
  LocalErrors errors_;        ///< on the last mesh on which they were estimated
  double mesh_error_ = std::nan("");
};

Solution solve_as_stated(const control::Problem& problem, const std::function<bool()>& go_on) {
  const auto solved = [&](const control::Problem& one) {
    return without_dependent_conditions(one, [&](const auto& fewer) { return Solver(fewer, go_on).run(); });
  };
  if (const auto singular = singular_ends(problem)) return solve_on_final_set(problem, *singular, solved);
  return problem.settings.method == "direct-herglotz" ? solve_steps(problem, go_on) : solved(problem);
}

/// Returns whether the method takes inequalities along the path.
bool takes_inequalities(const std::string& method) {
  return method == "auto" || method.starts_with("direct-gauss");
}

bool is_settled(const Solution& found) {
  return found.status == Status::solved || found.status == Status::stopped;
}

/// Solves the problem as it is stated; if that fails, with variables above the kinks of its cost. A path that was found
/// with these is gone on with.
Solution solve_above_kinks(const control::Problem& problem, const std::function<bool()>& go_on) {
  const auto with_variables = [&] {
    return takes_inequalities(problem.settings.method) ? control::with_epigraphs(problem) : std::nullopt;
  };
  const auto above = [&](const control::Epigraphs& epigraphs) {
    Solution found = solve_as_stated(epigraphs.problem, go_on);
    remove_epigraphs(epigraphs, found.trajectory.columns);
    return found;
  };
  if (problem.guess.iterate) {
    const auto epigraphs = with_variables();
    if (epigraphs && is_path_of(*epigraphs, *problem.guess.iterate)) return above(*epigraphs);
  }
  Solution stated = solve_as_stated(problem, go_on);
  if (is_settled(stated)) return stated;
  const auto epigraphs = with_variables();
  if (!epigraphs) return stated;
  Solution found = above(*epigraphs);
  return is_settled(found) ? found : stated;
}

/// Solves the problem without the kinks of its controls; if that fails, as it is stated.
Solution solve_without_kinks(const control::Problem& problem, const std::function<bool()>& go_on) {
  if (const auto parts = control::with_signed_parts(problem)) {
    Solution found = solve_above_kinks(parts->problem, go_on);
    if (are_parts_of_controls(*parts, found)) return with_controls(*parts, std::move(found));
  }
  return solve_above_kinks(problem, go_on);
}

/// Solves the problem with magnitudes and directions of controls whose norms it has; if that fails, as it is stated.
Solution solve_without_norms(const control::Problem& problem, const std::function<bool()>& go_on) {
  const auto magnitudes =
      takes_inequalities(problem.settings.method) ? control::with_magnitudes(problem) : std::nullopt;
  if (magnitudes) {
    Solution found = solve_without_kinks(magnitudes->problem, go_on);
    if (are_norms_of_controls(*magnitudes, found)) return with_controls(*magnitudes, std::move(found));
  }
  Solution found = solve_without_kinks(problem, go_on);
  if (is_settled(found)) return found;
  if (const std::string norm = control::norm_without_magnitude(problem); !norm.empty())
    found.reason += fmt::format(
        "; '{0}' has a kink where it is 0, which is resolved only if other terms are linear in its controls, these "
        "have "
        "no bounds, and [control] path limits it, as '{0} - 1'",
        norm);
  return found;
}

}  // namespace

Solution solve(const control::Problem& problem, const std::function<bool()>& go_on) {
  check_mesh(problem.settings);
  const auto from_guess = [&](const control::Problem& one) { return solve_without_norms(one, go_on); };
  const auto from_needles = [&](const control::Problem& one, const MaximumCondition& condition,
                                Needles needles) -> std::optional<Solution> {
    if (one.settings.method == "shooting") return std::nullopt;
    return Solver(one, go_on).run_from(condition, needles);
  };
  return with_best_controls(problem, from_guess(problem), {from_guess, from_needles});
}

}  // namespace herglotz::solve
