#include "sensitivity/pieces/tangent_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/integrate/collocation.hpp"
#include "herglotz/mechanics/tangent.hpp"
#include "herglotz/sensitivity/implicit_steps.hpp"
#include "herglotz/sensitivity/projected_steps.hpp"
#include "herglotz/symbolic/matrix.hpp"
#include "sensitivity/pieces/repetition.hpp"

namespace herglotz::simulate {
namespace {

/// Returns the number of lanes for this number of directions.
int lanes_for(std::size_t directions) {
  const int most = compile::native_lanes();
  return directions == 1 ? 1 : most;
}

std::unique_ptr<sensitivity::TangentSteps> taylor_steps(const Simulator& inside, const compile::Options& options,
                                                        int order) {
  const auto tangent =
      mechanics::tangent_motion(inside.system(), inside.equations(), mechanics::EliminationOrder::in_order);
  const std::size_t size = 2 * tangent.states;
  kernel::AdaptiveLoop loop =
      compile::compile_taylor(tangent.program, {{0, size, size, size, size}, false, 0, tangent.checks}, options);
  if (!loop) throw Refused("this machine has no fused multiply-add, which Taylor polynomials need");
  return sensitivity::taylor_tangent(std::move(loop), order);
}

/// Returns the loop with as many lanes as the options have, or an empty one. Loops of short programs have twice the
/// lanes that they are compiled with.
kernel::RungeKuttaLoop loop_of(const mechanics::TangentMotion& tangent, const kernel::ExplicitTableau& tableau,
                               const compile::Options& options) {
  const std::size_t size = 2 * tangent.states;
  for (const int lanes : {options.lanes, options.lanes / 2}) {
    if (lanes != 1 && lanes != 4 && lanes != 8) continue;
    compile::Options how = options;
    how.lanes = lanes;
    auto loop = compile::compile_runge_kutta(tangent.program, {{0, size, size, size, size}, false, 0, tangent.checks},
                                             tableau, how);
    if (loop && loop.lanes() == options.lanes) return loop;
  }
  return {};
}

kernel::ExplicitTableau tableau_of(const integrate::MethodInfo& method) {
  return method.adaptive ? static_cast<kernel::ExplicitTableau>(integrate::reference_pair())
                         : integrate::runge_kutta_tableau(method.order);
}

std::unique_ptr<sensitivity::TangentSteps> runge_kutta_steps(const Simulator& inside, const compile::Options& options,
                                                             const integrate::MethodInfo& method) {
  const auto tangent =
      mechanics::tangent_motion(inside.system(), inside.equations(), mechanics::EliminationOrder::exchanging);
  kernel::ExplicitTableau tableau = tableau_of(method);
  kernel::RungeKuttaLoop loop;
  if (!method.adaptive) loop = loop_of(tangent, tableau, options);
  return sensitivity::runge_kutta_tangent(compile::compile(tangent.program, options), std::move(tableau),
                                          tangent.states, std::move(loop));
}

sensitivity::ImplicitTableau tableau_of(const integrate::CollocationMethod& rule) {
  using enum integrate::CollocationMethod::Nodes;
  return rule.nodes == radau     ? sensitivity::radau_tableau()
         : rule.nodes == lobatto ? sensitivity::lobatto_tableau(rule.stages)
                                 : sensitivity::gauss_tableau(rule.stages);
}

sensitivity::ImplicitForm form_of(const Simulator& inside, const integrate::CollocationMethod& rule, int lanes = 1) {
  compile::Options options;
  options.lanes = lanes;
  const auto motion = rule.nodes == integrate::CollocationMethod::Nodes::radau
                          ? mechanics::direct_motion(inside.system(), inside.equations())
                          : mechanics::lifted_motion(inside.system(), inside.equations());
  return {compile::compile(motion.program, options),
          motion.row,
          motion.col,
          motion.states,
          motion.start,
          motion.of_second_table};
}

std::unique_ptr<sensitivity::TangentSteps> steps_of(const DifferentiatedRun& of, const Simulator& law,
                                                    const compile::Options& options) {
  if (const auto rule = integrate::collocation_of(of.method))
    return sensitivity::implicit_tangent(form_of(law, *rule), tableau_of(*rule), of.directions.size());
  if (of.method.needs == integrate::Requirement::taylor_motion) return taylor_steps(law, options, of.run.facts.order);
  return runge_kutta_steps(law, options, of.method);
}

/// Returns the equations of the projection with which the steps of a law end that has constraints, or that switches
/// hold.
std::optional<sensitivity::ProjectionForm> projection_of(const DifferentiatedRun& of, const Simulator& law) {
  if (law.equations().m() == 0) return std::nullopt;
  if (integrate::collocation_of(of.method))
    throw Refused(
        fmt::format("a run of {} in which a switch or friction holds the motion is not differentiated", of.method.name),
        "choose reference, taylor or runge-kutta-<n>", "method");
  compile::Options alone;
  alone.lanes = 1;
  const auto projection = mechanics::constraint_projection(law.system(), law.equations());
  return sensitivity::ProjectionForm{compile::compile(projection.program, alone),
                                     projection.row,
                                     projection.col,
                                     projection.states,
                                     projection.first,
                                     projection.replaced,
                                     projection.others};
}

std::unique_ptr<sensitivity::AdjointSteps> adjoint_steps_of(const DifferentiatedRun& of, const Simulator& law,
                                                            const compile::Options& options) {
  if (const auto rule = integrate::collocation_of(of.method))
    return sensitivity::implicit_adjoint(form_of(law, *rule), tableau_of(*rule));
  const auto adjoint = mechanics::adjoint_motion(law.system(), law.equations());
  return sensitivity::runge_kutta_adjoint(compile::compile(adjoint.motion, options),
                                          compile::compile(adjoint.program, options), tableau_of(of.method),
                                          adjoint.states);
}

/// Returns the functions of TangentCode for pieces of a law, and writes the names of the columns. These are the same
/// for all laws; events are those of the law.
std::vector<symbolic::Expr> functions_of(const DifferentiatedRun& of, const Simulator& law,
                                         std::vector<std::string>& columns) {
  const Simulator& inside = of.law;
  std::vector<symbolic::Expr> functions;
  const auto take = [&](std::string_view name, const symbolic::Expr& value) {
    columns.emplace_back(name);
    functions.push_back(value);
  };
  const auto& q = inside.equations();
  for (auto it = q.u.begin(); it != q.u.end() - 1; ++it) take(it->name(), *it);
  if (mechanics::eliminates_inside(inside.system(), q))
    for (const symbolic::Expr& lambda : q.l) take(lambda.name(), lambda);
  for (const auto& one : inside.laws()) take(mechanics::law_columns(one.kind, one.name)[0], one.quantity);
  const auto observed = mechanics::observables_program(inside.system(), q).outputs;
  for (std::size_t k = 0; k < observed.size(); ++k) take(inside.system().observables[k].name, observed[k]);
  const auto take_all = [&](const std::vector<symbolic::Expr>& values) {
    functions.insert(functions.end(), values.begin(), values.end());
  };
  take_all(mechanics::events_program(law.system(), law.equations()).outputs);
  const auto& events = inside.system().events;
  const bool impacts = std::any_of(events.begin(), events.end(), [](const auto& event) { return event.impact; });
  if (impacts) take_all(q.W.entries);
  return functions;
}

/// Returns what `compile` returns. Throws the reason by which the method is not differentiated if there is no code.
template <class Compile>
auto compiled(const DifferentiatedRun& of, const Compile& compile) {
  try {
    return compile();
  } catch (const symbolic::SingularMatrix&) {
    throw Refused(
        fmt::format(
            "method {} cannot be differentiated here: accelerations are solved for with exchanges of rows, which "
            "have no straight-line code",
            of.method.name),
        "", "method");
  } catch (const compile::CompileError& error) {
    throw Refused(fmt::format("method {} cannot be differentiated here: {}", of.method.name, error.what()),
                  of.method.needs == integrate::Requirement::taylor_motion ? "choose reference" : "", "method");
  }
}

}  // namespace

TangentCode tangent_code(const DifferentiatedRun& of, const mechanics::Holds& holds) {
  return compiled(of, [&] {
    const Simulator& law = of.law_of(holds);
    compile::Options options;
    options.lanes = lanes_for(of.directions.size());
    TangentCode code;
    auto form = projection_of(of, law);
    code.steps = steps_of(of, law, options);
    if (form) code.steps = sensitivity::projected_tangent(std::move(code.steps), std::move(*form));
    const auto functions = functions_of(of, law, code.columns);
    options.lanes = 1;
    code.functions = compile::compile(mechanics::tangent_functions(law.system(), law.equations(), functions), options);
    return code;
  });
}

std::unique_ptr<sensitivity::StepMaps> step_maps(const DifferentiatedRun& of) {
  const auto rule = integrate::collocation_of(of.method);
  if (!rule || has_polynomial(of) || of.law.equations().u.size() - 1 > sensitivity::most_states_of_maps) return nullptr;
  return compiled(of, [&] {
    return sensitivity::implicit_maps(form_of(of.law, *rule, compile::native_lanes()), tableau_of(*rule));
  });
}

AdjointCode adjoint_code(const DifferentiatedRun& of, const mechanics::Holds& holds) {
  return compiled(of, [&] {
    const Simulator& law = of.law_of(holds);
    compile::Options options;
    options.lanes = 1;
    AdjointCode code;
    auto form = projection_of(of, law);
    code.steps = adjoint_steps_of(of, law, options);
    if (form) code.steps = sensitivity::projected_adjoint(std::move(code.steps), std::move(*form));
    const auto functions = functions_of(of, law, code.columns);
    code.functions = compile::compile(mechanics::adjoint_functions(law.system(), law.equations(), functions), options);
    return code;
  });
}

}  // namespace herglotz::simulate
