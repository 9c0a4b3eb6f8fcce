// This file is compiled once for each width of registers, which CMake defines.
// It holds the derivatives of implicit Runge-Kutta steps, one step in every lane.

#include "implicit_maps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "lane_arithmetic.hpp"
#include "plain_factors.hpp"

namespace herglotz::sensitivity {
namespace {

/// States of a path from which stages are guessed.
constexpr std::size_t most_guessing = 6;
constexpr int most_iterations = 12;
/// Relative change of the stages at which derivatives are those of the solution.
constexpr double converged = 2e-15;
/// Relative difference between the end of a step and the next state of the path that round-off explains.
constexpr double repeated = 1e-7;

}  // namespace

template <int W>
class ImplicitMaps final : public StepMaps, LaneArithmetic<W> {
  using typename LaneArithmetic<W>::Doubles;
  using typename LaneArithmetic<W>::P;
  using LaneArithmetic<W>::get;
  using LaneArithmetic<W>::set;
  using LaneArithmetic<W>::add;
  using LaneArithmetic<W>::finite;
  using LaneArithmetic<W>::for_steps;

 public:
  ImplicitMaps(ImplicitForm form, ImplicitTableau tableau)
      : form_(std::move(form)),
        tableau_(std::move(tableau)),
        size_(form_.of_second_table.size()),
        stages_(tableau_.c.size()),
        parameters_(form_.kernel.parameters()),
        places_(stages_ + 2),
        of_stages_(size_ * stages_),
        of_end_(size_),
        point_((size_ + 1) * W),
        theta_(parameters_ * W),
        work_(form_.kernel.work_size()),
        t_(W),
        h_(W),
        change_(size_ * stages_ * W),
        moving_(W),
        known_(W),
        first_(W),
        last_(W),
        scale_(size_ * W),
        nu_(size_ * W),
        of_m_(size_ * W),
        sigma_(size_ * stages_ * W),
        kappa_(size_ * W),
        row_(columns() * W),
        own_((parameters_ + 1) * W),
        rates_(size_ * stages_ * W) {
    for (Place& place : places_) {
      place.u.resize(size_ * W);
      place.values.resize(form_.kernel.outputs() * W);
    }
    for (std::size_t k = 0; k < form_.row.size(); ++k) {
      const bool of_g = form_.row[k] >= size_;
      const bool by_u = form_.col[k] < size_;
      auto& list = of_g ? (by_u ? g_by_u_ : g_by_theta_) : (by_u ? m_by_u_ : m_by_theta_);
      list.push_back({of_g ? form_.row[k] - size_ : form_.row[k], by_u ? form_.col[k] : form_.col[k] - size_,
                      (2 * size_ + k) * W});
    }
  }

  [[nodiscard]] std::size_t states() const override { return form_.states; }
  [[nodiscard]] std::size_t parameters() const override { return parameters_; }

  bool linearise(const Path& path, std::size_t first, std::size_t count, std::span<double> maps) override {
    for (std::size_t done = 0; done < count; done += W) {
      const std::size_t some = std::min<std::size_t>(W, count - done);
      if (!solve(path, first + done, some)) return false;
      for (std::size_t e = 0; e < states(); ++e) {
        go_back_from(e);
        this->store(row_, columns(), some, maps.data() + done * numbers() + e * columns(), numbers());
      }
    }
    return finite(maps.first(count * numbers()));
  }

  bool vary(const Path& path, std::size_t first, std::size_t count, std::span<const double> dy,
            std::span<const double> direction, std::span<double> reached) override {
    for (std::size_t done = 0; done < count; done += W) {
      const std::size_t some = std::min<std::size_t>(W, count - done);
      if (!solve(path, first + done, some)) return false;
      LaneArithmetic<W>::load(dy, states(), done, some, nu_);
      go_on(direction);
      this->store(of_m_, states(), some, reached.data() + done * states(), states());
    }
    return finite(reached.first(count * states()));
  }

 private:
  /// A point u with (m, g) and their derivatives.
  struct Place {
    Doubles u;
    Doubles values;
  };
  /// A derivative that need not vanish, of an entry of m or g.
  struct Slope {
    std::size_t row;
    std::size_t col;    ///< of u, or of (theta, t)
    std::size_t value;  ///< its place among the values
  };

  static P value(const Place& place, const Slope& slope) { return kernel::load<P>(place.values.data() + slope.value); }

  [[nodiscard]] Place& start() { return places_[stages_]; }
  [[nodiscard]] Place& end() { return places_[stages_ + 1]; }
  [[nodiscard]] P m(const Place& place, std::size_t k) const { return get(place.values, k); }
  [[nodiscard]] P g(const Place& place, std::size_t k) const { return get(place.values, size_ + k); }
  [[nodiscard]] P a(std::size_t k, std::size_t i, std::size_t j) const {
    return kernel::all<P>((form_.of_second_table[k] ? tableau_.A_hat : tableau_.A)[i][j]);
  }

  void evaluate(Place& place, const P& t) {
    std::copy(place.u.begin(), place.u.end(), point_.begin());
    set(point_, size_, t);
    form_.kernel(point_.data(), theta_.data(), place.values.data(), work_.data());
  }

  /// Solves for the stages and ends of steps, and factorises the equations linearised there.
  bool solve(const Path& path, std::size_t first, std::size_t count) {
    load_steps(path, first, count);
    evaluate(start(), get(t_, 0));
    if (!finite(start().values)) return false;
    guess(path, first, count);
    begin();
    for (int round = 0; is_searching(); ++round) {
      if (round == most_iterations) return false;
      for (std::size_t i = 0; i < stages_; ++i)
        evaluate(places_[i], get(t_, 0) + kernel::all<P>(tableau_.c[i]) * get(h_, 0));
      find_residuals();
      if (round == 0 && !factorise()) return false;
      of_stages_.solve(change_.data());
      if (!judge(relative_change(), 1)) return false;
      for (std::size_t i = 0; i < stages_; ++i)
        for (std::size_t k = 0; k < size_; ++k) add(places_[i].u, k, -(get(moving_, 0) * get(change_, i * size_ + k)));
    }
    return factorise() && solve_end(path, first, count);
  }

  /// Begins an iteration in all lanes. A lane that has converged keeps its numbers, so that they do not depend on the
  /// lanes beside it.
  void begin() {
    std::fill(moving_.begin(), moving_.end(), 1.0);
    std::fill(known_.begin(), known_.end(), 0.0);
    std::fill(last_.begin(), last_.end(), 0.0);
  }
  [[nodiscard]] bool is_searching() const {
    return std::any_of(moving_.begin(), moving_.end(), [](double lane) { return lane != 0; });
  }
  /// Ends the iteration of lanes whose changes are round-off, or were known to become that. Returns false if a change
  /// is not below a limit.
  bool judge(const P& change, double most) {
    std::array<double, W> sizes{};
    kernel::store(sizes.data(), change);
    for (std::size_t lane = 0; lane < W; ++lane) {
      if (moving_[lane] == 0) continue;
      const double size = sizes[lane];
      if (!(size < most)) return false;
      if (known_[lane] != 0 || size <= converged) moving_[lane] = 0;
      // The matrix is that of the guess: its error is at least of the size of the first change.
      if (last_[lane] == 0) first_[lane] = size;
      known_[lane] = last_[lane] > 0 && size * std::max(size / last_[lane], first_[lane]) <= converged ? 1 : 0;
      last_[lane] = size;
    }
    return true;
  }

  void load_steps(const Path& path, std::size_t first, std::size_t count) {
    LaneArithmetic<W>::load(path.t, 1, first, count, t_);
    LaneArithmetic<W>::load(path.h, 1, first, count, h_);
    LaneArithmetic<W>::load(path.y, states(), first, count, start().u);
    for (std::size_t i = states(); i < size_; ++i) set(start().u, i, kernel::all<P>(form_.start[i - states()]));
    for (std::size_t j = 0; j < parameters_; ++j) set(theta_, j, kernel::all<P>(path.theta[j]));
    for (std::size_t i = 0; i < size_; ++i) {
      set(scale_, i, kernel::magnitude(get(start().u, i)));
    }
  }

  /// Guesses the stages by the polynomial through the states around a step, and entries of u behind the state by their
  /// rates at the start, which are those of entries that are themselves entries of m.
  void guess(const Path& path, std::size_t first, std::size_t count) {
    const std::size_t boundaries = path.t.size() + 1;
    const std::size_t nodes = std::min(most_guessing, boundaries);
    for_steps(first, count, [&](std::size_t lane, std::size_t k) {
      const std::size_t before = std::min(k - std::min(k, (nodes - 1) / 2), boundaries - nodes);
      find_weights(path, k, before, nodes);
      for (std::size_t i = 0; i < stages_; ++i)
        for (std::size_t e = 0; e < states(); ++e) {
          double sum = 0;
          for (std::size_t n = 0; n < nodes; ++n) sum += weights_[i * nodes + n] * path.y[(before + n) * states() + e];
          places_[i].u[e * W + lane] = sum;
        }
    });
    for (std::size_t i = 0; i < stages_; ++i)
      for (std::size_t e = states(); e < size_; ++e)
        set(places_[i].u, e, get(start().u, e) + kernel::all<P>(tableau_.c[i]) * get(h_, 0) * g(start(), e));
  }

  /// Finds the weights of the states of a path in the guesses of the stages of a step. Those of steps of one size are
  /// found once.
  void find_weights(const Path& path, std::size_t k, std::size_t before, std::size_t nodes) {
    const auto time = [&](std::size_t boundary) {
      return boundary < path.t.size() ? path.t[boundary] : path.t[boundary - 1] + path.h[boundary - 1];
    };
    const double h = path.h[k];
    const auto begin = path.h.begin() + static_cast<std::ptrdiff_t>(before);
    const bool even =
        std::all_of(begin, begin + static_cast<std::ptrdiff_t>(nodes - 1), [&](double size) { return size == h; });
    if (even && weights_.size() == nodes * stages_ && even_ == k - before) return;
    even_ = even ? k - before : most_guessing;
    weights_.assign(nodes * stages_, 1.0);
    const auto place = [&](std::size_t n) {
      return even ? static_cast<double>(before + n) - static_cast<double>(k) : (time(before + n) - path.t[k]) / h;
    };
    for (std::size_t i = 0; i < stages_; ++i)
      for (std::size_t n = 0; n < nodes; ++n)
        for (std::size_t other = 0; other < nodes; ++other)
          if (other != n) weights_[i * nodes + n] *= (tableau_.c[i] - place(other)) / (place(n) - place(other));
  }

  /// Writes m(U_i) - m(u0) - h sum_j a_ij g(U_j) where the change of the stages is solved for.
  void find_residuals() {
    const P h = get(h_, 0);
    for (std::size_t i = 0; i < stages_; ++i)
      for (std::size_t k = 0; k < size_; ++k) {
        P sum{};
        for (std::size_t j = 0; j < stages_; ++j) sum += a(k, i, j) * g(places_[j], k);
        set(change_, i * size_ + k, m(places_[i], k) - m(start(), k) - h * sum);
      }
  }

  bool factorise() {
    const P h = get(h_, 0);
    of_stages_.clear();
    for (std::size_t j = 0; j < stages_; ++j) {
      for (const Slope& slope : m_by_u_)
        of_stages_.add(j * size_ + slope.row, j * size_ + slope.col, value(places_[j], slope));
      for (const Slope& slope : g_by_u_) {
        const P by = -h * value(places_[j], slope);
        for (std::size_t i = 0; i < stages_; ++i)
          of_stages_.add(i * size_ + slope.row, j * size_ + slope.col, a(slope.row, i, j) * by);
      }
    }
    return of_stages_.compute();
  }

  /// Returns the largest change of a stage beside the size of what changes: NaN if a change is NaN. Small
  /// entries of the state are measured by a share of the largest one.
  [[nodiscard]] P relative_change() const {
    constexpr double share = 1e-3;
    const auto size_of = [&](std::size_t e) {
      P size = get(scale_, e);
      for (std::size_t i = 0; i < stages_; ++i) size = kernel::larger(size, kernel::magnitude(get(places_[i].u, e)));
      return size;
    };
    P largest = kernel::all<P>(1e-290);
    for (std::size_t e = 0; e < states(); ++e) largest = kernel::larger(largest, size_of(e));
    P most{};
    P sum{};
    for (std::size_t e = 0; e < size_; ++e) {
      const P size = kernel::larger(size_of(e), largest * kernel::all<P>(e < states() ? share : 1e-10));
      for (std::size_t i = 0; i < stages_; ++i) {
        const P change = kernel::magnitude(get(change_, i * size_ + e)) / size;
        most = kernel::larger(most, change);
        sum += change;
      }
    }
    return most + sum * kernel::all<P>(0.0);
  }

  /// Solves m(u1) = m(u0) + h sum_j b_j g(U_j) from the next state of the path.
  bool solve_end(const Path& path, std::size_t first, std::size_t count) {
    const P h = get(h_, 0);
    for (std::size_t k = 0; k < size_; ++k) {
      P sum{};
      for (std::size_t j = 0; j < stages_; ++j) sum += kernel::all<P>(tableau_.b[j]) * g(places_[j], k);
      set(of_m_, k, m(start(), k) + h * sum);
    }
    LaneArithmetic<W>::load(path.y.subspan(states()), states(), first, count, end().u);
    for (std::size_t e = states(); e < size_; ++e) set(end().u, e, get(of_m_, e));
    begin();
    for (int round = 0; is_searching(); ++round) {
      if (round == most_iterations) return false;
      evaluate(end(), get(t_, 0) + h);
      of_end_.clear();
      for (const Slope& slope : m_by_u_) of_end_.add(slope.row, slope.col, value(end(), slope));
      if (!of_end_.compute()) return false;
      for (std::size_t k = 0; k < size_; ++k) set(nu_, k, m(end(), k) - get(of_m_, k));
      of_end_.solve(nu_.data());
      if (!leads_to_next() || !judge(change_of_end(0, size_), 1)) return false;
      for (std::size_t k = 0; k < size_; ++k) add(end().u, k, -(get(moving_, 0) * get(nu_, k)));
    }
    return true;
  }

  /// Returns the largest change of some entries of the end beside the size of its state, or its own behind the state.
  [[nodiscard]] P change_of_end(std::size_t first, std::size_t last) {
    P largest = kernel::all<P>(1e-290);
    for (std::size_t e = 0; e < states(); ++e)
      largest = kernel::larger(kernel::larger(largest, get(scale_, e)), kernel::magnitude(get(end().u, e)));
    P most{};
    P sum{};
    for (std::size_t e = first; e < last; ++e) {
      const P change = kernel::magnitude(get(nu_, e)) / (e < states() ? largest : get(scale_, e));
      most = kernel::larger(most, change);
      sum += change;
    }
    return most + sum * kernel::all<P>(0.0);
  }
  /// Returns whether steps end in the next states of the path up to round-off, which are where their ends are searched
  /// from.
  bool leads_to_next() {
    std::array<double, W> sizes{};
    kernel::store(sizes.data(), change_of_end(0, states()));
    return std::all_of(sizes.begin(), sizes.end(), [](double size) { return size <= repeated; });
  }

  /// Writes the derivatives of entry e of the end by (y, theta, t, h): those of implicit_adjoint().
  void go_back_from(std::size_t e) {
    const P h = get(h_, 0);
    const std::size_t time = parameters_;
    std::fill(nu_.begin(), nu_.end(), 0.0);
    set(nu_, e, kernel::all<P>(1.0));
    of_end_.solve_transposed(nu_.data());
    std::fill(own_.begin(), own_.end(), 0.0);
    for (const Slope& slope : m_by_theta_) add(own_, slope.col, -get(nu_, slope.row) * value(end(), slope));
    P by_size = get(own_, time);
    std::fill(sigma_.begin(), sigma_.end(), 0.0);
    for (std::size_t j = 0; j < stages_; ++j) {
      const P weight = h * kernel::all<P>(tableau_.b[j]);
      for (const Slope& slope : g_by_u_)
        add(sigma_, j * size_ + slope.col, weight * (get(nu_, slope.row) * value(places_[j], slope)));
    }
    of_stages_.solve_transposed(sigma_.data());
    std::copy(nu_.begin(), nu_.end(), of_m_.begin());
    for (std::size_t j = 0; j < stages_; ++j) {
      const Place& place = places_[j];
      const P before = get(own_, time);
      for (std::size_t k = 0; k < size_; ++k) {
        P sum = kernel::all<P>(tableau_.b[j]) * get(nu_, k);
        for (std::size_t i = 0; i < stages_; ++i) sum += a(k, i, j) * get(sigma_, i * size_ + k);
        by_size += sum * g(place, k);
        set(kappa_, k, h * sum);
        add(of_m_, k, get(sigma_, j * size_ + k));
      }
      for (const Slope& slope : g_by_theta_) add(own_, slope.col, get(kappa_, slope.row) * value(place, slope));
      for (const Slope& slope : m_by_theta_)
        add(own_, slope.col, -get(sigma_, j * size_ + slope.row) * value(place, slope));
      by_size += kernel::all<P>(tableau_.c[j]) * (get(own_, time) - before);
    }
    for (const Slope& slope : m_by_theta_) add(own_, slope.col, get(of_m_, slope.row) * value(start(), slope));
    std::fill(row_.begin(), row_.end(), 0.0);
    for (const Slope& slope : m_by_u_)
      if (slope.col < states()) add(row_, slope.col, get(of_m_, slope.row) * value(start(), slope));
    for (std::size_t j = 0; j <= parameters_; ++j) set(row_, states() + j, get(own_, j));
    set(row_, states() + parameters_ + 1, by_size);
  }

  /// Writes the derivative of the end along (nu_, direction) to of_m_, by the linearised equations themselves.
  void go_on(std::span<const double> direction) {
    const P h = get(h_, 0);
    const auto along = [&](const std::vector<Slope>& slopes, const Place& place, Doubles& to, std::size_t first,
                           double factor) {
      for (const Slope& slope : slopes)
        add(to, first + slope.row, kernel::all<P>(factor * direction[slope.col]) * value(place, slope));
    };
    std::fill(of_m_.begin(), of_m_.end(), 0.0);
    for (const Slope& slope : m_by_u_)
      if (slope.col < states()) add(of_m_, slope.row, get(nu_, slope.col) * value(start(), slope));
    along(m_by_theta_, start(), of_m_, 0, 1);
    std::fill(rates_.begin(), rates_.end(), 0.0);
    for (std::size_t j = 0; j < stages_; ++j) along(g_by_theta_, places_[j], rates_, j * size_, 1);
    for (std::size_t i = 0; i < stages_; ++i) {
      for (std::size_t k = 0; k < size_; ++k) {
        P sum{};
        for (std::size_t j = 0; j < stages_; ++j) sum += a(k, i, j) * get(rates_, j * size_ + k);
        set(sigma_, i * size_ + k, get(of_m_, k) + h * sum);
      }
      along(m_by_theta_, places_[i], sigma_, i * size_, -1);
    }
    of_stages_.solve(sigma_.data());
    for (std::size_t j = 0; j < stages_; ++j)
      for (const Slope& slope : g_by_u_)
        add(rates_, j * size_ + slope.row, get(sigma_, j * size_ + slope.col) * value(places_[j], slope));
    for (std::size_t k = 0; k < size_; ++k) {
      P sum{};
      for (std::size_t j = 0; j < stages_; ++j) sum += kernel::all<P>(tableau_.b[j]) * get(rates_, j * size_ + k);
      add(of_m_, k, h * sum);
    }
    along(m_by_theta_, end(), of_m_, 0, -1);
    of_end_.solve(of_m_.data());
  }

  ImplicitForm form_;
  ImplicitTableau tableau_;
  std::size_t size_;
  std::size_t stages_;
  std::size_t parameters_;
  std::vector<Place> places_;  // the stages, the start and the end
  std::vector<Slope> m_by_u_;
  std::vector<Slope> m_by_theta_;
  std::vector<Slope> g_by_u_;
  std::vector<Slope> g_by_theta_;
  PlainFactors<W> of_stages_;
  PlainFactors<W> of_end_;
  Doubles point_;
  Doubles theta_;
  Doubles work_;
  Doubles t_;
  Doubles h_;
  Doubles change_;
  Doubles moving_;                    // 1 in lanes that are still searched, else 0
  Doubles known_;                     // 1 in lanes whose next change is known to be round-off
  Doubles first_;                     // changes of the first round
  Doubles last_;                      // changes of the last round
  Doubles scale_;                     // sizes of the entries of u at the start
  Doubles weights_;                   // of states in guesses, by stage
  std::size_t even_ = most_guessing;  // which step of several of one size the weights are for, if they are
  Doubles nu_;                        // cotangent of m(u1), or derivative of u0
  Doubles of_m_;                      // cotangent of m(u0), or m of the end and its derivative
  Doubles sigma_;                     // cotangents of m(U_i) with other sign, or derivatives of the U_i
  Doubles kappa_;                     // cotangent of g(U_j)
  Doubles row_;
  Doubles own_;    // derivatives by (theta, t)
  Doubles rates_;  // derivatives of the g(U_j)
};

template <int W>
std::unique_ptr<StepMaps> make_implicit_maps(ImplicitForm form, ImplicitTableau tableau) {
  return std::make_unique<ImplicitMaps<W>>(std::move(form), std::move(tableau));
}

template std::unique_ptr<StepMaps> make_implicit_maps<HERGLOTZ_WIDTH>(ImplicitForm form, ImplicitTableau tableau);

}  // namespace herglotz::sensitivity
