#pragma once
/// Names of model files as mathematical symbols.

#include <string>
#include <string_view>

namespace herglotz::symbolic {

/// theta1 -> \theta_{1}, p_theta -> p_{\theta}, thetadot -> \dot{\theta}, speed -> \mathrm{speed}.
std::string latex_name(std::string_view name);

}  // namespace herglotz::symbolic
