#pragma once
/// Location of zeros of watched functions along the steps of a method.

#include <functional>
#include <optional>
#include <vector>

#include "motion/rates.hpp"
#include "motion/run.hpp"

namespace herglotz::integrate {

/// Finder of crossings, which follows the signs of the watched functions from step to step.
class EventFinder {
 public:
  explicit EventFinder(const Run& run);

  [[nodiscard]] bool watching() const { return watch_ != nullptr && !watch_->crossings.empty(); }
  /// Sets the start of the run, with whose signs the first step is compared.
  void start(const Sample& sample);
  /// Function that fills the sample with the state at a time between the ends of the step, the first end included.
  /// Throws Stop.
  using StateAt = std::function<void(double t, Sample& sample)>;
  /// Emits the crossings in the step that ends at `end`, up to the first one that stops the run. Those at the time of
  /// that one which do not stop the run come after it, with its sample. Returns that sample, or `std::nullopt`. Throws
  /// Stop.
  std::optional<Sample> step(const Sample& end, const StateAt& state_at);
  /// Returns the index of the crossing that stopped the run.
  [[nodiscard]] std::size_t stopped_by() const { return stopped_by_; }

 private:
  struct Point {
    double t = 0;
    std::vector<double> value;
    std::vector<double> rate;  // empty if the rates of the motion are not known
  };
  struct Found {
    double t;
    std::size_t crossing;
    Sample sample;
  };

  void load(const Sample& sample);
  void evaluate(const Sample& sample, std::vector<double>& value);
  Point point(const Sample& sample, double step);
  void search(std::size_t k, const Point& end, const StateAt& state_at);
  std::vector<double> turning_points(std::size_t k, const Point& end) const;
  void locate(std::size_t k, double t_a, double f_a, double t_b, double f_b, int sign_b, const StateAt& state_at);

  const Run* run_;
  const Watch* watch_;
  std::optional<Rates> rates_;
  Point begin_;
  std::vector<int> sign_;  // the last sign that was not 0, for each function
  std::vector<Found> found_;
  std::vector<double> v_, shifted_, value_, work_;
  Sample sample_;
  std::size_t stopped_by_ = 0;
};

}  // namespace herglotz::integrate
