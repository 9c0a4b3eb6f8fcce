#include "search/first_solution.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "certificate/certificate.hpp"
#include "certificate/gaps.hpp"
#include "certificate/no_best_control.hpp"
#include "extremal.hpp"
#include "guess.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "junctions.hpp"
#include "scale/sizes.hpp"
#include "shooting/shoot.hpp"
#include "start/best_duration.hpp"
#include "start/branches.hpp"
#include "start/from_guess.hpp"
#include "start/inequalities.hpp"
#include "start/starts.hpp"
#include "start/warm_start.hpp"
#include "structure.hpp"

namespace herglotz::solve {
namespace {

constexpr double unreached = 1e-3;  ///< an end nearer than that is tried
constexpr double followed = 1e-3;   ///< a path that violates its equations by more has no cost
constexpr int enough_searches = 2;  ///< for an end that cannot be reached in the given time
constexpr double strong_wave = 0.5;
/// Steps from each of the starts before the first is gone on with. From starts that lead to a solution fewer suffice,
/// and others may creep for thousands.
constexpr int first_steps = 150;
constexpr int most_steps = 500;
constexpr int enough_falls = 2;  ///< starts from which the cost falls without bound
/// Error of a coarse mesh whose path may be another than that of a fine one.
constexpr double unresolved = 0.1;

/// Intervals of the meshes on which problems begin, as long as they are fewer than those asked for.
constexpr std::size_t few = 40;
constexpr std::size_t some = 160;

/// Returns whether controls jump between arcs on which they are at their bounds: not where an active inequality of
/// states holds them between these.
bool may_have_arcs(const Setup& setup, const Path& path) {
  const auto& states = setup.form.v;
  const auto& inequalities = setup.form.inequalities;
  return std::none_of(inequalities.begin(), inequalities.end(),
                      [&](const auto& D) { return symbolic::depends_on_any(symbolic::expand_lets(D), states); }) ||
         !active_inequality(setup, path);
}

/// The search on a mesh with a given number of intervals.
class FirstSolution {
 public:
  FirstSolution(Search& search, std::size_t intervals) : s_(search), intervals_(intervals) {}

  void find() {
    begin_where_ends_depend();
    if (s_.solved() && s_.has_best_growth()) s_.keep_at_limit();
    if (s_.solved()) measure_by_solution();
    if (s_.solved()) release_dependent_ends();
    if (!s_.solved() || !may_have_arcs(setup(), s_.path)) return;
    join_branches();
    if (s_.solved() && setup().has_bounds()) find_arcs();
    if (s_.solved()) s_.polish();
  }

  /// Solves without arcs from the present path, and finds the arcs of that solution.
  void find_other_arcs() {
    Arc whole;
    whole.held.assign(setup().problem.controls.size(), Hold::free);
    whole.nodes = equal_nodes(intervals_);
    whole.duration = s_.path.end() - s_.path.start();
    s_.solve_on({{std::move(whole)}});
    if (s_.solved()) find_arcs();
  }

 private:
  [[nodiscard]] const Setup& setup() const { return s_.setup(); }

  /// Replaces the units by the sizes along the first solution if these differ much. Bounded controls may be far from
  /// their best values in units that are too large, so that the problem is solved again until the units settle.
  void measure_by_solution() {
    for (int round = 0; round < 4; ++round) {
      const bool again = misses_controls(setup(), s_.path);
      Units along = sizes_along(setup(), s_.path, again ? hardly_if_far : hardly);
      if (!differ_much(along)) return;
      const Search::State before = s_.state();
      const Units last = s_.units();
      s_.path = in_units(along, std::move(s_.path));
      s_.mesh = in_units(along, std::move(s_.mesh));
      s_.use_units(product(last, std::move(along)));
      if (!again) return;
      minimise_from(s_.path, s_.options(coarse_tolerance, 300));
      if (s_.solved()) continue;
      s_.use_units(last);
      return s_.go_back_to(before);
    }
  }

  void minimise_from(const Path& start, const optimise::MinimiseOptions& options) {
    GaussNlp nlp(setup(), s_.method, s_.mesh);
    s_.accept(nlp, optimise::minimise(nlp, nlp.iterate(start), options));
  }

  void begin() {
    s_.mesh = in_units(s_.units(), uniform_mesh(s_.model, intervals_));
    std::optional<Search::State> best;  // the first of those that come farthest
    int best_rank = 0;
    const auto keep_best = [&] {
      const int rank = s_.defect < followed ? 2 : began_at_ends_ ? 1 : 0;
      if (best && rank <= best_rank) return;
      best = s_.state();
      best_rank = rank;
    };
    std::vector<Search::State> unfinished;
    for (const StartingGuess& start : starts(setup())) {
      if (begin_from(start) || (!best && begin_in_units_of_model(start))) return;
      if (s_.stopped() || (!best && is_hopeless()) ||
          (s_.defect < followed && s_.ends_with(s_.status, unbounded_cost(setup(), s_.path))))
        return;
      keep_best();
      if (ran_out_) unfinished.push_back(s_.state());
      if ((setup().duration && failed_searches_ == enough_searches) || falls_ == enough_falls) break;
    }
    const bool is_out_of_reach =
        setup().duration && best_rank == 0 && failed_searches_ == enough_searches && nearest_->is_nearest;
    if (!is_out_of_reach && falls_ < enough_falls) {
      for (const Search::State& one : unfinished) {
        s_.go_back_to(one);
        if (solve_from(one.path, most_steps) || s_.stopped()) return;
        keep_best();
      }
    }
    s_.go_back_to(*best);
    if (best_rank == 0 && nearest_)
      s_.ends_with(nearest_->is_nearest ? Status::infeasible : Status::not_converged, out_of_reach(*nearest_));
  }

  /// Returns whether no other guess leads to a solution, with the reason.
  bool is_hopeless() {
    const auto& [model, method, mesh, path, go_on] = std::tie(s_.model, s_.method, s_.mesh, s_.path, s_.go_on);
    return s_.ends_with(Status::infeasible, conflict_of_inequalities(model, setup(), method, mesh, go_on)) ||
           s_.ends_with(Status::not_converged, falling_in_vain(model, setup(), method, mesh, path, go_on)) ||
           s_.ends_with(Status::not_converged, growing_hamiltonian(setup(), path));
  }

  /// Leaves out dependent final values of the solution, as long as they hold all the same.
  void release_dependent_ends() {
    const Search::State before = s_.state();
    if (s_.released.release(*s_.in_units, s_.method, s_.path)) {
      s_.solve_on(s_.mesh);
      if (!s_.solved() || !s_.released.hold(s_.path) || s_.is_abnormal()) {
        s_.released.restore(*s_.in_units);
        s_.go_back_to(before);
      }
    }
    if (!s_.released.empty()) s_.notes.push_back(s_.released.note(setup()));
  }

  /// Begins without the final values that follow from others along a path that comes near the ends.
  void begin_where_ends_depend() {
    s_.mesh = in_units(s_.units(), uniform_mesh(s_.model, intervals_));
    const auto near =
        may_depend(s_.model) ? path_to_soft_ends(s_.model, setup(), s_.method, s_.mesh, s_.go_on) : std::nullopt;
    if (near) {
      s_.released.release(*s_.in_units, s_.method, *near);
      s_.path = *near;
      set_durations(s_.mesh, s_.path);
      s_.solve_on(s_.mesh);
    }
    if (!near || (!s_.solved() && !s_.stopped())) begin();
    if (s_.released.empty() || s_.stopped()) return;
    if (s_.solved() && s_.released.hold(s_.path) && !s_.is_abnormal()) return;
    s_.released.restore(*s_.in_units);
    begin();
  }

  /// Solves from one start in the units in which the model is written, where the sizes that were found for it lead to
  /// no solution. Returns whether that led to one; otherwise units and result are those from before.
  bool begin_in_units_of_model(const StartingGuess& start) {
    if (s_.stopped() || !differ_much(s_.units())) return false;
    const Search::State before = s_.state();
    const Units last = s_.units();
    s_.use_units(s_.model.units);
    s_.mesh = uniform_mesh(s_.model, intervals_);
    if (begin_from(start)) return true;
    if (s_.stopped()) return false;
    s_.use_units(last);
    s_.go_back_to(before);
    return false;
  }

  /// Takes the durations of the guess for those of the mesh.
  Path guess_bent_by(const Bend& bend) {
    Path guess = in_units(s_.units(), guessed_path(s_.model, s_.method, s_.mesh, bend));
    set_durations(s_.mesh, guess);
    return guess;
  }

  /// Returns the path that comes nearest to the ends from a bent guess. Where controls do not bring it nearer to first
  /// order and no limit keeps it away, as where a car at rest is asked to move sideways, it says little of what can be
  /// reached, and the search is made again from guesses with other waves.
  NearestEnd nearest_from(const Bend& bend) {
    const auto search_from = [&](const Bend& one) {
      return nearest_end(s_.model, setup(), s_.method, s_.mesh, guess_bent_by(one), s_.go_on);
    };
    NearestEnd nearest = search_from(bend);
    for (const std::size_t pitch : {1U, 2U}) {
      if (!nearest.found || nearest.distance <= unreached || !nearest.is_free) break;
      NearestEnd other = search_from({bend.stretch, bend.wave - strong_wave, pitch});
      if (other.found && other.distance < nearest.distance) nearest = std::move(other);
    }
    return nearest;
  }

  /// Solves from one start, and returns whether that led to a solution.
  bool begin_from(const StartingGuess& from) {
    Path guess = guess_bent_by(from.bend);
    began_at_ends_ = ran_out_ = false;
    if (from.nearest) {
      NearestEnd nearest = nearest_from(from.bend);
      if (!nearest.found) return false;
      if (nearest.distance > unreached) {
        ++failed_searches_;
        if (!nearest_ || nearest.distance < nearest_->distance) nearest_ = std::move(nearest);
        return false;
      }
      began_at_ends_ = true;
      guess = std::move(nearest.path);
      set_durations(s_.mesh, guess);
    }
    return solve_from(guess, first_steps);
  }

  bool solve_from(const Path& guess, int steps) {
    GaussNlp nlp(setup(), s_.method, s_.mesh);
    FromGuess from_guess = solve_from_guess(setup(), nlp, guess, steps, steps == most_steps, s_.go_on);
    if (from_guess.is_only_stationary)
      s_.notes.emplace_back("the extremal is not a minimum of its discretisation: it was found as a stationary point");
    s_.accept(nlp, from_guess.found);
    falls_ += from_guess.found.falls ? 1 : 0;
    ran_out_ = !s_.solved() && from_guess.found.iterations >= steps;
    return s_.solved() &&
           !(setup().has_bounds() && !s_.is_abnormal() && misses_maximum(legendre_margin(setup(), s_.path)));
  }

  /// Solves again with the controls of all stages on one branch, as long as that changes some of them.
  void join_branches() {
    for (int round = 0; round < 3; ++round) {
      const auto smoother = on_one_branch(setup(), s_.path);
      if (!smoother) return;
      const Search::State before = s_.state();
      auto barrier = s_.options(coarse_tolerance, 300, true);
      barrier.barrier = 1e-5;
      minimise_from(*smoother, barrier);
      if (!s_.solved()) return s_.go_back_to(before);
    }
  }

  void find_arcs() {
    for (int round = 0; round < 6; ++round) {
      const Mesh mesh = arcs_of(setup(), s_.path, intervals_);
      if (round > 0 && same_arcs(mesh, s_.mesh)) break;
      if (mesh.arcs.size() == 1 && same_arcs(mesh, s_.mesh)) return;
      const Search::State before = s_.state();
      s_.mesh = mesh;
      minimise_from(s_.path, s_.options(coarse_tolerance, 500, true));
      if (s_.solved()) s_.polish();
      if (!s_.solved()) {
        s_.go_back_to(before);
        break;
      }
      if (s_.has_its_arcs()) return;
    }
    if (!s_.has_its_arcs()) s_.notes.emplace_back(unsettled);
  }

  Search& s_;
  std::size_t intervals_;
  std::optional<NearestEnd> nearest_;  ///< of those that are far from the ends
  bool began_at_ends_ = false;         ///< whether the last start met the equations, bounds, and ends
  bool ran_out_ = false;               ///< whether the last start came to no end in its steps
  int failed_searches_ = 0;
  int falls_ = 0;
};

/// Returns the numbers of intervals on which a problem is begun, up to that which it asks for. The multiplier of a
/// bound has the share h of the slope of the switching function, and near a switch that slope is in proportion to the
/// time from it: with a barrier of one height, a control in which H is linear is away from its bounds on as many
/// stages as the square of the number of intervals, so that its arcs are seen on few intervals only.
std::vector<std::size_t> meshes_to(const Setup& setup) {
  const auto& linear = setup.form.linear;
  const bool jumps = std::any_of(linear.begin(), linear.end(), [&](std::size_t u) { return setup.is_bounded(u); });
  std::vector<std::size_t> meshes;
  for (const std::size_t n : {few, some})
    if (n < setup.problem.settings.intervals && (jumps || n == some)) meshes.push_back(n);
  meshes.push_back(setup.problem.settings.intervals);
  return meshes;
}

/// Returns whether the path of a coarse mesh is near to a solution, with the same arcs.
bool is_resolved(const Search& search) {
  const Values errors = local_errors(search.setup(), search.path).of_intervals;
  return search.has_its_arcs() && std::accumulate(errors.begin(), errors.end(), 0.0) < unresolved;
}

}  // namespace

bool begin_warm(Search& search) {
  auto start = warm_start(search.model);
  if (!start) return false;
  search.mesh = start->mesh = in_units(search.units(), start->mesh);
  search.path = in_units(search.units(), std::move(start->path));
  if (search.setup().form.inequalities.empty() && !reaches_bounds(search.path, search.mesh)) {
    if (!search.solve_stationary(30)) return false;
  } else {
    search.solve_on(start->mesh);
  }
  if (search.solved()) search.keep_at_limit();
  return search.stopped() || (search.solved() && search.has_its_arcs());
}

void begin_cold(Search& search) {
  const auto notes = search.notes;
  const auto duration = search.model.duration;
  const auto begin_on = [&](std::size_t intervals) {
    search.notes = notes;
    search.model.duration = duration;
    search.released = {};
    search.in_units.emplace(search.model.divided_by(search.model.sizes));
    FirstSolution(search, intervals).find();
  };
  const auto meshes = meshes_to(search.model);
  const std::size_t asked = meshes.back();
  for (const std::size_t n : meshes) {
    begin_on(n);
    if (n == asked || search.stopped()) return;
    if (search.solved() && is_resolved(search)) break;
  }
  search.settle_junctions();
  // A barrier that keeps the distances from limits of the coarse mesh is lower by the square of the length of
  // intervals.
  const double share = static_cast<double>(search.mesh.intervals()) / static_cast<double>(asked);
  search.solve_on(with_intervals(search.mesh, asked), 0, share * share);
  if (!search.solved() && !search.stopped()) begin_on(asked);
}

bool find_arcs_on_finer_meshes(Search& search) {
  if (!may_have_arcs(search.setup(), search.path)) return false;
  const auto& settings = search.setup().problem.settings;
  const Search::State before = search.state();
  const auto notes = search.notes;
  bool again = !search.is_abnormal();  // the costates of an abnormal extremal do not tell the best bound
  for (std::size_t n = 2 * settings.intervals;
       again && n <= std::min(4 * settings.intervals, settings.most_intervals()); n *= 2) {
    FirstSolution(search, n).find_other_arcs();
    again = search.solved() && !search.is_abnormal();
    if (again && search.has_its_arcs()) return true;
    search.notes = notes;
    search.go_back_to(before);
  }
  return false;
}

}  // namespace herglotz::solve
