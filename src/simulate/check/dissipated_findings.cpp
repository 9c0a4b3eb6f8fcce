#include "check/dissipated_findings.hpp"

#include <fmt/format.h>

namespace herglotz::simulate {

std::vector<DissipatedFinding> judge_dissipated(const mechanics::System& system, const mechanics::Equations& equations,
                                                const PointEvaluator& values, const Findings& findings) {
  std::vector<DissipatedFinding> found;
  if (system.dissipated.empty()) return found;
  const auto laws = mechanics::balance_laws(system, equations);
  for (std::size_t k = 0; k < system.dissipated.size(); ++k) {
    const auto& law = laws[1 + system.symmetries.size() + k];
    const auto bracket = mechanics::bracket_with_energy(system, equations, system.dissipated[k]);
    DissipatedFinding f{law.name, largest_relative(bracket, {law.quantity, law.scale}, values)};
    // Rounding of large terms that cancel may exceed the size of f.
    f.everywhere = vanishes(bracket);
    f.holds = f.everywhere || f.defect <= rounding;
    f.dissipated = largest_relative(law.source, {law.quantity, law.scale}, values) <= rounding;
    const char* verdict = !f.holds ? "does not vanish" : f.everywhere ? "vanishes" : "vanishes around the start";
    const char* then = f.holds == f.dissipated ? ""
                       : f.holds               ? "; forces, constraints or time change it"
                                               : "; with forces, constraints and time it is dissipated";
    findings.add(k == 0 ? "dissipated" : "", f.name + ": {E, f} " + judged(f.holds, verdict) +
                                                 fmt::format(" (largest value {:.1e}){}", f.defect, then));
    found.push_back(std::move(f));
  }
  return found;
}

}  // namespace herglotz::simulate
