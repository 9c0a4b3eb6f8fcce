#pragma once
/// The steps of a run, with the states from which they can be made again.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "herglotz/sensitivity/step_maps.hpp"
#include "sensitivity/pieces/repetition.hpp"
#include "sensitivity/pieces/smooth_pieces.hpp"

namespace herglotz::simulate {

/// Boundaries of the steps of a smooth piece of a run, up to the last row or before the end of the piece, with the
/// states at O(sqrt N) of N of them. The times of adaptive steps are kept, those of steps of one size are not. Steps
/// with polynomials are those up to the step in which the last row or the end of the piece lies.
class StepRecord {
 public:
  /// A boundary whose state is kept.
  struct Kept {
    std::size_t boundary = 0;
    std::vector<double> state;
  };
  /// A time in the run: a boundary, how far the time lies behind it, and the time itself.
  struct Place {
    std::size_t boundary = 0;
    double beyond = 0;
    double t = 0;
  };

  /// Makes the steps of the piece again. `moving` are the times at which pieces end. The states at all boundaries of
  /// steps of one size are kept too if they are no more than `most_numbers`. Throws RunFailed if that fails.
  StepRecord(const DifferentiatedRun& of, const SmoothPiece& piece, const std::vector<double>& moving,
             std::size_t most_numbers = 0);

  /// Returns the number of the last boundary.
  [[nodiscard]] std::size_t last() const { return last_; }
  /// Returns the time at which the step from a boundary begins.
  [[nodiscard]] double time(std::size_t boundary) const {
    return times_.empty() ? t0_ + static_cast<double>(boundary) * h_ : times_[boundary];
  }
  [[nodiscard]] const std::vector<Kept>& kept() const { return kept_; }
  /// Returns the states at all boundaries, one after the other; nothing if they are not kept.
  [[nodiscard]] std::span<const double> states() const { return states_; }
  /// Returns the size of the step from a boundary; 0 if it was not made.
  [[nodiscard]] double size(std::size_t boundary) const {
    if (times_.empty()) return h_;
    return boundary < sizes_.size() ? sizes_[boundary] : 0;
  }
  /// Returns the steps as a path of matrices, which the record and the parameters have to outlive; nothing unless all
  /// states are kept.
  [[nodiscard]] std::unique_ptr<sensitivity::MappedPath> mapped(sensitivity::StepMaps& maps,
                                                                std::span<const double> parameters) const;
  /// Returns whether all steps are of one size.
  [[nodiscard]] bool has_equal_steps() const { return times_.empty(); }
  /// Returns the place of a time of the piece.
  [[nodiscard]] Place place(double t) const;

 private:
  void record_equal_steps(const DifferentiatedRun& of, const SmoothPiece& piece, integrate::Settings settings,
                          std::size_t most_numbers);
  void record_adaptive_steps(const DifferentiatedRun& of, const SmoothPiece& piece,
                             const integrate::Settings& settings);
  void keep_less();

  double t0_ = 0;
  double t_last_ = 0;
  double h_ = 0;
  bool polynomial_ = false;
  std::size_t last_ = 0;
  std::size_t stride_ = 1;
  std::vector<double> times_;  // at which adaptive steps begin
  std::vector<double> sizes_;  // of adaptive steps
  StepTimes step_times_;
  std::vector<Kept> kept_;
  std::vector<double> states_;
};

}  // namespace herglotz::simulate
