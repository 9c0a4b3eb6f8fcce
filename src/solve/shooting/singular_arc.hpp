#pragma once
/// Functions that determine a control on a singular arc.

#include <Eigen/Core>
#include <cstddef>

#include "setup.hpp"

namespace herglotz::solve {

/// Rates of S = dK/du of one control along extremals, while the other controls are constant.
class SingularArc {
 public:
  /// Throws Refused if the control is not determined by the second rate of S.
  SingularArc(const Setup& setup, std::size_t control);

  struct Rates {
    double first = 0;
    double second = 0;
    Eigen::RowVectorXd first_by_x;  ///< by (v, P)
    Eigen::RowVectorXd second_by_x;
    double first_by_t = 0;
    double second_by_u = 0;
  };
  [[nodiscard]] Rates at(const Stage& stage) const;
  [[nodiscard]] std::size_t control() const { return control_; }

 private:
  const Setup& setup_;
  std::size_t control_;
  Batch functions_;
};

}  // namespace herglotz::solve
