#pragma once
/// Contacts that slide, the edges of their surfaces, where the rates of gaps jump, and gaps that jump themselves.

#include <string>
#include <vector>

#include "hybrid/course.hpp"

namespace herglotz::simulate {

/// Throws Failed for a contact whose friction leaves no motion that slides on from here. A slip as small as what forces
/// change velocities by within the resolution of time, `instant`, is rounding: of a body at rest all velocities are as
/// small.
void require_opening(const Course& course, const Motion& motion, const Start& here, double instant);

/// Contacts by what lies behind an edge over which they come.
struct BehindEdge {
  std::vector<std::size_t> parted{};  ///< whose surfaces part there
  std::vector<std::size_t> struck{};  ///< whose surfaces come together there
};

/// Finds what the gaps of contacts do behind an edge at which a motion has arrived. Moves the place by its way in
/// 64 roundings of time, `instant`, so that it lies behind the edge. Gaps whose rates do not jump are in neither
/// list.
BehindEdge behind_edge(const Course& course, const std::vector<std::size_t>& contacts, Start& here, double instant);

/// Throws Failed if the gap of an impact is not zero beside its terms, of this size, its way in the run, of this
/// duration, and the places of bodies: it has jumped over zero, as floor and sign do.
struct MetGap {
  std::string name;
  double gap;
  double rate;
  double size;
};
void require_continuous(const Course& course, const MetGap& met, const Start& here, double duration);

}  // namespace herglotz::simulate
