#pragma once
/// What the certificate of a solution decides: no path is solved whose gap or difference is beyond its tolerance.

#include <limits>
#include <string>
#include <vector>

#include "certificate/gaps.hpp"
#include "extremal.hpp"
#include "herglotz/solve/solve.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns why there is no gap of the cost of a path, or an empty text if there is one. Smooth problems need none, as
/// steps of the next order see what their controls miss.
std::string why_no_gap(const Setup& setup, bool abnormal);
/// Returns the gaps of a path in parts of the size of its cost.
Gaps relative_gaps(const Setup& setup, const Path& path);
/// Returns the reason for which a path with a gap is not solved.
std::string missed_cost(const Setup& setup, const Path& path, double gap);

/// Errors of a path by its mesh, relative.
struct MeshErrors {
  LocalErrors of_steps;
  double missed = 0;         ///< gap of the cost, which steps do not see, or 0
  double largest = 0;        ///< the sum of the errors of steps, or the gap
  std::vector<bool> unseen;  ///< intervals that are to be split for what steps do not see
};
/// Returns the errors; an interval has to be split whose gap is above `target`.
MeshErrors mesh_errors(const Setup& setup, const Path& path, double target, bool has_gap);

/// Returns the reason for which a mesh whose error is too large is not refined, and what would be right: a limit that
/// lets the `next` mesh be, the tolerance that this one holds, and the method of highest order.
std::string too_few_intervals(const Setup& setup, std::size_t intervals, double error, std::size_t next);

/// The gaps on one mesh after the other, which become smaller as long as finer meshes help.
class GapProgress {
 public:
  /// Takes the gap on the next mesh. Returns whether two meshes have hardly lowered it.
  bool is_in_vain(double gap);

 private:
  double least_ = std::numeric_limits<double>::infinity();
  int in_vain_ = 0;
};

/// Returns the largest product of a multiplier and its distance from a limit at the stages of a path. Each costs as
/// much, and all of them together no noticeable part of the tolerance.
double largest_product(double tolerance, std::size_t stages);

/// Adds the gap to the residuals of a solution, or a note that says why there is none. A gap beyond the tolerance makes
/// it unsolved.
void judge_gap(const Setup& setup, const Path& path, Solution& result);
/// Adds the difference of the direct solution from that of shooting, and says so where it is beyond what the tolerance
/// of the cost leaves open.
void judge_difference(double difference, double tolerance, Solution& result);

}  // namespace herglotz::solve
