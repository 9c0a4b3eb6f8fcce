#include "moreau/stepper.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "herglotz/linear/full_lu.hpp"

namespace herglotz::integrate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr std::array<double, 1> one_part{1.0};
/// Largest gap at which surfaces touch: that of a body at rest is 0 but for rounding.
constexpr double touching = 1e-9;
/// Largest relative defect of a law where rounding leaves more than usual, as between bodies of very different masses.
constexpr double negligible = 1e-10;
/// Columns of a contact in samples.
constexpr std::size_t columns = 5;

Index signed_size(std::size_t size) {
  return static_cast<Index>(size);
}

Eigen::Map<const Vector> vector(const double* values, std::size_t size) {
  return {values, signed_size(size)};
}

/// Returns the work of the impulses J along rates if it is positive beyond that along what is not resolved of them,
/// else 0.
double gain_along(const Vector& J, const Vector& rates, const Vector& unresolved) {
  const double work = J.dot(rates);
  return work > J.cwiseAbs().dot(unresolved) ? work : 0;
}

}  // namespace

MoreauStepper::MoreauStepper(const Run& run, const ContactKernels& map, std::shared_ptr<Shown> shown)
    : run_(run),
      map_(&map),
      shown_(std::move(shown)),
      parameters_(std::make_shared<std::vector<double>>(run.parameters.begin(), run.parameters.end())),
      columns_(columns * map.contacts.size()) {
  step_ = std::make_unique<ContactEnergy>(
      Run{run.dynamics, *parameters_, run.t0, run.state, run.settings, run.sink, run.watch}, one_part);
}

MoreauStepper::MoreauStepper(const MoreauStepper& other)
    : FixedStepper(other),
      run_(other.run_),
      map_(other.map_),
      shown_(other.shown_),
      aside_(true),
      parameters_(other.parameters_),
      step_(std::make_unique<ContactEnergy>(*other.step_)),
      active_(other.active_),
      columns_(other.columns_),
      reason_(other.reason_) {}

void MoreauStepper::follow(const FixedStepper& other) {
  const auto& leader = static_cast<const MoreauStepper&>(other);
  step_->follow(*leader.step_);
  columns_ = leader.columns_;
}

std::vector<double> MoreauStepper::values(const kernel::Kernel& kernel, double t, std::span<const double> state) const {
  std::vector<double> v(state.begin(), state.end());
  v.push_back(t);
  std::vector<double> out(kernel.outputs());
  std::vector<double> work(kernel.work_size());
  kernel(v.data(), parameters_->data(), out.data(), work.data());
  return out;
}

std::vector<double> MoreauStepper::functions_at(double t, std::span<const double> state) const {
  return values(map_->functions, t, state);
}

Matrix MoreauStepper::mass_at(double t, std::span<const double> state) const {
  const std::vector<double> blocks = values(map_->mass, t, state);
  const Index r = signed_size(run_.dynamics.r);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(blocks.data(), r, r);
}

double MoreauStepper::rate(const Contact& contact, const std::vector<double>& functions,
                           std::span<const double> state) const {
  const double* const own = functions.data() + contact.first;
  return own[2] + vector(own + 3, run_.dynamics.r).dot(vector(state.data() + run_.dynamics.n, run_.dynamics.r));
}

std::string MoreauStepper::refuse_coefficients(const std::vector<double>& functions) const {
  for (const std::size_t k : active_) {
    const Contact& contact = map_->contacts[k];
    const double restitution = functions[contact.first];
    const double friction = functions[contact.first + 1];
    if (!(restitution >= 0 && restitution <= 1))
      return fmt::format("the restitution of '{}' is {:.6g}, and must lie between 0 and 1,", contact.name, restitution);
    if (!(friction >= 0) || !std::isfinite(friction))
      return fmt::format("the friction of '{}' is {:.6g}, and must be finite and not negative,", contact.name,
                         friction);
  }
  return {};
}

Status MoreauStepper::start() {
  const auto functions = functions_at(run_.t0, run_.state);
  active_.resize(map_->contacts.size());
  std::iota(active_.begin(), active_.end(), std::size_t{0});
  reason_ = refuse_coefficients(functions);
  active_.clear();
  for (const Contact& contact : map_->contacts)
    if (const double gap = functions[contact.gap]; reason_.empty() && !(gap >= -touching))
      reason_ = fmt::format("the start is inside the surface of '{}': its gap is {:.6g}", contact.name, gap);
  return reason_.empty() ? step_->start() : Status::off_constraints;
}

void MoreauStepper::find_active(const std::vector<double>& functions, double h) {
  active_.clear();
  const auto& contacts = map_->contacts;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const double gap = functions[contacts[k].gap];
    if (!(gap + h / 2 * rate(contacts[k], functions, step_->last_state()) > touching)) active_.push_back(k);
  }
}

MoreauStepper::Touch MoreauStepper::touch(const std::vector<double>& functions) const {
  const std::size_t r = run_.dynamics.r;
  Touch result;
  std::size_t size = 0;
  for (const std::size_t k : active_) size += 1 + map_->contacts[k].slips;
  result.u.resize(signed_size(size));
  result.H.resize(signed_size(size), signed_size(r));
  Index row = 0;
  for (const std::size_t k : active_) {
    const Contact& contact = map_->contacts[k];
    const double* own = functions.data() + contact.first;
    result.restitution.push_back(own[0]);
    result.rows.push_back({contact.slips, own[1]});
    result.u[row] = 0;
    result.H.row(row++) = vector(own + 3, r).transpose();
    own += 3 + r;
    for (std::size_t s = 0; s < contact.slips; ++s, own += 1 + r) {
      result.u[row] = own[0];
      result.H.row(row++) = vector(own + 1, r).transpose();
    }
  }
  return result;
}

void MoreauStepper::push(const Vector& J, double h) {
  for (const Contact& contact : map_->contacts)
    std::fill_n(parameters_->begin() + static_cast<std::ptrdiff_t>(contact.force), 1 + contact.slips, 0.0);
  Index row = 0;
  for (const std::size_t k : active_) {
    const Contact& contact = map_->contacts[k];
    for (std::size_t s = 0; s <= contact.slips; ++s) (*parameters_)[contact.force + s] = J[row++] / h;
  }
}

Status MoreauStepper::step(double t, double h) {
  constexpr int most_halvings = 4;
  if (!aside_) shown_->clear();
  return step_in_parts(t, h, most_halvings);
}

Status MoreauStepper::step_in_parts(double t, double h, int halvings) {
  const auto parts = parts_;
  const Status whole = whole_step(t, h);
  if (whole != Status::not_converged || halvings == 0) return whole;
  // The map from impulses to velocities bends sharply at some states, as where the energy law hardly determines the
  // factor of its correction. It does so less in a shorter step.
  const Reason why = reason();
  const ContactEnergy start(*step_);
  const auto columns = columns_;
  const auto gain = gain_;
  const auto choice = choice_;
  if (step_in_parts(t, h / 2, halvings - 1) == Status::success &&
      step_in_parts(t + h / 2, h / 2, halvings - 1) == Status::success) {
    parts_ = parts;
    if (parts_.steps++ == 0) parts_.first = t;
    return Status::success;
  }
  parts_ = parts;
  step_->follow(start);
  columns_ = columns;
  gain_ = gain;
  choice_ = choice;
  reason_ = why;
  return whole;
}

Status MoreauStepper::whole_step(double t, double h) {
  reason_ = {};
  const auto begin = functions_at(t, step_->last_state());
  find_active(begin, h);
  if (reason_ = refuse_coefficients(begin); !reason_.empty()) return Status::not_converged;
  if (!active_.empty()) return step_in_contact(t, h, begin);
  push({}, h);
  Status status = step_->step(t, h);
  if (status == Status::not_converged) status = careful_step(t, h, 0);
  if (status == Status::success) count_work(t, h);
  return status;
}

Status MoreauStepper::careful_step(double t, double h, double balanced_speed) {
  const Status status = step_->step_by({.fresh_matrices = true, .balanced_speed = balanced_speed}, t, h);
  if (status != Status::not_converged) return status;
  return step_->step_by({.fresh_matrices = true, .corrects = false, .balanced_speed = balanced_speed}, t, h);
}

Status MoreauStepper::step_in_contact(double t, double h, const std::vector<double>& begin) {
  constexpr int most_corrections = 60;
  constexpr int corrections_of_directions = 20;
  constexpr double round_off = 1e-13;
  constexpr double edge = 0.1;  // part of the way of a force along which curved surfaces give no energy
  if (!before_) before_ = std::make_unique<ContactEnergy>(*step_);
  before_->follow(*step_);
  const auto& contacts = map_->contacts;
  Touch now = touch(begin);
  Vector rates_before = now.u;
  Vector bounced = Vector::Zero(now.u.size());  // e times the rates of the gaps before
  Index row = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    rates_before[row] = rate(contacts[active_[i]], begin, before_->last_state());
    bounced[row] = now.restitution[i] * rates_before[row];
    row += 1 + signed_size(contacts[active_[i]].slips);
  }
  Vector J = Vector::Zero(now.u.size());
  double kick = 0;  // the largest velocity that the impulses make
  Matrix held;
  Vector at_rest;  // rates of gaps and slips without velocities, for the directions held
  double residual = std::numeric_limits<double>::infinity();
  double previous = residual;
  for (int k = 0; k < most_corrections; ++k) {
    push(J, h);
    step_->follow(*before_);
    if (const Status status = careful_step(t, h, kick); status != Status::success) {
      step_->follow(*before_);
      return status;
    }
    const auto end_state = step_->last_state();
    const auto end = functions_at(t + h, end_state);
    if (!std::all_of(end.begin(), end.end(), [](double f) { return std::isfinite(f); })) {
      reason_ = "the gaps of the contacts are not finite in the step";
      step_->follow(*before_);
      return Status::not_finite;
    }
    if (reason_ = refuse_coefficients(end); !reason_.empty()) {
      step_->follow(*before_);
      return Status::not_converged;
    }
    now = touch(end);
    row = 0;
    for (const std::size_t i : active_) {
      now.u[row] = rate(contacts[i], end, end_state);
      row += 1 + signed_size(contacts[i].slips);
    }
    const auto w = vector(end_state.data() + run_.dynamics.n, run_.dynamics.r);
    // If slips nearly depend on each other, which of them vanishes may turn their directions at the end back and
    // forth. Directions that do not settle are held.
    if (k == corrections_of_directions) {
      held = now.H;
      at_rest = now.u - now.H * w;
    } else if (k > corrections_of_directions) {
      now.H = held;
      now.u = at_rest + held * w;
    }
    const Vector u = now.u + bounced;
    const auto middle = step_->middle_state();
    const auto half = functions_at(t + h / 2, middle);
    Touch between = touch(half);
    const Matrix pushed = between.H.transpose();
    const Matrix W = mass_at(t + h, end_state);
    const Matrix inverse = linear::FullLu(W).inverse();
    const Matrix D = now.H * inverse * pushed;
    const Vector free = u - D * J;
    // The velocities come from momenta: a part of |W^-1| |W w| is lost in rounding, and is not a defect of a law.
    const Vector terms = now.H.cwiseAbs() * (inverse.cwiseAbs() * (W.cwiseAbs() * w.cwiseAbs()));
    const Vector scale = row_scales(D, J, u) + terms + bounced.cwiseAbs();
    residual = contact_residual(D, u, J, now.rows, scale);
    const bool stalled = residual >= previous / 2 && residual <= negligible;
    previous = residual;
    if (residual <= round_off || stalled) {
      count_work(t, h);
      note_choice(t, pushed.transpose() * inverse * pushed, J, now.rows);
      row = 0;
      for (const std::size_t i : active_) {
        between.u[row] = rate(contacts[i], half, middle);
        row += 1 + signed_size(contacts[i].slips);
      }
      const Matrix sizes = between.H.cwiseAbs();
      const Vector way = vector(middle.data() + run_.dynamics.n, run_.dynamics.r).cwiseAbs();
      const auto w_before = vector(before_->last_state().data() + run_.dynamics.n, run_.dynamics.r);
      const Vector other = (w - w_before - inverse * (pushed * J)).cwiseAbs();  // what other forces change w by
      // The step does not resolve changes by other forces within it, nor those by rounding. Where a surface has an edge
      // in the step, its direction in the middle is neither that before nor that behind.
      const double at_ends =
          gain_along(J, (rates_before + now.u) / 2, (free - bounced - rates_before).cwiseAbs() + negligible * scale);
      count_gain(t, std::max(at_ends, gain_along(J, between.u, sizes * (other + edge * way) + negligible * scale)));
      return Status::success;
    }
    const ContactImpulses found = solve_contacts(D, free, now.rows, J);
    if (!found.J.allFinite() || (!found.solved && !(found.residual <= negligible))) {
      residual = found.residual;
      break;
    }
    J = found.J;
    kick = (inverse * (pushed * J)).cwiseAbs().maxCoeff();
  }
  step_->follow(*before_);
  std::vector<std::string> names;
  for (const std::size_t i : active_) names.push_back("'" + contacts[i].name + "'");
  reason_ = {
      fmt::format("the impulses of the contacts {} were not found in a step of {:.3g}: their laws are left with a "
                  "relative defect of {:.2g}",
                  fmt::join(names, ", "), h, residual),
      "take a smaller step, or a smaller friction"};
  return Status::not_converged;
}

void MoreauStepper::count_work(double t, double h) {
  const std::size_t r = run_.dynamics.r;
  const auto& contacts = map_->contacts;
  const auto [R_middle, R_end] = step_->factors();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    double* const column = columns_.data() + columns * k;
    column[0] = column[1] = 0;
    column[2] /= R_end;  // budgets follow the integrating factor as the energy does
    column[3] /= R_end;
    column[4] /= R_end;
  }
  if (active_.empty()) return;
  const auto middle = step_->middle_state();
  const auto functions = functions_at(t + h / 2, middle);
  const auto velocity = vector(middle.data() + run_.dynamics.n, r);
  for (const std::size_t k : active_) {
    const Contact& contact = contacts[k];
    const double* own = functions.data() + contact.first + 2;
    const double* const force = parameters_->data() + contact.force;
    double* const column = columns_.data() + columns * k;
    const double by_time = *own++;
    column[1] = force[0];
    // Of the work F G y of the force -F dg/dt is that of the surface's motion.
    column[3] -= h * R_middle / R_end * force[0] * (vector(own, r).dot(velocity) + by_time);
    column[4] -= h * R_middle / R_end * force[0] * by_time;
    own += r;
    for (std::size_t s = 1; s <= contact.slips; ++s, own += 1 + r)
      column[2] += h * R_middle / R_end * force[s] * vector(own + 1, r).dot(velocity);
    column[0] = contact.slips == 1 ? force[1] : vector(force + 1, contact.slips).norm();
  }
}

void MoreauStepper::count_gain(double t, double work) {
  if (!(work > 0)) return;
  if (gain_.steps++ == 0) gain_.first = t;
  gain_.energy += work;
}

void MoreauStepper::note_choice(double t, const Matrix& D, const Vector& J, const std::vector<ContactRows>& rows) {
  // Contacts that are all known to share say nothing new.
  const auto& known = choice_.contacts;
  if (std::ranges::includes(known, active_)) return;
  std::vector<std::size_t> all;
  std::vector<std::size_t> found = contacts_with_choice(D, J, rows);
  if (found.empty()) return;
  for (std::size_t& k : found) k = active_[k];
  if (known.empty()) choice_.first = t;
  std::ranges::set_union(known, found, std::back_inserter(all));
  choice_.contacts = std::move(all);
}

Status MoreauStepper::sample(double t, Sample& sample) {
  (*shown_)[t] = columns_;
  return step_->sample(t, sample);
}

Outcome run_without_contacts(const Run& run) {
  return run_contact_energy(run, one_part);
}

ContactOutcome run_over_impacts(const Run& run, const ContactKernels& map, const ContactSink& sink,
                                const ContactWatch& watch) {
  const auto shown = std::make_shared<MoreauStepper::Shown>();
  const Sink rows = [&](const Sample& sample) { return sink(sample, shown->at(sample.t)); };
  Watch watched{watch.crossings, watch.values, [&](std::size_t crossing, const Sample& sample) {
                  return watch.found(crossing, sample, shown->at(sample.t));
                }};
  const Run with{run.dynamics, run.parameters, run.t0, run.state, run.settings, rows, &watched};
  MoreauStepper stepper(with, map, shown);
  auto outcome = drive_fixed_steps(with, stepper);
  return {std::move(outcome), stepper.gain(), stepper.choice(), stepper.parts()};
}

}  // namespace herglotz::integrate
