#include "switches/pulses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "herglotz/compile/compile.hpp"
#include "herglotz/integrate/numerics/find_zero.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::simulate {

using symbolic::Expr;
using symbolic::Op;

namespace {

constexpr std::size_t values_along = 1000;  // of a run
constexpr double farthest = 0.5;            // distance from a pulse at which steps end, as a share of the run
constexpr double vanished = 40;             // e^-40 is below the rounding of what the pulse adds to
constexpr double width = 1;                 // change of log(height), or of the argument of a step, over its width
constexpr int halvings = 60;                // of the run, which resolve any pulse that the numbers of time resolve

/// Returns the width of a pulse that is short, as a share of the run. Steps at rest are as long as the run, or end at
/// rows. The nodes of `reference` leave out 0.27 of a step; exp(-(t/w)^2) is above 1e-10 for 10 w. A Taylor polynomial
/// reads the motion at the start of its step alone, where a pulse may be below the least number.
double longest_of(const integrate::MethodInfo& method) {
  return method.needs == integrate::Requirement::taylor_motion ? 0.2 : 0.03;
}

}  // namespace

struct Pulses::Functions {
  std::vector<Expr> outputs;  // for each function what is 0 at its place, and its size
  std::vector<Shape> shapes;

  explicit Functions(const mechanics::System& system) : t(system.t) {
    std::vector<Expr> roots = system.forces;
    roots.push_back(system.generator);
    roots.insert(roots.end(), system.constraints.equations.begin(), system.constraints.equations.end());
    symbolic::Graph& graph = system.graph();
    // Nodes are values of time and parameters alone, or are not, as their children are.
    std::vector<Expr> known{t};
    for (const auto& parameter : system.parameters) known.push_back(parameter.symbol);
    const auto order = graph.reachable(roots);
    std::vector<bool> plain(std::size_t{*std::max_element(order.begin(), order.end())} + 1);
    for (const symbolic::NodeId id : order) {
      const Expr f(graph, id);
      plain[id] = f.op() == Op::symbol ? std::find(known.begin(), known.end(), f) != known.end() : f.op() != Op::table;
      for (std::size_t i = 0; i < f.arity() && plain[id]; ++i) plain[id] = plain[f.child(i).id()];
      if (plain[id] && symbolic::depends_on(f, t)) take(f);
    }
  }

 private:
  void take(const Expr& f) {
    switch (f.op()) {
      case Op::exp:
        return add(Shape::peak, derivative(f.child(0), t), f.child(0));
      case Op::pow:
        if (!f.child(1).is_number() || !(f.child(1).value() < 0)) return;
        return add(Shape::peak, derivative(f.child(0), t), f.child(1) * log(abs(f.child(0))));
      case Op::tanh:
      case Op::atan:
        return add(Shape::step, f.child(0), -abs(f.child(0)));
      case Op::sign:
        return compare(f.child(0));
      case Op::select:
        return compare(f.child(0) - f.child(1));
      default:
        return;
    }
  }
  void compare(const Expr& u) {
    if (!symbolic::depends_on(u, t)) return;
    add(Shape::comparison, derivative(u, t), u);
    add(Shape::instant, u, u);
  }
  void add(Shape shape, const Expr& zero, const Expr& size) {
    if (zero.is_number()) return;  // u is linear in time, and has no extremum
    shapes.push_back(shape);
    outputs.insert(outputs.end(), {zero, size});
  }

  Expr t;
};

Pulses::Pulses(const mechanics::System& system) {
  Functions functions(system);
  if (functions.shapes.empty()) return;
  shapes_ = std::move(functions.shapes);
  symbolic::Program program;
  program.name = "pulses";
  program.graph = system.algebroid.graph;
  program.variables = {system.t};
  for (const auto& parameter : system.parameters) {
    program.parameters.push_back(parameter.symbol);
    depends_.push_back(std::any_of(functions.outputs.begin(), functions.outputs.end(),
                                   [&](const Expr& output) { return symbolic::depends_on(output, parameter.symbol); }));
  }
  program.outputs = std::move(functions.outputs);
  kernel_ = compile::compile(program, {.backend = compile::Backend::interpreter});
}

/// Search for the pulses of one run.
class Pulses::Search {
 public:
  Search(const kernel::Kernel& kernel, std::span<const double> parameters, double t0, double t_end, double longest)
      : kernel_(kernel),
        parameters_(parameters),
        low_(std::min(t0, t_end)),
        duration_(std::abs(t_end - t0)),
        longest_(longest * duration_),
        out_(kernel.outputs()),
        work_(kernel.work_size()) {}

  /// Finds the pulses of these functions.
  void run(const std::vector<Shape>& shapes) {
    std::vector<double> before(shapes.size(), std::numeric_limits<double>::quiet_NaN());
    std::vector<double> since(shapes.size(), low_);
    for (std::size_t k = 0; k <= values_along; ++k) {
      const double t = low_ + duration_ * static_cast<double>(k) / values_along;
      evaluate(t);
      const std::vector<double> now = out_;
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        const double value = now[2 * i];
        if (!(std::abs(value) > 0)) continue;  // the next value says whether the sign changes
        if (before[i] * value < 0) found(shapes[i], i, zero_of(i, since[i], before[i], t, value));
        before[i] = value;
        since[i] = t;
      }
    }
    std::sort(instants_.begin(), instants_.end());
    for (std::size_t k = 1; k < instants_.size(); ++k)
      if (instants_[k] - instants_[k - 1] < longest_) times_.push_back(std::midpoint(instants_[k - 1], instants_[k]));
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    std::erase_if(times_, [&](double t) { return t <= low_ || t >= low_ + duration_; });
  }
  /// Times in ascending order at which steps are to end.
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  /// Maxima with a width below `longest`.
  [[nodiscard]] const std::vector<Peak>& peaks() const { return peaks_; }

 private:
  void evaluate(double t) { kernel_(&t, parameters_.data(), out_.data(), work_.data()); }
  double output(std::size_t k, double t) {
    evaluate(t);
    return out_[k];
  }
  double zero_of(std::size_t i, double a, double at_a, double b, double at_b) {
    const double resolution = std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b));
    return integrate::find_zero([&](double t) { return output(2 * i, t); }, a, at_a, b, at_b, resolution);
  }

  void found(Shape shape, std::size_t i, double place) {
    const double size = output(2 * i + 1, place);
    if (!std::isfinite(size)) return;
    if (shape == Shape::instant) return instants_.push_back(place);
    if (shape == Shape::comparison) return compared(i, place, size);
    std::vector<double> around;
    double narrow = longest_;  // distance at which the height has fallen by e
    for (const double side : {-1.0, 1.0}) {
      // Distances fall from a twentieth of the run; what a height has fallen by is known from far to near.
      for (int k = 0; k <= halvings; ++k) {
        const double distance = std::ldexp(farthest * duration_, -k);
        const double t = place + side * distance;
        if (t == place) break;
        const double fall = size - output(2 * i + 1, t);
        if (!(fall > 0)) continue;
        if (fall >= width && distance < narrow) narrow = distance;
        // The next distance out is the first one where the pulse has vanished.
        const bool beyond = size - output(2 * i + 1, place + side * distance / 2) >= vanished;
        if (!beyond) around.push_back(t);
        if (fall < width) break;
      }
    }
    if (!(narrow < longest_)) return;
    if (shape == Shape::peak) peaks_.push_back({place, width_at(i, place, size, narrow)});
    times_.push_back(place);
    times_.insert(times_.end(), around.begin(), around.end());
  }

  /// Returns the distance from a maximum at which its logarithm has fallen by 1, which is between `out` and half of it.
  double width_at(std::size_t i, double place, double size, double out) {
    const auto excess = [&](double distance) {
      return std::max(size - output(2 * i + 1, place + distance), size - output(2 * i + 1, place - distance)) - width;
    };
    const double in = out / 2;
    const double at_in = excess(in);
    const double at_out = excess(out);
    if (!(at_in < 0 && at_out > 0) || !std::isfinite(at_in) || !std::isfinite(at_out)) return out;
    return integrate::find_zero(excess, in, at_in, out, at_out, 1e-3 * out);
  }

  /// Enters the extremum of a difference u that has another sign at it than shortly before and after it.
  void compared(std::size_t i, double place, double size) {
    for (const double side : {-1.0, 1.0}) {
      const double beside = output(2 * i + 1, place + side * longest_);
      if ((beside > 0) == (size > 0)) return;
    }
    times_.push_back(place);
  }

  const kernel::Kernel& kernel_;
  std::span<const double> parameters_;
  double low_;
  double duration_;
  double longest_;
  std::vector<double> out_, work_, times_, instants_;
  std::vector<Peak> peaks_;
};

std::vector<double> Pulses::times(const integrate::Settings& settings, std::span<const double> parameters,
                                  double t0) const {
  const integrate::MethodInfo& method = *integrate::find_method(settings.method);
  if (empty() || !method.adaptive || t0 == settings.t_end) return {};
  Search search(kernel_, parameters, t0, settings.t_end, longest_of(method));
  search.run(shapes_);
  return search.times();
}

std::optional<Pulses::Peak> Pulses::between_steps(const integrate::Settings& settings,
                                                  std::span<const double> parameters, double t0) const {
  if (empty() || integrate::find_method(settings.method)->adaptive || t0 == settings.t_end) return {};
  Search search(kernel_, parameters, t0, settings.t_end, std::abs(settings.step / (settings.t_end - t0)) / 2);
  search.run(shapes_);
  const auto narrower = [](const Peak& one, const Peak& other) { return one.width < other.width; };
  const auto found = std::min_element(search.peaks().begin(), search.peaks().end(), narrower);
  return found == search.peaks().end() ? std::nullopt : std::optional(*found);
}

std::string Pulses::note(const Peak& peak, const integrate::Settings& settings) {
  return fmt::format(
      "a force or Lagrangian has a pulse at t = {:.6g} that is {:.1g} wide, and steps of {:.3g} may go over it: "
      "only a step of at most {:.1g}, or a method that chooses its steps, knows of it",
      peak.place, peak.width, std::abs(settings.step), peak.width);
}

void Pulses::enter(integrate::Settings& settings, std::span<const double> parameters, double t0) const {
  for (const double t : times(settings, parameters, t0)) settings.breaks.push_back({t, false});
  std::stable_sort(settings.breaks.begin(), settings.breaks.end(),
                   [](const auto& a, const auto& b) { return a.t < b.t; });
}

}  // namespace herglotz::simulate
