#include "motion/carried.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::report {
namespace {

/// Angle of one step: the series converges quickly below it.
constexpr double largest_angle = 0.1;
constexpr double most_steps = 200;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Quaternion product(const Quaternion& p, const Quaternion& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

/// Returns the attitude turned about a vector of the body by the vector's length.
Quaternion turned(const Quaternion& attitude, const Vector& by) {
  const double angle = std::hypot(by[0], by[1], by[2]);
  const double factor = angle > 1e-12 ? std::sin(angle / 2) / angle : 0.5;
  Quaternion q = product(attitude, {std::cos(angle / 2), factor * by[0], factor * by[1], factor * by[2]});
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& c : q) c /= norm;
  return q;
}

Vector rotated(const Quaternion& q, const Vector& v) {
  const Vector axis{q[1], q[2], q[3]};
  const Vector once = cross(axis, v);
  const Vector twice = cross(axis, once);
  return {v[0] + 2 * (q[0] * once[0] + twice[0]), v[1] + 2 * (q[0] * once[1] + twice[1]),
          v[2] + 2 * (q[0] * once[2] + twice[2])};
}

/// Slope of the values at a row, from the parabola through it and its neighbours.
double slope(const std::vector<double>& times, const std::vector<Vector>& values, std::size_t row, std::size_t c) {
  const std::size_t last = times.size() - 1;
  const auto secant = [&](std::size_t k) { return (values[k + 1][c] - values[k][c]) / (times[k + 1] - times[k]); };
  if (last == 1) return secant(0);
  const std::size_t middle = std::clamp<std::size_t>(row, 1, last - 1);
  const double before = times[middle] - times[middle - 1];
  const double after = times[middle + 1] - times[middle];
  const double bend = (secant(middle) - secant(middle - 1)) / (before + after);
  return secant(middle - 1) + bend * (before + 2 * (times[row] - times[middle]));
}

/// Rates over the interval after a row.
class Rates {
 public:
  Rates(const std::vector<double>& times, const std::vector<Vector>& values, std::size_t row)
      : from_(values[row]), to_(values[row + 1]) {
    const double h = times[row + 1] - times[row];
    for (std::size_t c = 0; c < 3; ++c) {
      slope_from_[c] = h * slope(times, values, row, c);
      slope_to_[c] = h * slope(times, values, row + 1, c);
    }
  }
  [[nodiscard]] Vector at(double s) const {
    Vector value{};
    for (std::size_t c = 0; c < 3; ++c) {
      const double r = 1 - s;
      value[c] = r * r * (1 + 2 * s) * from_[c] + s * s * (3 - 2 * s) * to_[c] + r * r * s * slope_from_[c] -
                 s * s * r * slope_to_[c];
    }
    return value;
  }

 private:
  Vector from_, to_, slope_from_{}, slope_to_{};
};

/// Turning from s to s + d in units of the interval h: Magnus' series to order 4 for right multiplication.
Vector turning(const Rates& spin, double s, double d, double h) {
  const Vector first = spin.at(s);
  const Vector middle = spin.at(s + d / 2);
  const Vector last = spin.at(s + d);
  const Vector bend = cross(first, last);
  Vector sum{};
  for (std::size_t c = 0; c < 3; ++c)
    sum[c] = h * d * (first[c] + 4 * middle[c] + last[c]) / 6 + h * h * d * d * bend[c] / 12;
  return sum;
}

void step(Pose& pose, const Rates& spin, const Rates& drift, double s, double d, double h) {
  const Quaternion half = turned(pose.attitude, turning(spin, s, d / 2, h));
  const Quaternion end = turned(pose.attitude, turning(spin, s, d, h));
  const Vector a = rotated(pose.attitude, drift.at(s));
  const Vector b = rotated(half, drift.at(s + d / 2));
  const Vector c = rotated(end, drift.at(s + d));
  for (std::size_t k = 0; k < 3; ++k) pose.place[k] += h * d * (a[k] + 4 * b[k] + c[k]) / 6;
  pose.attitude = end;
}

}  // namespace

Quaternion attitude_of(const std::array<double, 9>& m) {
  const double trace = m[0] + m[4] + m[8];
  const double largest = std::max({m[0], m[4], m[8], trace});
  Quaternion q{m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 + m[8] - m[0] - m[4]};
  if (largest == trace)
    q = {1 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  else if (largest == m[0])
    q = {m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]};
  else if (largest == m[4])
    q = {m[2] - m[6], m[1] + m[3], 1 + m[4] - m[0] - m[8], m[5] + m[7]};
  return turned(q, {});
}

std::vector<Pose> carried(const std::vector<double>& times, const std::vector<Vector>& spin,
                          const std::vector<Vector>& drift, const Pose& start) {
  std::vector<Pose> poses(times.size(), start);
  for (std::size_t row = 0; row + 1 < times.size(); ++row) {
    Pose pose = poses[row];
    const double h = times[row + 1] - times[row];
    const Rates turn(times, spin, row);
    const Rates move(times, drift, row);
    const Vector& rate = spin[row];
    const double angle = std::abs(h) * std::hypot(rate[0], rate[1], rate[2]);
    const double steps = std::isfinite(angle) ? std::clamp(std::ceil(angle / largest_angle), 1.0, most_steps) : 1.0;
    for (double k = 0; k < steps; ++k) step(pose, turn, move, k / steps, 1 / steps, h);
    poses[row + 1] = pose;
  }
  return poses;
}

std::vector<Pose> carried_in_space(const std::vector<double>& times, const std::vector<Vector>& spin,
                                   const std::vector<Vector>& drift, const Pose& start) {
  // The transpose S of R obeys S' = S [-spin]x.
  const auto inverse = [](const Quaternion& q) { return Quaternion{q[0], -q[1], -q[2], -q[3]}; };
  std::vector<Vector> backwards = spin;
  for (Vector& rate : backwards)
    for (double& component : rate) component = -component;
  const std::vector<Vector> rest(times.size(), Vector{});
  auto poses = carried(times, backwards, rest, {inverse(start.attitude), {}});
  const auto places = carried(times, rest, drift, {{1, 0, 0, 0}, start.place});
  for (std::size_t row = 0; row < poses.size(); ++row) poses[row] = {inverse(poses[row].attitude), places[row].place};
  return poses;
}

}  // namespace herglotz::report
