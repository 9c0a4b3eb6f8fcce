#pragma once
/// Which families of methods take which model of the gallery, written down: a method that begins to refuse a model
/// would leave the tests of all methods on all models without a word.

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace herglotz::test {

/// Every model, and the families that take it besides runge-kutta, contact-gauss, stiff, radau and reference, which
/// take all. Methods on groupoids without constraints stand at models without, those with constraints at models with.
inline constexpr const char* taken_methods = R"(
appell-hamel taylor contact-dla
ball-on-rotating-table taylor contact-dla
ball-on-table taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz
chaplygin-sleigh taylor contact-dla
damped-oscillator taylor contact-lobatto contact-galerkin contact-splitting contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
damped-pendulum taylor contact-lobatto contact-galerkin contact-splitting contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
discrete-free-particle taylor contact-lobatto contact-galerkin contact-splitting contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
discrete-oscillator taylor contact-lobatto contact-galerkin contact-splitting contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
double-pendulum taylor contact-lobatto contact-galerkin contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
double-pendulum-cartesian taylor contact-rattle contact-dla
duffing-drag taylor contact-lobatto contact-galerkin contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
forced-oscillator taylor contact-lobatto contact-galerkin contact-splitting contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
free-particle taylor contact-lobatto contact-galerkin contact-splitting contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
general-algebroid taylor contact-lobatto contact-energy moreau
heavy-top taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley
isokinetic taylor contact-dla
kepler-drag taylor contact-lobatto contact-galerkin contact-splitting contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
lane-emden taylor contact-lobatto contact-galerkin contact-splitting contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
magnetic-nonuniform taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz
magnetic-uniform taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz
nonholonomic-particle taylor contact-dla
nonlinear-action taylor contact-lobatto contact-galerkin contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
polar-hamel taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz
pursuit taylor contact-dla
rigid-body taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz
rigid-body-symmetric taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz
rolling-disk taylor contact-dla
rotating-wire taylor contact-rattle contact-dla
skate-nonholonomic taylor contact-dla
skate-vakonomic taylor
sleigh-algebroid taylor contact-lobatto contact-energy moreau
snakeboard taylor contact-dla
spherical-pendulum taylor contact-rattle contact-dla
stokes-top contact-dla
suslov taylor contact-dla
thermoviscous-attitude taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley
thermoviscous-body taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley
torus-geodesic taylor contact-lobatto contact-galerkin contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz discrete-galerkin
underwater-se2 taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz
underwater-se3 taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz
van-der-pol taylor contact-lobatto contact-energy moreau
wong-particle taylor contact-lobatto contact-energy moreau lie-hph lie-hph-cayley discrete-herglotz
worn-disk taylor contact-dla
)";

/// A method without its order.
inline std::string family_of(const std::string& method) {
  const bool numbered = std::isdigit(static_cast<unsigned char>(method.back())) != 0;
  return numbered ? method.substr(0, method.rfind('-')) : method;
}

inline bool is_taken(const std::string& model, const std::string& method) {
  static const auto table = [] {
    std::map<std::string, std::set<std::string>> families;
    std::istringstream lines(taken_methods);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string name;
      words >> name;
      for (std::string family; words >> family;) families[name].insert(family);
    }
    return families;
  }();
  const std::string family = family_of(method);
  if (std::set<std::string>{"runge-kutta", "contact-gauss", "stiff", "radau", "reference"}.contains(family))
    return true;
  const auto found = table.find(model);
  return found != table.end() && found->second.contains(family);
}

}  // namespace herglotz::test
