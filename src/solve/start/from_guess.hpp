#pragma once
/// First solution of a discretised problem, from a guess that has no multipliers.

#include <functional>

#include "gauss_nlp.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::solve {

inline constexpr double coarse_tolerance = 1e-9;  ///< of a programme whose solution Newton's method polishes
inline constexpr double fine_tolerance = 1e-13;

struct FromGuess {
  optimise::Minimum found;
  bool is_only_stationary = false;  ///< a stationary point was found where no minimum was
};

/// Solves the programme from the path of a guess. For two ends of a motion Newton's method begins with momenta, and an
/// extremal that is a minimum suffices; other problems are minimised first, in at most `most_steps`. Where that does
/// not lead to a minimum, any extremal is taken that Newton's method finds; without `takes_others` it must be a minimum
/// if the steps were too few.
FromGuess solve_from_guess(const Setup& setup, GaussNlp& nlp, const Path& guess, int most_steps, bool takes_others,
                           const std::function<bool()>& go_on);

}  // namespace herglotz::solve
