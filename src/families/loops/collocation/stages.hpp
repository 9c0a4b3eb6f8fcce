#pragma once
/// Stages of a collocation method at all sites, and the matrix of Newton's iteration for them.

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/families/site_values.hpp"
#include "herglotz/kernel/quadrature.hpp"
#include "loops/collocation/collocation_passes.hpp"
#include "loops/collocation/pair_matrix.hpp"
#include "loops/collocation/stage_matrix.hpp"
#include "loops/linked_sites.hpp"
#include "loops/links/edge_slopes.hpp"
#include "loops/motion.hpp"
#include "loops/motion_state.hpp"
#include "loops/observed_values.hpp"
#include "loops/whole.hpp"

namespace herglotz::families {

/// State of all sites with the velocities V_j of the stages, which a method changes until their residuals vanish. There
/// are s stages and n families; the unknowns of a site are V_jf at j n + f.
class Stages {
 public:
  Stages(Model& model, kernel::Quadrature quadrature, Decay decay);

  /// Starts from the values of the parameters and the start of the model. All V_j are the velocities there.
  void restart(Model& model);
  /// Goes on from a state of a motion of the same model, in which all V_j are the velocities.
  void go_on_from(Model& model, const MotionState& state);
  [[nodiscard]] Observed observe(double t, const Motion::Take& take);
  /// Returns whether the start has velocities, as there is no inertia of 0.
  [[nodiscard]] bool has_velocities() const { return has_velocities_; }

  [[nodiscard]] std::size_t n() const { return n_; }
  [[nodiscard]] std::size_t stages() const { return passes_.arrays.stages; }
  [[nodiscard]] std::size_t size() const { return stages() * n_; }
  [[nodiscard]] std::size_t count() const { return sites_->tiling().count; }
  [[nodiscard]] const Tiling& tiling() const { return sites_->tiling(); }
  [[nodiscard]] const kernel::Quadrature& quadrature() const { return quadrature_; }
  [[nodiscard]] double a(std::size_t j, std::size_t k) const { return static_cast<double>(quadrature_.A[j][k]); }
  [[nodiscard]] double b(std::size_t j) const { return static_cast<double>(quadrature_.b[j]); }

  /// Returns the value of the polynomial of the stage j, which is 1 there and 0 at the other stages, at a place in
  /// steps.
  [[nodiscard]] double polynomial(std::size_t j, double place) const;

  /// Arrays over the sites; k counts the unknowns of a site.
  [[nodiscard]] double* q(std::size_t f) { return sites_->state(passes_.arrays.q(f)); }
  [[nodiscard]] double* p(std::size_t f) { return sites_->state(passes_.arrays.p(f)); }
  [[nodiscard]] double* V(std::size_t k) { return sites_->state(passes_.arrays.stage_v(0, k)); }
  [[nodiscard]] double* force(std::size_t k) { return sites_->state(passes_.arrays.stage_force(0, k)); }
  [[nodiscard]] std::vector<double> copy(const double* values) const { return {values, values + count()}; }
  [[nodiscard]] Whole& whole() { return whole_; }
  [[nodiscard]] const Whole& whole() const { return whole_; }

  /// Sets the step of size h from the time t, with the scalars that CollocationPasses names.
  void set_step(double t, double h, std::vector<double> decays);
  /// Returns L_z at the stages of a step.
  [[nodiscard]] std::vector<double> rates_of_action(double t, double h) const;
  /// Finds the forces and the residuals at the present V_j. Returns the sums of the stages, one after the other.
  std::vector<double> find_residuals();

  [[nodiscard]] bool has_matrix() const { return matrix_ != nullptr; }
  void drop_matrix() { matrix_.reset(); }
  /// Computes the matrix at the present V_j. Returns false if it is singular or not finite.
  bool find_matrix();
  /// Finds the update of Newton's iteration, to be subtracted from the V_j. Returns false if there is none.
  bool find_update();
  /// Returns the update at a site, after the other sites before it.
  [[nodiscard]] const std::vector<double>& update() const { return update_; }

  /// Returns whether a change of the velocities moves the coordinates in a step by no more than near round-off of the
  /// largest one: where a motion comes to rest among forces that cancel, its velocities are smaller than the rounding
  /// of these forces.
  [[nodiscard]] bool moves_round_off(double change);

  /// Adds to q and p what `end` of CollocationPasses does. Returns the sum of the changes.
  double end(const std::vector<double>& scalars) { return make(passes_.end, scalars).front(); }

  void keep();
  void go_back();

 private:
  void find_blocks();
  void add_slope(const std::vector<double>& factors, std::size_t f, std::size_t g, double slope, double* block) const;
  void find_factors();
  PairPart pair_part(std::size_t stage);
  [[nodiscard]] std::vector<double> scalars(const std::vector<double>& own) const;
  /// Makes a pass in place and returns its sums.
  std::vector<double> make(const kernel::SiteLoop& loop, const std::vector<double>& own);
  /// Returns pointers to the arrays of all families from the array `first` on.
  std::vector<double*> families_from(std::size_t first);

  Model& model_;
  kernel::Quadrature quadrature_;
  Decay decay_;
  std::size_t n_;
  CollocationPasses passes_;
  std::vector<double> parameters_;
  ObservedValues observables_;
  SiteFormulas formulas_;
  Whole whole_;
  std::unique_ptr<LinkedSites> sites_;
  std::unique_ptr<Links> links_;       // of a stage, in a model with edges or pairs
  std::unique_ptr<Links> look_links_;  // of a row
  std::unique_ptr<EdgeSlopes> edge_slopes_;
  std::shared_ptr<Links> pair_slopes_;
  SiteBlocks blocks_;
  Structure structure_;
  std::vector<std::vector<std::size_t>> entries_;  // derivatives with each offset
  std::vector<const double*> slopes_;              // values of the derivatives at the sites
  std::array<std::vector<double>, 4> factors_;     // of derivatives of p by q, of p by v, of F by q, of F by v
  double h_ = 0;
  std::vector<double> decays_;
  std::vector<double> times_;
  std::vector<double> of_positions_;  // scalars of the passes of this step
  std::vector<double> of_stages_;
  std::shared_ptr<const StageMatrix> matrix_;  // while its factors serve
  std::shared_ptr<const StageMatrix> kept_matrix_;
  std::vector<double> update_;
  bool has_velocities_ = true;
};

}  // namespace herglotz::families
