#pragma once
/// Right action of a Lie group on M whose generators are the anchor: x . exp(psi) is the flow of rho(x) psi.

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "groupoid/extrapolated_flow.hpp"
#include "herglotz/integrate/groupoid_kernels.hpp"
#include "numerics/pack.hpp"
#include "numerics/small_matrix.hpp"
#include "numerics/twofold.hpp"

namespace herglotz::integrate {

/// Numbers that are needed to follow an action, for the parameters of one run.
struct ActionNumbers {
  struct Entry {
    std::size_t i, j, a;
    double value;
  };
  std::vector<Entry> linear;             ///< A_a of an affine action, (i, j) in order
  std::vector<Entry> shift;              ///< b_a, without j
  std::optional<ExtrapolatedFlow> flow;  ///< flow of an action that is not affine
};

/// Returns the numbers of a map whose kernels have one lane. The kernels and parameters must stay where they are.
ActionNumbers action_numbers(const GroupoidKernels& map, std::size_t n, std::size_t r,
                             std::span<const double> parameters);

/// Action of the group in every lane, by the parameters of the lane. Affine actions have x . exp(psi) - x = phi_1(A)(A
/// x + b) with A = sum psi^a A_a, phi_1(A) = (e^A - 1)/A by its series. Other actions use ExtrapolatedFlow. Both
/// compute the displacement, which compensated sums add up without loss, and both are their own inverses at -psi to
/// round-off.
template <class P>
class GroupAction {
 public:
  using M = MaskOf<P>;

  GroupAction(const GroupoidKernels& map, std::size_t n, std::size_t r, const double* parameters)
      : map_(&map), parameters_(parameters), n_(n), r_(r) {
    if (map.generators) work_.resize(map.generators.work_size() / LanesOf<P>::width + 1);
    rho_.resize(n, r);
    for (std::vector<P>* vector : {&field_, &moved_, &rounded_, &term_, &term_rest_, &next_, &next_rest_})
      vector->assign(n, P(0.0));
  }

  /// Sets the action of a lane.
  void take(int lane, const ActionNumbers& numbers) {
    if (numbers.flow) {
      flows_.set(static_cast<std::size_t>(lane), static_cast<std::size_t>(LanesOf<P>::width), *numbers.flow);
      return;
    }
    merge(lane, numbers.linear, linear_);
    merge(lane, numbers.shift, shift_);
    places_.clear();
    for (const Entry& entry : linear_)
      if (places_.empty() || places_.back().i != entry.i || places_.back().j != entry.j)
        places_.push_back({entry.i, entry.j, P(0.0)});
  }

  /// Returns rho(x) (n x r).
  const SmallMatrix<P>& generators(const P* x) {
    if (n_ > 0) map_->generators(plain(x), parameters_, plain(rho_.data()), plain(work_.data()));
    return rho_;
  }
  /// Computes X . exp(psi) - X (n) at X = x + rest to the digits of a double, with rest below the round-off of x. If
  /// `exactly`, rounded() has the next digits. Returns the lanes in which the flow is finite and could be followed to
  /// round-off.
  M displace(const P* x, const P* rest, const P* psi, bool exactly) {
    if (!flows_.empty()) return follow(x, rest, psi);
    for (P& entry : field_) entry = P(0.0);
    for (const Entry& entry : shift_) field_[entry.i] += entry.value * psi[entry.a];
    for (P& entry : rounded_) entry = P(0.0);
    if (linear_.empty()) {
      for (std::size_t i = 0; i < n_; ++i) moved_[i] = field_[i];
      return finite_numbers(moved_.data(), n_);
    }
    return move(x, rest, psi, exactly);
  }
  /// Returns the last displacement (n).
  [[nodiscard]] const P* displacement() const { return moved_.data(); }
  /// Returns the part that rounding took from the displacement (n), as far as it is known.
  [[nodiscard]] const P* rounded() const { return rounded_.data(); }

 private:
  struct Entry {
    std::size_t i, j, a;
    P value;
  };
  struct Place {
    std::size_t i, j;
    P value;
  };

  static bool before(const ActionNumbers::Entry& one, const Entry& other) {
    if (one.i != other.i) return one.i < other.i;
    if (one.j != other.j) return one.j < other.j;
    return one.a < other.a;
  }
  /// Merges the numbers of a lane into the entries, which do not vanish in all lanes.
  static void merge(int lane, const std::vector<ActionNumbers::Entry>& numbers, std::vector<Entry>& entries) {
    std::vector<Entry> merged;
    std::size_t next = 0;
    for (Entry& entry : entries) {
      for (; next < numbers.size() && before(numbers[next], entry); ++next) push(lane, numbers[next], merged);
      set_lane(entry.value, lane, 0);
      const bool same = next < numbers.size() && numbers[next].i == entry.i && numbers[next].j == entry.j &&
                        numbers[next].a == entry.a;
      if (same) set_lane(entry.value, lane, numbers[next++].value);
      merged.push_back(entry);
    }
    for (; next < numbers.size(); ++next) push(lane, numbers[next], merged);
    entries.swap(merged);
  }
  static void push(int lane, const ActionNumbers::Entry& number, std::vector<Entry>& entries) {
    entries.push_back({number.i, number.j, number.a, P(0.0)});
    set_lane(entries.back().value, lane, number.value);
  }

  M follow(const P* x, const P* rest, const P* psi) {
    M good = P(0.0) <= P(0.0);
    std::vector<double> numbers(4 * n_ + r_);
    double* const at = numbers.data();
    for (int lane = 0; lane < LanesOf<P>::width; ++lane) {
      for (std::size_t i = 0; i < n_; ++i) {
        at[i] = lane_of(x[i], lane);
        at[n_ + i] = lane_of(rest[i], lane);
      }
      for (std::size_t a = 0; a < r_; ++a) at[4 * n_ + a] = lane_of(psi[a], lane);
      set_lane(good, lane,
               flows_[static_cast<std::size_t>(lane)].displace(at, at + n_, at + 4 * n_, at + 2 * n_, at + 3 * n_));
      for (std::size_t i = 0; i < n_; ++i) {
        set_lane(moved_[i], lane, at[2 * n_ + i]);
        set_lane(rounded_[i], lane, at[3 * n_ + i]);
      }
    }
    return good;
  }

  M move(const P* x, const P* rest, const P* psi, bool exactly) {
    auto place = places_.begin();
    for (Place& entry : places_) entry.value = P(0.0);
    for (const Entry& entry : linear_) {
      if (place->i != entry.i || place->j != entry.j) ++place;
      place->value += entry.value * psi[entry.a];
    }
    for (P& entry : moved_) entry = P(0.0);
    const P norm = row_sum_norm();
    const M good = norm < P(1e4);
    P pieces(1.0);
    for (M more = good & (pieces < norm); any(more); more = good & (pieces < norm))
      pieces = select(more, pieces + P(1.0), pieces);
    P left = select(good, pieces, P(0.0));
    for (M more = left > P(0.0); any(more); more = left > P(0.0)) {
      add_series(x, rest, pieces, more, exactly);
      left -= P(1.0);
    }
    if (exactly) {
      for (std::size_t i = 0; i < n_; ++i) {
        const P sum = moved_[i] + rounded_[i];
        rounded_[i] = lost_by_sum(moved_[i], rounded_[i], sum);
        moved_[i] = sum;
      }
    }
    return good & finite_numbers(moved_.data(), n_);
  }
  [[nodiscard]] P row_sum_norm() const {
    P norm(0.0);
    P sum(0.0);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      sum += magnitude(places_[k].value);
      if (k + 1 < places_.size() && places_[k + 1].i == places_[k].i) continue;
      norm = select(sum <= norm, norm, sum);  // a NaN sum becomes the norm
      sum = P(0.0);
    }
    return norm;
  }
  /// Adds phi_1(A/pieces)(A/pieces (X + moved) + b/pieces) to moved. The digits beyond a double are in rounded_, in the
  /// rest of term, and in the rest of A term, which only leading terms need.
  void add_series(const P* x, const P* rest, P pieces, M lanes, bool exactly) {
    constexpr double negligible = 0x1p-64;
    constexpr double negligible_in_double = 0x1p-55;
    for (std::size_t i = 0; i < n_; ++i) {
      term_[i] = x[i] + moved_[i];
      if (exactly) term_rest_[i] = lost_by_sum(x[i], moved_[i], term_[i]) + rest[i] + rounded_[i];
    }
    M leading = lanes;
    for (int order = 1; order < 30; ++order) {
      const bool with_rest = exactly && any(leading);
      multiply_term(order == 1, with_rest);
      divide_term(P(static_cast<double>(order)) * pieces, with_rest, leading);
      P size(0.0);
      P whole(0.0);
      for (std::size_t i = 0; i < n_; ++i) {
        const P sum = moved_[i] + term_[i];
        if (exactly) {
          const P lost = lost_by_sum(moved_[i], term_[i], sum) + term_rest_[i];
          put(lanes, rounded_[i], rounded_[i] + lost);
        }
        put(lanes, moved_[i], sum);
        size = larger(magnitude(term_[i]), size);
        whole = larger(magnitude(moved_[i]), whole);
      }
      lanes = lanes & !(size <= P(exactly ? negligible : negligible_in_double) * whole);
      if (!any(lanes)) return;
      leading = leading & lanes & (size > P(0x1p-12) * whole);
    }
  }
  /// Computes next = A term, plus b in the first order.
  void multiply_term(bool first, bool with_rest) {
    for (std::size_t i = 0; i < n_; ++i) next_[i] = first ? field_[i] : P(0.0);
    if (!with_rest) {
      for (const Place& place : places_) next_[place.i] += place.value * term_[place.j];
      return;
    }
    for (std::size_t i = 0; i < n_; ++i) next_rest_[i] = P(0.0);
    for (const Place& place : places_) {
      const P product = place.value * term_[place.j];
      const P sum = next_[place.i] + product;
      next_rest_[place.i] += lost_by_sum(next_[place.i], product, sum) +
                             (lost_by_product(Halves<P>(place.value), Halves<P>(term_[place.j]), product) +
                              place.value * term_rest_[place.j]);
      next_[place.i] = sum;
    }
  }
  /// Computes term = next/divisor.
  void divide_term(P divisor, bool with_rest, M leading) {
    for (std::size_t i = 0; i < n_; ++i) {
      const P quotient = next_[i] / divisor;
      term_[i] = quotient;
      term_rest_[i] = P(0.0);
      if (!with_rest) continue;
      const P product = quotient * divisor;
      const P lost = lost_by_product(Halves<P>(quotient), Halves<P>(divisor), product);
      put(leading, term_rest_[i], (((next_[i] - product) - lost) + next_rest_[i]) / divisor);
    }
  }

  const GroupoidKernels* map_;
  const double* parameters_;
  std::size_t n_;
  std::size_t r_;
  std::vector<Entry> linear_;  // A_a
  std::vector<Entry> shift_;   // b_a
  std::vector<Place> places_;  // A
  LaneFlows flows_;            // of each lane, if the action is not affine
  std::vector<P> work_;
  SmallMatrix<P> rho_;
  std::vector<P> field_;
  std::vector<P> moved_;
  std::vector<P> rounded_;
  std::vector<P> term_;
  std::vector<P> term_rest_;
  std::vector<P> next_;
  std::vector<P> next_rest_;
};

}  // namespace herglotz::integrate
