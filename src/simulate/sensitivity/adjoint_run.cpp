#include "sensitivity/adjoint_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "herglotz/error.hpp"
#include "sensitivity/start_slopes.hpp"
#include "sensitivity/step_record.hpp"
#include "sensitivity/tangent_run.hpp"

namespace herglotz::simulate {
namespace {

using Numbers = std::vector<double>;
using sensitivity::AdjointSteps;

double product(const Numbers& a, const Numbers& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double size_of_product(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] * b[i]);
  return sum;
}
void add(Numbers& to, double factor, const Numbers& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

/// Derivatives by a state, by the parameters, and by a time.
struct Covector {
  Numbers by_y;
  Numbers by_theta;
  double by_t = 0;
};

/// A row of the run on which the function depends.
struct Stop {
  std::size_t row = 0;
  StepRecord::Place place;
  std::optional<std::size_t> event{};  ///< the event that ended the run here
  Covector share{};                    ///< of a row with an event: what it adds at the boundary before it
};

/// The run backwards, with the adjoints of its steps, and then forwards again with one variation.
class AdjointRun {
 public:
  AdjointRun(const DifferentiatedRun& of, AdjointCode& code, TangentCode& variation, const Cotangents& cotangents)
      : of_(of),
        code_(code),
        variation_(variation),
        cotangents_(cotangents),
        states_(code.steps.states()),
        record_(of),
        rates_(code.steps.kept()),
        reached_(states_),
        point_(code.functions.variables()),
        values_(code.functions.outputs()),
        work_(code.functions.work_size()) {
    for (const auto& [name, value] : of.run.facts.parameters) theta_.push_back(value);
    for (const auto& name : cotangents.columns) {
      const auto place = std::find(code.columns.begin(), code.columns.end(), name);
      if (place == code.columns.end())
        throw Refused(fmt::format("the column {} is not differentiated", name),
                      "use coordinates, velocities, the action, the energy, momenta and observables");
      places_.push_back(static_cast<std::size_t>(place - code.columns.begin()));
    }
    list_stops();
  }

  Gradient operator()(const std::vector<Numbers>& slopes) {
    go_back();
    Gradient gradient;
    gradient.reverse = true;
    Numbers start_variation(states_, 0.0);
    Numbers parameter_variation(theta_.size(), 0.0);
    for (std::size_t k = 0; k < of_.directions.size(); ++k) {
      const Varying& direction = of_.directions[k];
      const double value = value_of(of_.simulator.system(), of_.request, direction);
      const double by = value == 0 ? 1.0 : std::abs(value);
      gradient.by.push_back(product(adjoint_.by_y, slopes[k]));
      add(start_variation, by, slopes[k]);
      if (!direction.parameter) continue;
      const std::size_t j = place_of_parameter(direction.name);
      gradient.by.back() += adjoint_.by_theta[j];
      parameter_variation[j] += by;
      if (const auto own = cotangents_.by_parameters.find(direction.name); own != cotangents_.by_parameters.end())
        gradient.by.back() += own->second;
    }
    gradient.residual = pair_with(start_variation, parameter_variation);
    return gradient;
  }

 private:
  [[nodiscard]] std::size_t place_of_parameter(const std::string& name) const {
    const auto& all = of_.run.facts.parameters;
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const auto& parameter) { return parameter.first == name; }) -
        all.begin());
  }

  [[nodiscard]] double cotangent(std::size_t row, std::size_t c) const {
    return cotangents_.values[row * places_.size() + c];
  }

  /// Lists the rows on which the function depends, in the order of the run.
  void list_stops() {
    const auto& run = of_.run;
    const auto& t = run.columns.front().values;
    const bool ended = t.back() != run.facts.t_end;
    for (std::size_t row = 0; row < t.size(); ++row) {
      Stop stop{row, {}};
      if (ended && row + 1 == t.size()) stop.event = event_at(t.back());
      bool depends = stop.event && cotangents_.by_end != 0;
      for (std::size_t c = 0; c < places_.size(); ++c) depends = depends || cotangent(row, c) != 0;
      if (!depends) continue;
      stop.place = record_.place(t[row], stop.event.has_value());
      stops_.push_back(stop);
    }
  }
  [[nodiscard]] std::optional<std::size_t> event_at(double t) const {
    for (std::size_t e = 0; e < of_.run.events.size(); ++e) {
      const auto& columns = of_.run.events[e].columns;
      const bool here = !columns.front().values.empty() && columns.front().values.back() == t;
      if (of_.simulator.system().events[e].stop && here) return e;
    }
    return std::nullopt;
  }

  [[nodiscard]] Covector zero() const { return {Numbers(states_, 0.0), Numbers(theta_.size(), 0.0), 0}; }

  /// Returns the derivatives of sum_i c_i F_i; `write` sets the c_i.
  template <class Write>
  Covector pulled_back(double t, std::span<const double> y, const Write& write) {
    std::fill(point_.begin(), point_.end(), 0.0);
    std::copy(y.begin(), y.end(), point_.begin());
    write(point_.data() + states_);
    point_.back() = t;
    code_.functions(point_.data(), theta_.data(), values_.data(), work_.data());
    const auto parameters = values_.begin() + static_cast<std::ptrdiff_t>(states_);
    return {{values_.begin(), parameters}, {parameters, values_.end() - 1}, values_.back()};
  }
  Covector of_row(const Stop& stop, double t, std::span<const double> y) {
    return pulled_back(t, y, [&](double* c) {
      for (std::size_t k = 0; k < places_.size(); ++k) c[places_[k]] += cotangent(stop.row, k);
    });
  }

  [[nodiscard]] RunFailed without_derivative(double t) const {
    return {fmt::format("the steps after t = {:.9g} have no derivative: a number is not finite, or accelerations are "
                        "solved for with too small a pivot",
                        t),
            "",
            {}};
  }
  void forward(const AdjointSteps::Step& step, std::span<double> rates, std::span<double> reached) {
    if (!code_.steps.forward(step, rates, reached)) throw without_derivative(step.t);
  }

  /// Adds what a row adds to the cotangents at the boundary before it, whose state is y.
  void take(Stop& stop, std::span<const double> y) {
    const double t = record_.time(stop.place.boundary);
    if (stop.place.beyond == 0) {
      const Covector here = of_row(stop, t, y);
      add(adjoint_.by_y, 1, here.by_y);
      add(adjoint_.by_theta, 1, here.by_theta);
      return;
    }
    const AdjointSteps::Step step{t, stop.place.beyond, y, theta_};
    forward(step, rates_, reached_);
    Covector there = of_row(stop, t + step.h, reached_);
    if (stop.event) let_end_move(stop, step, there);
    code_.steps.backward(step, rates_, there.by_y, there.by_theta);
    add(adjoint_.by_y, 1, there.by_y);
    add(adjoint_.by_theta, 1, there.by_theta);
    if (stop.event) stop.share = std::move(there);
  }

  /// Takes into account that the end of the run, where a function g of the state vanishes, moves: the derivative by the
  /// time of the end, over that of g, times the derivatives of g.
  void let_end_move(const Stop& stop, const AdjointSteps::Step& step, Covector& of_loss) {
    const Covector of_event =
        pulled_back(step.t + step.h, reached_, [&](double* c) { c[code_.columns.size() + *stop.event] = 1; });
    const auto by_time = [&](const Covector& covector) {
      Numbers by_y = covector.by_y;
      Numbers by_theta(theta_.size(), 0.0);
      return covector.by_t + code_.steps.backward(step, rates_, by_y, by_theta);
    };
    const double shift = -(by_time(of_loss) + cotangents_.by_end) / by_time(of_event);
    add(of_loss.by_y, shift, of_event.by_y);
    add(of_loss.by_theta, shift, of_event.by_theta);
  }

  /// Goes back from the end to the start, from one kept state to the one before it, and keeps the cotangents there.
  void go_back() {
    adjoint_ = zero();
    const auto& kept = record_.kept();
    at_kept_.resize(kept.size());
    std::size_t stop = stops_.size();
    Numbers states;
    Numbers rates;
    for (std::size_t c = kept.size(); c-- > 0;) {
      const std::size_t first = kept[c].boundary;
      const bool final = c + 1 == kept.size();
      const std::size_t last = final ? record_.last() : kept[c + 1].boundary;
      states.resize((last - first + 1) * states_);
      rates.resize((last - first) * rates_.size());
      const auto state = [&](std::size_t k) {
        return std::span<double>(states).subspan((k - first) * states_, states_);
      };
      const auto rates_of = [&](std::size_t k) {
        return std::span<double>(rates).subspan((k - first) * rates_.size(), rates_.size());
      };
      const auto step = [&](std::size_t k) {
        return AdjointSteps::Step{record_.time(k), record_.time(k + 1) - record_.time(k), state(k), theta_};
      };
      std::copy(kept[c].state.begin(), kept[c].state.end(), states.begin());
      for (std::size_t k = first; k < last; ++k) forward(step(k), rates_of(k), state(k + 1));
      for (std::size_t k = final ? last + 1 : last; k-- > first;) {
        if (k < last) code_.steps.backward(step(k), rates_of(k), adjoint_.by_y, adjoint_.by_theta);
        for (; stop > 0 && stops_[stop - 1].place.boundary == k; --stop) take(stops_[stop - 1], state(k));
      }
      at_kept_[c] = adjoint_;
    }
  }

  /// Follows a variation from the start, and returns the largest change of its pairing with the adjoint beside the
  /// sizes of its terms. What rows have added up to a time is part of the pairing.
  double pair_with(Numbers start_variation, const Numbers& by_theta) {
    const auto& kept = record_.kept();
    Numbers dy = std::move(start_variation);
    Numbers aside;
    Numbers parameters = theta_;
    parameters.insert(parameters.end(), by_theta.begin(), by_theta.end());
    Numbers point(variation_.functions.variables());
    Numbers values(variation_.functions.outputs());
    Numbers work(variation_.functions.work_size());
    double passed = 0;
    double scale = 0;
    double change = 0;
    std::optional<double> at_start;
    std::size_t stop = 0;
    const auto compare = [&](double pairing, double size) {
      if (!at_start) at_start = pairing;
      change = std::max(change, std::abs(pairing + passed - *at_start));
      scale = std::max(scale, size + std::abs(passed));
    };
    for (std::size_t c = 0; c < kept.size(); ++c) {
      compare(product(at_kept_[c].by_y, dy) + product(at_kept_[c].by_theta, by_theta),
              size_of_product(at_kept_[c].by_y, dy) + size_of_product(at_kept_[c].by_theta, by_theta));
      const std::size_t last = c + 1 < kept.size() ? kept[c + 1].boundary : record_.last();
      Numbers y = kept[c].state;
      for (std::size_t k = kept[c].boundary;; ++k) {
        for (; stop < stops_.size() && stops_[stop].place.boundary == k && (k < last || c + 1 == kept.size()); ++stop) {
          const Stop& here = stops_[stop];
          if (here.event) {
            passed += product(here.share.by_y, dy) + product(here.share.by_theta, by_theta);
            continue;
          }
          aside = dy;
          reached_ = y;
          if (here.place.beyond != 0) vary(k, here.place.beyond, y, parameters, aside);
          std::copy(reached_.begin(), reached_.end(), point.begin());
          std::copy(aside.begin(), aside.end(), point.begin() + static_cast<std::ptrdiff_t>(states_));
          point.back() = record_.time(k) + here.place.beyond;
          variation_.functions(point.data(), parameters.data(), values.data(), work.data());
          for (std::size_t j = 0; j < places_.size(); ++j) passed += cotangent(here.row, j) * values[places_[j]];
        }
        if (k == last) break;
        vary(k, record_.time(k + 1) - record_.time(k), y, parameters, dy);
        y = reached_;
      }
    }
    compare(0, 0);
    return scale > 0 ? change / scale : 0;
  }
  void vary(std::size_t k, double h, const Numbers& y, const Numbers& parameters, Numbers& dy) {
    if (!variation_.steps->step(record_.time(k), h, y, parameters, dy, reached_))
      throw without_derivative(record_.time(k));
  }

  const DifferentiatedRun& of_;
  AdjointCode& code_;
  TangentCode& variation_;
  const Cotangents& cotangents_;
  std::size_t states_;
  StepRecord record_;
  Numbers theta_;
  std::vector<std::size_t> places_;  // of the columns of the cotangents, among those of the code
  std::vector<Stop> stops_;
  Covector adjoint_;               // at the boundary that is reached
  std::vector<Covector> at_kept_;  // at the boundaries whose states are kept
  Numbers rates_;                  // of a step aside
  Numbers reached_;
  Numbers point_;
  Numbers values_;
  Numbers work_;
};

}  // namespace

bool has_adjoint(const DifferentiatedRun& of) {
  using integrate::Ingredient;
  const bool runge_kutta =
      of.method.needs == Ingredient::stepped_motion || of.method.needs == Ingredient::adaptive_motion;
  return runge_kutta && has_tangent(of);
}

Gradient follow_adjoint(const DifferentiatedRun& of, AdjointCode& code, TangentCode& variation,
                        const std::vector<Numbers>& slopes, const Cotangents& cotangents) {
  return AdjointRun(of, code, variation, cotangents)(slopes);
}

}  // namespace herglotz::simulate
