#include "start/from_guess.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "start/starts.hpp"

namespace herglotz::solve {
namespace {

using optimise::Minimum, optimise::Verdict;
constexpr int most_steps_of_motion = 100;  ///< of one beside an extremal that is known

}  // namespace

FromGuess solve_from_guess(const Setup& setup, GaussNlp& nlp, const Path& guess, int most_steps, bool takes_others,
                           const std::function<bool()>& go_on) {
  const optimise::PrimalDualPoint start = nlp.iterate(guess);
  const bool of_motion = setup.problem.kind == control::Kind::two_point;
  const auto momenta = of_motion ? nlp.iterate(with_costates(setup, guess)) : start;
  const auto stationary = [&] {
    return optimise::find_stationary(nlp, momenta, {fine_tolerance, 200, false, 0, go_on});
  };
  auto extremal = of_motion ? std::optional(stationary()) : std::nullopt;
  const bool is_found = extremal && extremal->verdict == Verdict::solved;
  const auto directions = is_found ? optimise::directions(nlp, extremal->at) : std::nullopt;
  if (directions && directions->negative == 0) return {std::move(*extremal), false};
  Minimum found = optimise::minimise(
      nlp, start,
      {coarse_tolerance, is_found ? std::min(most_steps, most_steps_of_motion) : most_steps, false, 0, go_on});
  if (found.verdict == Verdict::solved || found.verdict == Verdict::stopped || !setup.is_smooth())
    return {std::move(found), false};
  const bool ran_out = !is_found && found.iterations >= most_steps;
  Minimum other = extremal ? std::move(*extremal) : stationary();
  other.iterations += found.iterations;
  if (other.verdict != Verdict::solved) return {std::move(found), false};
  const auto around = optimise::directions(nlp, other.at);
  const bool is_minimum = around && around->negative == 0;
  return is_minimum || takes_others || !ran_out ? FromGuess{std::move(other), !is_minimum}
                                                : FromGuess{std::move(found), false};
}

}  // namespace herglotz::solve
