#include <fmt/format.h>

#include "herglotz/error.hpp"
#include "herglotz/integrate/lane_samples.hpp"
#include "herglotz/integrate/numerics/composition.hpp"
#include "herglotz/mechanics/derivation.hpp"
#include "herglotz/mechanics/derive/simple_motion.hpp"
#include "prepare/requirements.hpp"

namespace herglotz::simulate {
namespace {

const mechanics::MotionProgram& motion_of(const BuildContext& context) {
  auto& motion = context.forms.motion;
  if (!motion) motion = mechanics::motion_program(context.system, context.equations, context.laws);
  return *motion;
}

/// Returns the motion that steps of one size and Taylor polynomials follow. With constraints its rates stay as they
/// were derived, because what is held at rest then stays there exactly.
const mechanics::MotionProgram& simple_motion_of(const BuildContext& context) {
  auto& motion = context.forms.simple_motion;
  if (motion) return *motion;
  const auto& derived = motion_of(context);
  // What was derived before must not decide how sums are put together.
  mechanics::begin_derivation(context.system, context.equations, context.laws);
  motion = context.equations.m() == 0 ? mechanics::simplified(derived) : derived;
  return *motion;
}

/// Returns the motion with the entries that its steps carry, but without compiled code.
integrate::CompiledLoops carried(const mechanics::MotionProgram& motion, const integrate::Dynamics& dynamics) {
  const std::size_t z = dynamics.n + dynamics.r;
  integrate::CompiledLoops carried;
  carried.entries = {{0, dynamics.n, z, z + 1, dynamics.dimension()}, motion.factor, motion.laws.size(), motion.checks};
  carried.laws = motion.laws;
  return carried;
}

/// Returns the entries that steps of one size carry if not all columns are wanted.
std::vector<std::size_t> kept_entries(const BuildContext& context, const integrate::CompiledLoops& motion) {
  if (context.wanted.empty()) return {};
  std::vector<bool> wanted = context.wanted;
  wanted.resize(motion.entries.size(), false);
  return mechanics::needed_entries(simple_motion_of(context), std::move(wanted));
}

/// Builds the compiled motion, or leaves it empty if it cannot be compiled: if there are too many accelerations, or
/// if solving for them needs exchanges of rows. Such a motion is followed step by step.
template <class Motion, class Compile>
void build_where_compiled(const BuildContext& context, integrate::Dynamics& dynamics, Motion motion_to_follow,
                          Compile compile) {
  try {
    const mechanics::MotionProgram& motion = motion_to_follow(context);
    auto carries = carried(motion, dynamics);
    compile(motion.program, carries);
    dynamics.motion = std::move(carries);
  } catch (const Refused&) {
    return;
  }
}

}  // namespace

void build_adaptive_loop(const BuildContext& context, integrate::Dynamics& dynamics) {
  build_where_compiled(
      context, dynamics, motion_of, [&](const symbolic::Program& program, integrate::CompiledLoops& motion) {
        motion.adaptive =
            compile::compile_adaptive(program, motion.entries, integrate::reference_pair(), context.options);
      });
}

void build_stepped_loop(const BuildContext& context, int order, integrate::Dynamics& dynamics) {
  build_where_compiled(
      context, dynamics, simple_motion_of, [&](const symbolic::Program& program, integrate::CompiledLoops& motion) {
        motion.kept = kept_entries(context, motion);
        motion.steps = compile::compile_runge_kutta(program, motion.entries, integrate::runge_kutta_tableau(order),
                                                    context.options, motion.kept);
      });
}

void require_for_device(const compile::Device& device, const integrate::MethodInfo& method,
                        const integrate::Dynamics& dynamics, const integrate::Settings& settings, bool plain) {
  const auto refuse = [&](const std::string& problem) {
    throw Refused(fmt::format("device {} does not follow this ensemble: {}", device.info().name, problem),
                  "leave out the device, or choose auto", "device");
  };
  if (!integrate::runs_on_device(method, dynamics))
    refuse(fmt::format(
        "it has the methods runge-kutta-4, runge-kutta-8, reference, taylor, contact-splitting-2 to 8 and, where its "
        "steps are explicit, contact-lobatto-2, and the method is {}",
        method.name));
  if (method.adaptive && !integrate::at_known_times(settings))
    refuse("rows are due every few steps, and an adaptive method chooses its steps");
  if (dynamics.m > 0) refuse("there are constraints");
  if (!settings.breaks.empty()) refuse("there are inputs whose pieces meet during a run");
  if (!plain)
    refuse(
        "a start is more than values of the state, or there are events, switches, friction, a time scale, volumes or "
        "axioms to "
        "check");
}

integrate::DeviceMotion device_motion(const BuildContext& context, const integrate::MethodInfo& method,
                                      const compile::Device& device, const integrate::Dynamics& dynamics) {
  using integrate::Requirement;
  integrate::DeviceMotion result;
  if (const auto form = context.forms.steps.find(method.needs); form != context.forms.steps.end()) {
    result.loop =
        device.compile_composition(form->second.step, 1, integrate::symmetric_composition(method.order).size());
    return result;
  }
  mechanics::begin_derivation(context.system, context.equations, context.laws);
  const mechanics::MotionProgram* motion = nullptr;
  try {
    motion = method.needs == Requirement::adaptive_motion ? &motion_of(context) : &simple_motion_of(context);
  } catch (const Refused& reason) {
    throw Refused(fmt::format("its accelerations are not a list of operations: {}", reason.problem()),
                  "run this ensemble without a device", "device");
  }
  result.motion = carried(*motion, dynamics);
  if (method.needs == Requirement::adaptive_motion) {
    result.motion.adaptive =
        device.compile_adaptive(motion->program, result.motion.entries, integrate::reference_pair());
  } else if (method.needs == Requirement::taylor_motion) {
    result.motion.adaptive = device.compile_taylor(motion->program, result.motion.entries);
  } else {
    result.motion.kept = kept_entries(context, result.motion);
    result.loop = device.compile(motion->program, result.motion.entries, integrate::runge_kutta_tableau(method.order),
                                 result.motion.kept);
  }
  return result;
}

void build_taylor_loop(const BuildContext& context, integrate::Dynamics& dynamics) {
  const auto refuse = [](const std::string& why) { return Refused(why, "choose reference"); };
  try {
    const auto& motion = simple_motion_of(context);
    dynamics.motion = carried(motion, dynamics);
    dynamics.motion.adaptive = compile::compile_taylor(motion.program, dynamics.motion.entries, context.options);
  } catch (const compile::CompileError& error) {
    throw refuse(error.what());
  } catch (const symbolic::SingularMatrix&) {
    throw refuse("its accelerations are solved for with exchanges of rows, which have no Taylor polynomial");
  } catch (const Refused& error) {
    throw refuse(error.what());
  }
  if (!dynamics.motion.adaptive)
    throw refuse(
        "Taylor polynomials are made by machine code with fused multiply-add, and this machine or its interpreter has "
        "none");
}

}  // namespace herglotz::simulate
