#pragma once
/// The state of all sites in memory, and passes over it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "herglotz/families/model.hpp"
#include "herglotz/kernel/site_loop.hpp"
#include "loops/arrays/arrays.hpp"

namespace herglotz::families {

class Links;
class Reactions;

/// Below this number of sites the threads would wait for each other longer than they work.
inline constexpr std::size_t few_sites = 10'000;

/// Cut of the sites into tiles, which depends on their number alone.
struct Tiling {
  std::size_t count = 0;  ///< sites
  std::size_t tiles = 1;
  std::size_t size = 0;    ///< sites of a tile; the last may have fewer
  std::size_t passes = 1;  ///< the most passes that a tile goes by itself
  std::size_t halo = 0;    ///< sites beyond each end of a tile that it carries along

  /// Makes tiles that go `together` passes by themselves at least.
  Tiling(std::size_t sites, std::size_t radius, std::size_t together = 1);
  [[nodiscard]] std::size_t first(std::size_t tile) const { return tile * size; }
  [[nodiscard]] std::size_t own(std::size_t tile) const { return std::min(size, count - first(tile)); }

  /// Returns the sums of passes of the parts of all tiles, parts[tile sums + sum][block].
  [[nodiscard]] std::vector<double> added(const std::vector<double>& parts, std::size_t sums) const;
};

/// Forces and sums over edges and pairs that are found before a pass: the forces that the arrays from `base` on cause
/// go to the arrays from `force` on, which become 0 without links. Sums are added to those of the pass and of the
/// passes after it.
struct LinkCall {
  Links* links = nullptr;
  std::size_t base = 0;
  std::size_t force = 0;
  double t = 0;
  std::size_t forces = 0;  ///< arrays of forces if there are no links
};

/// The function of Reactions that a pass calls. `react` is called before a loop over the sites. The others take the
/// place of a loop: `project` leads back onto the constraints, and the last three are the parts of a step of RATTLE.
enum class ReactionAct : std::uint8_t { react, project, begin, keep_coordinates, keep_velocities };

/// The arrays of all base families follow those that are named.
struct ReactionCall {
  Reactions* reactions = nullptr;
  std::size_t q = 0;
  std::size_t v = 0;
  std::size_t acceleration = 0;
  std::size_t inverse_inertia = 0;
  std::size_t force = 0;              ///< which reactions are added to
  std::optional<std::size_t> size{};  ///< where the sums of their |terms| go, if they are asked for
  double t = 0;
  ReactionAct act = ReactionAct::react;
  std::optional<std::size_t> lost{};  ///< what the sums of q lost, then those of v, if they are compensated
  double h = 0;                       ///< of the step of RATTLE
};

/// One pass over all sites: its loop, the values of its scalars, and what is found before it. Powers of reactions on
/// the law k are added to the sum sum_of_law[k]. Without a loop the sums are 0, or NaN if what is made of constraints
/// fails, and the works of the impulses on the laws.
struct Pass {
  const kernel::SiteLoop* loop = nullptr;
  std::vector<double> scalars{};
  LinkCall call{};
  ReactionCall reaction{};
  std::span<const std::size_t> sum_of_law{};
};

/// Arrays over the sites, in this order: changing arrays; extra arrays, which keep no values between visits; fixed
/// arrays, which passes only read.
class SiteState {
 public:
  /// Numbers of arrays, and how far passes read.
  struct Shape {
    std::size_t changing = 0;
    std::size_t extra = 0;
    std::size_t radius = 0;    ///< the most sites that one pass carries an error inwards
    std::size_t beyond = 0;    ///< the largest SiteLoop::beyond() of the passes
    std::size_t together = 1;  ///< passes that must be made in one visit, as extra arrays join them
  };
  using Take = std::function<void(std::size_t tile, double* const* extra)>;

  SiteState() = default;
  SiteState(const SiteState&) = delete;
  SiteState& operator=(const SiteState&) = delete;
  virtual ~SiteState() = default;

  /// Makes passes over all sites, at most tiling().passes, into a second copy. Returns the sums, pass after pass;
  /// they are added in an order that depends on the model alone.
  virtual std::vector<double> attempt(std::span<const Pass> passes) = 0;
  /// Makes the second copy the state.
  virtual void accept() = 0;
  /// Makes passes and accepts what they changed.
  std::vector<double> advance(std::span<const Pass> passes);

  /// Makes passes that change extra arrays only. Calls `take` for every tile with the extra arrays at its own sites.
  /// Returns the sums.
  virtual std::vector<double> observe(std::span<const Pass> passes, const Take& take) = 0;

  /// Keeps a copy of the state, to which `go_back` returns.
  virtual void keep() = 0;
  virtual void go_back() = 0;

  [[nodiscard]] virtual const Tiling& tiling() const = 0;
  [[nodiscard]] virtual double* state(std::size_t array) = 0;
};

/// Returns memory for the sites of a model: in tiles, or as a whole if it has sums over edges or pairs, or constraints.
std::unique_ptr<SiteState> site_state(const Model& model, const SiteState::Shape& shape,
                                      const std::vector<std::vector<double>>& fixed);

}  // namespace herglotz::families
