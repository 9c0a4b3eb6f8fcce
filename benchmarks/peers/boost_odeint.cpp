// Boost.odeint: rk4, Dormand-Prince 5, Fehlberg 7(8) and Bulirsch-Stoer; a member at a time, members shared by threads.

#include <boost/numeric/odeint.hpp>
#include <cstring>

#include "problems.hpp"
#include "protocol.hpp"

namespace {

namespace odeint = boost::numeric::odeint;

template <class Problem, class T>
using State = std::array<T, Problem::size>;

/// The right-hand side as odeint calls it.
template <template <class> class Problem, class T>
struct System {
  void operator()(const State<Problem<T>, T>& state, State<Problem<T>, T>& rate, T) const {
    Problem<T>::rates(state, rate);
  }
};

/// Calls advance(state) for each member of a range.
template <class Problem, class Advance>
protocol::Integrate each(Advance advance) {
  return [advance](std::size_t first, std::size_t last, const double* starts, double* reached) mutable {
    for (std::size_t k = first; k < last; ++k) {
      State<Problem, double> state;
      std::copy_n(starts + k * Problem::size, Problem::size, state.begin());
      advance(state);
      std::copy_n(state.begin(), Problem::size, reached + k * Problem::size);
    }
  };
}

template <template <class> class Template>
void measure(const protocol::Request& request) {
  using Problem = Template<double>;
  if (!request.wants(Problem::name)) return;
  using S = State<Problem, double>;
  const auto members = protocol::read_members<Problem>(request.folder);
  const System<Template, double> system;
  const double t_end = Problem::t_end;

  for (const double steps : protocol::thin(protocol::step_counts(16, 65536), request.thinning)) {
    const auto make = [&] {
      return each<Problem>([system, steps, t_end](S& state) {
        odeint::runge_kutta4<S> stepper;
        odeint::integrate_n_steps(stepper, system, state, 0.0, t_end / steps, static_cast<std::size_t>(steps));
      });
    };
    if (!protocol::measure({Problem::name, "Boost.odeint", "rk4", t_end / steps}, members, request, make)) break;
  }
  const auto adaptive = [&](const char* method, auto controlled) {
    for (const double tolerance : protocol::thin(protocol::tolerances(), request.thinning)) {
      const auto make = [&] {
        return each<Problem>([system, tolerance, t_end, controlled](S& state) {
          odeint::integrate_adaptive(controlled(tolerance), system, state, 0.0, t_end, t_end / 100);
        });
      };
      if (!protocol::measure({Problem::name, "Boost.odeint", method, tolerance}, members, request, make)) break;
    }
  };
  adaptive("dopri5", [](double tolerance) {
    return odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_dopri5<S>());
  });
  adaptive("rkf78", [](double tolerance) {
    return odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_fehlberg78<S>());
  });
  adaptive("bulirsch-stoer", [](double tolerance) { return odeint::bulirsch_stoer<S>(tolerance, tolerance); });
}

/// Prints the largest difference of the sampled ends from those of 80-bit arithmetic.
template <template <class> class Template>
void check(const std::string& folder, const std::string& name) {
  using Problem = Template<long double>;
  if (name != Problem::name) return;
  using S = State<Problem, long double>;
  const auto members = protocol::read_members<Template<double>>(folder);
  long double largest = 0;
  for (std::size_t k = 0; k < protocol::sample; ++k) {
    S state;
    for (std::size_t i = 0; i < Problem::size; ++i) state[i] = members.starts[k * Problem::size + i];
    odeint::integrate_adaptive(
        odeint::make_controlled(1e-17L, 1e-17L, odeint::runge_kutta_fehlberg78<S, long double>()),
        System<Template, long double>(), state, 0.0L, static_cast<long double>(Problem::t_end), 1e-3L);
    for (std::size_t i = 0; i < Problem::size; ++i) {
      const long double end = members.ends[k * Problem::size + i];
      largest = std::max(largest, std::abs(state[i] - end) / std::max(1.0L, std::abs(end)));
    }
  }
  std::printf("%.3Lg\n", largest);
}

}  // namespace

int main(int count, char** words) {
  if (count == 4 && std::strcmp(words[1], "--check") == 0) {
#define CHECK(problem) check<problems::problem>(words[2], words[3]);
    FOR_EACH_PROBLEM(CHECK)
    return 0;
  }
  const auto request = protocol::read_request(count, words);
#define MEASURE(problem) measure<problems::problem>(request);
  FOR_EACH_PROBLEM(MEASURE)
}
