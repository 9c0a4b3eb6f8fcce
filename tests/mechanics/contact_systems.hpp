#pragma once
/// Systems with nonholonomic constraints for theorems of contact geometry, and random points on their constraints.

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "samples.hpp"

namespace herglotz::mechanics::samples {

struct ContactSystem {
  std::string name;
  System system;
  bool integrable = false;
  std::vector<std::pair<Expr, Expr>> on;  ///< fibre coordinates that Phi = 0 gives by the others
  std::array<Expr, 3> functions;          ///< of (x, w, z), without any special form
  friend std::ostream& operator<<(std::ostream& out, const ContactSystem& sample) { return out << sample.name; }

  /// x, w, z and the parameters.
  [[nodiscard]] std::vector<Expr> names() const {
    std::vector<Expr> list = system.algebroid.x;
    list.insert(list.end(), system.w().begin(), system.w().end());
    list.push_back(system.z);
    for (const auto& parameter : system.parameters) list.push_back(parameter.symbol);
    return list;
  }
  /// Values of the names with Phi = 0.
  [[nodiscard]] std::vector<double> point(std::mt19937_64& engine) const {
    std::uniform_real_distribution<double> uniform(0.15, 0.9);
    const auto symbols = names();
    std::vector<double> values(symbols.size());
    for (double& value : values) value = uniform(engine);
    const std::size_t first = symbols.size() - system.parameters.size();
    for (std::size_t k = 0; k < system.parameters.size(); ++k) values[first + k] = system.parameters[k].value;
    for (const auto& [symbol, value] : on)
      for (std::size_t k = 0; k < symbols.size(); ++k)
        if (symbols[k] == symbol) values[k] = symbolic::evaluate(value, symbols, values);
    return values;
  }
  /// The largest |f| at random points with Phi = 0.
  [[nodiscard]] double largest(const std::vector<Expr>& f, unsigned seed = 7) const {
    std::mt19937_64 engine(seed);
    double worst = 0;
    for (int k = 0; k < 3; ++k)
      for (const double value : symbolic::evaluate(f, names(), point(engine)))
        worst = std::isfinite(value) ? std::max(worst, std::abs(value)) : HUGE_VAL;
    return worst;
  }
};

struct ContactSystemText {
  std::string name;
  System system;  ///< without generator and constraints
  std::string generator;
  std::vector<std::string> constraints;
  std::vector<std::pair<std::string, std::string>> on;
  bool integrable = false;
};

inline ContactSystem read_system(ContactSystemText text) {
  ContactSystem sample{text.name, std::move(text.system), text.integrable, {}, {}};
  System& s = sample.system;
  Graph& graph = s.graph();
  const auto names = sample.names();
  s.generator = read(graph, text.generator, names);
  std::vector<Expr> equations;
  for (const auto& equation : text.constraints) equations.push_back(read(graph, equation, names));
  if (!equations.empty()) constrain(s, Rule::nonholonomic, equations);
  for (const auto& [symbol, value] : text.on)
    sample.on.emplace_back(read(graph, symbol, names), read(graph, value, names));
  const auto& x = s.algebroid.x;
  const auto& w = s.w();
  sample.functions = {x[0] * w[1] + sin(s.z) + w.back() * w.back(), x[2] * w[0] - s.z * x[1] + w[1],
                      x[1] * x[1] + w.back() * s.z + w[0] * w[1]};
  return sample;
}

/// TR^n with x1.. and v1.. .
inline System flat_system(std::size_t n) {
  auto graph = std::make_shared<Graph>();
  std::vector<std::string> x;
  std::vector<std::string> v;
  for (std::size_t i = 1; i <= n; ++i) {
    x.push_back("x" + std::to_string(i));
    v.push_back("v" + std::to_string(i));
  }
  return make_system(geometry::tangent(graph, {symbols(*graph, x), symbols(*graph, v)}));
}

/// The Chaplygin sleigh of [LJL21, Sec. 8].
inline ContactSystem sleigh() {
  auto graph = std::make_shared<Graph>();
  System s =
      make_system(geometry::tangent(graph, {symbols(*graph, {"x", "y", "phi"}), symbols(*graph, {"vx", "vy", "w"})}));
  s.parameters = {{graph->symbol("alpha"), 0.3}, {graph->symbol("beta"), 0.2}, {graph->symbol("gamma"), -0.1}};
  return read_system({"Sleigh",
                      s,
                      "((alpha*cos(phi) - beta*sin(phi))*w + vy)^2/2 + ((beta*cos(phi) + alpha*sin(phi))*w - vx)^2/2 + "
                      "w^2 + gamma*z",
                      {"vx*sin(phi) - vy*cos(phi)"},
                      {{"vy", "vx*sin(phi)/cos(phi)"}},
                      false});
}

/// L mixes velocities with positions and with the action, so that the Reeb field is not d/dz.
inline std::vector<ContactSystem> contact_systems() {
  const std::string curved =
      "(1 + z/10)*v1^2/2 + (2 + x1^2/5)*v2^2/2 + 3*v3^2/2 + v1*v2*x3/4 + v2*z*x1/5 - x1^2*z/3 - x2*x3/2 - z^2/20";
  std::vector<ContactSystem> list{sleigh()};
  list.push_back(read_system({"Curved", flat_system(3), curved, {"v3 - x1*v2"}, {{"v3", "x1*v2"}}, false}));
  list.push_back(read_system({"CurvedIntegrable",
                              flat_system(3),
                              curved,
                              {"(1 + x2^2)*(v3 - x1*v2 - x2*v1)"},
                              {{"v3", "x1*v2 + x2*v1"}},
                              true}));
  list.push_back(read_system({"Curve",
                              flat_system(3),
                              curved,
                              {"x1*v1 + x2*v2", "v3 - v2*sin(x1)"},
                              {{"v1", "-x2*v2/x1"}, {"v3", "v2*sin(x1)"}},
                              true}));
  list.push_back(read_system({"TwoConstraints",
                              flat_system(4),
                              "v1^2/2 + (1 + z/5)*v2^2/2 + v3^2 + v4^2/2 + v1*v4*x2/4 + v3*z/6 - x1*x2/2 - z^2/20",
                              {"v2 - x3*v1", "v3 - x4*v1 + v2*x1/3"},
                              {{"v2", "x3*v1"}, {"v3", "x4*v1 - v2*x1/3"}},
                              false}));
  {
    auto graph = std::make_shared<Graph>();
    const auto x = symbols(*graph, {"x1", "x2", "x3"});
    const auto frame = read_matrix(*graph, {{"1", "x2", "0"}, {"0", "2", "0"}, {"0", "x1", "3"}}, x);
    list.push_back(read_system({"Frame",
                                make_system(geometry::hamel(graph, {x, symbols(*graph, {"y1", "y2", "y3"})}, frame)),
                                "y1^2/2 + (1 + z/5)*y2^2/2 + y3^2 + y1*y3*x2/4 + y1*z/6 - x1*x3/2 - z^2/20",
                                {"y2 - x3*y1"},
                                {{"y2", "x3*y1"}},
                                false}));
  }
  {
    System s = flat_system(3);
    s.formulation = Formulation::hamiltonian;
    list.push_back(read_system({"Hamiltonian",
                                s,
                                "(1 + z/10)*p_v1^2/2 + p_v2^2 + p_v3^2/2 + p_v2*p_v3*x2/5 + x1^2*z/3 + z^2/20",
                                {"p_v3 - x1*p_v2"},
                                {{"p_v3", "x1*p_v2"}},
                                false}));
  }
  return list;
}

}  // namespace herglotz::mechanics::samples
