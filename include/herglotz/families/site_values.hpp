#pragma once
/// Numbers of a family at every site.

#include <map>
#include <vector>

#include "herglotz/families/model.hpp"
#include "herglotz/kernel/site_loop.hpp"

namespace herglotz::families {

/// Values of the parameter families and of the start at every site.
struct SiteValues {
  std::map<std::size_t, std::vector<double>> parameters;  ///< by family
  std::vector<std::vector<double>> base;                  ///< for each base family
  std::vector<std::vector<double>> fibre;
};

/// The expressions that give values at every site, compiled once for all values of the parameters.
class SiteFormulas {
 public:
  /// Computes the values. Throws Refused for a value that is not finite.
  SiteValues values(Model& model);
  /// Computes those of the parameter families alone.
  std::map<std::size_t, std::vector<double>> parameters(Model& model);

 private:
  std::vector<double> of_family(Model& model, std::size_t family, const Values& values, const SiteValues& known);
  /// Evaluates an expression in the number of the site, parameters and earlier parameter families at all sites.
  std::vector<double> evaluated(Model& model, Expr value, const SiteValues& known);

  std::map<symbolic::NodeId, kernel::SiteLoop> loops_;  // by expression
};

/// Computes the values once.
SiteValues site_values(Model& model);

/// Returns the site at which an element of the site `at` lies, or `count` if it lies outside.
std::size_t place_of(const Index& index, std::size_t at, std::int64_t offset);
/// Returns the number of the site at an offset from the site `at`, or the number of all sites if it lies outside.
std::size_t place_of(const Model& model, std::size_t at, Offset offset);

}  // namespace herglotz::families
