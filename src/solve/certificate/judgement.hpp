#pragma once
/// Meaning of a solver's result for the problem.

#include <string>

#include "gauss_nlp.hpp"
#include "herglotz/control/solution.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::solve {

struct Judgement {
  control::Status status = control::Status::not_converged;
  std::string reason;
  double defect = 0;        ///< largest violation of an equation, inequality or bound
  double stationarity = 0;  ///< of the Lagrange function
  bool hardly_off = false;  ///< not converged, but the equations nearly hold, as they do at abnormal extremals
};
/// Returns a clause that is put behind the reason of a problem that was not solved, from its model and the path that
/// was reached. It names a control without bounds in which the Hamiltonian is linear, or one that jumps on many
/// intervals, or one that is singular, and where. The text is empty if there is no such
/// control, or if no controls are the best by the form of the problem (no_best_control.hpp), which its reason says.
std::string hint_of_controls(const Setup& model, const Path& path);
Judgement judgement_of(GaussNlp& nlp, const optimise::Minimum& found);

}  // namespace herglotz::solve
