#pragma once
/// The axioms of an algebroid as laws that can be checked, with their largest defects.

#include <cstdint>
#include <span>
#include <string_view>

#include "herglotz/geometry/algebroid.hpp"

namespace herglotz::geometry {

/// Classes of algebroids in ascending order: general < skew (quasi-Lie) < almost_lie < lie.
enum class AlgebroidClass { general, skew, almost_lie, lie };
std::string_view name(AlgebroidClass c);

/// Largest |defect| of each axiom over the sample points, relative to the size of the terms compared.
struct AxiomDefects {
  double anchors = 0;      ///< rho - sigma
  double skewness = 0;     ///< c^k_ij + c^k_ji
  double anchor = 0;       ///< rho[e_i, e_j] - [rho e_i, rho e_j]
  double jacobi = 0;       ///< cyclic sum of [e_i, [e_j, e_k]] with the derivative terms
  std::size_t points = 0;  ///< sample points at which every term was finite
  AlgebroidClass algebroid_class = AlgebroidClass::general;
};

/// Measures the defects at base points drawn around `centre` (n) with a fixed seed. `symbols` are the symbols other
/// than the base coordinates (the parameters), and `values` their values. Throws Failed if no finite sample
/// point is found.
AxiomDefects check_axioms(const Algebroid& algebroid, std::span<const Expr> symbols, std::span<const double> values,
                          std::span<const double> centre, std::uint64_t seed = 1, double tolerance = 1e-10);

}  // namespace herglotz::geometry
