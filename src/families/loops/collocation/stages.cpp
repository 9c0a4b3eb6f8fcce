#include "loops/collocation/stages.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace herglotz::families {

using kernel::SiteLoop;

Stages::Stages(Model& model, kernel::Quadrature quadrature, Decay decay)
    : model_(model),
      quadrature_(std::move(quadrature)),
      decay_(decay),
      n_(model.base.size()),
      passes_(collocation_passes(model, quadrature_, decay)),
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
}

void Stages::restart(Model& model) {
  parameters_ = parameter_values(model);
  observables_.set_parameters(parameters_);
  whole_.set_parameters(parameters_);
  const SiteValues values = formulas_.values(model);
  for (Links* const links : {links_.get(), look_links_.get(), pair_slopes_.get()})
    if (links != nullptr) links->set(model, values);
  if (edge_slopes_) edge_slopes_->set(model, values);
  sites_ = std::make_unique<LinkedSites>(model.line(), passes_.shape, fixed_values(model, values, passes_.fixed));
  for (std::size_t f = 0; f < n_; ++f) {
    std::copy(values.base[f].begin(), values.base[f].end(), q(f));
    std::copy(values.fibre[f].begin(), values.fibre[f].end(), sites_->state(passes_.arrays.v(f)));
  }
  make(passes_.momenta, {model.t0});
  matrix_.reset();
  for (std::size_t j = 0; j < stages(); ++j)
    for (std::size_t f = 0; f < n_; ++f) std::copy(values.fibre[f].begin(), values.fibre[f].end(), V(j * n_ + f));
  whole_.begin(model.z0, [&] {
    Observed row = observe(model.t0, [](auto&&...) {});
    has_velocities_ = std::isfinite(row.laws.front().quantity);
    return row;
  });
}

void Stages::go_on_from(Model& model, const MotionState& state) {
  restart(model);
  for (std::size_t f = 0; f < n_; ++f) {
    std::copy(state.q[f].begin(), state.q[f].end(), q(f));
    std::copy(state.v[f].begin(), state.v[f].end(), sites_->state(passes_.arrays.v(f)));
    for (std::size_t j = 0; j < stages(); ++j) std::copy(state.v[f].begin(), state.v[f].end(), V(j * n_ + f));
  }
  make(passes_.momenta, {state.t});
  whole_.go_on_from(state.whole);
}

double Stages::polynomial(std::size_t j, double place) const {
  long double value = 1;
  for (std::size_t k = 0; k < quadrature_.c.size(); ++k)
    if (k != j) value *= (static_cast<long double>(place) - quadrature_.c[k]) / (quadrature_.c[j] - quadrature_.c[k]);
  return static_cast<double>(value);
}

Observed Stages::observe(double t, const Motion::Take& take) {
  const std::vector<double> at = scalars({t});
  const LinkCall of_links{look_links_.get(), passes_.arrays.q(0), passes_.arrays.link_force(0, 0), t};
  const std::array<Pass, 2> passes{Pass{&passes_.velocities, at}, Pass{&passes_.look, at, of_links}};
  const std::vector<double> sums = sites_->observe(passes, take);
  Observed row = whole_.row(sums, t);
  observables_.put(row, std::span(sums).subspan(3 * passes_.driven.size()), t);
  return row;
}

void Stages::set_step(double t, double h, std::vector<double> decays) {
  h_ = h;
  decays_ = std::move(decays);
  times_.clear();
  for (const long double c : quadrature_.c) times_.push_back(t + static_cast<double>(c) * h);
  std::vector<double> own{h};
  of_positions_ = scalars(own);
  own.insert(own.end(), decays_.begin(), decays_.end());
  own.insert(own.end(), times_.begin(), times_.end());
  of_stages_ = scalars(own);
}

std::vector<double> Stages::rates_of_action(double t, double h) const {
  std::vector<double> rates;
  for (const long double c : quadrature_.c) rates.push_back(whole_.rest(0, t + static_cast<double>(c) * h).L_z);
  return rates;
}

std::vector<double> Stages::find_residuals() {
  const auto pass = [&](const SiteLoop& loop, const std::vector<double>& at) {
    const Pass one{&loop, at};
    return sites_->observe(std::span(&one, 1), [](auto&&...) {});
  };
  pass(passes_.positions, of_positions_);
  std::vector<std::vector<std::pair<std::size_t, double>>> of_links(stages());
  for (std::size_t j = 0; links_ && j < stages(); ++j)
    of_links[j] = links_->find(families_from(passes_.arrays.stage_q(j, 0)).data(),
                               families_from(passes_.arrays.link_force(j, 0)).data(), times_[j]);
  std::vector<double> sums = pass(passes_.stages, of_stages_);
  for (std::size_t j = 0; j < stages(); ++j)
    for (const auto& [sum, value] : of_links[j]) sums[j * sums.size() / stages() + sum] += value;
  return sums;
}

bool Stages::find_matrix() {
  const std::size_t middle = (stages() - 1) / 2;
  make(passes_.derivatives, {times_[middle]});
  if (edge_slopes_) edge_slopes_->find(families_from(passes_.arrays.stage_q(middle, 0)).data(), times_[middle]);
  slopes_.clear();
  for (std::size_t e = 0; e < passes_.entries.size(); ++e)
    slopes_.push_back(sites_->state(passes_.arrays.derivative(e)));
  find_factors();
  matrix_ = factorised(model_, blocks_, structure_);
  if (matrix_ && pair_slopes_) matrix_ = with_pairs(matrix_, pair_part(middle));
  return has_matrix();
}

bool Stages::find_update() {
  update_.resize(count() * size());
  for (std::size_t k = 0; k < size(); ++k) {
    const double* const residual = sites_->state(passes_.arrays.residual(0, k));
    for (std::size_t site = 0; site < count(); ++site) update_[site * size() + k] = residual[site];
  }
  return matrix_->solve(update_);
}

bool Stages::moves_round_off(double change) {
  constexpr double near_round_off = 1e-12;
  double largest = 0;
  for (std::size_t f = 0; f < n_; ++f)
    for (std::size_t site = 0; site < count(); ++site) largest = std::max(largest, std::abs(q(f)[site]));
  return std::abs(h_) * change <= near_round_off * largest;
}

void Stages::keep() {
  sites_->keep();
  whole_.keep();
  kept_matrix_ = matrix_;
}

void Stages::go_back() {
  sites_->go_back();
  whole_.go_back();
  matrix_ = kept_matrix_;
}

/// Collects the derivatives by their offsets.
void Stages::find_blocks() {
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
void Stages::add_slope(const std::vector<double>& factors, std::size_t f, std::size_t g, double slope,
                       double* block) const {
  for (std::size_t j = 0; j < stages(); ++j)
    for (std::size_t k = 0; k < stages(); ++k)
      block[(j * n_ + f) * size() + k * n_ + g] += factors[j * stages() + k] * slope;
}

/// Finds the factors of the slopes of momenta and forces in the derivatives of the residuals by the V_k.
void Stages::find_factors() {
  const std::size_t s = stages();
  const bool by_factor = decay_ == Decay::by_factor;
  for (auto& factors : factors_) factors.assign(s * s, 0.0);
  for (std::size_t j = 0; j < s; ++j)
    for (std::size_t k = 0; k < s; ++k) {
      const std::size_t place = j * s + k;
      const double by_rate = by_factor ? 0 : h_ * a(j, k) * decays_[k];
      factors_[0][place] = (by_factor ? decays_[j] : 1) * h_ * a(j, k);
      factors_[1][place] = (j == k ? by_factor ? decays_[j] : 1 : 0) - by_rate;
      for (std::size_t l = 0; l < s; ++l) {
        factors_[2][place] -= h_ * h_ * a(j, l) * (by_factor ? decays_[l] : 1) * a(l, k);
        if (!by_factor) factors_[0][place] -= h_ * h_ * a(j, l) * decays_[l] * a(l, k);
      }
      factors_[3][place] = -h_ * a(j, k) * (by_factor ? decays_[k] : 1);
    }
}

PairPart Stages::pair_part(std::size_t stage) {
  PairPart part{pair_slopes_, n_, factors_[2], {}, times_[stage]};
  for (const double* const values : families_from(passes_.arrays.stage_q(stage, 0))) {
    part.base.emplace_back(values, values + count());
    part.base.back().resize(count() + padding);
  }
  return part;
}

std::vector<double> Stages::scalars(const std::vector<double>& own) const {
  std::vector<double> all;
  for (const double value : own) all.insert(all.end(), SiteLoop::block, value);
  for (const double value : parameters_) all.insert(all.end(), SiteLoop::block, value);
  return all;
}

std::vector<double> Stages::make(const SiteLoop& loop, const std::vector<double>& own) {
  const Pass pass{&loop, scalars(own)};
  return sites_->observe(std::span(&pass, 1), [](auto&&...) {});
}

std::vector<double*> Stages::families_from(std::size_t first) {
  std::vector<double*> arrays;
  for (std::size_t f = 0; f < n_; ++f) arrays.push_back(sites_->state(first + f));
  return arrays;
}

}  // namespace herglotz::families
