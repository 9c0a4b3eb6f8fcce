#pragma once
/// Names of model files as mathematical symbols.

#include <string>
#include <string_view>

namespace herglotz::symbolic {

/// Returns the name as LaTeX: theta1 -> \theta_{1}, p_theta -> p_{\theta}, thetadot -> \dot{\theta}, th -> \theta,
/// wpsi -> w_{\psi}, speed -> \mathrm{speed}. The rules are in docs/model-file.md.
std::string latex_name(std::string_view name);

}  // namespace herglotz::symbolic
