#include "linear/state_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "herglotz/error.hpp"
#include "herglotz/integrate/vector_field.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace herglotz::simulate {

void require_duration(const std::string& name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw Refused(fmt::format("{} = {}", name, value), "a positive time is needed");
}

StateFlow::StateFlow(const Simulator& simulator, const MotionRequest& motion)
    : simulator_(simulator),
      motion_(motion),
      differentiator_(simulator),
      parameters_(resolve_parameters(simulator.system(), motion.parameters)) {
  if (simulator.equations().m() > 0)
    throw Refused("the motion of a system with constraints has no derivative by every entry of its state",
                  "reduce the system by its constraints");
  motion_.settings.output_every.reset();
  motion_.settings.output_times.clear();
  const auto& u = simulator.equations().u;  // (x, w, z, t)
  const InitialState known = simulator.start(motion.initial, motion.settings, motion.parameters);
  for (auto it = u.begin(); it != u.end() - 1; ++it) names_.emplace_back(it->name());
  start_.resize(static_cast<Eigen::Index>(names_.size()));
  for (std::size_t i = 0; i < names_.size(); ++i) start_[static_cast<Eigen::Index>(i)] = known.at(names_[i]);
  t0_ = known.at(std::string(u.back().name()));
  require_between_samples(simulator.system(), t0_, parameters_);
}

StateFlow::End StateFlow::operator()(double t, const Eigen::VectorXd& y, double duration) {
  SensitivityRequest request{names_, {}, motion_.settings, motion_.parameters, {}, {}, motion_.attend};
  request.settings.t_end = t + duration;
  request.settings.output_step = std::abs(duration);
  for (std::size_t i = 0; i < names_.size(); ++i) request.initial[names_[i]] = y[static_cast<Eigen::Index>(i)];
  request.initial[std::string(simulator_.system().t.name())] = t;
  const auto go_on = [this](double) {
    attend();
    return true;
  };
  analyse::Trajectory run = simulator_.run(request.initial, request.settings, request.parameters, go_on);
  const double reached = run.columns.front().values.back();
  if (reached != request.settings.t_end)
    throw RunFailed(fmt::format("an event ends the motion at t = {:.9g}", reached), "remove its `stop`", {});
  const auto derivatives = differentiator_.differentiate(request, run);
  const auto size = y.size();
  End end{Eigen::VectorXd(size), Eigen::MatrixXd(size, size), {}};
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    end.y[row] = run[names_[i]].back();
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const std::string name = fmt::format("d.{}.d.{}", names_[i], names_[k]);
      const auto column =
          std::find_if(derivatives.begin(), derivatives.end(), [&](const auto& one) { return one.name == name; });
      end.by_start(row, static_cast<Eigen::Index>(k)) = column->values.back();
    }
  }
  end.run = std::move(run);
  return end;
}

void StateFlow::require_pace(double duration) const {
  Settings settings = motion_.settings;
  const auto* method = integrate::find_method(settings.method);
  if (method != nullptr && !method->adaptive) return;
  settings.t_end = t0_ + duration;
  settings.output_step = duration;
  // A run asks at its start and after every 4096 steps or more, and judges its pace by two looks, one after every 2^20
  // steps.
  constexpr std::size_t steps_between_questions = 4096;
  constexpr std::size_t questions = (std::size_t{2} << 20U) / steps_between_questions + 2;
  std::size_t asked = 0;
  std::ignore = simulator_.run(motion_.initial, settings, motion_.parameters, [&](double) {
    attend();
    return ++asked <= questions;
  });
}

void StateFlow::attend() const {
  if (motion_.attend) motion_.attend();
}

Eigen::VectorXd StateFlow::rates(double t, const Eigen::VectorXd& y) const {
  integrate::CompiledVectorField field(simulator_.dynamics(), parameters_);
  std::vector<double> result(names_.size());
  field(t, std::vector<double>(y.begin(), y.end()), result);
  return Eigen::Map<const Eigen::VectorXd>(result.data(), y.size());
}

}  // namespace herglotz::simulate
