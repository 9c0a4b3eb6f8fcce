#include "herglotz/fit/fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <unsupported/Eigen/NonLinearOptimization>

#include "bounded.hpp"
#include "problem.hpp"
#include "residual_tests.hpp"

namespace herglotz::fit {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
/// Share of the largest singular value below which a combination of unknowns is not determined.
constexpr double determined = 1e-7;
/// Residuals of a run that fails: the step to it is refused.
constexpr double far_off = 1e100;
constexpr int most_weighings = 12;

/// The least squares problem in free variables, as Eigen's solver takes it.
class Functor {
 public:
  using Scalar = double;

  Functor(const Residuals& residuals, const Request& request) : residuals_(residuals), request_(request) {}

  [[nodiscard]] int values() const { return static_cast<int>(residuals_.samples()); }

  int operator()(const Vector& free, Vector& values) {
    evaluate(free);
    if (last_)
      values = last_->residuals;
    else
      values.setConstant(far_off);
    return 0;
  }

  int df(const Vector& free, Matrix& jacobian) {
    evaluate(free);
    if (!last_) return -1;
    jacobian = last_->jacobian;
    for (Index k = 0; k < free.size(); ++k)
      jacobian.col(k) *= bounded(request_.unknowns[static_cast<std::size_t>(k)], free[k]).slope;
    return 0;
  }

  [[nodiscard]] Vector values_of(const Vector& free) const {
    Vector values(free.size());
    for (Index k = 0; k < free.size(); ++k)
      values[k] = bounded(request_.unknowns[static_cast<std::size_t>(k)], free[k]).value;
    return values;
  }

  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  void evaluate(const Vector& free) {
    if (known_.size() == free.size() && known_ == free) return;
    known_ = free;
    ++runs_;
    try {
      last_ = residuals_.at(values_of(free));
    } catch (const simulate::RunFailed&) {
      if (runs_ == 1) throw;
      last_.reset();
    }
  }

  const Residuals& residuals_;
  const Request& request_;
  Vector known_;
  std::optional<Evaluation> last_;
  std::size_t runs_ = 0;
};

/// The minimum of one weighing.
struct Minimum {
  Vector free;
  bool converged = false;
  std::string status = "complete";
  std::size_t runs = 0;
};

Minimum minimise(const Residuals& residuals, const Request& request, Vector free) {
  using Status = Eigen::LevenbergMarquardtSpace::Status;
  Functor functor(residuals, request);
  Eigen::LevenbergMarquardt<Functor> solver(functor);
  solver.parameters.ftol = solver.parameters.xtol = 1e-13;
  solver.parameters.maxfev = static_cast<Index>(request.most_iterations);
  const Status status = solver.minimize(free);
  Minimum minimum{std::move(free), false, "complete", functor.runs()};
  switch (status) {
    case Status::RelativeReductionTooSmall:
    case Status::RelativeErrorTooSmall:
    case Status::RelativeErrorAndReductionTooSmall:
    case Status::CosinusTooSmall:
    case Status::FtolTooSmall:
    case Status::XtolTooSmall:
    case Status::GtolTooSmall:
      minimum.converged = true;
      break;
    case Status::TooManyFunctionEvaluation:
      minimum.status = fmt::format("{} runs did not reach a minimum; start nearer to it", request.most_iterations);
      break;
    default:
      minimum.status = "no minimum was reached: a run beside the start fails";
  }
  return minimum;
}

/// Returns the root mean square of the residuals of each series in the units of the series, with the degrees of freedom
/// shared in proportion to the samples.
std::vector<double> noise_of(const Residuals& residuals, const Request& request, const Evaluation& at) {
  std::vector<double> squares(request.data.series.size(), 0.0);
  std::vector<double> count(squares.size(), 0.0);
  for (std::size_t i = 0; i < residuals.samples(); ++i) {
    const auto [s, row] = residuals.places()[i];
    const double e = at.residuals[static_cast<Index>(i)] * residuals.noise(s, row);
    squares[s] += e * e;
    count[s] += 1;
  }
  const double all = static_cast<double>(residuals.samples());
  const double share = 1 - static_cast<double>(residuals.unknowns()) / all;
  std::vector<double> noise(squares.size(), 0.0);
  for (std::size_t s = 0; s < noise.size(); ++s)
    if (count[s] > 0 && share > 0) noise[s] = std::sqrt(squares[s] / (count[s] * share));
  return noise;
}

/// Returns the rounding of the largest value of a series: its noise is at least this, also where a model meets the data
/// exactly.
double rounding_of(const Series& series) {
  double largest = 0;
  for (const double value : series.values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return std::numeric_limits<double>::epsilon() * largest;
}

/// Replaces the noise of series by what is left of them. Returns whether a noise changed much.
bool weigh_again(Residuals& residuals, const Request& request, const Evaluation& at) {
  bool changed = false;
  auto noise = noise_of(residuals, request, at);
  for (std::size_t s = 0; s < noise.size(); ++s) {
    noise[s] = std::max(noise[s], rounding_of(request.data.series[s]));
    if (!request.data.series[s].noise.empty() || !(noise[s] > 0)) continue;
    changed = changed || std::abs(noise[s] / residuals.noise(s) - 1) > 1e-6;
    residuals.set_noise(s, noise[s]);
  }
  return changed;
}

/// Writes the covariance, and the combinations of unknowns that the data determine.
void judge(const Evaluation& at, const Vector& values, Fit& found) {
  const Index n = values.size();
  Vector size = values.cwiseAbs();
  for (Index k = 0; k < n; ++k)
    if (size[k] == 0) size[k] = 1;
  const Eigen::JacobiSVD<Matrix> svd(at.jacobian * size.asDiagonal(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vector& singular = svd.singularValues();
  Matrix covariance = Matrix::Zero(n, n);
  Vector lost = Vector::Zero(n);  // the share of each unknown in combinations that are not determined
  for (Index k = 0; k < n; ++k) {
    const Vector direction = svd.matrixV().col(k);
    const bool known = singular[k] > determined * singular[0];
    found.combinations.push_back({singular[k], {direction.data(), direction.data() + n}, known});
    const Vector scaled = size.asDiagonal() * direction;
    if (known)
      covariance += scaled * scaled.transpose() / (singular[k] * singular[k]);
    else
      lost = lost.cwiseMax(direction.cwiseAbs());
  }
  for (Index k = 0; k < n; ++k) {
    if (lost[k] > 1e-6) {
      covariance.row(k).setConstant(nothing);
      covariance.col(k).setConstant(nothing);
    }
    found.estimates[static_cast<std::size_t>(k)].deviation = std::sqrt(covariance(k, k));
  }
  found.covariance.assign(covariance.data(), covariance.data() + covariance.size());
}

/// Writes what is left of each series, chi squared, and the likelihood.
void describe(const Residuals& residuals, const Request& request, const Evaluation& at, Fit& found) {
  const auto& data = request.data;
  for (std::size_t s = 0; s < data.series.size(); ++s) {
    SeriesFit series{data.series[s].column, {}, std::vector<double>(data.t.size(), nothing), residuals.noise(s)};
    const auto& fitted = at.run[series.column];
    for (std::size_t row = 0; row < data.t.size(); ++row)
      series.fitted.push_back(fitted[residuals.row_of_run(at.run, row)]);
    found.series.push_back(std::move(series));
  }
  std::vector<std::vector<double>> standardised(data.series.size());
  for (std::size_t i = 0; i < residuals.samples(); ++i) {
    const auto [s, row] = residuals.places()[i];
    const double e = at.residuals[static_cast<Index>(i)];
    const double noise = residuals.noise(s, row);
    found.series[s].residuals[row] = e * noise;
    standardised[s].push_back(e);
    found.log_likelihood -= 0.5 * (e * e + std::log(2 * std::numbers::pi)) + std::log(noise);
  }
  for (std::size_t s = 0; s < data.series.size(); ++s) {
    found.series[s].samples = standardised[s].size();
    found.series[s].durbin_watson = durbin_watson(standardised[s]);
    found.series[s].runs = excess_of_runs(standardised[s]);
  }
  found.samples = residuals.samples();
  found.chi_squared = at.residuals.squaredNorm();
}

}  // namespace

bool Fit::identifiable() const {
  return std::all_of(combinations.begin(), combinations.end(), [](const Combination& c) { return c.determined; });
}

Fit fit(const simulate::Simulator& simulator, const Request& request) {
  Residuals residuals(simulator, request);
  Vector free = residuals.start();
  for (Index k = 0; k < free.size(); ++k) free[k] = free_of(request.unknowns[static_cast<std::size_t>(k)], free[k]);
  Fit found;
  Functor functor(residuals, request);
  for (int round = 0;; ++round) {
    const Minimum minimum = minimise(residuals, request, free);
    free = minimum.free;
    found.iterations += minimum.runs;
    found.converged = minimum.converged;
    found.status = minimum.status;
    Evaluation at = residuals.at(functor.values_of(free));
    const bool again = request.noise == 0 && weigh_again(residuals, request, at) && found.converged;
    if (again && round < most_weighings && request.data.series.size() > 1) continue;
    const Vector values = functor.values_of(free);
    at = residuals.at(values);
    for (Index k = 0; k < values.size(); ++k)
      found.estimates.push_back(
          {request.unknowns[static_cast<std::size_t>(k)].name, residuals.start()[k], values[k], 0});
    judge(at, values, found);
    describe(residuals, request, at, found);
    found.run = std::move(at.run);
    found.derivatives = std::move(at.derivatives);
    return found;
  }
}

}  // namespace herglotz::fit
