#include "device/member_loop.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <limits>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "herglotz/kernel/step_loop.hpp"
#include "llvm/adaptive_emitter.hpp"
#include "llvm/runge_kutta_emitter.hpp"
#include "llvm/step_loop_emitter.hpp"
#include "llvm/taylor_emitter.hpp"

namespace herglotz::compile {

namespace {

using Steps = kernel::RungeKuttaLoop::Steps;
using Composed = kernel::StepLoop::Steps;

constexpr auto in_one_function = std::numeric_limits<int>::max();

/// Returns the operations of a tape with those that its functions consist of.
std::size_t operations_of(const Tape& tape) {
  constexpr std::size_t of_a_function = 40;
  std::size_t count = work_of(tape);
  for (const auto& operation : tape.operations) count += is_function(operation.code) ? of_a_function : 0;
  return count;
}

/// Returns a loop over steps of one size, without its code.
MemberLoop fixed_steps(std::size_t sums, std::size_t parameters) {
  static_assert(sizeof(Steps) == 4 * sizeof(double));
  MemberLoop loop;
  loop.rows = 2 * sums + 2;
  loop.parameters = parameters;
  loop.control = {false, false, true, true};
  loop.marked_row = loop.rows - 2;
  loop.mark = 1;
  loop.steps = offsetof(Steps, count) / sizeof(std::uint64_t);
  return loop;
}

/// Returns a loop over adaptive steps, without its code.
MemberLoop adaptive_steps(const kernel::StateLayout& entries, std::size_t parameters) {
  static_assert(sizeof(kernel::AdaptiveLoop::Control) == 6 * sizeof(double));
  const kernel::AdaptiveRows rows(entries);
  MemberLoop loop;
  loop.rows = rows.count();
  loop.parameters = parameters;
  loop.control = {false, false, true, false, true, true};
  loop.marked_row = rows.state();
  loop.mark = static_cast<double>(kernel::LaneState::undefined);
  return loop;
}

/// Writes the function `name` with the arguments (context, rows, parameters, steps, work), which calls the loop of a
/// StepLoop. The substeps come behind the parameters of the tape.
void emit_composed(llvm::Module& module, const std::string& name, llvm::Function& loop, std::size_t parameters,
                   std::size_t substeps) {
  static_assert(offsetof(Composed, t0) == offsetof(Steps, t0) && offsetof(Composed, h) == offsetof(Steps, h) &&
                offsetof(Composed, first) == offsetof(Steps, first) &&
                offsetof(Composed, count) == offsetof(Steps, count) && offsetof(Composed, substeps) == sizeof(Steps));
  auto* const f = llvm::Function::Create(loop.getFunctionType(), llvm::Function::ExternalLinkage, name, module);
  llvm::IRBuilder<> ir(llvm::BasicBlock::Create(module.getContext(), "", f));
  auto* const field = ir.getInt64Ty();
  auto* const steps = ir.CreateAlloca(field, ir.getInt64(sizeof(Composed) / sizeof(std::uint64_t)));
  const auto at = [&](llvm::Value* memory, std::size_t i) { return ir.CreateConstInBoundsGEP1_64(field, memory, i); };
  constexpr std::size_t fields = sizeof(Steps) / sizeof(std::uint64_t);
  for (std::size_t i = 0; i < fields; ++i) ir.CreateStore(ir.CreateLoad(field, at(f->getArg(3), i)), at(steps, i));
  ir.CreateStore(ir.getInt64(substeps), at(steps, fields));
  auto* const table = ir.CreateConstInBoundsGEP1_64(ir.getDoubleTy(), f->getArg(2), parameters);
  ir.CreateCall(&loop, {f->getArg(0), f->getArg(1), f->getArg(2), table, steps});
  ir.CreateRetVoid();
}

}  // namespace

MemberLoop stepped_loop(const SteppedTapes& stepped, const kernel::ExplicitTableau& tableau) {
  MemberLoop loop = fixed_steps(stepped.carried.size(), stepped.tapes.start.parameters);
  loop.emit = [&](llvm::Module& module, const llvm::TargetMachine& target, const std::string& name) {
    return RungeKuttaEmitter(module, target, stepped.tapes, stepped.carried, tableau, 1, 1, in_one_function)
        .emit_loop(name);
  };
  loop.operations = operations_of(stepped.tapes.rates) * tableau.stages();
  return loop;
}

MemberLoop composed_loop(const Tape& step, std::size_t unread, std::size_t substeps) {
  const std::size_t sums = step.outputs.size();
  const std::size_t of_substep = step.variables - (sums - unread);  // its time, size and constants
  MemberLoop loop = fixed_steps(sums, step.parameters + substeps * of_substep);
  loop.emit = [&step, unread, substeps](llvm::Module& module, const llvm::TargetMachine& target,
                                        const std::string& name) {
    const std::string inner = name + ".substeps";
    StepLoopEmitter(module, target, step, 1).emit_loop(inner, unread);
    emit_composed(module, name, *module.getFunction(inner), step.parameters, substeps);
    return std::size_t{0};
  };
  loop.operations = operations_of(step);
  return loop;
}

MemberLoop adaptive_loop(const StageTapes& tapes, const kernel::StateLayout& entries,
                         const kernel::EmbeddedPair& pair) {
  MemberLoop loop = adaptive_steps(entries, tapes.start.parameters);
  loop.emit = [&](llvm::Module& module, const llvm::TargetMachine& target, const std::string& name) {
    return AdaptiveEmitter(module, target, tapes, entries, pair, 1, 1, in_one_function).emit_loop(name);
  };
  loop.operations = operations_of(tapes.rates) * pair.stages();
  return loop;
}

MemberLoop taylor_loop(const AnalyticTape& tape, const kernel::StateLayout& entries) {
  MemberLoop loop = adaptive_steps(entries, tape.tape.parameters);
  loop.emit = [&](llvm::Module& module, const llvm::TargetMachine& target, const std::string& name) {
    return TaylorEmitter(module, target, tape, entries, 1, 1).emit_loop(name);
  };
  loop.operations = operations_of(tape.tape);
  return loop;
}

}  // namespace herglotz::compile
