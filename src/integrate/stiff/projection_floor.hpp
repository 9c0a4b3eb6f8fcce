#pragma once
/// Round-off of projections, by which errors are measured.

#include <cstddef>
#include <vector>

namespace herglotz::integrate {

/// Round-off of projections, as an absolute floor of errors. A constraint such as x = a (1 - cos w t) gives x near 0 no
/// better than to the round-off of a, however small x is: steps that are asked for less are tried without end. What a
/// projection moves an accepted step by is its error across the constraints, which control of errors bounds, or that
/// round-off; so where most of the steps are tried again, errors below four times of what projections move are not
/// looked for. The floor falls by half where steps are accepted.
class ProjectionFloor {
 public:
  explicit ProjectionFloor(std::size_t size) : moved_(size), largest_(size), floor_(size) {}

  /// Notes what a projection moves.
  void note(const double* correction);
  /// Counts an accepted step, and the steps that have been tried again so far.
  void count(std::size_t rejected);
  /// Lets no weight 1/e ask for an error e below the floor.
  void bound(double* weights) const;

 private:
  std::vector<double> moved_;    // by the last projection
  std::vector<double> largest_;  // of accepted steps since the last look
  std::vector<double> floor_;
  std::size_t steps_ = 0;
  std::size_t rejected_ = 0;  // at the last look
};

}  // namespace herglotz::integrate
