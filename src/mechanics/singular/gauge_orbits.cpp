#include "singular/gauge_orbits.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

constexpr std::size_t most_orbit_nodes = 20'000;
/// The remainder of a vector of length 1 that counts as rounding of brackets.
constexpr double dependent = 1e-7;

using Field = std::vector<Expr>;

class Orbits {
 public:
  Orbits(const System& system, const SingularAnalysis& analysis, const std::vector<Expr>& w_dot,
         const ConstraintSet& set, const SolvedVariables& solved)
      : set_(set), spans_(set.points().size(), Span(0)) {
    const auto& [v, w, X, g] = analysis.equations;
    Field motion;
    std::vector<std::size_t> of_w;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (!solved.contains(v[i])) {
        along_.push_back(v[i]);
        motion.push_back(X[i]);
      }
    const std::size_t of_v = along_.size();
    for (std::size_t i = 0; i < w.size(); ++i)
      if (!solved.contains(w[i])) {
        along_.push_back(w[i]);
        motion.push_back(w_dot[i]);
        of_w.push_back(i);
      }
    motion_ = solved(motion);
    for (const auto& direction : analysis.free) {
      Field field(of_v, system.graph().number(std::int64_t{0}));
      for (const std::size_t i : of_w) field.push_back(direction[i]);
      candidates_.push_back(solved(field));
    }
    spans_.assign(set.points().size(), Span(along_.size()));
    with_time_ = along_;
    with_time_.push_back(system.t);
    motion_in_time_ = motion_;
    motion_in_time_.push_back(system.graph().number(std::int64_t{1}));
  }

  std::optional<std::size_t> dimension() {
    while (!candidates_.empty()) {
      Field next = std::move(candidates_.front());
      candidates_.erase(candidates_.begin());
      if (!is_new(next)) continue;
      const auto moved = bracket(motion_in_time_, with_time_, next);
      if (!moved) return std::nullopt;
      candidates_.push_back(*moved);
      for (const Field& other : fields_) {
        const auto both = bracket(other, along_, next);
        if (!both) return std::nullopt;
        candidates_.push_back(*both);
      }
      fields_.push_back(std::move(next));
    }
    return fields_.size();
  }

 private:
  /// Adds the direction of the field at every point if it is new; points at which it is not finite do not count.
  bool is_new(const Field& field) {
    std::size_t fresh = 0;
    std::size_t known = 0;
    for (std::size_t k = 0; k < spans_.size(); ++k) {
      const Row value = set_.values(field, set_.points()[k]);
      const double length = norm(value);
      if (!std::isfinite(length)) continue;
      const Row rest = spans_[k].rest(value);
      if (length <= dependent || norm(rest) <= dependent * length) {
        ++known;
        continue;
      }
      spans_[k].add(rest);
      ++fresh;
    }
    if (fresh > 0 && known > 0)
      throw Undecided("the dimension of the gauge orbits changes near the start", "start elsewhere");
    return fresh > 0;
  }

  /// Returns [a, b] = Db a - Da b, or `std::nullopt` if it is too long. `variables` are the variables that a moves.
  std::optional<Field> bracket(const Field& a, const std::vector<Expr>& variables, const Field& b) const {
    const Field forth = symbolic::directional_derivative(b, variables, a);
    const Field back = symbolic::directional_derivative(a, along_, b);
    Field result;
    for (std::size_t i = 0; i < along_.size(); ++i) result.push_back(forth[i] - back[i]);
    if (result.empty() || along_.front().graph().reachable(result).size() <= most_orbit_nodes) return result;
    return std::nullopt;
  }

  const ConstraintSet& set_;
  std::vector<Expr> along_;
  std::vector<Expr> with_time_;
  Field motion_;
  Field motion_in_time_;
  std::vector<Field> candidates_;
  std::vector<Field> fields_;
  std::vector<Span> spans_;
};

}  // namespace

std::optional<std::size_t> gauge_orbit_dimension(const System& system, const SingularAnalysis& analysis,
                                                 const std::vector<Expr>& w_dot, const ConstraintSet& set,
                                                 const SolvedVariables& solved) {
  return Orbits(system, analysis, w_dot, set, solved).dimension();
}

}  // namespace herglotz::mechanics
