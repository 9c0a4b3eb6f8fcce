#include "scale/units.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::solve {
namespace {

/// Factors by which the values of a path are multiplied.
struct Factors {
  Values v;
  Values P;
  Values w;
  Values kappa;
  Values bound;
  Values ends;
  double time;
};

/// Returns the factors that lead to the values of the model.
Factors factors_of(const Units& units) {
  Factors f{units.v, {}, units.w, {}, {}, {}, units.time};
  const double K = units.cost() / units.time;
  for (const double v : units.v) f.P.push_back(units.cost() / v);
  for (const double along : units.along) f.kappa.push_back(K / along);
  for (const double w : units.w) f.bound.push_back(K / w);
  for (const double condition : units.conditions) f.ends.push_back(units.cost() / condition);
  return f;
}

Factors inverse(Factors f) {
  for (Values* values : {&f.v, &f.P, &f.w, &f.kappa, &f.bound, &f.ends})
    for (double& value : *values) value = 1 / value;
  f.time = 1 / f.time;
  return f;
}

void multiply(Values& values, const Values& factors) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[i];
}

void multiply(Stage& stage, const Factors& f) {
  stage.t *= f.time;
  multiply(stage.v, f.v);
  multiply(stage.P, f.P);
  multiply(stage.w, f.w);
  multiply(stage.kappa, f.kappa);
  multiply(stage.bound, f.bound);
}

void multiply(Path& path, const Factors& f) {
  for (Interval& interval : path.intervals) {
    interval.t *= f.time;
    interval.h *= f.time;
    multiply(interval.v0, f.v);
    multiply(interval.v1, f.v);
    multiply(interval.P0, f.P);
    multiply(interval.P1, f.P);
    for (Stage& stage : interval.stages) multiply(stage, f);
  }
  for (double& duration : path.durations) duration *= f.time;
  multiply(path.ends, f.ends);
}

}  // namespace

Units no_units(std::size_t d, std::size_t m, std::size_t along, std::size_t conditions) {
  return {Values(d, 1.0), Values(m, 1.0), Values(along, 1.0), Values(conditions, 1.0), 1};
}

bool differ_much(const Units& units) {
  const auto differs = [](double unit) { return std::abs(std::log10(unit)) > 1; };
  return differs(units.time) || std::any_of(units.v.begin(), units.v.end(), differs) ||
         std::any_of(units.w.begin(), units.w.end(), differs);
}

Units product(const Units& units, Units more) {
  multiply(more.v, units.v);
  multiply(more.w, units.w);
  multiply(more.along, units.along);
  multiply(more.conditions, units.conditions);
  more.time *= units.time;
  return more;
}

Path in_units(const Units& units, Path path) {
  multiply(path, inverse(factors_of(units)));
  return path;
}

Mesh in_units(const Units& units, Mesh mesh) {
  for (Arc& arc : mesh.arcs) arc.duration /= units.time;
  return mesh;
}

Path in_model(const Units& units, Path path) {
  multiply(path, factors_of(units));
  return path;
}

Stage in_model(const Units& units, Stage stage) {
  multiply(stage, factors_of(units));
  return stage;
}

}  // namespace herglotz::solve
