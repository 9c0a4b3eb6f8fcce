#pragma once
/// The gallery: models that ship inside the library.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace herglotz::io {

struct GalleryModel {
  std::string name;
  std::string title;
  std::string reference;
};

/// Returns every model of the gallery that a run starts from, by name.
const std::vector<GalleryModel>& gallery();
/// Returns every problem of boundary values and control in the gallery, by name.
const std::vector<GalleryModel>& problem_gallery();
/// Returns every model with an index in the gallery, by name.
const std::vector<GalleryModel>& indexed_gallery();
/// Returns the text of a model or problem. Throws OutOfRange for a name that is not in the gallery.
std::string_view gallery_text(std::string_view name);

/// Returns the model file of a planar pendulum of `links` >= 1 links of mass 1/links and length 1/links each, with
/// point masses at the ends, gravity 9.81 and damping -gamma z: angles q1... from the downward vertical, velocities
/// v1...,
///   L = sum_ij (m/2) l^2 (links - max(i,j) + 1) cos(q_i - q_j) v_i v_j + m g l sum_i (links - i + 1) cos q_i - gamma
///   z.
/// Throws Refused unless 1 <= links <= 128.
std::string n_link_pendulum(std::size_t links);

}  // namespace herglotz::io
