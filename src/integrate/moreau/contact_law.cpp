#include "moreau/contact_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "herglotz/linear/least_squares.hpp"
#include "herglotz/linear/svd.hpp"
#include "moreau/complementarity.hpp"

namespace herglotz::integrate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double round_off = 256 * std::numeric_limits<double>::epsilon();

/// Returns the nearest point to J_t in the disk of this radius.
Vector in_disk(const Vector& J_t, double radius) {
  const double size = J_t.norm();
  return size > radius ? Vector(J_t * (radius / size)) : J_t;
}

/// Returns the response of the slips of a contact whose row of the gap is `row` to their own impulses, at least.
double response(const Matrix& D, Index row, Index slips) {
  return D.block(row + 1, row + 1, slips, slips).trace();
}

/// Calls `visit` with each contact and its row.
template <class Visit>
void for_each_contact(const std::vector<ContactRows>& contacts, const Visit& visit) {
  Index row = 0;
  for (const ContactRows& contact : contacts) {
    visit(contact, row, static_cast<Index>(contact.slips));
    row += 1 + static_cast<Index>(contact.slips);
  }
}

void sweep(const Matrix& D, const Vector& b, const std::vector<ContactRows>& contacts, Vector& J) {
  for_each_contact(contacts, [&](const ContactRows& contact, Index row, Index slips) {
    const double u_n = D.row(row).dot(J) + b[row];
    if (D(row, row) > 0) J[row] = std::max(0.0, J[row] - u_n / D(row, row));
    const double share = response(D, row, slips);
    if (!(share > 0)) return;
    const Vector u_t = D.middleRows(row + 1, slips) * J + b.segment(row + 1, slips);
    J.segment(row + 1, slips) = in_disk(J.segment(row + 1, slips) - u_t / share, contact.friction * J[row]);
  });
}

/// Returns the largest share of a change, at most 1, with which an impulse inside its cone stays there.
double share_inside(double J_n, const Vector& J_t, double change_n, const Vector& change_t, double friction) {
  const double square = change_t.squaredNorm() - friction * friction * change_n * change_n;
  const double mixed = J_t.dot(change_t) - friction * friction * J_n * change_n;
  const double inside = friction * friction * J_n * J_n - J_t.squaredNorm();
  if (square + 2 * mixed <= inside) return 1;
  const double root = std::sqrt(std::max(0.0, mixed * mixed + square * inside));
  if (mixed + root == 0) return 0;  // an impulse that is zero, of a change that leaves the cone at once
  return std::clamp(inside / (mixed + root), 0.0, 1.0);
}

/// Newton's method for the laws written as equations that are smooth in pieces [AC91]: J_n = max(0, J_n - u_n/D_nn),
/// and J_t is the nearest point to J_t - u_t/D_tt in the disk of the radius mu J_n. An iteration ends where the first
/// of the contacts that stick comes to the rim of its cone, and that contact slips in the next one: where slips nearly
/// depend on each other, no impulses within the cones stop all of them.
class ContactNewton {
 public:
  /// The compliance is the share of its own response with which a contact that sticks gives way in an iteration. If its
  /// slip depends on those of others and no impulse stops it, this is what leads its force to the rim.
  ContactNewton(const Matrix& D, const Vector& b, const std::vector<ContactRows>& contacts, double compliance)
      : D_(D), b_(b), contacts_(contacts), compliance_(compliance), A_(b.size(), b.size()), F_(b.size()) {}

  /// Makes one iteration.
  void improve(Vector& J) {
    open(J);
    linearise(J);
    // The smallest change of the impulses that are known: they are not determined if directions depend on each other.
    const Vector change = -linear::least_squares(A_, F_);
    double share = 1;
    at_rim_.reset();
    for (const auto& [row, contact] : sticking_) {
      const auto slips = static_cast<Index>(contact.slips);
      const double its = share_inside(J[row], J.segment(row + 1, slips), change[row], change.segment(row + 1, slips),
                                      contact.friction);
      if (its >= share) continue;
      share = its;
      at_rim_ = row;
    }
    J += share * change;
    open(J);
  }

 private:
  /// Lets the impulses of contacts that open vanish.
  void open(Vector& J) const {
    const Vector u = D_ * J + b_;
    for_each_contact(contacts_, [&](const ContactRows&, Index row, Index slips) {
      if (!closed(J, u, row)) J.segment(row, 1 + slips).setZero();
    });
  }

  [[nodiscard]] bool closed(const Vector& J, const Vector& u, Index row) const {
    return D_(row, row) > 0 && J[row] - u[row] / D_(row, row) > 0;
  }

  void linearise(const Vector& J) {
    const Vector u = D_ * J + b_;
    A_.setIdentity();
    F_ = J;  // impulses that vanish or change nothing
    sticking_.clear();
    for_each_contact(contacts_, [&](const ContactRows& contact, Index row, Index slips) {
      if (!closed(J, u, row)) return;
      A_.row(row) = D_.row(row) / D_(row, row);
      F_[row] = u[row] / D_(row, row);
      const double response_t = response(D_, row, slips);
      if (!(response_t > 0) || contact.friction == 0) return;
      const Matrix moved = D_.middleRows(row + 1, slips) / response_t;
      const Vector slip = u.segment(row + 1, slips) / response_t;
      const Vector aim = J.segment(row + 1, slips) - slip;
      const double size = aim.norm();
      const double radius = contact.friction * std::max(J[row], 0.0);
      if (size <= radius && at_rim_ != row) {
        A_.middleRows(row + 1, slips) = moved;
        A_.block(row + 1, row + 1, slips, slips) += compliance_ * Matrix::Identity(slips, slips);
        F_.segment(row + 1, slips) = slip;
        sticking_.emplace_back(row, contact);
        return;
      }
      if (!(size > 0)) return;
      const Vector along = aim / size;
      Matrix turn = -moved;
      turn.middleCols(row + 1, slips) += Matrix::Identity(slips, slips);
      A_.middleRows(row + 1, slips) -= radius / size * (turn - along * (along.transpose() * turn));
      A_.block(row + 1, row, slips, 1) -= contact.friction * along;
      F_.segment(row + 1, slips) -= radius * along;
    });
  }

  const Matrix& D_;
  const Vector& b_;
  const std::vector<ContactRows>& contacts_;
  double compliance_;
  Matrix A_;
  Vector F_;
  std::vector<std::pair<Index, ContactRows>> sticking_;  // with their rows
  std::optional<Index> at_rim_;                          // the contact that ended the last iteration
};

/// Solves the laws of contacts in the plane as a linear complementarity problem [ST96, AP97]: of each contact the
/// force, the impulses of friction forwards and backwards, and the size of the slip. Returns `std::nullopt` if no
/// solution is found.
std::optional<Vector> by_pivots(const Matrix& D, const Vector& b, const std::vector<ContactRows>& contacts) {
  const Vector unit = D.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
  const double size = b.cwiseProduct(unit).cwiseAbs().maxCoeff();
  if (!(size > 0)) return Vector::Zero(b.size());
  Index count = 0;
  for_each_contact(contacts, [&](const ContactRows&, Index, Index slips) { count += slips == 0 ? 1 : 4; });
  Matrix spread = Matrix::Zero(b.size(), count);  // impulses, in units of 1/sqrt(D_ii), by the variables
  Matrix M = Matrix::Zero(count, count);
  Index at = 0;
  for_each_contact(contacts, [&](const ContactRows& contact, Index row, Index slips) {
    spread(row, at) = unit[row];
    if (slips > 0) {
      const Index slip = row + 1;
      spread(slip, at + 1) = unit[slip];
      spread(slip, at + 2) = -unit[slip];
      M(at + 1, at + 3) = M(at + 2, at + 3) = 1;
      M(at + 3, at) = unit[slip] > 0 ? contact.friction * unit[row] / unit[slip] : 0.0;
      M(at + 3, at + 1) = M(at + 3, at + 2) = -1;
    }
    at += slips == 0 ? 1 : 4;
  });
  M += spread.transpose() * D * spread;
  const auto z = solve_complementarity(M, spread.transpose() * b / size);
  if (!z) return std::nullopt;
  return Vector(spread * *z * size);
}

}  // namespace

Vector row_scales(const Matrix& D, const Vector& J, const Vector& b) {
  return D.cwiseAbs() * J.cwiseAbs() + b.cwiseAbs();
}

double contact_residual(const Matrix& D, const Vector& u, const Vector& J, const std::vector<ContactRows>& contacts,
                        const Vector& scale) {
  double largest = 0;
  const auto note = [&](double defect, double size) {
    if (!(defect <= 0)) largest = std::max(largest, defect / std::max(size, std::numeric_limits<double>::min()));
    if (std::isnan(defect)) largest = std::numeric_limits<double>::infinity();
  };
  for_each_contact(contacts, [&](const ContactRows& contact, Index row, Index slips) {
    note(std::abs(std::min(u[row], D(row, row) * J[row])), scale[row]);
    const double share = response(D, row, slips);
    if (!(share > 0)) return;
    const Vector J_t = J.segment(row + 1, slips);
    const Vector moved = in_disk(J_t - u.segment(row + 1, slips) / share, contact.friction * std::max(J[row], 0.0));
    const double size = std::max(scale[row], scale.segment(row + 1, slips).maxCoeff());  // both are velocities
    note(share * (J_t - moved).norm(), size + share * J_t.norm());
  });
  return largest;
}

std::vector<std::size_t> contacts_with_choice(const Matrix& D, const Vector& J,
                                              const std::vector<ContactRows>& contacts) {
  constexpr double pressing = 1e-9;  // impulse of a contact, relative to the largest one, that is not rounding
  constexpr double on_rim = 1 - 1e-9;
  constexpr double dependent = 1e-10;
  constexpr double part = 1e-6;                       // of a change, beside which a contact takes none
  Matrix changes = Matrix::Zero(J.size(), J.size());  // of the impulses, in columns with unit effects
  std::vector<std::size_t> owners;                    // the contacts of these columns
  const auto append = [&](std::size_t contact, const Vector& change) {
    const double effect = change.dot(D * change);
    if (effect > 0) {
      changes.col(static_cast<Index>(owners.size())) = change / std::sqrt(effect);
      owners.push_back(contact);
    }
  };
  const double least = pressing * J.cwiseAbs().maxCoeff();
  std::size_t contact = 0;
  for_each_contact(contacts, [&](const ContactRows& one, Index row, Index slips) {
    const std::size_t k = contact++;
    if (!(J[row] > least)) return;
    const auto J_t = J.segment(row + 1, slips);
    if (slips > 0 && J_t.norm() >= on_rim * one.friction * J[row]) {
      Vector along = Vector::Zero(J.size());
      along.segment(row, 1 + slips) = J.segment(row, 1 + slips);
      append(k, along);
      return;
    }
    for (Index i = row; i <= row + slips; ++i) append(k, Vector::Unit(J.size(), i));
  });
  const auto count = static_cast<Index>(owners.size());
  if (count < 2) return {};
  const Matrix effects = changes.leftCols(count).transpose() * D * changes.leftCols(count);
  const linear::Svd factors(effects, linear::SingularVectors::thin, dependent);
  std::vector<std::size_t> result;
  for (Index i = 0; i < count; ++i)
    if (factors.V().row(i).tail(count - factors.rank()).norm() > part)
      result.push_back(owners[static_cast<std::size_t>(i)]);
  result.erase(std::ranges::unique(result).begin(), result.end());
  return result;
}

ContactImpulses solve_contacts(const Matrix& D, const Vector& b, const std::vector<ContactRows>& contacts,
                               const Vector& J) {
  constexpr int most_sweeps = 1 << 14;
  constexpr int sweeps_before_pivots = 1 << 7;  // sweeps are slow where bodies nearly hold each other
  constexpr std::array<double, 3> compliances{1e-10, 1e-8, 1e-6};  // of Newton's iterations, one after the other
  std::size_t tries = 0;
  ContactImpulses best;
  best.residual = std::numeric_limits<double>::infinity();
  const auto keep = [&](const Vector& candidate) {
    const Vector u = D * candidate + b;
    const double residual = contact_residual(D, u, candidate, contacts, row_scales(D, candidate, b));
    if (!(residual < best.residual)) return;
    best = {candidate, residual, residual <= round_off};
  };
  const bool planar =
      std::all_of(contacts.begin(), contacts.end(), [](const ContactRows& contact) { return contact.slips <= 1; });
  Vector now = J;
  int next_try = 1;
  for (int k = 1; k <= most_sweeps; ++k) {
    sweep(D, b, contacts, now);
    if (k != next_try) continue;
    next_try *= 2;
    keep(now);
    if (k == sweeps_before_pivots && planar) {
      if (const auto found = by_pivots(D, b, contacts)) keep(now = *found);
    }
    Vector improved = now;
    ContactNewton newton(D, b, contacts, compliances[tries++ % compliances.size()]);
    constexpr int most_iterations = 64;
    for (int i = 0; i < most_iterations && !best.solved; ++i) {
      newton.improve(improved);
      if (!improved.allFinite()) break;
      keep(improved);
    }
    if (best.solved) break;
  }
  if (best.J.size() == 0) best.J = J;
  return best;
}

}  // namespace herglotz::integrate
