#pragma once
/// Derivatives of many steps of a run at once, with one step in every lane.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "herglotz/sensitivity/implicit_steps.hpp"

namespace herglotz::sensitivity {

/// Consecutive steps whose states are known. Step k goes from the state y_k at the time t_k to y_(k+1) at t_k + h_k.
struct Path {
  std::span<const double> t;      ///< of the steps
  std::span<const double> h;      ///< of the steps
  std::span<const double> y;      ///< state after state, one more than there are steps
  std::span<const double> theta;  ///< the parameters
};

/// The derivatives of the state y1 after a step by the state y before it, by theta, t and h: one matrix for each step.
/// No step has to wait for the one before it, as all states are known, so steps go in lanes.
class StepMaps {
 public:
  StepMaps() = default;
  StepMaps(const StepMaps&) = delete;
  StepMaps& operator=(const StepMaps&) = delete;
  virtual ~StepMaps() = default;

  [[nodiscard]] virtual std::size_t states() const = 0;
  [[nodiscard]] virtual std::size_t parameters() const = 0;
  /// Returns the number of columns of a matrix, those of (y, theta, t, h). It has as many rows as there are states.
  [[nodiscard]] std::size_t columns() const { return states() + parameters() + 2; }
  [[nodiscard]] std::size_t numbers() const { return states() * columns(); }

  /// Returns how many numbers the solution of a step is.
  [[nodiscard]] virtual std::size_t kept() const = 0;

  /// Writes the matrices of the steps first, ..., first + count - 1, row by row, one after the other. If `kept` is not
  /// empty, the solutions of these steps go there. Returns false if a step is not defined, does not lead to the next
  /// state of the path, or is eliminated with a small pivot.
  virtual bool linearise(const Path& path, std::size_t first, std::size_t count, std::span<double> maps,
                         std::span<double> kept) = 0;
  /// Writes the derivatives of the states after these steps, each along a direction `dy` of its own of the state before
  /// it (count x states), and along one direction (dtheta, dt). They do not come from the matrices, but solve the
  /// equations of variations at the solutions that were kept. Returns false as linearise() does.
  virtual bool vary(const Path& path, std::size_t first, std::size_t count, std::span<const double> kept,
                    std::span<const double> dy, std::span<const double> direction, std::span<double> reached) = 0;
};

/// The largest number of states for which matrices cost less than single steps.
inline constexpr std::size_t most_states_of_maps = 16;

/// Returns the derivatives of the steps of implicit_tangent(), for a kernel with one step in every lane, or nothing if
/// the method has a polynomial. The derivatives of y1 are those of implicit_adjoint(), for every entry of y1 at once;
/// matrices are eliminated without exchanges.
std::unique_ptr<StepMaps> implicit_maps(ImplicitForm form, const ImplicitTableau& tableau);

/// The matrices of a range of the steps of a path, which the path's states and parameters have to outlive.
class MappedPath {
 public:
  MappedPath(StepMaps& maps, std::vector<double> t, std::vector<double> h, std::span<const double> y,
             std::span<const double> theta)
      : maps_(maps), t_(std::move(t)), h_(std::move(h)), y_(y), theta_(theta) {}

  [[nodiscard]] std::span<const double> state(std::size_t boundary) const {
    return y_.subspan(boundary * maps_.states(), maps_.states());
  }
  [[nodiscard]] double time(std::size_t step) const { return t_[step]; }
  /// Replaces the range, and keeps the solutions of its steps if they are to be varied. Returns false as
  /// StepMaps::linearise() does.
  bool linearise(std::size_t first, std::size_t count, bool keeps);
  /// Does so with some steps from this one on, unless it is in the range.
  bool cover(std::size_t step);

  /// Goes back over a step of the range, as AdjointSteps::backward().
  AdjointSteps::ByTimes go_back(std::size_t step, std::span<double> cotangent, std::span<double> by_theta) const;
  /// Replaces the derivatives dy of the state before a step of the range (states x lanes, lane-minor) by those of the
  /// state after it. `direction` has those of (theta, t), lane-minor, or nothing if they are 0.
  void go_on(std::size_t step, std::span<double> dy, std::span<const double> direction, std::size_t lanes) const;
  /// Returns the derivatives along one direction of the state at the boundaries first, ..., first + count of steps of
  /// the range, whose solutions are kept, state after state. Each step is the solution of the equations of variations.
  /// Returns nothing if one has no solution.
  [[nodiscard]] std::vector<double> vary(std::size_t first, std::size_t count, std::span<const double> dy,
                                         std::span<const double> direction) const;

 private:
  [[nodiscard]] const double* map(std::size_t step) const {
    return numbers_.data() + (step - first_) * maps_.numbers();
  }
  [[nodiscard]] Path path() const { return {t_, h_, y_, theta_}; }

  StepMaps& maps_;
  std::vector<double> t_;
  std::vector<double> h_;
  std::span<const double> y_;
  std::span<const double> theta_;
  std::size_t first_ = 0;
  std::vector<double> numbers_;
  std::vector<double> kept_;
  std::size_t count_ = 0;
  mutable std::vector<double> next_;
};

}  // namespace herglotz::sensitivity
