#pragma once
/// Defect of a map as a conformal contactomorphism.

#include <cstddef>
#include <functional>
#include <span>

namespace herglotz::analyse {

/// A map of T*Q x R: (q (n), p (n), z) to (q1, p1, z1).
using ContactMap = std::function<void(std::span<const double> from, std::span<double> to)>;

/// Returns the largest |component| of Phi* eta - factor eta at a point, with eta = dz - p_i dq^i. [ASMLL20, Sec. 2].
/// The derivative of the map is taken by central differences of order 4 with steps `relative_step` times max(1, |u_j|),
/// so its error is about 1e-12 times the size of the map's derivatives. Throws Refused unless the point
/// has 2n + 1 entries.
double contact_defect(const ContactMap& map, std::span<const double> point, double factor, double relative_step = 1e-3);

}  // namespace herglotz::analyse
