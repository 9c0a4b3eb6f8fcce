#include "herglotz/mechanics/constraint_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "constraints/integrability.hpp"

namespace herglotz::mechanics {
namespace {

constexpr double rounding = 1e-8;
/// Largest involutivity defect of integrable constraints: points are on them to 1e-12.
constexpr double involutive = 1e-10;
/// A row that shrinks by this factor on its own equation counts as zero there: Newton's method ends 1e-12 off.
constexpr double vanishing = 1e-6;

/// A point on the equations that are known to be independent so far.
struct Sample {
  Row point;
  PointValues values;
};

class Analysis {
 public:
  Analysis(const System& system, const Generator& generator, std::span<const double> parameters,
           std::span<const double> start, std::uint64_t seed)
      : generator_(generator), points_(system, generator, parameters, start, seed) {
    for (const Row& drawn : points_.drawn()) samples_.push_back({drawn, *points_.at(drawn)});
    at_first_ = samples_;
  }

  /// Keeps all rows if, at a point on all of them, each adds a direction to those before it: what `examine` would find
  /// of one after the other, with one search for points instead of one for each row. Returns whether it did.
  bool keep_all(std::size_t rows);
  ConstraintFinding examine(std::size_t A);
  [[nodiscard]] const std::vector<std::size_t>& kept() const { return kept_; }
  void decide_integrability(const System& system, ConstraintAnalysis& analysis) const;

 private:
  [[nodiscard]] bool velocity_free(std::size_t A) const { return A < generator_.phi.size(); }
  [[nodiscard]] double value(const PointValues& v, std::size_t A) const {
    return velocity_free(A) ? v.phi[A] : v.Phi[A];
  }
  /// Returns the scale by which d phi/dt of a velocity-free row is measured, since its value can be zero up to
  /// rounding.
  [[nodiscard]] double slope_of_phi(const Sample& s, std::size_t A) const {
    return velocity_free(A) ? norm(s.values.phi_xwz[A]) : 0;
  }
  /// Returns the size of Phi_y of A at the first points.
  [[nodiscard]] double largest_direction(std::size_t A) const;
  /// Returns the length of the part of Phi_y of A in new directions.
  [[nodiscard]] double new_direction(const PointValues& v, std::size_t A) const;
  /// Returns the points that reach the rows. Points close to the start are tried only if no other point reaches them.
  [[nodiscard]] std::vector<Sample> moved(const std::vector<std::size_t>& rows, Freedom freedom,
                                          const std::vector<std::size_t>& positions = {}) const;
  [[nodiscard]] ConstraintStatus without_new_direction(std::size_t A) const;
  [[nodiscard]] bool holds(std::size_t A, bool differentiated) const;

  const Generator& generator_;
  ConstraintPoints points_;
  std::vector<Sample> at_first_;
  std::vector<Sample> samples_;
  std::vector<std::size_t> kept_;
};

double Analysis::new_direction(const PointValues& v, std::size_t A) const {
  Span span(v.Phi_y[A].size());
  for (const std::size_t B : kept_) {
    const Row rest = span.rest(v.Phi_y[B]);
    if (norm(rest) > rounding * norm(v.Phi_y[B])) span.add(rest);
  }
  return norm(span.rest(v.Phi_y[A]));
}

std::vector<Sample> Analysis::moved(const std::vector<std::size_t>& rows, Freedom freedom,
                                    const std::vector<std::size_t>& positions) const {
  std::vector<Sample> there;
  for (const auto* from : {&points_.drawn(), &points_.close()}) {
    for (const Row& drawn : *from) {
      const auto point = points_.moved(drawn, rows, freedom, positions);
      if (!point) continue;
      if (auto values = points_.at(*point)) there.push_back({*point, std::move(*values)});
    }
    if (!there.empty()) break;
  }
  return there;
}

/// Returns true if the value of A (or of its derivative) is rounding at every sample, compared with its size and slope
/// at the first points.
bool Analysis::holds(std::size_t A, bool differentiated) const {
  const bool free = velocity_free(A) && !differentiated;
  double scale = 0;
  for (const Sample& s : at_first_) {
    const Row& slope = free ? s.values.phi_xwz[A] : s.values.Phi_xwz[A];
    scale = std::max({scale, std::abs(free ? s.values.phi[A] : s.values.Phi[A]), norm(slope), slope_of_phi(s, A)});
  }
  return std::all_of(samples_.begin(), samples_.end(), [&](const Sample& s) {
    return std::abs(free ? s.values.phi[A] : s.values.Phi[A]) <= rounding * scale;
  });
}

/// If its derivative follows from the other rows, phi is kept by every motion, and only the start decides whether it
/// holds.
ConstraintStatus Analysis::without_new_direction(std::size_t A) const {
  if (holds(A, false)) return ConstraintStatus::redundant;
  if (velocity_free(A) && holds(A, true))
    return moved(kept_, Freedom::positions_then_velocities, {A}).empty() ? ConstraintStatus::contradictory
                                                                         : ConstraintStatus::redundant;
  std::vector<std::size_t> rows = kept_;
  rows.push_back(A);
  return moved(rows, Freedom::everything).empty() ? ConstraintStatus::contradictory : ConstraintStatus::singular;
}

double Analysis::largest_direction(std::size_t A) const {
  double largest = 0;
  for (const Sample& s : at_first_) largest = std::max({largest, norm(s.values.Phi_y[A]), slope_of_phi(s, A)});
  return largest;
}

bool Analysis::keep_all(std::size_t rows) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  auto there = moved(all, Freedom::positions_then_velocities);
  const auto independent_at = [&](const Sample& s) {
    Span span(generator_.Phi_y.cols);
    return std::all_of(all.begin(), all.end(), [&](std::size_t A) {
      const Row rest = span.rest(s.values.Phi_y[A]);
      const double height = norm(rest);
      if (!(height > vanishing * largest_direction(A) && height > rounding * norm(s.values.Phi_y[A]))) return false;
      span.add(rest);
      return true;
    });
  };
  if (std::none_of(there.begin(), there.end(), independent_at)) return false;
  samples_ = std::move(there);
  kept_ = std::move(all);
  return true;
}

ConstraintFinding Analysis::examine(std::size_t A) {
  ConstraintFinding finding;
  double nearest = std::abs(value(samples_.front().values, A));
  finding.value = value(samples_.front().values, A);
  for (const Sample& s : samples_)
    if (std::abs(value(s.values, A)) < nearest) {
      finding.value = value(s.values, A);
      nearest = std::abs(finding.value);
    }
  const double largest = largest_direction(A);
  const auto new_at = [&](double bound) {
    return [&, bound](const Sample& s) { return new_direction(s.values, A) > bound * largest; };
  };
  if (std::none_of(samples_.begin(), samples_.end(), new_at(rounding))) {
    finding.standing = without_new_direction(A);
  } else {
    std::vector<std::size_t> rows = kept_;
    rows.push_back(A);
    auto there = moved(rows, Freedom::positions_then_velocities);
    if (there.empty()) there = moved(rows, Freedom::everything);
    if (there.empty()) {
      finding.standing = ConstraintStatus::contradictory;
    } else if (std::none_of(there.begin(), there.end(), new_at(vanishing))) {
      finding.standing = ConstraintStatus::singular;
    } else {
      samples_ = std::move(there);
      kept_ = std::move(rows);
    }
  }
  if (finding.standing != ConstraintStatus::contradictory) finding.value = 0;
  return finding;
}

void Analysis::decide_integrability(const System& system, ConstraintAnalysis& analysis) const {
  analysis.points = samples_.size();
  for (const ConstraintFinding& finding : analysis.equations)
    if (finding.standing == ConstraintStatus::contradictory || finding.standing == ConstraintStatus::singular) {
      analysis.integrability = Integrability::not_decided;
      analysis.reason = "an equation is " + std::string(name(finding.standing));
      return;
    }
  if (kept_.empty()) return;
  const Involutivity involutivity(system, generator_, kept_, points_.names());
  std::size_t finite = 0;
  bool affine = true;
  for (const Sample& s : samples_)
    if (const auto defect = involutivity.defect(s.point, affine)) {
      ++finite;
      analysis.involutivity_defect = std::max(analysis.involutivity_defect, *defect);
    }
  analysis.integrability =
      analysis.involutivity_defect <= involutive ? Integrability::integrable : Integrability::nonintegrable;
  if (affine && finite > 0) return;
  analysis.integrability = Integrability::not_decided;
  analysis.involutivity_defect = 0;
  if (affine) {
    analysis.reason = "the derivatives of the constraints are not finite at any sample point";
    return;
  }
  if (kept_.size() == system.r()) {
    analysis.integrability = Integrability::integrable;  // the constraints alone determine the velocities
    return;
  }
  const auto& equations = system.constraints.equations;
  if (std::any_of(equations.begin(), equations.end(), [&](const Expr& f) { return depends_on(f, system.z); })) {
    analysis.reason = "a constraint is nonlinear in the velocities, and the action is in one";
    return;
  }
  for (const Sample& s : samples_)
    analysis.curvature = std::max(analysis.curvature, involutivity.curvature(s.point).value_or(0));
  if (analysis.curvature > involutive)
    analysis.integrability = Integrability::nonintegrable;
  else
    analysis.reason =
        system.formulation == Formulation::hamiltonian
            ? "a constraint is nonlinear in the velocities, and the model has a Hamiltonian"
            : "a constraint is written as nonlinear in the velocities, and its velocities are flat; write it as affine";
}

}  // namespace

std::string_view name(ConstraintStatus standing) {
  switch (standing) {
    case ConstraintStatus::independent:
      return "independent";
    case ConstraintStatus::redundant:
      return "redundant";
    case ConstraintStatus::contradictory:
      return "contradictory";
    case ConstraintStatus::singular:
      break;
  }
  return "singular";
}

std::string_view name(Integrability integrability) {
  switch (integrability) {
    case Integrability::none:
      return "no constraints";
    case Integrability::integrable:
      return "integrable";
    case Integrability::nonintegrable:
      return "not integrable";
    case Integrability::not_decided:
      break;
  }
  return "not decided";
}

namespace {

ConstraintAnalysis analysed(const System& system, std::span<const double> parameters, std::span<const double> start,
                            std::uint64_t seed, bool integrability) {
  ConstraintAnalysis result;
  if (system.constraints.equations.empty()) return result;
  System mechanical = system;
  mechanical.constraints.rule = Rule::nonholonomic;  // Both rules have the same rows Phi_y.
  // Forces in proportion to multipliers, as friction is to contact forces, would be counted as directions of the rows.
  const auto& multipliers = system.constraints.multipliers;
  const std::vector<Expr> zeros(multipliers.size(), system.graph().number(0));
  for (Expr& force : mechanical.forces) force = symbolic::substitute(symbolic::expand_lets(force), multipliers, zeros);
  const Generator generator = generator_of(mechanical);
  Analysis analysis(mechanical, generator, parameters, start, seed);
  result.equations.resize(generator.Phi.size());
  if (!analysis.keep_all(generator.Phi.size()))
    for (std::size_t A = 0; A < generator.Phi.size(); ++A)
      result.equations[generator.equation[A]] = analysis.examine(A);
  for (std::size_t k = 0; k < result.equations.size(); ++k)
    result.equations[k].kind = kind_of(system, system.constraints.equations[k]);
  for (const std::size_t A : analysis.kept()) result.independent.push_back(generator.equation[A]);
  std::sort(result.independent.begin(), result.independent.end());
  if (integrability) analysis.decide_integrability(mechanical, result);
  return result;
}

}  // namespace

ConstraintAnalysis analyse_constraints(const System& system, std::span<const double> parameters,
                                       std::span<const double> start, std::uint64_t seed) {
  return analysed(system, parameters, start, seed, true);
}

ConstraintAnalysis analyse_independence(const System& system, std::span<const double> parameters,
                                        std::span<const double> start, std::uint64_t seed) {
  return analysed(system, parameters, start, seed, false);
}

}  // namespace herglotz::mechanics
