#include "gauss_nlp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stage/chain_of_path.hpp"

namespace herglotz::solve {

using optimise::infinity;

GaussNlp::GaussNlp(const Setup& setup, const Collocation& method, const Mesh& mesh)
    : setup_(setup), method_(method), mesh_(mesh), s_(method.stages()), n_(mesh.intervals()) {
  for (std::size_t a = 0; a < mesh_.arcs.size(); ++a) {
    const Values& nodes = mesh_.arcs[a].nodes;
    for (std::size_t k = 0; k + 1 < nodes.size(); ++k) places_.push_back({a, k, nodes[k], nodes[k + 1] - nodes[k]});
  }
  stride_ = setup_.d() + s_ * (setup_.d() + setup_.m());
  rows_ = (s_ + 1) * setup_.d() + s_ * setup_.along();
  free_times_ = !setup_.duration || mesh_.arcs.size() > 1;
  if (!free_times_) mesh_.arcs.front().duration = *setup_.duration;
  number_unknowns();
  list_jacobian();
  list_hessian();
}

void GaussNlp::number_unknowns() {
  const std::size_t d = setup_.d();
  first_duration_ = n_ * stride_ + d;
  lower_.assign(first_duration_ + (free_times_ ? mesh_.arcs.size() : 0), -infinity);
  upper_.assign(lower_.size(), infinity);
  const auto fix = [&](std::size_t unknown, const std::optional<double>& value) {
    if (value) lower_[unknown] = upper_[unknown] = *value;
  };
  for (std::size_t a = 0; a < d; ++a) {
    fix(node(0) + a, setup_.initial[a]);
    fix(node(n_) + a, setup_.final[a]);
  }
  for (std::size_t k = 0; k < n_; ++k) {
    const Arc& arc = mesh_.arcs[places_[k].arc];
    const auto& held = arc.held_on(places_[k].index);
    for (std::size_t i = 0; i < s_; ++i) {
      for (std::size_t j = 0; j < setup_.m(); ++j) {
        const std::size_t unknown = stage_state(k, i) + d + j;
        // Between junctions a control that is not kept at its bound is inside, and no bound is needed.
        if (!arc.kept.empty() && j < held.size() && held[j] == Hold::free && !setup_.is_linear(j)) continue;
        lower_[unknown] = setup_.lower[j];
        upper_[unknown] = setup_.upper[j];
        if (j >= held.size() || held[j] == Hold::free) continue;
        fix(unknown, setup_.bound(j, held[j]));
      }
    }
  }
  if (free_times_) {
    const bool one = mesh_.arcs.size() == 1;
    for (std::size_t a = 0; a < mesh_.arcs.size(); ++a) {
      const double shortest = 1e-6 * mesh_.arcs[a].duration;
      lower_[first_duration_ + a] = one ? std::max(setup_.shortest, shortest) : shortest;
      if (one) upper_[first_duration_ + a] = setup_.longest;
    }
  }
  g_lower_.assign(n_ * rows_, 0.0);
  g_upper_.assign(n_ * rows_, 0.0);
  for (std::size_t k = 0; k < n_; ++k)
    for (std::size_t i = 0; i < s_; ++i)
      for (std::size_t j = setup_.equations(); j < setup_.along(); ++j) g_lower_[along_row(k, i) + j] = -infinity;
  end_rows_ = g_lower_.size();
  g_lower_.insert(g_lower_.end(), setup_.conditions(), 0.0);
  g_upper_.insert(g_upper_.end(), setup_.conditions(), 0.0);
  if (free_times_ && mesh_.arcs.size() > 1) {
    g_lower_.push_back(setup_.duration ? *setup_.duration : setup_.shortest);
    g_upper_.push_back(setup_.duration ? *setup_.duration : setup_.longest);
  }
}

GaussNlp::Parts GaussNlp::parts(std::size_t k, std::size_t i, std::size_t variable) const {
  const std::size_t own = setup_.d() + setup_.m();
  if (variable < own) return {{stage_state(k, i) + variable, 1}};
  if (!free_times_) return {};
  const Place& place = places_[k];
  if (variable == own) return {{first_duration_ + place.arc, place.share}};
  Parts time;
  for (std::size_t a = 0; a < place.arc; ++a) time.push_back({first_duration_ + a, 1});
  time.push_back({first_duration_ + place.arc, place.sigma + method_.c[static_cast<Eigen::Index>(i)] * place.share});
  return time;
}

void GaussNlp::list_jacobian() {
  const std::size_t d = setup_.d();
  const auto constant = [&](std::size_t row, std::size_t col, double value) {
    jacobian_places_.add(row, col);
    jacobian_constants_.push_back(value);
  };
  for (std::size_t k = 0; k < n_; ++k) {
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t i = 0; i <= s_; ++i) {
        const bool stage = i < s_;
        const auto weights =
            stage ? Eigen::VectorXd(method_.D.row(static_cast<Eigen::Index>(i))) : Eigen::VectorXd(-method_.d);
        const std::size_t at = row(k) + i * d + a;
        for (std::size_t j = 0; j < s_; ++j) constant(at, stage_state(k, j) + a, weights[static_cast<Eigen::Index>(j)]);
        constant(at, node(k) + a, -weights.sum() - (stage ? 0 : 1));
        if (!stage) constant(at, node(k + 1) + a, 1);
      }
    }
  }
  const auto& places = setup_.transcribed().jacobian();
  for (std::size_t k = 0; k < n_; ++k) {
    for (std::size_t i = 0; i < s_; ++i) {
      for (std::size_t e = 0; e < places.row.size(); ++e) {
        const std::size_t f = places.row[e];
        const std::size_t source = (k * s_ + i) * places.row.size() + e;
        for (const Part& part : parts(k, i, places.col[e])) {
          if (f >= d) {
            jacobian_places_.add(along_row(k, i) + f - d, part.unknown);
            jacobian_stage_.push_back({source, part.factor});
          }
          for (std::size_t j = 0; f < d && j < s_; ++j) {
            const double weight = rate_weight(j, i);
            if (weight == 0) continue;
            jacobian_places_.add(row(k) + j * d + f, part.unknown);
            jacobian_stage_.push_back({source, -weight * part.factor});
          }
        }
      }
    }
  }
  const auto& ends = setup_.ends.jacobian();
  for (std::size_t e = 0; e < ends.row.size(); ++e) {
    if (ends.row[e] == 0) continue;
    const std::size_t at = end_rows_ + ends.row[e] - 1;
    const auto add = [&](std::size_t unknown) {
      jacobian_places_.add(at, unknown);
      jacobian_ends_.push_back({e, 1});
    };
    if (ends.col[e] < 2 * d) {
      add(ends.col[e] < d ? node(0) + ends.col[e] : node(n_) + ends.col[e] - d);
    } else if (free_times_) {
      for (std::size_t a = 0; a < mesh_.arcs.size(); ++a) add(first_duration_ + a);
    }
  }
  if (!free_times_ || mesh_.arcs.size() == 1) return;
  for (std::size_t a = 0; a < mesh_.arcs.size(); ++a) {
    jacobian_places_.add(g_lower_.size() - 1, first_duration_ + a);
    ++jacobian_tail_;
  }
}

void GaussNlp::list_products(const Parts& a, const Parts& b, bool same, std::size_t source) {
  auto& contributions = hessian_stage_;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (same && j > i) continue;
      const bool twice = !same && a[i].unknown == b[j].unknown;
      hessian_places_.add(std::max(a[i].unknown, b[j].unknown), std::min(a[i].unknown, b[j].unknown));
      contributions.push_back({source, (twice ? 2 : 1) * a[i].factor * b[j].factor});
    }
  }
}

void GaussNlp::list_hessian() {
  const auto& places = setup_.transcribed().hessian();
  for (std::size_t k = 0; k < n_; ++k)
    for (std::size_t i = 0; i < s_; ++i)
      for (std::size_t e = 0; e < places.row.size(); ++e)
        list_products(parts(k, i, places.row[e]), parts(k, i, places.col[e]), places.row[e] == places.col[e],
                      (k * s_ + i) * places.row.size() + e);
  const std::size_t d = setup_.d();
  const auto end_parts = [&](std::size_t variable) {
    Parts result;
    if (variable < d) return Parts{{node(0) + variable, 1}};
    if (variable < 2 * d) return Parts{{node(n_) + variable - d, 1}};
    for (std::size_t a = 0; free_times_ && a < mesh_.arcs.size(); ++a) result.push_back({first_duration_ + a, 1});
    return result;
  };
  const auto& ends = setup_.ends.hessian();
  const std::size_t before = hessian_stage_.size();
  for (std::size_t e = 0; e < ends.row.size(); ++e)
    list_products(end_parts(ends.row[e]), end_parts(ends.col[e]), ends.row[e] == ends.col[e], e);
  const auto first_of_ends = hessian_stage_.begin() + static_cast<std::ptrdiff_t>(before);
  hessian_ends_.assign(first_of_ends, hessian_stage_.end());
  hessian_stage_.erase(first_of_ends, hessian_stage_.end());
}

optimise::Chain GaussNlp::chain() const {
  return chain_of_path({lower_.size(), first_duration_, stride_}, {g_lower_.size(), end_rows_, rows_}, setup_.ends,
                       setup_.d());
}

double GaussNlp::duration(std::span<const double> x, std::size_t arc) const {
  return free_times_ ? x[first_duration_ + arc] : mesh_.arcs[arc].duration;
}

double GaussNlp::total(std::span<const double> x) const {
  double sum = 0;
  for (std::size_t a = 0; a < mesh_.arcs.size(); ++a) sum += duration(x, a);
  return sum;
}

std::vector<double> GaussNlp::points(std::span<const double> x) const {
  const std::size_t own = setup_.d() + setup_.m();
  std::vector<double> result;
  result.reserve(n_ * s_ * (own + 2));
  std::size_t arc = 0;
  double begin = setup_.t0;
  for (std::size_t k = 0; k < n_; ++k) {
    const Place& place = places_[k];
    for (; arc < place.arc; ++arc) begin += duration(x, arc);
    const double length = duration(x, arc);
    for (std::size_t i = 0; i < s_; ++i) {
      const auto first = x.begin() + static_cast<std::ptrdiff_t>(stage_state(k, i));
      result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(own));
      result.push_back(length * place.share);
      result.push_back(begin + length * (place.sigma + method_.c[static_cast<Eigen::Index>(i)] * place.share));
    }
  }
  return result;
}

std::vector<double> GaussNlp::end_point(std::span<const double> x) const {
  const std::size_t d = setup_.d();
  std::vector<double> result(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(d));
  const auto last = x.begin() + static_cast<std::ptrdiff_t>(node(n_));
  result.insert(result.end(), last, last + static_cast<std::ptrdiff_t>(d));
  result.push_back(total(x));
  return result;
}

double GaussNlp::objective(std::span<const double> x) {
  std::vector<double> ends(setup_.ends.functions());
  setup_.ends.values(end_point(x), ends);
  return setup_.sign * (x[node(n_) + setup_.form.cost()] + ends[0]);
}

void GaussNlp::gradient(std::span<const double> x, std::span<double> values) {
  std::fill(values.begin(), values.end(), 0.0);
  values[node(n_) + setup_.form.cost()] = setup_.sign;
  const auto& places = setup_.ends.jacobian();
  std::vector<double> entries(places.row.size());
  setup_.ends.jacobian(end_point(x), entries);
  const std::size_t d = setup_.d();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (places.row[e] != 0) continue;
    const std::size_t col = places.col[e];
    const double slope = setup_.sign * entries[e];
    if (col < 2 * d) {
      values[col < d ? node(0) + col : node(n_) + col - d] += slope;
    } else if (free_times_) {
      for (std::size_t a = 0; a < mesh_.arcs.size(); ++a) values[first_duration_ + a] += slope;
    }
  }
}

void GaussNlp::constraints(std::span<const double> x, std::span<double> values) {
  const std::size_t d = setup_.d();
  const std::size_t functions = setup_.transcribed().functions();
  std::vector<double> stage(n_ * s_ * functions);
  setup_.transcribed().values(points(x), stage);
  for (std::size_t k = 0; k < n_; ++k) {
    for (std::size_t i = 0; i <= s_; ++i) {
      for (std::size_t a = 0; a < d; ++a) {
        const double v = x[node(k) + a];
        double sum = i < s_ ? 0 : x[node(k + 1) + a] - v;
        for (std::size_t j = 0; i < s_ && j < s_; ++j) sum -= rate_weight(i, j) * stage[(k * s_ + j) * functions + a];
        for (std::size_t j = 0; j < s_; ++j) {
          const auto col = static_cast<Eigen::Index>(j);
          const double weight = i < s_ ? method_.D(static_cast<Eigen::Index>(i), col) : -method_.d[col];
          sum += weight * (x[stage_state(k, j) + a] - v);
        }
        values[row(k) + i * d + a] = sum;
      }
    }
    for (std::size_t i = 0; i < s_; ++i)
      for (std::size_t j = 0; j < setup_.along(); ++j)
        values[along_row(k, i) + j] = stage[(k * s_ + i) * functions + d + j];
  }
  std::vector<double> ends(setup_.ends.functions());
  setup_.ends.values(end_point(x), ends);
  std::copy(ends.begin() + 1, ends.end(), values.begin() + static_cast<std::ptrdiff_t>(end_rows_));
  if (jacobian_tail_ > 0) values[values.size() - 1] = total(x);
}

void GaussNlp::jacobian(std::span<const double> x, std::span<double> values) {
  auto out = std::copy(jacobian_constants_.begin(), jacobian_constants_.end(), values.begin());
  std::vector<double> entries(n_ * s_ * setup_.transcribed().jacobian().row.size());
  setup_.transcribed().jacobian(points(x), entries);
  for (const Contribution& part : jacobian_stage_) *out++ = part.factor * entries[part.source];
  entries.resize(setup_.ends.jacobian().row.size());
  setup_.ends.jacobian(end_point(x), entries);
  for (const Contribution& part : jacobian_ends_) *out++ = part.factor * entries[part.source];
  std::fill_n(out, jacobian_tail_, 1.0);
}

void GaussNlp::hessian(std::span<const double> x, double weight, std::span<const double> mu, std::span<double> values) {
  const std::size_t d = setup_.d();
  const std::size_t inputs = setup_.transcribed().inputs();
  const auto at = points(x);
  std::vector<double> weighted;
  for (std::size_t k = 0; k < n_; ++k) {
    for (std::size_t i = 0; i < s_; ++i) {
      const auto first = at.begin() + static_cast<std::ptrdiff_t>((k * s_ + i) * inputs);
      weighted.insert(weighted.end(), first, first + static_cast<std::ptrdiff_t>(inputs));
      for (std::size_t a = 0; a < d; ++a) {
        double sum = 0;
        for (std::size_t j = 0; j < s_; ++j) sum -= rate_weight(j, i) * mu[row(k) + j * d + a];
        weighted.push_back(sum);
      }
      for (std::size_t j = 0; j < setup_.along(); ++j) weighted.push_back(mu[along_row(k, i) + j]);
    }
  }
  std::vector<double> entries(n_ * s_ * setup_.transcribed().hessian().row.size());
  setup_.transcribed().hessian(weighted, entries);
  auto out = values.begin();
  for (const Contribution& part : hessian_stage_) *out++ = part.factor * entries[part.source];
  auto ends = end_point(x);
  ends.push_back(setup_.sign * weight);
  ends.insert(ends.end(), mu.begin() + static_cast<std::ptrdiff_t>(end_rows_),
              mu.begin() + static_cast<std::ptrdiff_t>(end_rows_ + setup_.conditions()));
  entries.resize(setup_.ends.hessian().row.size());
  setup_.ends.hessian(ends, entries);
  for (const Contribution& part : hessian_ends_) *out++ = part.factor * entries[part.source];
}

optimise::PrimalDualPoint GaussNlp::iterate(const Path& path) const {
  const std::size_t d = setup_.d();
  optimise::PrimalDualPoint result;
  result.x.assign(lower_.size(), 0.0);
  result.mu.assign(g_lower_.size(), 0.0);
  result.at_lower.assign(lower_.size(), 0.0);
  result.at_upper.assign(lower_.size(), 0.0);
  const bool same_arcs = path.durations.size() == mesh_.arcs.size();
  double total_here = 0;
  for (const Arc& arc : mesh_.arcs) total_here += arc.duration;
  const double stretch = (path.end() - path.start()) / total_here;
  double begin_here = 0;
  double begin_there = path.start();
  std::size_t arc = 0;
  const auto set_node = [&](std::size_t k, const Stage& value) {
    std::copy(value.v.begin(), value.v.end(), result.x.begin() + static_cast<std::ptrdiff_t>(node(k)));
    if (k == 0) return;
    for (std::size_t a = 0; a < d; ++a) result.mu[row(k - 1) + s_ * d + a] = -value.P[a];
  };
  for (std::size_t k = 0; k < n_; ++k) {
    const Place& place = places_[k];
    for (; arc < place.arc; ++arc) {
      begin_here += mesh_.arcs[arc].duration;
      if (same_arcs) begin_there += path.durations[arc];
    }
    const double length = mesh_.arcs[arc].duration;
    const double h = length * place.share;
    const auto there = [&](double sigma) {
      return same_arcs ? begin_there + sigma * path.durations[arc]
                       : path.start() + stretch * (begin_here + sigma * length);
    };
    const Interval& old = path.intervals[interval_of(path, there(place.sigma + place.share / 2))];
    set_node(k, at(old, there(place.sigma)));
    for (std::size_t i = 0; i < s_; ++i) {
      const auto index = static_cast<Eigen::Index>(i);
      const Stage stage = at(old, there(place.sigma + method_.c[index] * place.share));
      const std::size_t first = stage_state(k, i);
      std::copy(stage.v.begin(), stage.v.end(), result.x.begin() + static_cast<std::ptrdiff_t>(first));
      for (std::size_t j = 0; j < setup_.m(); ++j) {
        const double scaled = stage.bound[j] * h * method_.b[index];
        result.x[first + d + j] = stage.w[j];
        result.at_lower[first + d + j] = std::max(0.0, scaled);
        result.at_upper[first + d + j] = std::max(0.0, -scaled);
      }
      for (std::size_t j = 0; j < s_; ++j)
        for (std::size_t a = 0; a < d; ++a)
          result.mu[row(k) + j * d + a] -=
              method_.S(static_cast<Eigen::Index>(j), index) * method_.b[index] * stage.P[a];
      for (std::size_t j = 0; j < setup_.along(); ++j)
        result.mu[along_row(k, i) + j] = stage.kappa[j] * h * method_.b[index];
    }
    if (k + 1 == n_) set_node(n_, at(old, there(1)));
  }
  for (std::size_t j = 0; j < path.ends.size() && j < setup_.conditions(); ++j) result.mu[end_rows_ + j] = path.ends[j];
  for (std::size_t a = 0; free_times_ && a < mesh_.arcs.size(); ++a)
    result.x[first_duration_ + a] = mesh_.arcs[a].duration;
  for (std::size_t i = 0; i < lower_.size(); ++i) result.x[i] = std::clamp(result.x[i], lower_[i], upper_[i]);
  return result;
}

Path GaussNlp::path(const optimise::PrimalDualPoint& at) const {
  const std::size_t d = setup_.d();
  const auto slice = [](const std::vector<double>& from, std::size_t first, std::size_t count, double factor = 1) {
    Values result(count);
    for (std::size_t i = 0; i < count; ++i) result[i] = factor * from[first + i];
    return result;
  };
  Path path;
  for (std::size_t a = 0; a < mesh_.arcs.size(); ++a) path.durations.push_back(duration(at.x, a));
  path.ends = slice(at.mu, end_rows_, setup_.conditions());
  std::size_t arc = 0;
  double begin = setup_.t0;
  for (std::size_t k = 0; k < n_; ++k) {
    const Place& place = places_[k];
    for (; arc < place.arc; ++arc) begin += path.durations[arc];
    Interval interval;
    interval.arc = arc;
    interval.t = begin + path.durations[arc] * place.sigma;
    interval.h = path.durations[arc] * place.share;
    interval.v0 = slice(at.x, node(k), d);
    interval.v1 = slice(at.x, node(k + 1), d);
    interval.P1 = slice(at.mu, row(k) + s_ * d, d, -1);
    const double rest = 1 - method_.d.sum();
    interval.P0 = interval.P1;
    for (double& P : interval.P0) P *= rest;
    for (std::size_t i = 0; i < s_; ++i) {
      const auto index = static_cast<Eigen::Index>(i);
      const double weight = interval.h * method_.b[index];
      const double column = method_.D.row(index).sum();
      Stage stage;
      stage.t = interval.t + method_.c[index] * interval.h;
      stage.v = slice(at.x, stage_state(k, i), d);
      stage.w = slice(at.x, stage_state(k, i) + d, setup_.m());
      stage.P.assign(d, 0.0);
      for (std::size_t j = 0; j < s_; ++j)
        for (std::size_t a = 0; a < d; ++a)
          stage.P[a] -= rate_weight(j, i) * at.mu[row(k) + j * d + a] / method_.b[index];
      stage.kappa = slice(at.mu, along_row(k, i), setup_.along(), 1 / weight);
      for (std::size_t j = 0; j < setup_.m(); ++j) {
        const std::size_t unknown = stage_state(k, i) + d + j;
        stage.bound.push_back((at.at_lower[unknown] - at.at_upper[unknown]) / weight);
      }
      for (std::size_t a = 0; a < d; ++a) interval.P0[a] -= column * at.mu[row(k) + i * d + a];
      interval.stages.push_back(std::move(stage));
    }
    find_held(interval, place);
    path.intervals.push_back(std::move(interval));
  }
  return path;
}

void GaussNlp::find_held(Interval& interval, const Place& place) const {
  constexpr double margin = 1e-6;
  const Arc& arc = mesh_.arcs[place.arc];
  interval.held = arc.held_on(place.index);
  interval.settled = !arc.kept.empty();
  if (interval.settled) return;
  for (std::size_t u = 0; u < interval.held.size(); ++u) {
    if (interval.held[u] != Hold::free || setup_.is_linear(u)) continue;
    const Hold first = setup_.hold_of(u, interval.stages.front().w[u], margin);
    const bool same = std::all_of(interval.stages.begin(), interval.stages.end(),
                                  [&](const Stage& stage) { return setup_.hold_of(u, stage.w[u], margin) == first; });
    if (same) interval.held[u] = first;
    interval.mixed = interval.mixed || !same;
  }
}

std::string GaussNlp::name_of(std::size_t constraint) const {
  const std::size_t d = setup_.d();
  if (constraint >= g_lower_.size()) return "a bound";
  if (constraint >= end_rows_) {
    const std::size_t condition = constraint - end_rows_;
    return condition < setup_.conditions() ? fmt::format("condition {} of [boundary]", condition + 1) : "the duration";
  }
  const std::size_t k = constraint / rows_;
  const std::size_t inside = constraint % rows_;
  const double share = (static_cast<double>(k) + 0.5) / static_cast<double>(n_);
  if (inside < (s_ + 1) * d)
    return fmt::format("the rate of '{}' near {:.3g} of the duration", setup_.form.v[inside % d].name(), share);
  const std::size_t along = (inside - (s_ + 1) * d) % setup_.along();
  if (along < setup_.equations())
    return fmt::format("equation {} of the path near {:.3g} of the duration", along + 1, share);
  return fmt::format("inequality {} of [control] path near {:.3g} of the duration", along - setup_.equations() + 1,
                     share);
}

}  // namespace herglotz::solve
