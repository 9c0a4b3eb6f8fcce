#include "search/search.hpp"

#include <tuple>
#include <utility>

#include "certificate/judgement.hpp"
#include "certificate/measures.hpp"
#include "certificate/slopes.hpp"
#include "certificate/verdict.hpp"
#include "guess.hpp"
#include "junctions.hpp"
#include "requirements.hpp"
#include "scale/sizes.hpp"
#include "start/best_duration.hpp"
#include "start/from_guess.hpp"
#include "structure.hpp"

namespace herglotz::solve {
namespace {

using optimise::Minimum, optimise::Verdict;
constexpr int most_moves = 12;
constexpr double still = 1e-11;  ///< a junction that moves less has settled

}  // namespace

Search::Search(const control::Problem& problem, const std::function<bool()>& continues)
    : model(problem, PathIndependentCosts::taken), method(collocation_of(problem.settings.method)), go_on(continues) {
  check_method(model);
  model.sizes = sizes_of(model);
  if (model.sizes.time != 1) model.sizes = sizes_of(model);  // the guess may depend on the time
  in_units.emplace(model.divided_by(model.sizes));
  if (std::string note = limited_duration(model); !note.empty()) notes.push_back(std::move(note));
}

void Search::go_back_to(const State& before) {
  std::tie(mesh, path, status, reason) = std::tie(before.mesh, before.path, before.status, before.reason);
  std::tie(defect, stationarity) = std::tie(before.defect, before.stationarity);
}

bool Search::is_abnormal() const {
  return has_no_price(setup(), path);
}

bool Search::has_its_arcs() const {
  return is_consistent(setup(), path, mesh.arcs);
}

bool Search::ends_with(Status without, const std::string& why) {
  if (why.empty()) return false;
  status = without;
  reason = why;
  return true;
}

void Search::fail(std::string why) {
  status = Status::not_converged;
  reason = std::move(why);
}

void Search::use_units(const Units& units) {
  in_units.emplace(model.divided_by(units));
  released.leave_out(*in_units);
}

optimise::MinimiseOptions Search::options(double tolerance, int most, bool warm) const {
  return {tolerance, most, warm, warm ? 1e-7 : 0, go_on};
}

void Search::accept(GaussNlp& nlp, const Minimum& found) {
  iterations += static_cast<std::size_t>(found.iterations);
  path = nlp.path(found.at);
  set_durations(mesh, path);
  const Judgement judgement = judgement_of(nlp, found);
  std::tie(status, reason) = std::tie(judgement.status, judgement.reason);
  std::tie(defect, stationarity) = std::tie(judgement.defect, judgement.stationarity);
  if (judgement.hardly_off && is_abnormal()) status = Status::solved;
}

bool Search::solve_stationary(int most_iterations) {
  GaussNlp nlp(setup(), method, mesh);
  const Minimum found = optimise::find_stationary(nlp, nlp.iterate(path), options(fine_tolerance, most_iterations));
  if (found.verdict != Verdict::solved) return false;
  accept(nlp, found);
  return true;
}

void Search::solve_on(const Mesh& next, double limits, double nearness) {
  mesh = next;
  const bool reaches = reaches_bounds(path, mesh);
  if (setup().form.inequalities.empty() && !reaches && solve_stationary(30)) return;
  auto with_barrier = options(coarse_tolerance, 500, !reaches);
  with_barrier.barrier = reaches ? barrier_at_bounds : nearness * 1e-7;
  if (limits > 0) with_barrier.products = largest_product(limits, mesh.intervals() * method.stages());
  GaussNlp nlp(setup(), method, mesh);
  accept(nlp, optimise::minimise(nlp, nlp.iterate(path), with_barrier));
}

void Search::polish() {
  if (!reaches_bounds(path, mesh)) solve_stationary(20);
}

void Search::keep_at_limit() {
  const auto limit = reached_limit(setup(), path);
  if (!limit) return;
  const State before = state();
  in_units->duration = limit;
  solve_on(mesh);
  if (solved()) {
    model.duration = *limit * units().time;
  } else {
    in_units->duration.reset();
    go_back_to(before);
  }
}

bool Search::has_best_growth() {
  const ControlSlope slope = largest_control_slope(setup(), path);
  return !ends_with(Status::not_converged, falling_with_duration(model, setup(), method, mesh, path, go_on)) &&
         (is_abnormal() || !ends_with(Status::not_converged, falling_with_controls(setup(), path, slope)));
}

bool Search::misses_little() const {
  return why_no_gap(setup(), is_abnormal()).empty() &&
         relative_gaps(setup(), path).of_cost < setup().problem.settings.tolerance;
}

void Search::settle_junctions() {
  const bool has_junctions = !mesh.arcs.front().kept.empty();
  const bool has_none = !has_junctions && !reaches_bounds(path, mesh);
  if (!setup().form.inequalities.empty() || mesh.arcs.size() > 1 || has_none) return;
  const State before = state();
  int round = 0;
  for (; round < most_moves; ++round) {
    const auto next = with_junctions(setup(), path, mesh);
    if (!next) break;
    if (next->moved <= still) {
      if (!keeps_bounds(setup(), path)) break;
      return;
    }
    mesh = next->mesh;
    if (!solve_stationary(30)) break;
  }
  // In a family of solutions, as of loops that may begin anywhere, the times move on along the family.
  if (round == most_moves && keeps_bounds(setup(), path) && misses_little()) return;
  go_back_to(before);
  if (has_junctions) solve_on(without_junctions(mesh));
}

}  // namespace herglotz::solve
