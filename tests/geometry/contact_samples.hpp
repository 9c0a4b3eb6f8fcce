#pragma once
/// Contact forms and functions without any special form, and their values at random points.

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "geometry/every_algebroid.hpp"
#include "herglotz/geometry/contact.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::geometry::samples {

/// Points for any symbols, in a box where the samples are regular.
class RandomPoints {
 public:
  explicit RandomPoints(unsigned seed) : engine_(seed) {}

  std::vector<double> next(std::size_t size) {
    std::uniform_real_distribution<double> uniform(0.15, 0.9);
    std::vector<double> point(size);
    for (double& value : point) value = uniform(engine_);
    return point;
  }

  /// The largest |f| at random values of every symbol that occurs.
  double largest(const std::vector<Expr>& functions, int points = 3) {
    const auto symbols = symbolic::free_symbols(functions);
    double worst = 0;
    for (int k = 0; k < points; ++k)
      for (const double value : symbolic::evaluate(functions, symbols, next(symbols.size())))
        worst = std::isfinite(value) ? std::max(worst, std::abs(value)) : HUGE_VAL;
    return worst;
  }

 private:
  std::mt19937_64 engine_;
};

struct ContactSample {
  std::string name;
  std::shared_ptr<Graph> graph;
  OneForm eta;
  std::vector<Expr> functions;  ///< three functions; the first does not vanish in the box
  friend std::ostream& operator<<(std::ostream& out, const ContactSample& sample) { return out << sample.name; }
};

/// dz - p dq on R^5, and a form on R^5 and one on R^3 whose Reeb fields are not coordinate fields.
inline std::vector<ContactSample> contact_samples() {
  std::vector<ContactSample> list;
  const auto add = [&](const std::string& name, const std::vector<std::string>& coordinates,
                       const std::vector<std::string>& eta, const std::vector<std::string>& functions) {
    ContactSample sample{name, std::make_shared<Graph>(), {}, {}};
    sample.eta.u = symbols(*sample.graph, coordinates);
    for (const auto& text : eta) sample.eta.components.push_back(read(*sample.graph, text, sample.eta.u));
    for (const auto& text : functions) sample.functions.push_back(read(*sample.graph, text, sample.eta.u));
    list.push_back(sample);
  };
  add("Darboux", {"a", "b", "c", "d", "e"}, {"-c", "-d", "0", "0", "1"},
      {"2 + c^2/2 + a*e/3 + e^2/5", "a*d - sin(b) + e*c", "exp(a/3)*c + e^2*b"});
  add("Curved", {"a", "b", "c", "d", "e"}, {"-c*(1 + e/4)", "sin(a)/3 - d - e^2/5", "b/6", "c^2/7", "1 + a*b/5"},
      {"2 + c^2/2 + a*e/3 + e^2/5", "a*d - sin(b) + e*c", "exp(a/3)*c + e^2*b"});
  add("Small", {"a", "b", "c"}, {"cos(c)", "sin(c)", "a/5"}, {"2 + a*b", "b^2 - c", "sin(a) + c*b"});
  return list;
}

}  // namespace herglotz::geometry::samples
