#include "groupoid/retraction.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/linear/eigenvalues.hpp"
#include "herglotz/linear/matrix_exponential.hpp"
#include "herglotz/linear/partial_lu.hpp"

namespace herglotz::integrate {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Kind = GroupStructure::Kind;

GroupStructure::Factor known(const GroupoidKernels::Factor& factor) {
  if (factor.group == "so3" || factor.group == "se2")
    return {Kind::so3_like, factor.first, factor.size, 0.5, 0.5, 0, {}};
  if (factor.group == "su2" || factor.group == "sl2")
    return {Kind::sl2_like, factor.first, factor.size, 0.125, 0.25, -0.125, {}};
  if (factor.group == "se3") return {Kind::se3, factor.first, factor.size, 0.25, 0.25, 0, {}};
  if (factor.group == "heisenberg" || factor.group == "abelian")
    return {Kind::nilpotent, factor.first, factor.size, 0, 0, 0, {}};
  throw Refused(fmt::format("the Cayley map of a group '{}' is not known", factor.group),
                "known are so3, se2, se3, su2, sl2, heisenberg, abelian");
}

/// Returns K(e_i, e_j) = c^k_il c^l_jk on a factor, row by row.
std::vector<double> killing_form(const GroupStructure& group, const GroupStructure::Factor& factor) {
  const std::size_t r = group.r;
  const auto c = [&](std::size_t k, std::size_t i, std::size_t j) { return group.constants[(k * r + i) * r + j]; };
  std::vector<double> form;
  for (std::size_t i = factor.first; i < factor.first + factor.size; ++i) {
    for (std::size_t j = factor.first; j < factor.first + factor.size; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < r; ++k)
        for (std::size_t l = 0; l < r; ++l) sum += c(k, i, l) * c(l, j, k);
      form.push_back(sum);
    }
  }
  return form;
}

Eigen::MatrixXd eigen(const SmallMatrix<double>& matrix) {
  return Eigen::Map<const RowMajor>(matrix.entries().data(), static_cast<Eigen::Index>(matrix.rows()),
                                    static_cast<Eigen::Index>(matrix.cols()));
}

/// Checks that Ad is what the brackets say, since the Cayley map depends on more than the name of the group. Throws
/// Refused if it is not.
void check(const GroupStructure& group, const GroupStructure::Factor& factor, const std::string& name) {
  std::vector<double> v(group.r, 0.0);
  for (std::size_t a = 0; a < factor.size; ++a) v[factor.first + a] = 0.3 - 0.17 * static_cast<double>(a % 4);
  Retraction<double> map(RetractionKind::cayley, group.r);
  map.take(0, group);
  bool fits = map.at(v.data());
  const auto r = static_cast<Eigen::Index>(group.r);
  const Eigen::MatrixXd Ad =
      Eigen::MatrixXd::Identity(r, r) + linear::PartialLu(eigen(map.inverse_differential())).solve(eigen(map.ad()));
  Eigen::MatrixXd generator = Eigen::MatrixXd::Zero(r, r);
  for (Eigen::Index k = 0; k < r; ++k)
    for (Eigen::Index i = 0; i < r; ++i)
      for (Eigen::Index j = 0; j < r; ++j)
        generator(k, j) += group.constants[static_cast<std::size_t>((k * r + i) * r + j)] * map.logarithm()[i];
  fits = fits && (Ad - linear::matrix_exponential(generator)).cwiseAbs().maxCoeff() < 1e-12;
  if (!fits)
    throw Refused(fmt::format("the structure constants of factor {} are not those of the group {} in its basis",
                              factor.first, name),
                  "use the exponential map, lie-hph-2 or lie-hph-4");
}

}  // namespace

bool GroupStructure::trivial() const {
  return std::all_of(constants.begin(), constants.end(), [](double c) { return c == 0; });
}

GroupStructure group_structure(RetractionKind kind, std::size_t r, std::span<const double> constants,
                               const std::vector<GroupoidKernels::Factor>& factors) {
  GroupStructure group{kind, r, {constants.begin(), constants.end()}, {}};
  if (kind == RetractionKind::exponential || group.trivial()) return group;
  std::vector<bool> covered(r, false);
  for (const auto& factor : factors) {
    if (factor.first + factor.size > r)
      throw Refused(fmt::format("factor {} of the group reaches beyond rank {}", factor.group, r));
    for (std::size_t a = factor.first; a < factor.first + factor.size; ++a) covered[a] = true;
    group.factors.push_back(known(factor));
    group.factors.back().killing = killing_form(group, group.factors.back());
  }
  if (std::find(covered.begin(), covered.end(), false) != covered.end())
    throw Refused("the Cayley map needs a product of the groups so3, se2, se3, su2, sl2, heisenberg and abelian ones",
                  "use the exponential map, lie-hph-2 or lie-hph-4");
  for (std::size_t f = 0; f < factors.size(); ++f) check(group, group.factors[f], factors[f].group);
  return group;
}

namespace retraction {

bool reaches_pole(const double* ad, std::size_t r) {
  const auto size = static_cast<Eigen::Index>(r);
  const Eigen::MatrixXd matrix = Eigen::Map<const RowMajor>(ad, size, size);
  return (linear::eigenvalues(matrix).imag().array().abs() >= 0.999 * 2 * std::numbers::pi).any();
}

double far_arc(double square) {
  if (square > 0) return 2 * std::atan(std::sqrt(square) / 2) / std::sqrt(square);
  return 2 * std::atanh(std::sqrt(-square) / 2) / std::sqrt(-square);
}

/// Computes the numbers from B_2k/(2k)! = 2 (-1)^(k+1) zeta(2k)/(2 pi)^2k.
const std::array<double, most_terms + 1>& bernoulli() {
  static const std::array<double, most_terms + 1> numbers = [] {
    std::array<double, most_terms + 1> b{1, 1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160};
    for (int k = 6; k <= most_terms; ++k) {
      double zeta = 1;
      for (int n = 12; n > 1; --n) zeta += std::pow(n, -2 * k);
      b[static_cast<std::size_t>(k)] = (k % 2 == 1 ? 2 : -2) * zeta * std::pow(2 * std::numbers::pi, -2 * k);
    }
    return b;
  }();
  return numbers;
}

}  // namespace retraction
}  // namespace herglotz::integrate
