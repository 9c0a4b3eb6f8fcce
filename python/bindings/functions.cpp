#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "herglotz/integrate/vector_field.hpp"
#include "model.hpp"
#include "runs/registry.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using Values = std::map<std::string, double>;
using Input = nb::ndarray<const double, nb::numpy, nb::c_contig, nb::device::cpu>;

std::vector<double> parameters_of(const Model& model, const Values& changes) {
  std::vector<double> values;
  std::size_t used = 0;
  for (const auto& parameter : model.problem().system.parameters) {
    const auto changed = changes.find(std::string(parameter.symbol.name()));
    if (changed != changes.end()) ++used;
    values.push_back(changed == changes.end() ? parameter.value : changed->second);
  }
  if (used == changes.size()) return values;
  std::vector<std::string> names;
  for (const auto& parameter : model.problem().system.parameters) names.emplace_back(parameter.symbol.name());
  for (const auto& [name, value] : changes) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw std::invalid_argument(fmt::format("unknown parameter '{}'; known are {}", name, fmt::join(names, ", ")));
  }
  return values;
}

std::string shape_of(const Input& u) {
  std::string text = "(";
  for (std::size_t k = 0; k < u.ndim(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(u.shape(k));
  return text + (u.ndim() == 1 ? ",)" : ")");
}

/// Compiled functions of the state of a model, at fixed parameters.
class Functions {
 public:
  Functions(Model& model, const Values& parameters)
      : dynamics_(model.simulator().dynamics_for(*integrate::find_method("radau-5"))),
        parameters_(parameters_of(model, parameters)),
        equation_(model.simulator().equations().equation),
        by_equation_(equation_.size()),
        field_(dynamics_, parameters_) {
    std::iota(by_equation_.begin(), by_equation_.end(), std::size_t{0});
    std::ranges::sort(by_equation_, {}, [this](std::size_t row) { return equation_[row]; });
  }

  /// The constraint of the model that each of the nu of a vakonomic state belongs to; velocity-free constraints come
  /// first.
  [[nodiscard]] const std::vector<std::size_t>& equation() const { return equation_; }
  [[nodiscard]] std::size_t dimension() const { return field_.dimension(); }

  /// Returns the rates of one state (N), or of the columns of (N, k) as SciPy passes them.
  Array rates(double t, const Input& u) {
    return columnwise(u, dimension(), [&](auto from, auto to) { field_(t, from, to); });
  }
  Array jacobian(double t, const Input& u) {
    if (u.ndim() != 1 || u.shape(0) != dimension())
      throw std::invalid_argument(fmt::format("a state of shape ({},) is needed, not {}", dimension(), shape_of(u)));
    std::vector<double> matrix(dimension() * dimension());
    const std::scoped_lock lock(mutex_);
    field_.jacobian(t, {u.data(), dimension()}, matrix);
    return array(std::move(matrix), {dimension(), dimension()});
  }
  /// Calls `work` with the vector field, which serves one thread at a time.
  template <class Work>
  void with_field(const Work& work) {
    const std::scoped_lock lock(mutex_);
    work(field_);
  }
  /// In the order of the model's constraints, without those that follow from others.
  Array multipliers(double t, const Input& u) {
    std::vector<double> rows(field_.multipliers());
    return columnwise(u, rows.size(), [&](auto from, auto to) {
      field_.multipliers(t, from, rows);
      std::ranges::transform(by_equation_, to.begin(), [&](std::size_t row) { return rows[row]; });
    });
  }
  /// (L_z, energy, momenta of the symmetries)
  Array laws(double t, const Input& u) {
    const auto& balance = dynamics_.balance;
    std::vector<double> v(dynamics_.variables());
    std::vector<double> out(balance.outputs());
    std::vector<double> work(balance.work_size());
    return columnwise(u, 1 + dynamics_.laws, [&](auto from, auto to) {
      load(t, from, v);
      balance(v.data(), parameters_.data(), out.data(), work.data());
      to[0] = out[0];
      for (std::size_t k = 0; k < dynamics_.laws; ++k) to[1 + k] = out[integrate::BalanceOutputs::quantity(k)];
    });
  }
  /// p (r)
  Array momenta(double t, const Input& u) {
    const auto& stage = dynamics_.stage;
    std::vector<double> v(dynamics_.variables());
    std::vector<double> out(stage.outputs());
    std::vector<double> work(stage.work_size());
    return columnwise(u, dynamics_.r, [&](auto from, auto to) {
      load(t, from, v);
      stage(v.data(), parameters_.data(), out.data(), work.data());
      std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(dynamics_.n), dynamics_.r, to.begin());
    });
  }

 private:
  void load(double t, std::span<const double> u, std::vector<double>& v) const {
    const std::size_t base = dynamics_.n + dynamics_.r + 1;
    std::copy_n(u.begin(), base, v.begin());
    v[base] = t;
    std::copy(u.begin() + static_cast<std::ptrdiff_t>(base), u.end(),
              v.begin() + static_cast<std::ptrdiff_t>(base) + 1);
  }
  template <class F>
  Array columnwise(const Input& u, std::size_t outputs, F f) {
    const std::size_t size = dimension();
    if ((u.ndim() != 1 && u.ndim() != 2) || u.shape(0) != size)
      throw std::invalid_argument(
          fmt::format("a state of shape ({0},) or ({0}, k) is needed, not {1}", size, shape_of(u)));
    std::vector<double> result(outputs * (u.ndim() == 1 ? 1 : u.shape(1)));
    if (u.ndim() == 1) {
      const std::scoped_lock lock(mutex_);
      f(std::span<const double>(u.data(), size), std::span<double>(result));
      return array(std::move(result), {outputs});
    }
    const std::size_t count = u.shape(1);
    std::vector<double> from(size);
    std::vector<double> to(outputs);
    {
      const nb::gil_scoped_release released;
      const std::scoped_lock lock(mutex_);
      for (std::size_t j = 0; j < count; ++j) {
        for (std::size_t i = 0; i < size; ++i) from[i] = u.data()[i * count + j];
        f(std::span<const double>(from), std::span<double>(to));
        for (std::size_t i = 0; i < outputs; ++i) result[i * count + j] = to[i];
      }
    }
    return array(std::move(result), {outputs, count});
  }

  integrate::Dynamics dynamics_;
  std::vector<double> parameters_;
  std::vector<std::size_t> equation_;
  std::vector<std::size_t> by_equation_;  // rows in the order of their constraints
  integrate::CompiledVectorField field_;
  std::mutex mutex_;  // field_ serves one thread at a time
};

/// The rates as a function of the time and the state after it, with the compiled Jacobian.
class Rates : public VectorFunction {
 public:
  explicit Rates(std::shared_ptr<Functions> functions)
      : functions_(std::move(functions)), shape_{functions_->dimension()}, size_(shape_.front() + 1) {}

  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] const Shape& shape() const override { return shape_; }

  void values(std::span<const double> u, std::span<double> into, const Attend& attend) override {
    functions_->with_field([&](auto& field) {
      for (std::size_t k = 0; k * size_ < u.size(); ++k) {
        attend_now_and_then(k, attend);
        field(u[k * size_], state(u, k), into.subspan(k * shape_.front(), shape_.front()));
      }
    });
  }

  void jacobians(std::span<const double> u, std::span<double> into, const Attend& attend) override {
    const std::size_t each = shape_.front() * size_;
    functions_->with_field([&](auto& field) {
      for (std::size_t k = 0; k * size_ < u.size(); ++k) {
        attend_now_and_then(k, attend);
        write_jacobian(field, u[k * size_], state(u, k), into.subspan(k * each, each));
      }
    });
  }

  void gradients(std::span<const double> u, std::span<const double> c, std::span<double> into,
                 const Attend& attend) override {
    std::vector<double> matrix(shape_.front() * size_);
    std::fill(into.begin(), into.end(), 0.0);
    functions_->with_field([&](auto& field) {
      for (std::size_t k = 0; k * size_ < u.size(); ++k) {
        attend_now_and_then(k, attend);
        write_jacobian(field, u[k * size_], state(u, k), matrix);
        for (std::size_t i = 0; i < shape_.front(); ++i)
          for (std::size_t j = 0; j < size_; ++j)
            into[k * size_ + j] += c[k * shape_.front() + i] * matrix[i * size_ + j];
      }
    });
  }

 private:
  /// Rates take less time than the question whether to go on.
  static void attend_now_and_then(std::size_t member, const Attend& attend) {
    constexpr std::size_t between = 1024;
    if (member % between == 0) attend();
  }

  [[nodiscard]] std::span<const double> state(std::span<const double> u, std::size_t k) const {
    return u.subspan(k * size_ + 1, size_ - 1);
  }

  /// The first column is the derivative in time: a central difference of order 4, with a step at which truncation and
  /// round-off are equal.
  void write_jacobian(integrate::CompiledVectorField& field, double t, std::span<const double> u,
                      std::span<double> matrix) const {
    const std::size_t dimension = u.size();
    std::vector<double> by_state(dimension * dimension);
    field.jacobian(t, u, by_state);
    std::vector<double> by_time(dimension, 0.0);
    std::vector<double> rates(dimension);
    const double h = std::pow(std::numeric_limits<double>::epsilon(), 0.2) * std::max(1.0, std::abs(t));
    for (const auto& [offset, weight] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
      field(t + h * offset, u, rates);
      for (std::size_t i = 0; i < dimension; ++i) by_time[i] += weight / 12 * rates[i];
    }
    for (std::size_t i = 0; i < dimension; ++i) {
      matrix[i * size_] = by_time[i] / h;
      std::copy_n(by_state.data() + i * dimension, dimension, matrix.data() + i * size_ + 1);
    }
  }

  std::shared_ptr<Functions> functions_;
  Shape shape_;
  std::size_t size_;
};

/// One step of a method as a map of the state.
class StepMap {
 public:
  StepMap(Model& model, const Values& parameters, const std::string& method, double step)
      : parameters_(parameters_of(model, parameters)), step_(step) {
    const auto* info = integrate::find_method(method);
    if (info == nullptr) throw std::invalid_argument("unknown method '" + method + "'; see herglotz.methods()");
    if (info->adaptive)
      throw std::invalid_argument("method " + method + " chooses its steps; a fixed-step one is needed");
    if (!(step != 0)) throw std::invalid_argument("a step of 0 leads nowhere");
    const simulate::Simulator& simulator = model.simulator();
    dynamics_ = simulator.dynamics_for(*info);
    dimension_ = dynamics_.dimension();
    if (simulator.follows_final_set()) {
      if (parameters_ != simulator.parameter_values())
        throw std::invalid_argument(
            "the constraints of a singular Lagrangian depend on its parameters; load the model "
            "with these values");
      singular_ = &simulator;
      // Multipliers lambda are base coordinates to the methods, and no part of a state.
      const auto& equations = simulator.equations();
      const bool vakonomic = equations.rule == mechanics::Rule::vakonomic;
      dimension_ = simulator.system().n() + simulator.system().r() + 1 + (vakonomic ? equations.m() : 0);
    }
    dynamics_.laws = 0;
    dynamics_.balance = {};
    method_ = method;
  }

  /// The state after the step, and the factor by which it multiplies what is dissipated: exp(int L_z).
  nb::tuple step(double t, const Input& u) const {
    if (u.ndim() != 1 || u.shape(0) != dimension_)
      throw std::invalid_argument("a state of shape (" + std::to_string(dimension_) + ",) is needed, not " +
                                  shape_of(u));
    integrate::Settings settings;
    settings.method = method_;
    settings.t_end = t + step_;
    settings.step = std::abs(step_);
    if (singular_ != nullptr) {
      const auto reached = singular_->last_sample_on_final_set(t, {u.data(), u.data() + dimension_}, settings);
      return nb::make_tuple(array(reached.state, {dimension_}), std::exp(-reached.log_factor));
    }
    double log_factor = 0;
    const auto outcome = integrate::integrate(dynamics_, parameters_, t, {u.data(), u.shape(0)}, settings,
                                              [&](const integrate::Sample& sample) {
                                                log_factor = sample.log_factor;
                                                return true;
                                              });
    if (outcome.status != integrate::Status::success) throw std::runtime_error(outcome.reason.text());
    const std::size_t size = outcome.state.size();
    return nb::make_tuple(array(outcome.state, {size}), std::exp(-log_factor));
  }

 private:
  integrate::Dynamics dynamics_;
  const simulate::Simulator* singular_ = nullptr;  ///< of a singular Lagrangian
  std::size_t dimension_ = 0;                      ///< of a state
  std::vector<double> parameters_;
  std::string method_;
  double step_;
};

}  // namespace

void bind_functions(nb::module_& module) {
  nb::class_<Functions>(module, "Functions", "Compiled functions of the state, at fixed parameters.")
      .def(nb::init<Model&, const Values&>(), nb::arg("model"), nb::arg("parameters"))
      .def_prop_ro("dimension", &Functions::dimension, "Entries of a state.")
      .def("rates", &Functions::rates, nb::arg("t"), nb::arg("u"),
           nb::sig("def rates(self, t: float, u: numpy.typing.NDArray[numpy.float64]) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "du/dt of a state (N) or of states (N, k).")
      .def("jacobian", &Functions::jacobian, nb::arg("t"), nb::arg("u"),
           nb::sig("def jacobian(self, t: float, u: numpy.typing.NDArray[numpy.float64]) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "d(du/dt)/du (N, N).")
      .def(
          "rates_by_time_and_state",
          [](const std::shared_ptr<Functions>& functions) {
            return new Registered(std::make_shared<Rates>(functions));
          },
          "du/dt (N) of vectors (t, u).")
      .def("multipliers", &Functions::multipliers, nb::arg("t"), nb::arg("u"),
           nb::sig("def multipliers(self, t: float, u: numpy.typing.NDArray[numpy.float64]) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "Multipliers of the constraints, in the order of the model.")
      .def_prop_ro("equation", &Functions::equation, "The constraint that each multiplier in a state belongs to.")
      .def("laws", &Functions::laws, nb::arg("t"), nb::arg("u"),
           nb::sig("def laws(self, t: float, u: numpy.typing.NDArray[numpy.float64]) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "L_z, the energy, and the momenta of symmetries.")
      .def("momenta", &Functions::momenta, nb::arg("t"), nb::arg("u"),
           nb::sig("def momenta(self, t: float, u: numpy.typing.NDArray[numpy.float64]) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "p = dL/dy.");
  nb::class_<StepMap>(module, "StepMap", "One step of a method.")
      .def(nb::init<Model&, const Values&, const std::string&, double>(), nb::arg("model"), nb::arg("parameters"),
           nb::arg("method"), nb::arg("step"), nb::keep_alive<1, 2>())
      .def("step", &StepMap::step, nb::arg("t"), nb::arg("u"),
           nb::sig("def step(self, t: float, u: numpy.typing.NDArray[numpy.float64]) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], float]"),
           "The state after the step, and its conformal factor.");
}

}  // namespace herglotz::python
