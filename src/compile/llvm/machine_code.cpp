#include "llvm/machine_code.hpp"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>
#include <memory>
#include <string>

#include "herglotz/compile/compile.hpp"
#include "llvm/adaptive_emitter.hpp"
#include "llvm/emitter.hpp"
#include "llvm/object_store.hpp"
#include "llvm/one_loop.hpp"
#include "llvm/runge_kutta_emitter.hpp"
#include "llvm/step_loop_emitter.hpp"
#include "llvm/taylor_emitter.hpp"

namespace herglotz::compile {

namespace {

template <class T>
T checked(llvm::Expected<T> result) {
  if (!result) throw CompileError("LLVM: " + llvm::toString(result.takeError()));
  return std::move(*result);
}

void checked(llvm::Error error) {
  if (error) throw CompileError("LLVM: " + llvm::toString(std::move(error)));
}

/// Owner of the machine code of one compilation; kernels share it.
struct MachineCode {
  std::unique_ptr<llvm::TargetMachine> target;
  std::unique_ptr<ObjectStore> objects;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// Returns the level at which code of this number of operations is generated. Level 0 compiles several times faster,
/// but large kernels then run up to 1.4 times slower; level 2 brings no gain. Kernels of large robots are so large that
/// a run would otherwise wait longest for the compiler. No level changes a bit of the results. Code for lanes is for
/// ensembles, which run long.
llvm::CodeGenOptLevel level_for(std::size_t operations, int lanes) {
  constexpr std::size_t many = 40'000;
  return lanes == 1 && operations > many ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Less;
}

/// Returns the builder of code for this machine, which is looked at once.
llvm::orc::JITTargetMachineBuilder for_this_machine() {
  static const bool initialised = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  if (!initialised) throw CompileError("LLVM was built without the target of this machine; install a native LLVM 19");
  static const llvm::orc::JITTargetMachineBuilder builder = checked(llvm::orc::JITTargetMachineBuilder::detectHost());
  return builder;
}

std::shared_ptr<MachineCode> start_jit(llvm::CodeGenOptLevel level) {
  auto builder = for_this_machine();
  builder.setCodeGenOptLevel(level);
  // Constants are placed next to the code, not behind 64-bit addresses.
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.setCodeModel(llvm::CodeModel::Small);
  auto code = std::make_shared<MachineCode>();
  code->target = checked(builder.createTargetMachine());
  auto& target = *code->target;
  code->objects = std::make_unique<ObjectStore>(target);
  auto* const objects = code->objects.get();
  code->jit =
      checked(llvm::orc::LLJITBuilder()
                  .setJITTargetMachineBuilder(std::move(builder))
                  .setDataLayout(target.createDataLayout())
                  .setLinkProcessSymbolsByDefault(false)
                  .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                  .setCompileFunctionCreator(
                      [&target,
                       objects](const auto&) -> llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
                        return std::make_unique<llvm::orc::SimpleCompiler>(target, objects);
                      })
                  .create());
  return code;
}

std::unique_ptr<llvm::Module> new_module(llvm::orc::LLJIT& jit, llvm::LLVMContext& context) {
  auto module = std::make_unique<llvm::Module>("herglotz", context);
  module->setDataLayout(jit.getDataLayout());
  module->setTargetTriple(jit.getTargetTriple().str());
  return module;
}

}  // namespace

Generated generate_one(const std::function<std::size_t(llvm::Module&, const llvm::TargetMachine&)>& emit) {
  auto code = start_jit(llvm::CodeGenOptLevel::Less);
  auto& jit = *code->jit;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = new_module(jit, *context);
  const std::size_t work = emit(*module, *code->target);
  checked(jit.addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  const auto entry = checked(jit.lookup(the_loop));
  return {entry, std::move(code), work};
}

kernel::StepLoop generate_loop(const Tape& tape, std::size_t unread, int lanes) {
  const auto made = generate_one([&](llvm::Module& module, const llvm::TargetMachine& target) {
    StepLoopEmitter(module, target, tape, lanes).emit_loop(the_loop, unread);
    return std::size_t{0};
  });
  const std::size_t sums = tape.outputs.size();
  return {made.entry.toPtr<kernel::StepLoop::Entry>(), made.code, sums, tape.variables - (sums - unread) - 2, lanes};
}

kernel::AdaptiveLoop generate_adaptive(const StageTapes& tapes, const kernel::StateLayout& entries,
                                       const kernel::EmbeddedPair& pair, int lanes, std::size_t chunk) {
  const int all = lanes > 1 ? 2 * lanes : lanes;
  const auto made = generate_one([&](llvm::Module& module, const llvm::TargetMachine& target) {
    return AdaptiveEmitter(module, target, tapes, entries, pair, all, lanes, chunk).emit_loop(the_loop);
  });
  return {made.entry.toPtr<kernel::AdaptiveLoop::Entry>(), made.code, entries, tapes.start.parameters, made.work, all};
}

kernel::RungeKuttaLoop generate_runge_kutta(const StageTapes& tapes, const kernel::StateLayout& entries,
                                            const kernel::ExplicitTableau& tableau, int lanes, std::size_t chunk) {
  const int all = lanes > 1 ? 2 * lanes : lanes;
  const auto made = generate_one([&](llvm::Module& module, const llvm::TargetMachine& target) {
    return RungeKuttaEmitter(module, target, tapes, entries, tableau, all, lanes, chunk).emit_loop(the_loop);
  });
  return {
      made.entry.toPtr<kernel::RungeKuttaLoop::Entry>(), made.code, entries, tapes.start.parameters, made.work, all};
}

kernel::AdaptiveLoop generate_taylor(const AnalyticTape& tape, const kernel::StateLayout& entries, int lanes) {
  int all = lanes;
  const auto made = generate_one([&](llvm::Module& module, const llvm::TargetMachine& target) {
    // With two registers for each lane, the coefficients of many sums would not stay in the nearest cache.
    constexpr std::size_t few = 5;
    const bool twice = lanes > 1 && TaylorEmitter(module, target, tape, entries, lanes, lanes).sums() <= few;
    if (twice) all = 2 * lanes;
    return TaylorEmitter(module, target, tape, entries, all, lanes).emit_loop(the_loop);
  });
  return {made.entry.toPtr<kernel::AdaptiveLoop::Entry>(), made.code, entries, tape.tape.parameters, made.work, all};
}

std::vector<kernel::Kernel> generate(std::span<const Tape> tapes, int lanes, std::size_t chunk) {
  std::size_t operations = 0;
  for (const Tape& tape : tapes) operations += tape.operations.size();
  const auto code = start_jit(level_for(operations, lanes));
  auto& jit = *code->jit;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = new_module(jit, *context);
  std::vector<std::size_t> work;
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    work.push_back(Emitter(*module, *code->target, tapes[i], lanes, lanes, chunk).emit(fmt::format("kernel{}", i)));
  }
  checked(jit.addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  std::vector<kernel::Kernel> kernels;
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    const auto& tape = tapes[i];
    const auto entry = checked(jit.lookup(fmt::format("kernel{}", i))).toPtr<kernel::Kernel::Entry>();
    kernels.emplace_back(tape.name, entry, code, tape.variables, tape.parameters, tape.outputs.size(), work[i], lanes);
  }
  return kernels;
}

}  // namespace herglotz::compile
