#pragma once
/// Findings about a problem before it runs: its algebroid, regularity, constraints, symmetries, start and method.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/geometry/axioms.hpp"
#include "herglotz/mechanics/constraint_analysis.hpp"
#include "herglotz/mechanics/singular.hpp"
#include "herglotz/simulate/regularity.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Defects below this count as rounding.
inline constexpr double rounding = 1e-10;

/// One line for people. `good` judges the words `judged`, which stand between neutral words.
struct Finding {
  std::string subject;  ///< "algebroid", "constraints", ...; empty if the line continues the previous one
  std::string before;
  std::string judged;
  std::string after;
  bool good = true;

  [[nodiscard]] std::string text() const { return before + judged + after; }
};

/// A symmetry around the start.
struct SymmetryFinding {
  std::string name;
  double defect = 0;  ///< largest |s^C L| met, relative to its terms
  bool holds = true;
  bool everywhere = false;          ///< whether s^C L vanishes as an expression, not only at the points tried
  std::optional<bool> untouched{};  ///< whether the constraints leave its momentum alone, if the symmetry holds
};

/// A declared dissipated function around the start.
struct DissipatedFinding {
  std::string name;
  double defect = 0;        ///< largest |{E, f}| met, relative to f and its terms
  bool holds = true;        ///< whether {E, f} = 0 [ASC25, Ex. 4.7; ASMLL20, Sec. 2]
  bool everywhere = false;  ///< whether {E, f} vanishes as an expression, not only at the points tried
  bool dissipated = true;   ///< whether df/dt = L_z f with forces, constraints and time
};

/// A law dQ/dt = L_z Q + source, whose source vanishes around the start exactly for dissipated invariants. [ASC25,
/// Prop. 4.1].
struct LawFinding {
  std::string name;
  double source = 0;  ///< largest |source| met, relative to Q
  bool dissipated = true;
};

/// A discrete Lagrangian at the first step.
struct DiscreteFinding {
  std::string rule;
  std::optional<Regularity> legendre{};  ///< the discrete Legendre map F-; `std::nullopt` without a first step
  double sigma = 0;                      ///< conformal factor
  std::optional<double> order{};         ///< measured against the exact discrete Lagrangian
  std::optional<double> flow_order{};
};

struct Check {
  geometry::AxiomDefects axioms;
  SaddleRegularity regularity;
  std::vector<mechanics::ConstraintKind> kinds;  ///< one per equation of the system, in order
  mechanics::ConstraintAnalysis constraints;     ///< empty if `not_analysed` is set
  std::string not_analysed;                      ///< why the constraints cannot be judged around the start, or empty
  std::vector<SymmetryFinding> symmetries;
  std::vector<DissipatedFinding> dissipated;
  /// Laws of the motion with its constraints: the energy, then the symmetries, then the dissipated functions.
  std::vector<LawFinding> laws;
  bool consistent = false;  ///< whether the start is on the constraints, or could be moved there
  std::optional<mechanics::SingularAnalysis> singular{};  ///< for a singular Lagrangian, if it is decided
  std::optional<DiscreteFinding> discrete{};
  Choice method;                   ///< with the reason "given in the model" if `auto` did not choose it
  std::optional<Refused> refused;  ///< constraints that no run can honour
  std::string failure;             ///< why a run would fail, and what would be right; or empty
  std::vector<Finding> findings;   ///< all findings as lines for people

  [[nodiscard]] bool ok() const { return !refused && failure.empty(); }
};

/// Checks a problem at the start and at points drawn around it with a fixed seed. Passes each finding to `tell` as soon
/// as it is known. Throws Refused for a start that the system does not have, Failed if the algebroid is
/// finite at no point, and the errors of mechanics::derive.
Check check(const Problem& problem, const std::function<void(const Finding&)>& tell = {});

/// Returns the system with its independent constraints only. Throws Refused for constraints that no run can honour.
mechanics::System with_independent_constraints(const Problem& problem);

/// Returns the findings as the command line prints them, below the name of the system; without colours.
std::string text_of(const mechanics::System& system, const Check& check);
/// Returns the name, title and reference of a system in one line, with the name given by `styled`.
std::string heading(const mechanics::System& system, const std::string& styled);

}  // namespace herglotz::simulate
