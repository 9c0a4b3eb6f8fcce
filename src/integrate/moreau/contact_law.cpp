#include "moreau/contact_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

/// Solves the linear system of the contacts that are closed, stick and slip as J says. Slips keep their directions.
Vector with_these_states(const Matrix& D, const Vector& b, const std::vector<ContactRows>& contacts, const Vector& J) {
  constexpr double inside = 1 - 1e-9;
  std::vector<Index> rows;            // whose velocities vanish
  Matrix spread(J.size(), J.size());  // columns: impulses that go with those of the rows
  const auto add = [&](Index row) {
    spread.col(static_cast<Index>(rows.size())).setZero();
    spread(row, static_cast<Index>(rows.size())) = 1;
    rows.push_back(row);
  };
  for_each_contact(contacts, [&](const ContactRows& contact, Index row, Index slips) {
    if (!(J[row] > 0)) return;
    add(row);
    const Vector J_t = J.segment(row + 1, slips);
    if (slips == 0 || contact.friction == 0) return;
    if (J_t.norm() < inside * contact.friction * J[row])
      for (Index s = 0; s < slips; ++s) add(row + 1 + s);
    else
      spread.col(static_cast<Index>(rows.size()) - 1).segment(row + 1, slips) = J_t * (contact.friction / J_t.norm());
  });
  const auto count = static_cast<Index>(rows.size());
  if (count == 0) return Vector::Zero(J.size());
  const Matrix moved = D * spread.leftCols(count);
  Matrix system(count, count);
  Vector right(count);
  Vector known(count);
  for (Index i = 0; i < count; ++i) {
    system.row(i) = moved.row(rows[static_cast<std::size_t>(i)]);
    right[i] = -b[rows[static_cast<std::size_t>(i)]];
    known[i] = J[rows[static_cast<std::size_t>(i)]];
  }
  // The smallest change of the impulses that are known: they are not determined if directions depend on each other.
  const Vector change = system.completeOrthogonalDecomposition().solve(right - system * known);
  return spread.leftCols(count) * (known + change);
}

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

ContactImpulses solve_contacts(const Matrix& D, const Vector& b, const std::vector<ContactRows>& contacts,
                               const Vector& J) {
  constexpr int most_sweeps = 1 << 14;
  constexpr int sweeps_before_pivots = 1 << 7;  // sweeps are slow where bodies nearly hold each other
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
    Vector states = now;
    constexpr int turns = 4;  // of the directions of slips
    for (int turn = 0; turn < turns && !best.solved; ++turn) {
      states = with_these_states(D, b, contacts, states);
      if (!states.allFinite()) break;
      keep(states);
      sweep(D, b, contacts, states);
    }
    if (best.solved) break;
  }
  if (best.J.size() == 0) best.J = J;
  return best;
}

}  // namespace herglotz::integrate
