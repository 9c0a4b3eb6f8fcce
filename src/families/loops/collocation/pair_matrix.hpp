#pragma once
/// Matrix of the stages of sites that act on one another in pairs.

#include <cstddef>
#include <memory>
#include <vector>

#include "loops/collocation/stage_matrix.hpp"
#include "loops/links/links.hpp"

namespace herglotz::families {

/// The part of pairs, H_f w = sum over g and all sites of w_g d2 l/dq_f dq_g: the unknowns V of the stages give
///   (B V)_j = sum_k factor_jk H V_k.
struct PairPart {
  std::shared_ptr<Links> slopes;  ///< gives H w from the coordinates, then w
  std::size_t families = 0;
  std::vector<double> factors;            ///< factor_jk, row after row
  std::vector<std::vector<double>> base;  ///< the coordinates of all sites, padded as loops read them
  double t = 0;
};

/// Returns A + B, where A has been factorised: systems are solved by BiCGSTAB with A as preconditioner.
std::shared_ptr<const StageMatrix> with_pairs(std::shared_ptr<const StageMatrix> A, PairPart B);

}  // namespace herglotz::families
