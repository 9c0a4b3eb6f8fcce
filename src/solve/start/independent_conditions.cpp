#include "start/independent_conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <span>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::solve {
namespace {

using symbolic::Expr;

constexpr int points = 3;
constexpr double dependent = 1e-9;  ///< what is left of a gradient, in parts of it
constexpr double holds = 1e-7;      ///< a condition that is nearer to 0 than that, relative

/// Variables of the conditions at the ends with values: of given ones, of parameters, and a generic value of others.
class Ends {
 public:
  explicit Ends(const control::Problem& problem) : problem_(problem) {
    const auto& system = problem.system;
    const auto& boundary = problem.boundary;
    for (const auto& parameter : system.parameters) add(parameter.symbol, parameter.value, false);
    const std::size_t parameters = symbols_.size();
    const auto value = [&](const Expr& given) {
      return symbolic::evaluate(given, std::span(symbols_).first(parameters), std::span(values_).first(parameters));
    };
    for (const std::string& name : control::end_names(problem)) {
      const auto& free = boundary.free_initial;
      const auto start = boundary.initial.find(name);
      add(system.graph().symbol(control::initial_name(name)),
          start == boundary.initial.end() ? 0 : value(start->second),
          std::find(free.begin(), free.end(), name) != free.end());
      const auto end = boundary.final.find(name);
      const bool is_given = end != boundary.final.end();
      add(system.graph().symbol(control::final_name(name)), is_given ? value(end->second) : 0, !is_given);
    }
    add(boundary.duration_symbol, boundary.duration ? value(*boundary.duration) : 1, !boundary.duration);
  }

  /// Returns the number of values that are not given.
  [[nodiscard]] std::size_t free() const { return free_.size(); }

  /// Returns a row of gradients for each condition, by what is not given.
  [[nodiscard]] Eigen::MatrixXd gradients(int point) const {
    std::vector<double> values = values_;
    std::vector<Expr> rows;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const double turn =
          0.6180339887498949 * static_cast<double>(k + 1 + free_.size() * static_cast<std::size_t>(point));
      values[free_[k]] = 0.3 + (turn - std::floor(turn));
    }
    for (const Expr& condition : problem_.boundary.conditions)
      for (const std::size_t k : free_) rows.push_back(symbolic::derivative(condition, symbols_[k]));
    const auto entries = symbolic::evaluate(rows, symbols_, values);
    return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
        entries.data(), static_cast<Eigen::Index>(problem_.boundary.conditions.size()),
        static_cast<Eigen::Index>(free_.size()));
  }

  /// Returns whether a condition holds at the ends of a path.
  [[nodiscard]] bool hold(const Expr& condition, const control::Iterate& path) const {
    std::vector<double> values = values_;
    const auto set = [&](const Expr& symbol, double value) {
      const auto found = std::find(symbols_.begin(), symbols_.end(), symbol);
      if (found != symbols_.end()) values[static_cast<std::size_t>(found - symbols_.begin())] = value;
    };
    double size = 1;
    const std::size_t last = path.v.size() - path.states.size();
    for (std::size_t i = 0; i < path.states.size(); ++i) {
      set(problem_.system.graph().symbol(control::initial_name(path.states[i])), path.v[i]);
      set(problem_.system.graph().symbol(control::final_name(path.states[i])), path.v[last + i]);
      size = std::max({size, std::abs(path.v[i]), std::abs(path.v[last + i])});
    }
    set(problem_.boundary.duration_symbol, path.times.back() - path.times.front());
    return std::abs(symbolic::evaluate(condition, symbols_, values)) <= holds * size;
  }

 private:
  void add(const Expr& symbol, double value, bool is_free) {
    if (is_free) free_.push_back(symbols_.size());
    symbols_.push_back(symbol);
    values_.push_back(value);
  }

  const control::Problem& problem_;
  std::vector<Expr> symbols_;
  std::vector<double> values_;
  std::vector<std::size_t> free_;  ///< places of the variables that are not given
};

/// Returns whether each row is a combination of those above it.
std::vector<bool> dependent_rows(const Eigen::MatrixXd& rows) {
  std::vector<bool> result;
  std::vector<Eigen::VectorXd> basis;
  for (Eigen::Index j = 0; j < rows.rows(); ++j) {
    Eigen::VectorXd rest = rows.row(j).transpose();
    const double size = rest.norm();
    for (int twice = 0; twice < 2; ++twice)
      for (const Eigen::VectorXd& one : basis) rest -= one.dot(rest) * one;
    result.push_back(rest.norm() <= dependent * size);
    if (!result.back()) basis.push_back(rest.normalized());
  }
  return result;
}

}  // namespace

std::vector<std::size_t> dependent_conditions(const control::Problem& problem) {
  const Ends ends(problem);
  if (problem.boundary.conditions.size() > ends.free())
    throw Refused(fmt::format("[boundary] has {} condition{} for {} end values that are not given",
                              problem.boundary.conditions.size(), problem.boundary.conditions.size() == 1 ? "" : "s",
                              ends.free()),
                  "give fewer", "[boundary]");
  std::vector<bool> depends(problem.boundary.conditions.size(), true);
  for (int point = 0; point < points; ++point) {
    const Eigen::MatrixXd gradients = ends.gradients(point);
    if (!gradients.allFinite()) return {};
    const auto here = dependent_rows(gradients);
    for (std::size_t j = 0; j < depends.size(); ++j) depends[j] = depends[j] && here[j];
  }
  std::vector<std::size_t> places;
  for (std::size_t j = 0; j < depends.size(); ++j)
    if (depends[j]) places.push_back(j);
  return places;
}

Solution without_dependent_conditions(const control::Problem& problem,
                                      const std::function<Solution(const control::Problem&)>& solved) {
  const auto places = problem.boundary.conditions.empty() ? std::vector<std::size_t>{} : dependent_conditions(problem);
  if (places.empty()) return solved(problem);
  control::Problem fewer = problem;
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    fewer.boundary.conditions.erase(fewer.boundary.conditions.begin() + static_cast<std::ptrdiff_t>(*place));
  Solution solution = solved(fewer);
  if (solution.status == Status::stopped) return solution;
  const Ends ends(problem);
  const bool all_hold = solution.status == Status::solved && std::all_of(places.begin(), places.end(), [&](auto place) {
                          return ends.hold(problem.boundary.conditions[place], solution.iterate);
                        });
  if (!all_hold) return solved(problem);
  std::vector<std::size_t> numbers;
  for (const std::size_t place : places) numbers.push_back(place + 1);
  solution.notes.push_back(fmt::format("condition{} {} of [boundary] follow{} from the others and {} left out",
                                       numbers.size() == 1 ? "" : "s", fmt::join(numbers, ", "),
                                       numbers.size() == 1 ? "s" : "", numbers.size() == 1 ? "is" : "are"));
  return solution;
}

}  // namespace herglotz::solve
