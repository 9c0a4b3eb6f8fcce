#include "runs/log_likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "herglotz/error.hpp"

namespace herglotz::python {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A measured run at some vectors of unknowns.
class Measured {
 public:
  Measured(const MeasuredRuns& of, std::span<const double> u, std::size_t size, const Attend& attend)
      : of_(of),
        u_(u),
        size_(size),
        attend_(attend),
        members_(u.size() / size),
        each_(of.measured.size()),
        fitted_(members_ * each_) {
    for (std::size_t k = 0; k < members_; ++k)
      for (const std::size_t place : of.places) own_.push_back(u[k * size + place]);
    of.runs->values(own_, fitted_, attend);
  }

  void add_values(std::span<double> into) const {
    for (std::size_t k = 0; k < members_; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < each_; ++i) {
        if (std::isnan(of_.measured[i])) continue;
        const double deviation = deviation_of(k, i);
        const double residual = residual_of(k, i) / deviation;
        sum += residual * residual / 2 + std::log(deviation) + std::log(2 * std::numbers::pi) / 2;
      }
      into[k] -= sum;
    }
  }

  void add_gradients(std::span<double> into) const {
    std::vector<double> weights(fitted_.size());
    for (std::size_t k = 0; k < members_; ++k) {
      for (std::size_t i = 0; i < each_; ++i) {
        if (std::isnan(of_.measured[i])) continue;
        const double deviation = deviation_of(k, i);
        const double residual = residual_of(k, i) / deviation;
        weights[k * each_ + i] = residual / deviation;
        if (const auto place = place_of(i); place >= 0)
          into[k * size_ + static_cast<std::size_t>(place)] += (residual * residual - 1) / deviation;
      }
    }
    std::vector<double> slopes(own_.size());
    of_.runs->gradients(own_, weights, slopes, attend_);
    const std::size_t count = of_.places.size();
    for (std::size_t k = 0; k < members_; ++k)
      for (std::size_t n = 0; n < count; ++n) into[k * size_ + of_.places[n]] += slopes[k * count + n];
  }

 private:
  [[nodiscard]] std::ptrdiff_t place_of(std::size_t i) const { return of_.unknown[i % of_.unknown.size()]; }
  [[nodiscard]] double deviation_of(std::size_t k, std::size_t i) const {
    const auto place = place_of(i);
    const double deviation = place < 0 ? of_.deviations[i] : u_[k * size_ + static_cast<std::size_t>(place)];
    return deviation > 0 ? deviation : unknown;
  }
  [[nodiscard]] double residual_of(std::size_t k, std::size_t i) const {
    return of_.measured[i] - fitted_[k * each_ + i];
  }

  const MeasuredRuns& of_;
  std::span<const double> u_;
  std::size_t size_;
  const Attend& attend_;
  std::size_t members_;
  std::size_t each_;
  std::vector<double> fitted_;
  std::vector<double> own_{};
};

}  // namespace

LogLikelihood::LogLikelihood(std::vector<MeasuredRuns> of, std::size_t size, bool raises)
    : of_(std::move(of)), size_(size), raises_(raises) {}

void LogLikelihood::require_deviations(std::span<const double> u) const {
  if (!raises_) return;
  for (std::size_t at = 0; at < u.size(); at += size_)
    for (const auto& run : of_)
      for (const std::ptrdiff_t place : run.unknown)
        if (place >= 0 && !(u[at + static_cast<std::size_t>(place)] > 0))
          throw Refused(fmt::format("a standard deviation is {:.6g}", u[at + static_cast<std::size_t>(place)]),
                        "a positive one is needed");
}

void LogLikelihood::values(std::span<const double> u, std::span<double> into, const Attend& attend) {
  require_deviations(u);
  std::fill(into.begin(), into.end(), 0.0);
  for (const auto& run : of_) Measured(run, u, size_, attend).add_values(into);
}

void LogLikelihood::jacobians(std::span<const double> u, std::span<double> into, const Attend& attend) {
  require_deviations(u);
  std::fill(into.begin(), into.end(), 0.0);
  for (const auto& run : of_) Measured(run, u, size_, attend).add_gradients(into);
}

void LogLikelihood::gradients(std::span<const double> u, std::span<const double> c, std::span<double> into,
                              const Attend& attend) {
  jacobians(u, into, attend);
  for (std::size_t k = 0; k < into.size(); ++k) into[k] *= c[k / size_];
}

}  // namespace herglotz::python
