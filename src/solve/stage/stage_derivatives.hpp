#pragma once
/// Values and dense derivatives of the stage functions at stages of a path.

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Vectors or matrices of one size, one after the other in memory.
template <class Dense>
class Blocks {
 public:
  Blocks() = default;
  Blocks(Eigen::Index rows, Eigen::Index cols, std::size_t count)
      : entries_(static_cast<std::size_t>(rows * cols) * count), rows_(rows), cols_(cols) {}

  Eigen::Map<const Dense> operator[](std::size_t k) const { return {data(k), rows_, cols_}; }
  [[nodiscard]] Eigen::Map<const Dense> front() const { return (*this)[0]; }
  Eigen::Map<Dense> operator[](std::size_t k) { return {data(k), rows_, cols_}; }

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(rows_ * cols_); }
  [[nodiscard]] const double* data(std::size_t k) const { return entries_.data() + k * size(); }
  [[nodiscard]] double* data(std::size_t k) { return entries_.data() + k * size(); }

  std::vector<double> entries_;
  Eigen::Index rows_ = 0;
  Eigen::Index cols_ = 0;
};

/// Stage functions (h F, C, D) at some stages with their derivatives, and with mu = (P, h kappa).
struct StageDerivatives {
  Blocks<Eigen::VectorXd> f;
  Blocks<Eigen::MatrixXd> J;      ///< by (v, w, h, t)
  Blocks<Eigen::MatrixXd> H;      ///< the Hessian of mu . f, if it is asked for
  Blocks<Eigen::VectorXd> slope;  ///< J^T mu
};

/// A stage, and the length of its interval.
struct StageOf {
  const Stage* stage;
  double h;
};

/// Derivatives that are computed: `first` leaves out H.
enum class Orders { first, both };

/// Evaluates all stages together, many in the time of few.
StageDerivatives derivatives_at(const Setup& setup, std::span<const StageOf> stages, Orders orders = Orders::both);
StageDerivatives derivatives_at(const Setup& setup, const std::vector<Stage>& stages, double h,
                                Orders orders = Orders::both);

/// Returns the places in w of the algebraic variables that no hold determines.
std::vector<std::size_t> free_variables(const Setup& setup, const std::vector<Hold>& held);

}  // namespace herglotz::solve
