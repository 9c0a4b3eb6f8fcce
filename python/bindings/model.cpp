#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

#include "bindings.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/mechanics/geometry_presentation.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using Values = std::map<std::string, double>;

symbolic::Format format_named(const std::string& name) {
  if (name == "text") return symbolic::Format::text;
  if (name == "latex") return symbolic::Format::latex;
  if (name == "c") return symbolic::Format::c;
  if (name == "sympy") return symbolic::Format::sympy;
  throw std::invalid_argument("unknown format '" + name + "'; use text, latex, c or sympy");
}

std::vector<std::string> names(const std::vector<symbolic::Expr>& symbols) {
  std::vector<std::string> list;
  for (const auto& symbol : symbols) list.emplace_back(symbol.name());
  return list;
}

simulate::InitialState state_of(const Values& values) {
  return {values.begin(), values.end()};
}

/// A vector handed to NumPy without a copy.
nb::ndarray<nb::numpy, double, nb::ndim<1>> array(std::vector<double> values) {
  auto* kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::ndarray<nb::numpy, double, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
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

/// (columns, facts): columns as (name, role, values).
nb::tuple handed_over(analyse::Trajectory&& trajectory) {
  nb::list columns;
  for (auto& column : trajectory.columns)
    columns.append(nb::make_tuple(column.name, name_of(column.role), array(std::move(column.values))));
  return nb::make_tuple(columns, facts_of(trajectory.facts));
}

/// A problem and, once it is needed, its compiled form.
class Model {
 public:
  Model(const std::string& text, const std::string& file) : problem_(io::parse_model(text, file)) {}

  [[nodiscard]] const simulate::Problem& problem() const { return problem_; }
  const simulate::Simulator& simulator() {
    const std::scoped_lock lock(mutex_);
    if (!simulator_)
      simulator_ =
          std::make_unique<simulate::Simulator>(problem_.system, compile::Options{}, problem_.initial, problem_.discrete);
    return *simulator_;
  }

 private:
  simulate::Problem problem_;
  std::mutex mutex_;
  std::unique_ptr<simulate::Simulator> simulator_;
};

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

/// Asks the interpreter, a few times a second, whether the user wants to stop, and tells it how far the run is.
class Watch {
 public:
  explicit Watch(nb::object progress) : progress_(std::move(progress)) {}
  bool operator()(double fraction) {
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

 private:
  nb::object progress_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// (columns, facts, failure): failure is empty, or the sentence that says why the run ended early.
nb::tuple run(Model& model, const Values& initial, const Values& parameters, const nb::dict& settings,
              const nb::object& progress) {
  simulate::InitialState start = model.problem().initial;
  for (const auto& [name, value] : initial) start[name] = value;
  const auto resolved = settings_of(model.problem().settings, settings);
  Watch watch(progress);
  std::string failure;
  analyse::Trajectory trajectory;
  {
    const nb::gil_scoped_release released;
    try {
      trajectory = model.simulator().run(start, resolved, state_of(parameters),
                                         [&](double fraction) { return watch(fraction); });
    } catch (simulate::RunFailed& failed) {
      failure = failed.what();
      trajectory = std::move(failed.partial);
    }
    trajectory.facts.model_text = model.problem().text;
  }
  auto handed = handed_over(std::move(trajectory));
  return nb::make_tuple(handed[0], handed[1], failure);
}

std::string derive(const Model& model, const std::string& format) {
  const auto& system = model.problem().system;
  return mechanics::render(mechanics::equations_of_motion(system, mechanics::derive(system)), format_named(format));
}

std::string geometry(const Model& model, const std::string& format) {
  return mechanics::render(mechanics::geometry_of(model.problem().system), format_named(format));
}

nb::dict expressions(const Model& model, const std::string& format) {
  const auto& system = model.problem().system;
  symbolic::PrintOptions options;
  options.open_lets = true;
  const auto printed = [&](const symbolic::Expr& f) { return symbolic::print(f, format_named(format), options); };
  const auto all = [&](const std::vector<symbolic::Expr>& list) {
    std::vector<std::string> texts;
    for (const auto& f : list) texts.push_back(printed(f));
    return texts;
  };
  nb::dict d;
  d["generator"] = printed(system.generator);
  d["forces"] = all(system.forces);
  d["constraints"] = all(system.constraints.equations);
  nb::dict symmetries;
  for (const auto& symmetry : system.symmetries) symmetries[symmetry.name.c_str()] = all(symmetry.section);
  d["symmetries"] = symmetries;
  nb::dict observables;
  for (const auto& observable : system.observables) observables[observable.name.c_str()] = printed(observable.value);
  d["observables"] = observables;
  d["anchor"] = all(system.algebroid.rho.entries);
  d["right_anchor"] = all(system.algebroid.sigma.entries);
  std::vector<symbolic::Expr> brackets;
  const std::size_t r = system.r();
  for (std::size_t k = 0; k < r; ++k)
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < r; ++j) brackets.push_back(system.algebroid.c(k, i, j));
  d["structure"] = all(brackets);
  return d;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A model: a system, its start and its settings.")
      .def(nb::init<const std::string&, const std::string&>(), nb::arg("text"), nb::arg("file") = "model.toml",
           "From the text of a model file; `file` is the name used in errors. Raises ModelError.")
      .def_prop_ro("name", [](const Model& m) { return m.problem().system.name; })
      .def_prop_ro("title", [](const Model& m) { return m.problem().system.title; })
      .def_prop_ro("reference", [](const Model& m) { return m.problem().system.reference; })
      .def_prop_ro("text", [](const Model& m) { return m.problem().text; })
      .def_prop_ro("kind", [](const Model& m) { return m.problem().system.algebroid.kind; })
      .def_prop_ro("hamiltonian",
                   [](const Model& m) {
                     return m.problem().system.formulation == mechanics::Formulation::hamiltonian;
                   })
      .def_prop_ro("rule",
                   [](const Model& m) {
                     const auto rule = m.problem().system.constraints.rule;
                     return rule == mechanics::Rule::none        ? "none"
                            : rule == mechanics::Rule::vakonomic ? "vakonomic"
                                                                 : "nonholonomic";
                   })
      .def_prop_ro("base", [](const Model& m) { return names(m.problem().system.algebroid.x); })
      .def_prop_ro("fibre", [](const Model& m) { return names(m.problem().system.algebroid.y); })
      .def_prop_ro("momenta", [](const Model& m) { return names(m.problem().system.p); })
      .def_prop_ro("action", [](const Model& m) { return std::string(m.problem().system.z.name()); })
      .def_prop_ro("time", [](const Model& m) { return std::string(m.problem().system.t.name()); })
      .def_prop_ro("multipliers", [](const Model& m) { return names(m.problem().system.constraints.multipliers); })
      .def_prop_ro("parameters",
                   [](const Model& m) {
                     Values values;
                     for (const auto& p : m.problem().system.parameters) values[std::string(p.symbol.name())] = p.value;
                     return values;
                   })
      .def_prop_ro("initial",
                   [](const Model& m) { return Values(m.problem().initial.begin(), m.problem().initial.end()); })
      .def("expressions", &expressions, nb::arg("format"), "Every expression of the model, printed.")
      .def("derive", &derive, nb::arg("format"), "The equations of motion, printed.")
      .def("geometry", &geometry, nb::arg("format"), "The contact and Jacobi geometry, printed.")
      .def("run", &run, nb::arg("initial"), nb::arg("parameters"), nb::arg("settings"), nb::arg("progress").none(),
           "(columns, facts, failure) of one run; columns are (name, role, values).");
}

}  // namespace herglotz::python
