#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "herglotz/families/site_values.hpp"
#include "herglotz/kernel/quadrature.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "loops/gauss/gauss_passes.hpp"
#include "loops/gauss/pair_matrix.hpp"
#include "loops/gauss/stage_matrix.hpp"
#include "loops/linked_sites.hpp"
#include "loops/links/edge_slopes.hpp"
#include "loops/motion.hpp"
#include "loops/observed_values.hpp"
#include "loops/pass_builder.hpp"
#include "loops/whole.hpp"

namespace herglotz::families {
namespace {

using kernel::SiteLoop;

/// Sizes of updates relative to the velocities: those that are round-off; those that may stop falling because they are
/// nearly that; and the ratio of one to the last above which a matrix has become too old.
constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();
constexpr double near_round_off = 1e-10;
constexpr double too_old = 0.1;
constexpr double hardly_falls = 0.5;
/// Updates that move the coordinates by this share of the largest ones may stop falling too: where a motion comes to
/// rest among forces that cancel, its velocities are smaller than the rounding of these forces.
constexpr double near_round_off_of_way = 1e-12;
constexpr int most_iterations = 40;
/// Velocities of a family are measured by no less than this share of the largest ones.
constexpr double least_share = 1e-6;
/// Earlier steps from which the velocities of the stages are extrapolated.
constexpr std::size_t most_remembered = 3;

/// Contact Gauss method over the sites. Newton's iteration finds the velocities of the stages to round-off, with a
/// matrix that is kept while it serves.
class ContactGauss final : public SteppedMotion {
 public:
  ContactGauss(Model& model, std::size_t stages)
      : model_(model),
        quadrature_(kernel::gauss_quadrature(static_cast<int>(stages))),
        n_(model.base.size()),
        passes_(gauss_passes(model, stages)),
        observables_(model),
        whole_(model, passes_.driven) {
    if (passes_.arrays.linked) {
      links_ = std::make_unique<Links>(model, forces_of_lagrangian(model), passes_.of_stage);
      look_links_ = std::make_unique<Links>(model, forces_of_lagrangian(model), passes_.of_look);
    }
    if (!link_density(model, model.graph_sums, false).is_zero()) edge_slopes_ = std::make_unique<EdgeSlopes>(model);
    if (!link_density(model, model.graph_sums, true).is_zero())
      pair_slopes_ = std::make_shared<Links>(model, slopes_of_pairs(model), std::span<const LinkSum>());
    find_blocks();
    structure_ = structure_of(model, blocks_);
    restart(model);
  }

  void restart(Model& model) override {
    iterations_ = 0;
    parameters_ = parameter_values(model);
    observables_.set_parameters(parameters_);
    whole_.set_parameters(parameters_);
    const SiteValues values = formulas_.values(model);
    for (Links* const links : {links_.get(), look_links_.get(), pair_slopes_.get()})
      if (links != nullptr) links->set(model, values);
    if (edge_slopes_) edge_slopes_->set(model, values);
    sites_ = std::make_unique<LinkedSites>(model.line(), passes_.shape, fixed_values(model, values, passes_.fixed));
    for (std::size_t f = 0; f < n_; ++f) {
      std::copy(values.base[f].begin(), values.base[f].end(), sites_->state(passes_.arrays.q(f)));
      std::copy(values.fibre[f].begin(), values.fibre[f].end(), sites_->state(passes_.arrays.v(f)));
    }
    make(passes_.momenta, {model.t0});
    matrix_.reset();
    forget();
    for (std::size_t j = 0; j < stages(); ++j)
      for (std::size_t f = 0; f < n_; ++f)
        std::copy(values.fibre[f].begin(), values.fibre[f].end(), sites_->state(passes_.arrays.stage_v(j, f)));
    whole_.begin(model.z0, [&] {
      Observed row = observe(model.t0, [](auto&&...) {});
      has_velocities_ = std::isfinite(row.laws.front().quantity);
      return row;
    });
  }

  std::size_t advance(double t0, double h, std::size_t first, std::size_t count) override {
    for (std::size_t k = 0; k < count; ++k)
      if (!step(t0 + static_cast<double>(first + k) * h, h)) return k;
    return count;
  }

  Observed observe(double t, const Take& take) override {
    const std::vector<double> at = scalars({t});
    const LinkCall of_links{look_links_.get(), passes_.arrays.q(0), passes_.arrays.link_force(0, 0), t};
    const std::array<Pass, 2> passes{Pass{&passes_.velocities, at}, Pass{&passes_.look, at, of_links}};
    const std::vector<double> sums = sites_->observe(passes, take);
    Observed row = whole_.row(sums, t);
    observables_.put(row, std::span(sums).subspan(3 * passes_.driven.size()), t);
    return row;
  }

  [[nodiscard]] const Tiling& tiling() const override { return sites_->tiling(); }
  [[nodiscard]] std::string failure() const override { return failure_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return iterations_; }

  void keep() override {
    sites_->keep();
    whole_.keep();
    kept_ = {remembered_, matrix_, R_, h_};
  }
  void go_back() override {
    sites_->go_back();
    whole_.go_back();
    remembered_ = kept_.remembered;
    matrix_ = kept_.matrix;
    R_ = kept_.R;
    h_ = kept_.h;
  }

 private:
  [[nodiscard]] std::size_t stages() const { return passes_.arrays.stages; }
  [[nodiscard]] std::size_t size() const { return stages() * n_; }

  [[nodiscard]] std::vector<double> scalars(const std::vector<double>& own) const {
    std::vector<double> all;
    for (const double value : own) all.insert(all.end(), SiteLoop::block, value);
    for (const double value : parameters_) all.insert(all.end(), SiteLoop::block, value);
    return all;
  }
  /// Makes a pass in place and returns its sums.
  std::vector<double> make(const SiteLoop& loop, const std::vector<double>& own) { return make({&loop, scalars(own)}); }
  std::vector<double> make(const Pass& pass) {
    return sites_->observe(std::span(&pass, 1), [](auto&&...) {});
  }

  /// Returns pointers to the arrays of all families from the array `first` on.
  std::vector<double*> families_from(std::size_t first) {
    std::vector<double*> arrays;
    for (std::size_t f = 0; f < n_; ++f) arrays.push_back(sites_->state(first + f));
    return arrays;
  }

  /// Finds the residuals of the stages with the scalars of the two passes. Returns the sums of the stages, one after
  /// the other.
  std::vector<double> find_residuals(const Pass& positions, const Pass& at_stages) {
    make(positions);
    std::vector<std::vector<std::pair<std::size_t, double>>> of_links(stages());
    for (std::size_t j = 0; links_ && j < stages(); ++j)
      of_links[j] = links_->find(families_from(passes_.arrays.stage_q(j, 0)).data(),
                                 families_from(passes_.arrays.link_force(j, 0)).data(), times_[j]);
    std::vector<double> sums = make(at_stages);
    for (std::size_t j = 0; j < stages(); ++j)
      for (const auto& [sum, value] : of_links[j]) sums[j * sums.size() / stages() + sum] += value;
    return sums;
  }

  /// Collects the derivatives by their offsets.
  void find_blocks() {
    blocks_.size = size();
    std::map<Offset, std::vector<std::size_t>> by_offset;
    by_offset[{}];
    for (std::size_t e = 0; e < passes_.entries.size(); ++e) by_offset[passes_.entries[e].offset].push_back(e);
    for (auto& [offset, entries] : by_offset) {
      blocks_.offsets.push_back(offset);
      entries_.push_back(std::move(entries));
    }
    blocks_.put = [this](std::size_t site, std::size_t offset, double* block) {
      std::fill_n(block, size() * size(), 0.0);
      for (const std::size_t e : entries_[offset]) {
        const SiteDerivative& entry = passes_.entries[e];
        const std::size_t of = 2 * (entry.of_force ? 1 : 0) + (entry.by_velocity ? 1 : 0);
        add_slope(factors_[of], entry.f, entry.g, slopes_[e][site], block);
      }
    };
    if (!edge_slopes_) return;
    blocks_.from = edge_slopes_->from();
    blocks_.to = edge_slopes_->to();
    blocks_.put_edge = [this](std::size_t edge, double* blocks) {
      std::fill_n(blocks, 4 * size() * size(), 0.0);
      for (std::size_t e = 0; e < edge_slopes_->entries().size(); ++e) {
        const EdgeSlopes::Entry& entry = edge_slopes_->entries()[e];
        const std::size_t place = (entry.f_at_to ? 2 : 0) + (entry.g_at_to ? 1 : 0);
        add_slope(factors_[2], entry.f, entry.g, edge_slopes_->value(e, edge), blocks + place * size() * size());
      }
    };
  }
  /// Adds a derivative of the family f by the family g to a block.
  void add_slope(const std::vector<double>& factors, std::size_t f, std::size_t g, double slope, double* block) const {
    for (std::size_t j = 0; j < stages(); ++j)
      for (std::size_t k = 0; k < stages(); ++k)
        block[(j * n_ + f) * size() + k * n_ + g] += factors[j * stages() + k] * slope;
  }

  /// Computes R_j and R_1 of a step from (1 + h A L_z) R = 1. Returns false if one is not positive.
  bool find_factors(double t, double h) {
    const std::size_t s = stages();
    const Eigen::Index rows = linear::index(s);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(rows, rows);
    times_.clear();
    rates_.clear();
    for (std::size_t j = 0; j < s; ++j) {
      times_.push_back(t + static_cast<double>(quadrature_.c[j]) * h);
      rates_.push_back(whole_.rest(0, times_.back()).L_z);
    }
    for (std::size_t j = 0; j < s; ++j)
      for (std::size_t k = 0; k < s; ++k) matrix(linear::index(j), linear::index(k)) += h * a(j, k) * rates_[k];
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows);
    std::vector<double> found = linear::entries(linear::PartialLu(matrix).solve(ones));
    end_factor_ = 1;
    for (std::size_t j = 0; j < s; ++j) end_factor_ -= h * b(j) * found[j] * rates_[j];
    if (found != R_ || h != h_) matrix_.reset();
    R_ = std::move(found);
    const auto is_positive = [](double factor) { return factor > 0 && std::isfinite(factor); };
    return is_positive(end_factor_) && std::all_of(R_.begin(), R_.end(), is_positive);
  }
  [[nodiscard]] double a(std::size_t j, std::size_t k) const { return static_cast<double>(quadrature_.A[j][k]); }
  [[nodiscard]] double b(std::size_t j) const { return static_cast<double>(quadrature_.b[j]); }

  bool step(double t, double h) {
    failure_.clear();
    if (!has_velocities_) {
      failure_ = "the start has no finite energy: the inertia of a site is 0, or the Lagrangian is not finite there";
      return false;
    }
    if (!find_factors(t, h)) {
      failure_ = fmt::format(
          "the factor 1 + h L_z of a step of {:.6g} is not positive at t = {:.6g}; take a smaller step", h, t);
      return false;
    }
    if (h != h_) forget();
    h_ = h;
    guess();
    std::optional<std::vector<double>> sums = solve();
    if (!sums && !remembered_.empty()) {
      // An extrapolated guess can leave the region of convergence if the motion bends sharply.
      start_from_last();
      matrix_.reset();
      sums = solve();
    }
    if (!sums) {
      failure_ = fmt::format(
          "Newton's method does not solve the stages of a step of {:.6g} at t = {:.6g}; take a smaller "
          "step",
          h, t);
      return false;
    }
    std::vector<double> own{1 / end_factor_ - 1};
    for (std::size_t j = 0; j < stages(); ++j) own.push_back(h * b(j));
    for (std::size_t j = 0; j < stages(); ++j) own.push_back(h * b(j) * R_[j] / end_factor_);
    const double changes = make(passes_.end, own).front();
    whole_.attempt(quadrature_, R_, end_factor_, t, h, *sums);
    whole_.accept();
    remember();
    return std::isfinite(changes) && std::isfinite(whole_.z());
  }

  /// Solves the stages from the present velocities. Returns the sums at the solution, or no value if there is none.
  std::optional<std::vector<double>> solve() {
    std::vector<double> own{h_};
    own.insert(own.end(), R_.begin(), R_.end());
    own.insert(own.end(), times_.begin(), times_.end());
    const Pass positions{&passes_.positions, scalars({h_})};
    const Pass at_stages{&passes_.stages, scalars(own)};
    double last = std::numeric_limits<double>::infinity();
    bool solved = false;
    bool is_fresh = false;
    for (int round = 0; round < most_iterations; ++round) {
      std::vector<double> sums = find_residuals(positions, at_stages);
      if (solved) return sums;
      if (!matrix_) {
        if (!factorise()) return std::nullopt;
        is_fresh = true;
      }
      ++iterations_;
      gather();
      if (!matrix_->solve(unknowns_)) return std::nullopt;
      const double update = move();
      if (!std::isfinite(update)) return std::nullopt;
      const double ratio = update / last;
      const bool falls = ratio < hardly_falls;
      solved = update <= round_off || (update <= near_round_off && (!falls || update * ratio <= round_off / 2)) ||
               (!falls && is_round_off_of_way());
      if (!solved && ratio > too_old && std::isfinite(last)) {
        if (!falls && is_fresh && round > 2 && ratio > 2) return std::nullopt;
        matrix_.reset();
      }
      last = update;
    }
    return std::nullopt;
  }

  bool factorise() {
    const std::size_t middle = (stages() - 1) / 2;
    make(passes_.derivatives, {times_[middle]});
    if (edge_slopes_) edge_slopes_->find(families_from(passes_.arrays.stage_q(middle, 0)).data(), times_[middle]);
    slopes_.clear();
    for (std::size_t e = 0; e < passes_.entries.size(); ++e)
      slopes_.push_back(sites_->state(passes_.arrays.derivative(e)));
    const std::size_t s = stages();
    for (auto& factors : factors_) factors.assign(s * s, 0.0);
    for (std::size_t j = 0; j < s; ++j)
      for (std::size_t k = 0; k < s; ++k) {
        const std::size_t place = j * s + k;
        factors_[0][place] = R_[j] * h_ * a(j, k);
        factors_[1][place] = j == k ? R_[j] : 0;
        for (std::size_t l = 0; l < s; ++l) factors_[2][place] -= h_ * h_ * a(j, l) * R_[l] * a(l, k);
        factors_[3][place] = -h_ * a(j, k) * R_[k];
      }
    matrix_ = factorised(model_, blocks_, structure_);
    if (matrix_ && pair_slopes_) matrix_ = with_pairs(matrix_, pair_part(middle));
    return matrix_ != nullptr;
  }

  PairPart pair_part(std::size_t stage) {
    PairPart part{pair_slopes_, n_, factors_[2], {}, times_[stage]};
    for (const double* const q : families_from(passes_.arrays.stage_q(stage, 0))) {
      part.base.emplace_back(q, q + sites_->tiling().count);
      part.base.back().resize(sites_->tiling().count + padding);
    }
    return part;
  }

  /// Copies the residuals to the unknowns, site after site.
  void gather() {
    const std::size_t count = sites_->tiling().count;
    unknowns_.resize(count * size());
    for (std::size_t k = 0; k < size(); ++k) {
      const double* const residual = sites_->state(passes_.arrays.residual(0, k));
      for (std::size_t site = 0; site < count; ++site) unknowns_[site * size() + k] = residual[site];
    }
  }

  /// Subtracts the update from the velocities of the stages. Returns its largest size relative to that of the family.
  double move() {
    const std::size_t count = sites_->tiling().count;
    std::vector<double> sizes(n_);
    std::vector<double> updates(n_);
    largest_update_ = 0;
    bool finite = true;
    for (std::size_t k = 0; k < size(); ++k) {
      double* const v = sites_->state(passes_.arrays.stage_v(0, k));
      double largest = 0;
      double moved = 0;
      for (std::size_t site = 0; site < count; ++site) {
        const double change = unknowns_[site * size() + k];
        largest = std::max(largest, std::abs(v[site]));
        moved = std::max(moved, std::abs(change));
        v[site] -= change;
      }
      finite = finite && std::isfinite(moved);
      sizes[k % n_] = std::max(sizes[k % n_], largest);
      updates[k % n_] = std::max(updates[k % n_], moved);
      largest_update_ = std::max(largest_update_, moved);
    }
    double most = 0;
    for (std::size_t f = 0; f < n_; ++f) most = std::max({most, sizes[f], updates[f]});
    double relative = 0;
    for (std::size_t f = 0; f < n_ && most > 0; ++f)
      relative = std::max(relative, updates[f] / std::max({sizes[f], updates[f], least_share * most}));
    return finite ? relative : std::numeric_limits<double>::quiet_NaN();
  }

  /// Returns whether the last update moves the coordinates by round-off of the largest ones.
  bool is_round_off_of_way() {
    double largest = 0;
    for (const double* const q : families_from(passes_.arrays.q(0)))
      for (std::size_t site = 0; site < sites_->tiling().count; ++site) largest = std::max(largest, std::abs(q[site]));
    return std::abs(h_) * largest_update_ <= near_round_off_of_way * largest;
  }

  /// Velocities of the stages of earlier steps of the same size, the last step first.
  using Remembered = std::vector<std::vector<double>>;

  void forget() { remembered_.clear(); }
  void remember() {
    const std::size_t count = sites_->tiling().count;
    std::vector<double> values;
    if (remembered_.size() == most_remembered) {
      values = std::move(remembered_.back());
      remembered_.pop_back();
    }
    values.resize(count * size());
    for (std::size_t k = 0; k < size(); ++k)
      std::copy_n(sites_->state(passes_.arrays.stage_v(0, k)), count, values.data() + k * count);
    remembered_.insert(remembered_.begin(), std::move(values));
  }
  /// Extrapolates the velocities of the stages by a polynomial through those of the last steps.
  void guess() {
    static constexpr std::array<std::array<double, most_remembered>, most_remembered> weights{
        {{1, 0, 0}, {2, -1, 0}, {3, -3, 1}}};
    if (remembered_.empty()) return;
    const std::size_t count = sites_->tiling().count;
    const auto& own = weights[remembered_.size() - 1];
    for (std::size_t k = 0; k < size(); ++k) {
      double* const v = sites_->state(passes_.arrays.stage_v(0, k));
      for (std::size_t site = 0; site < count; ++site) {
        double value = 0;
        for (std::size_t step = 0; step < remembered_.size(); ++step)
          value += own[step] * remembered_[step][k * count + site];
        v[site] = value;
      }
    }
  }
  void start_from_last() {
    remembered_.resize(1);
    guess();
    forget();
  }

  Model& model_;
  kernel::Quadrature quadrature_;
  std::size_t n_;
  GaussPasses passes_;
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
  std::shared_ptr<const StageMatrix> matrix_;      // while its factors serve
  std::vector<double> unknowns_;
  double largest_update_ = 0;
  std::vector<double> times_;
  std::vector<double> rates_;  // L_z at the stages
  std::vector<double> R_;
  double end_factor_ = 1;
  double h_ = 0;
  Remembered remembered_;
  /// What the steps after `keep` begin with, so that a step that is made again has the same bits.
  struct Kept {
    Remembered remembered;
    std::shared_ptr<const StageMatrix> matrix;
    std::vector<double> R;
    double h = 0;
  } kept_;
  std::size_t iterations_ = 0;
  bool has_velocities_ = true;  // at the start, from the momenta
  std::string failure_;
};

}  // namespace

std::unique_ptr<SteppedMotion> contact_gauss_motion(Model& model, int order) {
  return std::make_unique<ContactGauss>(model, static_cast<std::size_t>(order) / 2);
}

}  // namespace herglotz::families
