#pragma once
/// Rows of runs that go in lanes.

#include <vector>

#include "herglotz/integrate/lane_samples.hpp"
#include "record/recorder.hpp"

namespace herglotz::simulate {

/// Maker of the rows of runs in neighbouring lanes, for systems without constraints. Each has the bits that a RowMaker
/// gives it.
class LaneRows {
 public:
  /// Kernels of as many lanes as there are runs; kernels of columns that are not kept may be empty.
  struct Kernels {
    kernel::Kernel balance, verification, observables;
    int lanes = 0;  ///< 4 or 8
  };

  /// Makes the rows that `rows` would make.
  LaneRows(const RowMaker& rows, Kernels kernels);

  [[nodiscard]] std::size_t lanes() const { return lanes_; }
  /// Makes the rows of the next samples of the runs.
  void make(const integrate::LaneSamples& samples);
  /// Takes the next samples of the runs without making rows of them.
  void follow(const integrate::LaneSamples& samples);
  /// Returns the rows of the last samples; column c of lane l is at [c * lanes() + l].
  [[nodiscard]] const std::vector<double>& rows() const { return rows_; }
  /// Returns RowMaker::largest_residuals() of a lane.
  [[nodiscard]] std::vector<double> largest_residuals(std::size_t lane) const;

 private:
  /// Takes the next samples; columns that depend on samples before go to `row` unless it is null.
  void follow(const integrate::LaneSamples& samples, double* row);
  /// Enters the samples into the laws, whose columns go to `row` unless it is null.
  void enter_laws(const integrate::LaneSamples& samples, double* row);
  /// Enters the samples of law k in these lanes into the largest residuals.
  void enter_largest(std::size_t k, unsigned lanes);
  /// Returns the largest residual of law k in a lane, with what the lanes have entered.
  [[nodiscard]] analyse::LargestResidual largest(std::size_t k, std::size_t lane) const;

  RowMaker of_one_;
  Kernels kernels_;
  std::size_t lanes_;
  double t_ = 0;  // time of the last samples
  std::vector<double> parameters_, u_, balance_values_, verification_values_, last_log_, ledgers_, rows_, work_;
  std::vector<analyse::LargestResidual> largest_;  // of lane l and law k at [k * lanes + l]
  std::vector<double> kept_, decay_, residuals_;
  std::vector<unsigned> left_;
};

}  // namespace herglotz::simulate
