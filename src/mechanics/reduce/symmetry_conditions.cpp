#include "symmetry_conditions.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/geometry/null_space.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

using Vector = std::vector<double>;

double dot(const double* a, const double* b, std::size_t size) {
  double total = 0;
  for (std::size_t k = 0; k < size; ++k) total += a[k] * b[k];
  return total;
}

double size_of(const double* v, std::size_t count) {
  double size = 0;
  for (std::size_t k = 0; k < count; ++k) size = std::max(size, std::abs(v[k]));
  return size;
}

double dot_of_sizes(const double* a, const double* b, std::size_t size) {
  double total = 0;
  for (std::size_t k = 0; k < size; ++k) total += std::abs(a[k] * b[k]);
  return total;
}

/// A row under construction. What is left of an entry whose terms cancel is rounding, and becomes 0: beside entries of
/// another size nothing else would tell them apart.
class Row {
 public:
  explicit Row(std::size_t unknowns) : entries_(unknowns) {}

  /// Sets the entry of an unknown, which is a sum of terms of this size.
  void set(std::size_t k, double value, double size) { entries_[k] = std::abs(value) > 1e-12 * size ? value : 0; }

  /// Adds the row to others, unless it is zero.
  void add_to(SymmetryConditions::Rows& rows) {
    const bool finite = std::all_of(entries_.begin(), entries_.end(), [](double v) { return std::isfinite(v); });
    if (finite && size_of(entries_.data(), entries_.size()) > 0) rows.push_back(std::move(entries_));
  }

 private:
  Vector entries_;
};

}  // namespace

/// Values of what a symmetry condition needs, with the frame where it moves.
struct SymmetryConditions::At {
  Vector values;
  Vector rho;       // (n x r)
  Vector velocity;  // rho y (n)
  std::size_t n = 0;
  std::size_t r = 0;
  std::size_t rho_at = 0;

  [[nodiscard]] const double* operator[](std::size_t place) const { return values.data() + place; }
  /// Returns w with w rho = v.
  [[nodiscard]] Vector on_base(const double* v) const {
    Vector transposed(rho.size());
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t a = 0; a < r; ++a) transposed[a * n + j] = rho[j * r + a];
    return geometry::solve(std::move(transposed), Vector(v, v + r));
  }
  /// Returns d_i rho y (n).
  [[nodiscard]] Vector slope_of_anchor(std::size_t i, const double* y) const {
    Vector result(n);
    for (std::size_t j = 0; j < n; ++j) result[j] = dot(values.data() + rho_at + (1 + i) * n * r + j * r, y, r);
    return result;
  }
};

SymmetryConditions::SymmetryConditions(const System& system, std::vector<Expr> functions, bool moves_frame, bool whole)
    : functions_(std::move(functions)), moves_frame_(moves_frame), n_(system.n()), r_(system.r()) {
  const auto& e = system.algebroid;
  const auto slopes = [&](const Expr& f, const std::vector<Expr>& by) {
    return symbolic::gradient(symbolic::expand_lets(f), by);
  };
  std::vector<Expr> ansatz;
  for (const Expr& f : functions_) {
    ansatz.push_back(f);
    for (const Expr& slope : slopes(f, e.x)) ansatz.push_back(slope);
  }
  ansatz_ = append(ansatz);
  y_ = append(e.y);
  const auto add_anchor = [&](const symbolic::Matrix& anchor) {
    const std::size_t at = append(anchor.entries);
    for (const Expr& x : e.x) {
      std::vector<Expr> slope;
      for (const Expr& entry : anchor.entries) slope.push_back(symbolic::derivative(entry, x));
      (void)append(slope);
    }
    return at;
  };
  rho_ = add_anchor(e.rho);
  const auto add_slopes = [&](const Expr& f) {
    const std::size_t at = append(slopes(f, e.x));
    (void)append(slopes(f, e.y));
    return at;
  };
  scalars_.push_back(add_slopes(system.generator));
  if (whole) {
    for (const Expr& equation : system.constraints.equations) scalars_.push_back(add_slopes(equation));
    if (std::any_of(system.forces.begin(), system.forces.end(), [](const Expr& f) { return !f.is_zero(); })) {
      for (const Expr& force : system.forces) forces_.push_back(add_slopes(force));
      force_ = append(system.forces);
    }
  }
  if (moves_frame_) return;
  sigma_ = add_anchor(e.sigma);
  for (const auto& [place, value] : e.c.nonzero())
    if (!value.is_number()) structures_.push_back(append(slopes(value, e.x)));
}

std::size_t SymmetryConditions::append(const std::vector<Expr>& values) {
  const std::size_t at = outputs_.size();
  for (const Expr& value : values) outputs_.push_back(symbolic::expand_lets(value));
  return at;
}

bool SymmetryConditions::add(SamplePoints& points, Rows& rows) const {
  At at;
  at.values = points.next(outputs_);
  if (at.values.empty()) return false;
  at.n = n_;
  at.r = r_;
  at.rho_at = rho_;
  at.rho.assign(at[rho_], at[rho_] + n_ * r_);
  for (std::size_t i = 0; i < n_; ++i) at.velocity.push_back(dot(at[rho_ + i * r_], at[y_], r_));
  for (const std::size_t scalar : scalars_) add_invariance(at, scalar, rows);
  add_forces(at, rows);
  if (!moves_frame_) add_frame(at, rows);
  return true;
}

// The lift of phi d/dx^i has rho dy = (grad phi . x_dot) e_i - phi (d_i rho) y.
void SymmetryConditions::add_invariance(const At& at, std::size_t first, Rows& rows) const {
  const Vector w = moves_frame_ ? at.on_base(at[first + n_]) : Vector(n_, 0.0);
  const double size = size_of(at[first], n_ + r_);
  const double* velocity = at.velocity.data();
  Row row(unknowns());
  for (std::size_t i = 0; i < n_; ++i) {
    const double turned = moves_frame_ ? dot(w.data(), at.slope_of_anchor(i, at[y_]).data(), n_) : 0;
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      const double* phi = at[ansatz_ + k * (n_ + 1)];
      row.set(k * n_ + i, phi[0] * (*at[first + i] - turned) + w[i] * dot(phi + 1, velocity, n_),
              std::abs(phi[0]) * (size + std::abs(turned)) + std::abs(w[i]) * dot_of_sizes(phi + 1, velocity, n_));
    }
  }
  row.add_to(rows);
}

// L_X F = (X F_a + F_b A^b_a) e^a.
void SymmetryConditions::add_forces(const At& at, Rows& rows) const {
  if (forces_.empty()) return;
  const Vector u = moves_frame_ ? at.on_base(at[force_]) : Vector(n_, 0.0);
  for (std::size_t a = 0; a < r_; ++a) {
    const std::size_t first = forces_[a];
    const Vector w = moves_frame_ ? at.on_base(at[first + n_]) : Vector(n_, 0.0);
    Vector frame(r_, 0.0);
    frame[a] = 1;
    Vector section(n_);
    for (std::size_t j = 0; j < n_; ++j) section[j] = at.rho[j * r_ + a];
    const double size = size_of(at[first], n_ + r_) + size_of(at[force_], r_);
    const double* velocity = at.velocity.data();
    Row row(unknowns());
    for (std::size_t i = 0; i < n_; ++i) {
      const double turned = moves_frame_ ? dot(w.data(), at.slope_of_anchor(i, at[y_]).data(), n_) +
                                               dot(u.data(), at.slope_of_anchor(i, frame.data()).data(), n_)
                                         : 0;
      for (std::size_t k = 0; k < functions_.size(); ++k) {
        const double* phi = at[ansatz_ + k * (n_ + 1)];
        row.set(k * n_ + i,
                phi[0] * (*at[first + i] - turned) + w[i] * dot(phi + 1, velocity, n_) +
                    u[i] * dot(phi + 1, section.data(), n_),
                std::abs(phi[0]) * (size + std::abs(turned)) + std::abs(w[i]) * dot_of_sizes(phi + 1, velocity, n_) +
                    std::abs(u[i]) * dot_of_sizes(phi + 1, section.data(), n_));
      }
    }
    row.add_to(rows);
  }
}

// [X, rho_a] = [X, sigma_a] = 0 and X c = 0.
void SymmetryConditions::add_frame(const At& at, Rows& rows) const {
  for (const std::size_t anchor : {rho_, sigma_})
    for (std::size_t a = 0; a < r_; ++a) {
      Vector section(n_);
      for (std::size_t j = 0; j < n_; ++j) section[j] = *at[anchor + j * r_ + a];
      for (std::size_t j = 0; j < n_; ++j) {
        Row row(unknowns());
        for (std::size_t k = 0; k < functions_.size(); ++k) {
          const double* phi = at[ansatz_ + k * (n_ + 1)];
          for (std::size_t i = 0; i < n_; ++i) {
            const double slope = *at[anchor + (1 + i) * n_ * r_ + j * r_ + a];
            row.set(k * n_ + i, (i == j ? dot(phi + 1, section.data(), n_) : 0.0) - phi[0] * slope,
                    dot_of_sizes(phi + 1, section.data(), n_) + std::abs(phi[0]) * std::max(1.0, std::abs(slope)));
          }
        }
        row.add_to(rows);
      }
    }
  for (const std::size_t structure : structures_) {
    const double size = size_of(at[structure], n_);
    Row row(unknowns());
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      const double phi = *at[ansatz_ + k * (n_ + 1)];
      for (std::size_t i = 0; i < n_; ++i) row.set(k * n_ + i, phi * *at[structure + i], std::abs(phi) * size);
    }
    row.add_to(rows);
  }
}

}  // namespace herglotz::mechanics
