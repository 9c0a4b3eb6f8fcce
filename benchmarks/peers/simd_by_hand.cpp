// The limit of the machine: rk4 and DOP853 written by hand in SIMD registers, every right-hand side inlined.

#include <utility>

#include "dop853.hpp"
#include "pack.hpp"
#include "problems.hpp"
#include "protocol.hpp"

namespace {

using by_hand::lanes;
using by_hand::Pack;

template <class Problem>
using State = std::array<Pack, Problem::size>;

/// y + h sum_j weight[j] k[j], with the zeros of the tableau left out at compile time.
template <std::size_t row, class Problem, std::size_t... j>
State<Problem> stage(const State<Problem>& y, const Pack& h, const State<Problem>* k, std::index_sequence<j...>) {
  State<Problem> at;
  for (std::size_t i = 0; i < Problem::size; ++i) {
    Pack sum = 0.0;
    const auto add = [&]<std::size_t column>() {
      constexpr double weight = row < 12 ? dop853::a[row % 12][column] : dop853::b[column];
      if constexpr (weight != 0) sum = sum + Pack(weight) * k[column][i];
    };
    (add.template operator()<j>(), ...);
    at[i] = y[i] + h * sum;
  }
  return at;
}

/// All stages after the first, whose rate is k[0]; returns the next state.
template <class Problem, std::size_t... row>
State<Problem> dop853_step(const State<Problem>& y, const Pack& h, State<Problem>* k, std::index_sequence<row...>) {
  (Problem::rates(stage<row + 1, Problem>(y, h, k, std::make_index_sequence<row + 1>()), k[row + 1]), ...);
  return stage<12, Problem>(y, h, k, std::make_index_sequence<12>());
}

template <class Problem>
void rk4(State<Problem>& y, double steps) {
  const double h = Problem::t_end / steps;
  const auto ahead = [&](const State<Problem>& k, double by) {
    State<Problem> at;
    for (std::size_t i = 0; i < Problem::size; ++i) at[i] = y[i] + Pack(by) * k[i];
    return at;
  };
  State<Problem> k1, k2, k3, k4;
  for (double step = 0; step < steps; ++step) {
    Problem::rates(y, k1);
    Problem::rates(ahead(k1, h / 2), k2);
    Problem::rates(ahead(k2, h / 2), k3);
    Problem::rates(ahead(k3, h), k4);
    for (std::size_t i = 0; i < Problem::size; ++i)
      y[i] = y[i] + Pack(h / 6) * (k1[i] + Pack(2.0) * (k2[i] + k3[i]) + k4[i]);
  }
}

template <class Problem>
void dop853_fixed(State<Problem>& y, double steps) {
  const Pack h = Problem::t_end / steps;
  State<Problem> k[12];
  for (double step = 0; step < steps; ++step) {
    Problem::rates(y, k[0]);
    y = dop853_step<Problem>(y, h, k, std::make_index_sequence<11>());
  }
}

/// Steps of each lane's own; lanes that have arrived wait. Step control of Hairer, Norsett, Wanner, Solving ODEs I,
/// II.10.
template <class Problem>
void dop853_adaptive(State<Problem>& y, double tolerance) {
  Pack t = 0.0;
  Pack h = std::min(Problem::t_end, 0.1 * std::pow(tolerance, 0.125));
  State<Problem> k[12], next_rate;
  Problem::rates(y, k[0]);
  for (int step = 0; step < 100'000; ++step) {
    const auto next = dop853_step<Problem>(y, h, k, std::make_index_sequence<11>());
    Pack five = 0.0;
    Pack three = 0.0;
    for (std::size_t i = 0; i < Problem::size; ++i) {
      Pack e5 = 0.0;
      Pack e3 = 0.0;
      for (std::size_t j = 0; j < 12; ++j) {
        e5 = e5 + Pack(dop853::e5[j]) * k[j][i];
        e3 = e3 + Pack(dop853::e3[j]) * k[j][i];
      }
      const Pack scale = Pack(tolerance) * (Pack(1.0) + max(abs(y[i]), abs(next[i])));
      five = five + (e5 / scale) * (e5 / scale);
      three = three + (e3 / scale) * (e3 / scale);
    }
    const Pack size = static_cast<double>(Problem::size);
    const Pack error = max(h * five / sqrt(max((five + Pack(0.01) * three) * size, Pack(1e-200))), Pack(1e-12));
    const auto accepted = at_most(error, Pack(1.0));
    Problem::rates(next, next_rate);
    for (std::size_t i = 0; i < Problem::size; ++i) {
      y[i] = select(accepted, next[i], y[i]);
      k[0][i] = select(accepted, next_rate[i], k[0][i]);
    }
    t = select(accepted, t + h, t);
    // error^(-1/8) by three square roots
    const Pack factor = max(min(Pack(0.9) / sqrt(sqrt(sqrt(error))), Pack(10.0)), Pack(0.2));
    const Pack left = Pack(Problem::t_end) - t;
    h = min(h * factor, left);
    if (none_above(left, 1e-14 * Problem::t_end)) return;
  }
}

template <class Problem, class Advance>
protocol::Integrate in_lanes(Advance advance) {
  return [advance](std::size_t first, std::size_t last, const double* starts, double* reached) {
    for (std::size_t k = first; k < last; k += lanes) {
      State<Problem> state;
      for (std::size_t lane = 0; lane < lanes; ++lane)
        for (std::size_t i = 0; i < Problem::size; ++i)
          state[i].set(lane, starts[std::min(k + lane, last - 1) * Problem::size + i]);
      advance(state);
      for (std::size_t lane = 0; lane < lanes && k + lane < last; ++lane)
        for (std::size_t i = 0; i < Problem::size; ++i) reached[(k + lane) * Problem::size + i] = state[i][lane];
    }
  };
}

template <template <class> class Template>
void measure(const protocol::Request& request) {
  using Problem = Template<Pack>;
  if (!request.wants(Problem::name)) return;
  const auto members = protocol::read_members<Problem>(request.folder);
  const auto all = [&](const char* method, const std::vector<double>& settings, bool steps, auto advance) {
    for (const double setting : protocol::thin(settings, request.thinning)) {
      const auto make = [&] {
        return in_lanes<Problem>([setting, advance](State<Problem>& state) { advance(state, setting); });
      };
      const double shown = steps ? Problem::t_end / setting : setting;
      const protocol::Point point{Problem::name, "SIMD by hand", method, shown};
      if (!protocol::measure(point, members, request, make, protocol::Regime::many)) break;
    }
  };
  all("rk4", protocol::step_counts(16, 65536), true, rk4<Problem>);
  all("dop853, fixed steps", protocol::step_counts(8, 16384), true, dop853_fixed<Problem>);
  all("dop853", protocol::tolerances(), false, dop853_adaptive<Problem>);
}

}  // namespace

int main(int count, char** words) {
  const auto request = protocol::read_request(count, words);
#define MEASURE(problem) measure<problems::problem>(request);
  FOR_EACH_PROBLEM(MEASURE)
}
