#include "trajectory.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

namespace herglotz::python {

Array array(std::vector<double> values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return Array(kept->data(), shape.size(), shape.data(), owner);
}

const char* name_of(analyse::Role role) {
  switch (role) {
    case analyse::Role::time:
      return "time";
    case analyse::Role::base:
      return "base";
    case analyse::Role::fibre:
      return "fibre";
    case analyse::Role::action:
      return "action";
    case analyse::Role::multiplier:
      return "multiplier";
    case analyse::Role::energy:
      return "energy";
    case analyse::Role::factor:
      return "factor";
    case analyse::Role::invariant:
      return "invariant";
    case analyse::Role::residual:
      return "residual";
    case analyse::Role::momentum:
      return "momentum";
    case analyse::Role::constraint:
      return "constraint";
    case analyse::Role::observable:
      return "observable";
  }
  return "observable";
}

nb::dict facts_of(const analyse::RunFacts& facts) {
  nb::dict d;
  d["model"] = facts.model_name;
  d["title"] = facts.title;
  d["reference"] = facts.reference;
  d["model_text"] = facts.model_text;
  nb::dict parameters;
  for (const auto& [name, value] : facts.parameters) parameters[name.c_str()] = value;
  d["parameters"] = parameters;
  nb::dict initial;
  for (const auto& [name, value] : facts.initial) initial[name.c_str()] = value;
  d["initial"] = initial;
  d["method"] = facts.method;
  d["method_reason"] = facts.method_reason;
  d["order"] = facts.order;
  d["step"] = facts.step;
  d["tolerance"] = facts.tolerance;
  d["t_end"] = facts.t_end;
  d["status"] = facts.status;
  d["complete"] = facts.complete;
  d["version"] = facts.version;
  d["wall_seconds"] = facts.wall_seconds;
  d["steps"] = facts.steps;
  d["rejected_steps"] = facts.rejected_steps;
  d["newton_iterations"] = facts.newton_iterations;
  d["largest_energy_residual"] = facts.largest_energy_residual;
  nb::dict momenta;
  for (const auto& [name, value] : facts.largest_momentum_residuals) momenta[name.c_str()] = value;
  d["largest_momentum_residuals"] = momenta;
  d["largest_constraint_residual"] = facts.largest_constraint_residual;
  d["notes"] = facts.notes;
  return d;
}

simulate::Settings settings_of(const simulate::Settings& given, const nb::dict& changes) {
  simulate::Settings settings = given;
  for (const auto& [key, value] : changes) {
    const auto name = nb::cast<std::string>(key);
    if (name == "method") {
      settings.method = nb::cast<std::string>(value);
    } else if (name == "project") {
      settings.project = nb::cast<bool>(value);
    } else if (name == "t_end") {
      settings.t_end = nb::cast<double>(value);
    } else if (name == "step") {
      settings.step = nb::cast<double>(value);
      settings.tolerance.reset();
    } else if (name == "tolerance") {
      settings.tolerance = nb::cast<double>(value);
      settings.step.reset();
    } else if (name == "output_every") {
      settings.output_every = nb::cast<std::size_t>(value);
      settings.output_step.reset();
    } else if (name == "output_step") {
      settings.output_step = nb::cast<double>(value);
      settings.output_every.reset();
    } else {
      throw std::invalid_argument("unknown setting '" + name +
                                  "'; known are method, project, t_end, step, tolerance, output_every, output_step");
    }
  }
  return settings;
}

Watch::Watch(nb::object progress) : progress_(std::move(progress)) {}

bool Watch::operator()(double fraction) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return true;
  last_ = now;
  const nb::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) {
    PyErr_Clear();
    return false;
  }
  if (!progress_.is_none()) progress_(fraction);
  return true;
}

}  // namespace herglotz::python
