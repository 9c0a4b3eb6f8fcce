#pragma once
/// Outline of an ensemble: everything that its file says besides the results of members.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"

namespace herglotz::io {

/// Facts that all members share. Journals carry them, so that the file can be made without the model.
struct SweepOutline {
  std::string name;  ///< of the model, as title and reference
  std::string title;
  std::string reference;
  std::string text;  ///< the whole model file
  ensemble::Sweep sweep;
  ensemble::Keep keep = ensemble::Keep::final;
  ensemble::Layout layout;
  std::optional<double> step;
  std::optional<double> tolerance;
  double t_end = 0;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::pair<std::string, double>> initial;  ///< values that members share
  std::string fingerprint;  ///< a hash of everything that determines the results, 16 hexadecimal digits
};

SweepOutline outline_of(const ensemble::Plan& plan, const ensemble::Layout& layout);

}  // namespace herglotz::io
