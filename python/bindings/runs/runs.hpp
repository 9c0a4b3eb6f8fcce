#pragma once
/// Runs to given times with their derivatives, as functions of vectors.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "differentiable.hpp"
#include "herglotz/simulate/members.hpp"
#include "model.hpp"
#include "runs/vector_function.hpp"

namespace herglotz::python {

/// Data that all runs of a function share. The vector of a run has initial values first and parameters behind them.
struct RunsOf {
  std::vector<std::string> initial;
  std::vector<std::string> parameters;
  Values starts;     ///< initial values beside the vector
  Values constants;  ///< parameters beside it
  simulate::Settings settings;
  std::vector<double> times;
  std::vector<std::string> columns;
  bool raises = true;  ///< whether a run that fails is an error; its values and derivatives are NaN otherwise
};

/// The columns of runs at given times, as (time, column). The last run that was made alone is kept, because its
/// derivatives are often asked for next. Operations throw Refused for what no run can be made with, and Failed for runs
/// that fail.
class Runs : public VectorFunction {
 public:
  Runs(std::shared_ptr<Model> model, std::shared_ptr<Differentiated> differentiated, RunsOf of);

  [[nodiscard]] std::size_t size() const override { return wrt_.size(); }
  [[nodiscard]] const Shape& shape() const override { return shape_; }
  /// Many go in lanes, on all cores; each has the bits that it has alone.
  void values(std::span<const double> u, std::span<double> into, const Attend& attend) override;
  void jacobians(std::span<const double> u, std::span<double> into, const Attend& attend) override;
  void gradients(std::span<const double> u, std::span<const double> c, std::span<double> into,
                 const Attend& attend) override;

 private:
  struct Run {
    std::vector<double> u;
    simulate::SensitivityRequest request;  ///< which nothing ends; see `attended`
    analyse::Trajectory reached;
    std::vector<std::size_t> rows;  ///< one for each time
  };
  class InLanes;

  const Run& run(std::span<const double> u, const Attend& attend);
  void value(std::span<const double> u, std::span<double> into, const Attend& attend);
  template <class Work>
  void or_nan(std::span<const double> u, std::span<double> into, const Work& work) const;
  const simulate::Members& members();

  std::shared_ptr<Model> model_;
  std::shared_ptr<Differentiated> differentiated_;
  RunsOf of_;
  std::vector<std::string> wrt_;
  Shape shape_;
  std::mutex mutex_;  ///< guards what follows
  std::unique_ptr<Run> last_;
  std::unique_ptr<const simulate::Members> members_;
};

}  // namespace herglotz::python
