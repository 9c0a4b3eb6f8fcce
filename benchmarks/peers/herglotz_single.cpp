// Herglotz, one run at a time through integrate::integrate: members one by one, and shared by threads without lanes.

#include <memory>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/state_dynamics.hpp"
#include "herglotz_methods.hpp"
#include "problems.hpp"
#include "protocol.hpp"

namespace {

using namespace herglotz;

/// Where an entry of the peers' state is in (x, w, z). A model given by H has momenta, which are the velocities here.
template <class Problem>
std::array<std::size_t, Problem::size> entries_of(const mechanics::System& system) {
  std::vector<std::string> names;
  for (const auto& x : system.algebroid.x) names.emplace_back(x.name());
  for (const auto& w : system.w()) names.emplace_back(w.name());
  std::array<std::size_t, Problem::size> entries{};
  for (std::size_t i = 0; i < Problem::size; ++i) {
    auto at = std::find(names.begin(), names.end(), Problem::state[i]);
    if (at == names.end()) at = std::find(names.begin(), names.end(), std::string("p_") + Problem::state[i]);
    if (at == names.end())
      throw std::runtime_error(std::string(Problem::model) + " has no entry called " + Problem::state[i]);
    entries[i] = static_cast<std::size_t>(at - names.begin());
  }
  return entries;
}

template <class Problem>
std::vector<double> parameters_of(const simulate::Simulator& simulator) {
  auto values = simulator.parameter_values();
  const auto& symbols = simulator.system().parameters;
  for (const auto& [name, value] : Problem::parameters)
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if (symbols[i].symbol.name() == name) values[i] = value;
  return values;
}

template <class Problem>
void measure(const protocol::Request& request, const std::string& models) {
  if (!request.wants(Problem::name)) return;
  const auto members = protocol::read_members<Problem>(request.folder);
  auto system = io::read_model(models + "/" + Problem::model).system;
  system.symmetries.clear();  // of the balance laws only that of the energy is followed, and peers follow none
  const simulate::Simulator simulator(std::move(system));
  const auto entries = entries_of<Problem>(simulator.system());
  const auto parameters = parameters_of<Problem>(simulator);

  for (const auto& info : measured_methods()) {
    integrate::Dynamics dynamics;
    try {
      dynamics = simulate::state_dynamics(simulator, info);
    } catch (const std::invalid_argument& refused) {
      std::fprintf(stderr, "no point: %s, Herglotz, %s\n", Problem::name, refused.what());
      continue;
    }
    for (const double setting : protocol::thin(settings_of(info), request.thinning)) {
      integrate::Settings run;
      run.method = info.name;
      run.t_end = Problem::t_end;
      if (info.adaptive)
        run.tolerance = setting;
      else
        run.step = Problem::t_end / setting;
      const auto make = [&] {
        return [&, run](std::size_t first, std::size_t last, const double* starts, double* reached) {
          std::vector<double> state(dynamics.dimension());
          const auto drop = [](const integrate::Sample&) { return true; };
          for (std::size_t k = first; k < last; ++k) {
            std::fill(state.begin(), state.end(), 0.0);
            for (std::size_t i = 0; i < Problem::size; ++i) state[entries[i]] = starts[k * Problem::size + i];
            const auto outcome = integrate::integrate(dynamics, parameters, 0, state, run, drop);
            if (outcome.status != integrate::Status::success) throw std::runtime_error(outcome.reason.text());
            for (std::size_t i = 0; i < Problem::size; ++i) reached[k * Problem::size + i] = outcome.state[entries[i]];
          }
        };
      };
      const double shown = info.adaptive ? setting : Problem::t_end / setting;
      try {
        if (!protocol::measure({Problem::name, "Herglotz", info.name, shown}, members, request, make,
                               protocol::Regime::single))
          break;
      } catch (const std::runtime_error& failed) {  // a member beyond those whose error is measured
        std::fprintf(stderr, "no point: %s, Herglotz, %s, %g: %s\n", Problem::name, info.name.c_str(), shown,
                     failed.what());
      }
    }
  }
}

}  // namespace

int main(int count, char** words) {
  const auto request = protocol::read_request(count, words);
#define MEASURE(problem) measure<problems::problem<double>>(request, HERGLOTZ_SOURCE_DIR);
  FOR_EACH_PROBLEM(MEASURE)
}
