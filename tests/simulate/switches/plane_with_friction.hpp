#pragma once
/// Systems in a plane with friction, for tests.

#include <memory>
#include <string>
#include <vector>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::simulate {

/// A system in a plane.
class PlaneWithFriction {
 public:
  explicit PlaneWithFriction(const std::string& lagrangian) {
    const auto graph = std::make_shared<symbolic::Graph>();
    const std::vector<symbolic::Expr> x{graph->symbol("x"), graph->symbol("y")};
    const std::vector<symbolic::Expr> v{graph->symbol("v"), graph->symbol("w")};
    system = mechanics::make_system(geometry::tangent(graph, {x, v}));
    scope_ = {{"x", x[0]}, {"y", x[1]}, {"v", v[0]}, {"w", v[1]}, {"z", system.z}, {"t", system.t}};
    system.generator = read(lagrangian);
  }

  PlaneWithFriction& rub(const std::string& name, const std::string& on, const std::string& force) {
    mechanics::add_friction(system, friction(name, on, force));
    return *this;
  }
  /// Adds friction on two velocities.
  PlaneWithFriction& rub(const std::string& name, const std::string& on, const std::string& second,
                         const std::string& force) {
    mechanics::add_friction(system, friction(name, on, force), read(second));
    return *this;
  }
  PlaneWithFriction& push(const std::string& v, const std::string& w) {
    system.forces = {read(v), read(w)};
    return *this;
  }
  PlaneWithFriction& constrain(const std::string& equation) {
    mechanics::constrain(system, mechanics::Rule::nonholonomic, {read(equation)});
    return *this;
  }
  [[nodiscard]] analyse::Trajectory run(const std::string& method, double t_end, const InitialState& start = {}) const {
    Settings settings;
    settings.method = method;
    settings.t_end = t_end;
    if (integrate::find_method(method)->adaptive)
      settings.tolerance = 1e-12;
    else
      settings.step = 0.01;
    return Simulator(system).run(start, settings);
  }

  mechanics::System system;

 private:
  [[nodiscard]] mechanics::Friction friction(const std::string& name, const std::string& on,
                                             const std::string& force) const {
    mechanics::Friction result;
    result.name = name;
    result.on = read(on);
    result.normal = system.graph().number(1);
    result.held = result.slid = read(force);
    return result;
  }
  [[nodiscard]] symbolic::Expr read(const std::string& text) const {
    return symbolic::parse(*system.algebroid.graph, text, scope_);
  }

  symbolic::Scope scope_;
};

}  // namespace herglotz::simulate
