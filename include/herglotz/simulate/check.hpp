#pragma once
/// What a problem is before it runs: its algebroid, regularity, constraints, symmetries, start and method.

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "herglotz/geometry/axioms.hpp"
#include "herglotz/mechanics/constraint_analysis.hpp"
#include "herglotz/mechanics/singular.hpp"
#include "herglotz/simulate/regularity.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Defects below this count as rounding.
inline constexpr double rounding = 1e-10;

/// One line for people. `judged` is what `good` is said of, between words that judge nothing.
struct Finding {
  std::string subject;  ///< "algebroid", "constraints", ...; empty where the line continues the previous one
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
  std::optional<bool> untouched{};  ///< whether the constraints leave its momentum alone, where it holds
};

/// dQ/dt = L_z Q + source: the source vanishes around the start exactly for dissipated invariants. [ASC25, Prop. 4.1].
struct LawFinding {
  std::string name;
  double source = 0;  ///< largest |source| met, relative to Q
  bool dissipated = true;
};

/// A discrete Lagrangian at the first step.
struct DiscreteFinding {
  std::string rule;
  std::optional<Regularity> legendre{};  ///< of the discrete Legendre map F-; nothing without a first step
  double sigma = 0;                      ///< conformal factor
  std::optional<double> order{};         ///< measured against the exact discrete Lagrangian
  std::optional<double> flow_order{};
};

/// Why a problem cannot be run although it could be read, and the key of the model file that says so.
class Refused : public std::invalid_argument {
 public:
  Refused(std::string at, const std::string& what) : std::invalid_argument(what), key(std::move(at)) {}
  std::string key;
};

struct Check {
  geometry::AxiomDefects axioms;
  SaddleRegularity regularity;
  std::vector<mechanics::ConstraintKind> kinds;  ///< one per equation of the system, in order
  mechanics::ConstraintAnalysis constraints;     ///< empty where `not_analysed`
  std::string not_analysed;                      ///< why the constraints cannot be judged around the start, or nothing
  std::vector<SymmetryFinding> symmetries;
  std::vector<LawFinding> laws;  ///< of the motion with its constraints: the energy, then the symmetries
  bool consistent = false;       ///< whether the start is on the constraints, or could be moved there
  std::optional<mechanics::SingularAnalysis> singular{};  ///< of a singular Lagrangian, where it is decided
  std::optional<DiscreteFinding> discrete{};
  Choice method;                   ///< with the reason "given in the model" where `auto` did not choose it
  std::optional<Refused> refused;  ///< constraints that no run can honour
  std::string failure;             ///< why a run would fail, and what would be right; or nothing
  std::vector<Finding> findings;   ///< all of it for people

  [[nodiscard]] bool ok() const { return !refused && failure.empty(); }
};

/// What is true at the start and at points drawn around it with a fixed seed. Each finding is handed to `tell` as soon
/// as it is known. Throws Refused for a start that the system does not have, std::runtime_error where the algebroid is
/// finite at no point, and what mechanics::derive throws.
Check check(const Problem& problem, const std::function<void(const Finding&)>& tell = {});

/// The system with its independent constraints only. Throws Refused for constraints that no run can honour.
mechanics::System with_independent_constraints(const Problem& problem);

/// The findings as the command line prints them, below the name of the system; without colours.
std::string text_of(const mechanics::System& system, const Check& check);
/// The name, title and reference of a system in one line, with the name given by `styled`.
std::string heading(const mechanics::System& system, const std::string& styled);

}  // namespace herglotz::simulate
