#pragma once
/// A motion of all sites that is followed step by step.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tiles.hpp"

namespace herglotz::families {

/// Terms of one balance law at a row; see analyse::LawSample.
struct LawTerms {
  double quantity = 0;
  double scale = 0;
  double rate_terms = 0;
};

/// What is known at a row, apart from the families.
struct Observed {
  double z = 0;
  double log_factor = 0;
  std::vector<LawTerms> laws{};  ///< the energy, then the symmetries
};

class Motion {
 public:
  Motion() = default;
  Motion(const Motion&) = delete;
  Motion& operator=(const Motion&) = delete;
  virtual ~Motion() = default;

  /// Called for every tile with the coordinates of its own sites, then their velocities.
  using Take = std::function<void(std::size_t tile, double* const* values)>;

  /// Takes `count` steps of size h. Returns the number of steps after which everything is finite.
  virtual std::size_t advance(double h, std::size_t count) = 0;
  virtual Observed observe(const Take& take) = 0;
  [[nodiscard]] virtual const Tiling& tiling() const = 0;
};

/// Scheme of passes in which coordinates drift by dH/dp and momenta are kicked by the forces.
enum class Scheme : std::uint8_t { splitting, lobatto };

/// Returns the motion by the explicit contact splitting of that order, or by the Lobatto IIIA-IIIB pair of order 2.
/// Throws std::invalid_argument as `split` does.
std::unique_ptr<Motion> drift_kick_motion(Model& model, Scheme scheme, int order);

}  // namespace herglotz::families
