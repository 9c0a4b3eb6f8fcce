#include "herglotz/simulate/hessian_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/sensitivity/central_slope.hpp"

namespace herglotz::simulate {
namespace {

/// Largest error of a product that is returned.
constexpr double allowed = 1e-4;

/// Gradients beside a run.
class Beside {
 public:
  Beside(const Simulator& simulator, Differentiator& differentiator, const SensitivityRequest& request,
         const std::function<LossValue(const analyse::Trajectory&)>& loss, std::span<const double> direction)
      : simulator_(simulator), differentiator_(differentiator), request_(request), loss_(loss), direction_(direction) {
    for (const auto& name : request.wrt) {
      const auto& parameters = simulator.system().parameters;
      const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                          [&](const auto& one) { return one.symbol.name() == name; });
      is_parameter_.push_back(parameter != parameters.end());
      const InitialState& given = is_parameter_.back() ? request.parameters : request.initial;
      const auto value = given.find(name);
      if (value != given.end())
        at_.push_back(value->second);
      else
        at_.push_back(is_parameter_.back() ? parameter->value : 0.0);
    }
  }

  /// Returns the largest change along the direction that moves no name by more than its size.
  [[nodiscard]] double scale() const {
    double scale = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < at_.size(); ++k)
      if (direction_[k] != 0) scale = std::min(scale, (at_[k] == 0 ? 1 : std::abs(at_[k])) / std::abs(direction_[k]));
    return scale;
  }

  /// Returns the gradient of the run whose names are moved along the direction.
  [[nodiscard]] std::vector<double> at(double offset) {
    SensitivityRequest moved = request_;
    for (std::size_t k = 0; k < at_.size(); ++k) {
      const std::string& name = request_.wrt[k];
      (is_parameter_[k] ? moved.parameters : moved.initial)[name] = at_[k] + offset * direction_[k];
      if (!is_parameter_[k]) moved.expressions.erase(name);
    }
    moved.expressions.apply(simulator_.system(), moved.parameters, moved.initial, moved.next);
    const auto attend = [&](double) {
      if (moved.attend) moved.attend();
      return true;
    };
    auto run = simulator_.run(moved.initial, moved.settings, moved.parameters, attend, moved.next);
    return differentiator_.gradient(moved, loss_(run).cotangents, run).by;
  }

 private:
  const Simulator& simulator_;
  Differentiator& differentiator_;
  const SensitivityRequest& request_;
  const std::function<LossValue(const analyse::Trajectory&)>& loss_;
  std::span<const double> direction_;
  std::vector<bool> is_parameter_;
  std::vector<double> at_;
};

}  // namespace

HessianProduct hessian_product(const Simulator& simulator, Differentiator& differentiator,
                               const SensitivityRequest& request,
                               const std::function<LossValue(const analyse::Trajectory&)>& loss,
                               std::span<const double> direction) {
  if (direction.size() != request.wrt.size())
    throw Refused(fmt::format("the direction has {} entries for {} names", direction.size(), request.wrt.size()),
                  "give one for each name");
  if (!std::all_of(direction.begin(), direction.end(), [](double entry) { return std::isfinite(entry); }))
    throw Refused("an entry of the direction is not a finite number", "give finite numbers");
  Beside beside(simulator, differentiator, request, loss, direction);
  // The run itself must have a gradient; the reason why it has none is told, unlike that of a run beside it.
  const auto here = beside.at(0);
  if (std::all_of(direction.begin(), direction.end(), [](double entry) { return entry == 0; }))
    return {std::vector<double>(here.size(), 0.0), 0};
  const auto gradients = [&](std::span<const double> offsets) -> std::optional<std::vector<std::vector<double>>> {
    std::vector<std::vector<double>> found;
    try {
      for (const double offset : offsets) found.push_back(beside.at(offset));
    } catch (const Failed&) {
      return std::nullopt;  // nearer runs may have gradients
    }
    return found;
  };
  const auto slope = sensitivity::central_slope(gradients, beside.scale(), here.size());
  if (!slope) throw RunFailed("no runs near this one have gradients, and so it has no second derivatives", "", {});
  if (!(slope->error <= allowed))
    throw RunFailed(fmt::format("the second derivatives have errors of {:.1g}", slope->error),
                    "take a smaller tolerance, or a method with steps of one size", {});
  return {slope->values, slope->error};
}

}  // namespace herglotz::simulate
