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
#include "lane_iteration.hpp"
#include "plain_factors.hpp"

namespace herglotz::sensitivity {
namespace {

/// States of a path from which stages are guessed.
constexpr std::size_t most_guessing = 6;
constexpr int most_iterations = 12;
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
        points_((stages_ + 2) * (size_ + 1) * W),
        values_((stages_ + 2) * form_.kernel.outputs() * W),
        of_stages_(size_ * stages_, filled_by_stages()),
        of_end_(size_, filled_by_end()),
        theta_(parameters_ * W),
        work_(form_.kernel.work_size()),
        t_(W),
        h_(W),
        change_(size_ * stages_ * W),
        scale_(size_ * W),
        nu_(size_ * W),
        of_m_(size_ * W),
        sigma_(size_ * stages_ * W),
        kappa_(size_ * W),
        row_(columns() * W),
        own_((parameters_ + 1) * W),
        rates_(size_ * stages_ * W) {
    for (std::size_t i = 0; i < stages_; ++i)
      for (std::size_t j = 0; j < stages_; ++j)
        for (std::size_t k = 0; k < size_; ++k) a_.push_back(coefficient(i, j, k));
    for (std::size_t k = 0; k < form_.row.size(); ++k) {
      const bool by_u = form_.col[k] < size_;
      auto& list = is_of_g(k) ? (by_u ? g_by_u_ : g_by_theta_) : (by_u ? m_by_u_ : m_by_theta_);
      list.push_back({row_of(k), by_u ? form_.col[k] : form_.col[k] - size_, (2 * size_ + k) * W});
    }
  }

  [[nodiscard]] std::size_t states() const override { return form_.states; }
  [[nodiscard]] std::size_t parameters() const override { return parameters_; }

  [[nodiscard]] std::size_t kept() const override { return (stages_ + 1) * size_; }

  bool linearise(const Path& path, std::size_t first, std::size_t count, std::span<double> maps,
                 std::span<double> kept) override {
    for (std::size_t done = 0; done < count; done += W) {
      const std::size_t some = std::min<std::size_t>(W, count - done);
      if (!solve(path, first + done, some)) return false;
      if (!kept.empty()) keep(some, kept.subspan(done * this->kept()));
      for (std::size_t e = 0; e < states(); ++e) {
        go_back_from(e);
        this->store(row_, columns(), some, maps.data() + done * numbers() + e * columns(), numbers());
      }
    }
    return finite(maps.first(count * numbers()));
  }

  bool vary(const Path& path, std::size_t first, std::size_t count, std::span<const double> kept,
            std::span<const double> dy, std::span<const double> direction, std::span<double> reached) override {
    for (std::size_t done = 0; done < count; done += W) {
      const std::size_t some = std::min<std::size_t>(W, count - done);
      load_steps(path, first + done, some);
      if (!recall(done, some, kept)) return false;
      LaneArithmetic<W>::load(dy, states(), done, some, nu_.data());
      go_on(direction);
      this->store(of_m_, states(), some, reached.data() + done * states(), states());
    }
    return finite(reached.first(count * states()));
  }

 private:
  /// A derivative that need not vanish, of an entry of m or g.
  struct Slope {
    std::size_t row;
    std::size_t col;    ///< of u, or of (theta, t)
    std::size_t value;  ///< its place among the values
  };

  [[nodiscard]] bool is_of_g(std::size_t k) const { return form_.row[k] >= size_; }
  [[nodiscard]] std::size_t row_of(std::size_t k) const { return is_of_g(k) ? form_.row[k] - size_ : form_.row[k]; }
  [[nodiscard]] double coefficient(std::size_t i, std::size_t j, std::size_t k) const {
    return (form_.of_second_table[k] ? tableau_.A_hat : tableau_.A)[i][j];
  }
  /// Returns which entries of the matrices of factorise() and of solve_end() may differ from 0.
  [[nodiscard]] std::vector<bool> filled_by_stages() const {
    const std::size_t rows = size_ * stages_;
    std::vector<bool> filled(rows * rows);
    for (std::size_t k = 0; k < form_.row.size(); ++k)
      for (std::size_t i = 0; i < stages_ && form_.col[k] < size_; ++i)
        for (std::size_t j = 0; j < stages_; ++j)
          if (is_of_g(k) ? coefficient(i, j, row_of(k)) != 0 : i == j)
            filled[(i * size_ + row_of(k)) * rows + j * size_ + form_.col[k]] = true;
    return filled;
  }
  [[nodiscard]] std::vector<bool> filled_by_end() const {
    std::vector<bool> filled(size_ * size_);
    for (std::size_t k = 0; k < form_.row.size(); ++k)
      if (!is_of_g(k) && form_.col[k] < size_) filled[form_.row[k] * size_ + form_.col[k]] = true;
    return filled;
  }

  // Places are the stages, the start and the end. Each has a point (u, t) with (m, g) and their derivatives there.
  [[nodiscard]] std::size_t start() const { return stages_; }
  [[nodiscard]] std::size_t end() const { return stages_ + 1; }
  [[nodiscard]] double* point(std::size_t place) { return points_.data() + place * (size_ + 1) * W; }
  [[nodiscard]] const double* values(std::size_t place) const {
    return values_.data() + place * form_.kernel.outputs() * W;
  }
  [[nodiscard]] const double* m(std::size_t place) const { return values(place); }
  [[nodiscard]] const double* g(std::size_t place) const { return values(place) + size_ * W; }
  [[nodiscard]] static P at(const double* numbers, std::size_t i) { return kernel::load<P>(numbers + i * W); }
  [[nodiscard]] static P value(const double* values, const Slope& slope) {
    return kernel::load<P>(values + slope.value);
  }
  /// Returns the a_ij of all entries of m.
  [[nodiscard]] const double* a(std::size_t i, std::size_t j) const { return a_.data() + (i * stages_ + j) * size_; }

  void evaluate(std::size_t place) {
    form_.kernel(point(place), theta_.data(), values_.data() + place * form_.kernel.outputs() * W, work_.data());
  }
  void evaluate_stages() {
    for (std::size_t i = 0; i < stages_; ++i) evaluate(i);
  }

  /// Solves for the stages and ends of steps, and factorises the equations linearised there.
  bool solve(const Path& path, std::size_t first, std::size_t count) {
    load_steps(path, first, count);
    evaluate(start());
    if (!finite(std::span(values(start()), form_.kernel.outputs() * W))) return false;
    guess(path, first, count);
    iteration_.begin();
    for (int round = 0; iteration_.is_searching(); ++round) {
      if (round == most_iterations) return false;
      evaluate_stages();
      if (iteration_.are_known()) break;
      find_residuals();
      if (round == 0 && !factorise()) return false;
      of_stages_.solve(change_.data());
      if (!iteration_.judge(relative_change(), 1)) return false;
      const P moving = iteration_.moving();
      for (std::size_t i = 0; i < stages_; ++i) {
        double* const u = point(i);
        const double* const change = change_.data() + i * size_ * W;
        for (std::size_t k = 0; k < size_; ++k) kernel::store(u + k * W, at(u, k) + -(moving * at(change, k)));
      }
    }
    return factorise() && solve_end(path, first, count);
  }

  /// Writes the stages and ends that were solved for.
  void keep(std::size_t count, std::span<double> kept) {
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t i = 0; i <= stages_; ++i)
        for (std::size_t k = 0; k < size_; ++k)
          kept[lane * this->kept() + i * size_ + k] = point(i == stages_ ? end() : i)[k * W + lane];
  }
  /// Takes stages and ends for those of the steps that are loaded, with the bits that solve() had there.
  bool recall(std::size_t first, std::size_t count, std::span<const double> kept) {
    for_steps(first, count, [&](std::size_t lane, std::size_t step) {
      for (std::size_t i = 0; i <= stages_; ++i)
        for (std::size_t k = 0; k < size_; ++k)
          point(i == stages_ ? end() : i)[k * W + lane] = kept[step * this->kept() + i * size_ + k];
    });
    evaluate(start());
    evaluate_stages();
    evaluate(end());
    return factorise() && factorise_end();
  }

  void load_steps(const Path& path, std::size_t first, std::size_t count) {
    LaneArithmetic<W>::load(path.t, 1, first, count, t_.data());
    LaneArithmetic<W>::load(path.h, 1, first, count, h_.data());
    double* const u = point(start());
    LaneArithmetic<W>::load(path.y, states(), first, count, u);
    for (std::size_t i = states(); i < size_; ++i) kernel::store(u + i * W, kernel::all<P>(form_.start[i - states()]));
    for (std::size_t j = 0; j < parameters_; ++j) set(theta_, j, kernel::all<P>(path.theta[j]));
    for (std::size_t i = 0; i < size_; ++i) set(scale_, i, kernel::magnitude(at(u, i)));
    const P t = get(t_, 0);
    const P h = get(h_, 0);
    kernel::store(u + size_ * W, t);
    for (std::size_t i = 0; i < stages_; ++i)
      kernel::store(point(i) + size_ * W, t + kernel::all<P>(tableau_.c[i]) * h);
    kernel::store(point(end()) + size_ * W, t + h);
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
          point(i)[e * W + lane] = sum;
        }
    });
    for (std::size_t i = 0; i < stages_; ++i)
      for (std::size_t e = states(); e < size_; ++e)
        kernel::store(point(i) + e * W,
                      at(point(start()), e) + kernel::all<P>(tableau_.c[i]) * get(h_, 0) * at(g(start()), e));
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
    for (std::size_t i = 0; i < stages_; ++i) {
      double* const change = change_.data() + i * size_ * W;
      for (std::size_t k = 0; k < size_; ++k) {
        P sum{};
        for (std::size_t j = 0; j < stages_; ++j) sum += kernel::all<P>(a(i, j)[k]) * at(g(j), k);
        kernel::store(change + k * W, at(m(i), k) - at(m(start()), k) - h * sum);
      }
    }
  }

  bool factorise() {
    const P h = get(h_, 0);
    of_stages_.clear();
    for (std::size_t j = 0; j < stages_; ++j) {
      const double* const numbers = values(j);
      for (const Slope& slope : m_by_u_)
        of_stages_.add(j * size_ + slope.row, j * size_ + slope.col, value(numbers, slope));
      for (const Slope& slope : g_by_u_) {
        const P by = -h * value(numbers, slope);
        for (std::size_t i = 0; i < stages_; ++i)
          of_stages_.add(i * size_ + slope.row, j * size_ + slope.col, kernel::all<P>(a(i, j)[slope.row]) * by);
      }
    }
    return of_stages_.compute();
  }
  bool factorise_end() {
    of_end_.clear();
    for (const Slope& slope : m_by_u_) of_end_.add(slope.row, slope.col, value(values(end()), slope));
    return of_end_.compute();
  }

  /// Returns the largest change of a stage beside the size of what changes: NaN if a change is NaN. Small
  /// entries of the state are measured by a share of the largest one.
  [[nodiscard]] P relative_change() {
    constexpr double share = 1e-3;
    double* const sizes = kappa_.data();
    P largest = kernel::all<P>(1e-290);
    for (std::size_t e = 0; e < size_; ++e) {
      P size = get(scale_, e);
      for (std::size_t i = 0; i < stages_; ++i) size = kernel::larger(size, kernel::magnitude(at(point(i), e)));
      kernel::store(sizes + e * W, size);
      if (e < states()) largest = kernel::larger(largest, size);
    }
    P most{};
    P sum{};
    for (std::size_t e = 0; e < size_; ++e) {
      const P size = kernel::larger(at(sizes, e), largest * kernel::all<P>(e < states() ? share : 1e-10));
      P change{};
      for (std::size_t i = 0; i < stages_; ++i) {
        const P of_stage = kernel::magnitude(get(change_, i * size_ + e));
        change = kernel::larger(change, of_stage);
        sum += of_stage;
      }
      most = kernel::larger(most, change / size);
    }
    return most + sum * kernel::all<P>(0.0);
  }

  /// Solves m(u1) = m(u0) + h sum_j b_j g(U_j) from the next state of the path.
  bool solve_end(const Path& path, std::size_t first, std::size_t count) {
    const P h = get(h_, 0);
    for (std::size_t k = 0; k < size_; ++k) {
      P sum{};
      for (std::size_t j = 0; j < stages_; ++j) sum += kernel::all<P>(tableau_.b[j]) * at(g(j), k);
      set(of_m_, k, at(m(start()), k) + h * sum);
    }
    double* const u = point(end());
    LaneArithmetic<W>::load(path.y.subspan(states()), states(), first, count, u);
    for (std::size_t e = states(); e < size_; ++e) kernel::store(u + e * W, get(of_m_, e));
    iteration_.begin();
    for (int round = 0; iteration_.is_searching(); ++round) {
      if (round == most_iterations) return false;
      evaluate(end());
      if (!factorise_end()) return false;
      for (std::size_t k = 0; k < size_; ++k) set(nu_, k, at(m(end()), k) - get(of_m_, k));
      of_end_.solve(nu_.data());
      if (!leads_to_next() || !iteration_.judge(change_of_end(0, size_), 1)) return false;
      for (std::size_t k = 0; k < size_; ++k) kernel::store(u + k * W, at(u, k) + -(iteration_.moving() * get(nu_, k)));
    }
    return true;
  }

  /// Returns the largest change of some entries of the end beside the size of its state, or its own behind the state.
  [[nodiscard]] P change_of_end(std::size_t first, std::size_t last) {
    P largest = kernel::all<P>(1e-290);
    for (std::size_t e = 0; e < states(); ++e)
      largest = kernel::larger(kernel::larger(largest, get(scale_, e)), kernel::magnitude(at(point(end()), e)));
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
    double* const nu = nu_.data();
    double* const own = own_.data();
    double* const sigma = sigma_.data();
    double* const of_m = of_m_.data();
    double* const kappa = kappa_.data();
    const auto increase = [](double* to, std::size_t k, const P& by) { kernel::store(to + k * W, at(to, k) + by); };
    std::fill(nu_.begin(), nu_.end(), 0.0);
    kernel::store(nu + e * W, kernel::all<P>(1.0));
    of_end_.solve_transposed(nu);
    std::fill(own_.begin(), own_.end(), 0.0);
    for (const Slope& slope : m_by_theta_) increase(own, slope.col, -at(nu, slope.row) * value(values(end()), slope));
    P by_size = at(own, time);
    std::fill(sigma_.begin(), sigma_.end(), 0.0);
    for (std::size_t j = 0; j < stages_; ++j) {
      const P weight = h * kernel::all<P>(tableau_.b[j]);
      const double* const numbers = values(j);
      double* const to = sigma + j * size_ * W;
      for (const Slope& slope : g_by_u_) increase(to, slope.col, weight * (at(nu, slope.row) * value(numbers, slope)));
    }
    of_stages_.solve_transposed(sigma);
    std::copy(nu_.begin(), nu_.end(), of_m_.begin());
    for (std::size_t j = 0; j < stages_; ++j) {
      const double* const numbers = values(j);
      const double* const of_stage = sigma + j * size_ * W;
      const P before = at(own, time);
      const P b = kernel::all<P>(tableau_.b[j]);
      for (std::size_t k = 0; k < size_; ++k) {
        P sum = b * at(nu, k);
        for (std::size_t i = 0; i < stages_; ++i) sum += kernel::all<P>(a(i, j)[k]) * at(sigma, i * size_ + k);
        by_size += sum * at(g(j), k);
        kernel::store(kappa + k * W, h * sum);
        increase(of_m, k, at(of_stage, k));
      }
      for (const Slope& slope : g_by_theta_) increase(own, slope.col, at(kappa, slope.row) * value(numbers, slope));
      for (const Slope& slope : m_by_theta_) increase(own, slope.col, -at(of_stage, slope.row) * value(numbers, slope));
      by_size += kernel::all<P>(tableau_.c[j]) * (at(own, time) - before);
    }
    const double* const numbers = values(start());
    for (const Slope& slope : m_by_theta_) increase(own, slope.col, at(of_m, slope.row) * value(numbers, slope));
    std::fill(row_.begin(), row_.end(), 0.0);
    for (const Slope& slope : m_by_u_)
      if (slope.col < states()) increase(row_.data(), slope.col, at(of_m, slope.row) * value(numbers, slope));
    for (std::size_t j = 0; j <= parameters_; ++j) set(row_, states() + j, at(own, j));
    set(row_, states() + parameters_ + 1, by_size);
  }

  /// Writes the derivative of the end along (nu_, direction) to of_m_, by the linearised equations themselves.
  void go_on(std::span<const double> direction) {
    const P h = get(h_, 0);
    const auto along = [&](const std::vector<Slope>& slopes, const double* numbers, Doubles& to, std::size_t first,
                           double factor) {
      for (const Slope& slope : slopes)
        add(to, first + slope.row, kernel::all<P>(factor * direction[slope.col]) * value(numbers, slope));
    };
    std::fill(of_m_.begin(), of_m_.end(), 0.0);
    for (const Slope& slope : m_by_u_)
      if (slope.col < states()) add(of_m_, slope.row, get(nu_, slope.col) * value(values(start()), slope));
    along(m_by_theta_, values(start()), of_m_, 0, 1);
    std::fill(rates_.begin(), rates_.end(), 0.0);
    for (std::size_t j = 0; j < stages_; ++j) along(g_by_theta_, values(j), rates_, j * size_, 1);
    for (std::size_t i = 0; i < stages_; ++i) {
      for (std::size_t k = 0; k < size_; ++k) {
        P sum{};
        for (std::size_t j = 0; j < stages_; ++j) sum += kernel::all<P>(a(i, j)[k]) * get(rates_, j * size_ + k);
        set(sigma_, i * size_ + k, get(of_m_, k) + h * sum);
      }
      along(m_by_theta_, values(i), sigma_, i * size_, -1);
    }
    of_stages_.solve(sigma_.data());
    for (std::size_t j = 0; j < stages_; ++j)
      for (const double* const numbers = values(j); const Slope& slope : g_by_u_)
        add(rates_, j * size_ + slope.row, get(sigma_, j * size_ + slope.col) * value(numbers, slope));
    for (std::size_t k = 0; k < size_; ++k) {
      P sum{};
      for (std::size_t j = 0; j < stages_; ++j) sum += kernel::all<P>(tableau_.b[j]) * get(rates_, j * size_ + k);
      add(of_m_, k, h * sum);
    }
    along(m_by_theta_, values(end()), of_m_, 0, -1);
    of_end_.solve(of_m_.data());
  }

  ImplicitForm form_;
  ImplicitTableau tableau_;
  std::size_t size_;
  std::size_t stages_;
  std::size_t parameters_;
  Doubles a_;       // a_ij for each entry of m
  Doubles points_;  // (u, t) of all places
  Doubles values_;  // (m, g) with their derivatives of all places
  std::vector<Slope> m_by_u_;
  std::vector<Slope> m_by_theta_;
  std::vector<Slope> g_by_u_;
  std::vector<Slope> g_by_theta_;
  PlainFactors<W> of_stages_;
  PlainFactors<W> of_end_;
  Doubles theta_;
  Doubles work_;
  Doubles t_;
  Doubles h_;
  Doubles change_;
  LaneIteration<W> iteration_;
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
