#include "switches/cone_programme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/linear/partial_lu.hpp"

namespace herglotz::simulate {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double gap = 1e-12;      // of the value from the least one, at the end
constexpr double growth = 20;      // of the weight of the programme from one point of the path to the next
constexpr double centred = 1e-20;  // half the square of Newton's decrement at which a point is on the path
constexpr int most_steps = 60;     // of Newton's method to one point of the path
constexpr double proved = 1e-6;    // of the value from the least one, by the multipliers of a point of the path

/// Value of the weighted programme with its barrier, which is infinite outside, and its derivatives inside.
class Barrier {
 public:
  explicit Barrier(const ConeProgramme& programme) : programme_(programme) {}

  void set_weight(double weight) { weight_ = weight; }

  [[nodiscard]] double value(const Vector& x) const {
    double sum = weight_ * (x.dot(programme_.P * x) / 2 + programme_.q.dot(x));
    for (const Cone& cone : programme_.cones) {
      const double right = cone.b.dot(x) + cone.c;
      const double left = (cone.A * x + cone.a).norm();
      if (!(right > left)) return std::numeric_limits<double>::infinity();
      sum -= std::log(right - left) + std::log(right + left);
    }
    return sum;
  }

  void derivatives(const Vector& x, Vector& slope, Matrix& curvature) const {
    slope = weight_ * (programme_.P * x + programme_.q);
    curvature = weight_ * programme_.P;
    for (const Cone& cone : programme_.cones) {
      const double right = cone.b.dot(x) + cone.c;
      const Vector v = cone.A * x + cone.a;
      const double inside = (right - v.norm()) * (right + v.norm());
      const Vector change = 2 * (right * cone.b - cone.A.transpose() * v);
      slope -= change / inside;
      curvature += change * change.transpose() / (inside * inside) -
                   2 / inside * (cone.b * cone.b.transpose() - cone.A.transpose() * cone.A);
    }
  }

 private:
  const ConeProgramme& programme_;
  double weight_ = 1;
};

/// Goes to the point of the central path by Newton's method with steps that stay inside. Near the point, where the
/// method converges quadratically, values differ by less than their rounding and are not compared [BV04, Sec. 9.6].
void centre(const Barrier& barrier, Vector& x) {
  constexpr double near = 1.0 / 32;
  constexpr double sufficient = 0.1;
  constexpr double least_share = 1e-12;
  Vector slope;
  Matrix curvature;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_steps; ++k) {
    barrier.derivatives(x, slope, curvature);
    const Vector change = -linear::PartialLu(curvature).solve(slope);
    const double decrement = -slope.dot(change) / 2;
    if (!(decrement > centred) || (decrement <= near && decrement >= last)) return;
    const auto goes = [&, before = barrier.value(x)](double share) {
      const double value = barrier.value(x + share * change);
      return decrement <= near ? std::isfinite(value) : value < before - sufficient * share * decrement;
    };
    double share = 1;
    while (share > least_share && !goes(share)) share /= 2;
    if (share <= least_share) return;
    x += share * change;
    if (decrement <= near) last = decrement;
  }
}

}  // namespace

bool ConeSolution::is_proved() const {
  return gap <= proved * (1 + std::abs(value));
}

ConeSolution solve(const ConeProgramme& programme, const Vector& start) {
  Barrier barrier(programme);
  Vector x = start;
  const double parameter = 2 * static_cast<double>(programme.cones.size());
  const auto value = [&] { return x.dot(programme.P * x) / 2 + programme.q.dot(x); };
  double least = -std::numeric_limits<double>::infinity();  // no feasible point has a smaller value
  Vector slope;
  Matrix curvature;
  for (double weight = 1;; weight *= growth) {
    barrier.set_weight(weight);
    centre(barrier, x);
    barrier.derivatives(x, slope, curvature);
    const double across = 2 * (1 + x.norm());  // from x to all points that may have smaller values
    least = std::max(least, value() - (parameter + slope.norm() * across) / weight);
    if (parameter <= gap * weight) return {x, value(), value() - least};
  }
}

}  // namespace herglotz::simulate
