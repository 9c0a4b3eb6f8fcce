#include <fmt/format.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "elementary/fused.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/compile/web.hpp"
#include "llvm/adaptive_emitter.hpp"
#include "llvm/cpu.hpp"
#include "llvm/emitter.hpp"
#include "llvm/lanes.hpp"
#include "llvm/one_loop.hpp"
#include "llvm/runge_kutta_emitter.hpp"
#include "llvm/taylor_emitter.hpp"
#include "tape/analytic_tape.hpp"
#include "tape/stepped_tapes.hpp"
#include "web/layout.hpp"

namespace herglotz::compile {
namespace {

// The page writes these numbers at the places where a loop reads them.
using Control = kernel::AdaptiveLoop::Control;
static_assert(offsetof(Control, local) == 0 && offsetof(Control, t_end) == 8 && offsetof(Control, order) == 16 &&
              offsetof(Control, most_steps) == 24 && offsetof(Control, min_running) == 32 &&
              offsetof(Control, tries) == 40);
using Steps = kernel::RungeKuttaLoop::Steps;
static_assert(offsetof(Steps, t0) == 0 && offsetof(Steps, h) == 8 && offsetof(Steps, first) == 16 &&
              offsetof(Steps, count) == 24 && sizeof(Steps::count) == 8);

constexpr const char* triple = "wasm32-unknown-unknown";
constexpr std::size_t chunk = Options{}.chunk;

std::unique_ptr<llvm::TargetMachine> web_target() {
#ifdef HERGLOTZ_LLVM_WRITES_WEBASSEMBLY
  static const bool initialised = [] {
    LLVMInitializeWebAssemblyTargetInfo();
    LLVMInitializeWebAssemblyTarget();
    LLVMInitializeWebAssemblyTargetMC();
    LLVMInitializeWebAssemblyAsmPrinter();
    return true;
  }();
  std::string error;
  const auto* const known = initialised ? llvm::TargetRegistry::lookupTarget(triple, error) : nullptr;
  if (known != nullptr)
    return std::unique_ptr<llvm::TargetMachine>(known->createTargetMachine(
        triple, "generic", "", {}, llvm::Reloc::Static, std::nullopt, llvm::CodeGenOptLevel::Default));
#endif
  throw CompileError("the LLVM of this program has no WebAssembly target");
}

/// Writes the function `fma` that the code of the target calls where the IR fuses a product and a sum.
void emit_fused(llvm::Module& module) {
  auto& context = module.getContext();
  auto* const number = llvm::Type::getDoubleTy(context);
  auto* const signature = llvm::FunctionType::get(number, {number, number, number}, false);
  auto* const rest = llvm::Function::Create(signature, llvm::Function::ExternalLinkage, "fused_rest", module);
  auto* const f = llvm::Function::Create(signature, llvm::Function::ExternalLinkage, "fma", module);
  f->addFnAttr(llvm::Attribute::NoInline);
  llvm::IRBuilder<> ir(llvm::BasicBlock::Create(context, "", f));
  const Lanes lanes{ir, number};
  auto* const usual = llvm::BasicBlock::Create(context, "", f);
  auto* const rare = llvm::BasicBlock::Create(context, "", f);
  ir.CreateCondBr(fuses_in_range(lanes, f->getArg(0), f->getArg(1), f->getArg(2)), usual, rare);
  ir.SetInsertPoint(usual);
  ir.CreateRet(fused_in_range(lanes, f->getArg(0), f->getArg(1), f->getArg(2)));
  ir.SetInsertPoint(rare);
  auto* const zero = llvm::ConstantFP::get(number, 0.0);
  auto* const product = ir.CreateFMul(f->getArg(0), f->getArg(1));
  auto* const nothing = ir.CreateOr(ir.CreateFCmpOEQ(f->getArg(0), zero), ir.CreateFCmpOEQ(f->getArg(1), zero));
  auto* const vanishes = llvm::BasicBlock::Create(context, "", f);
  auto* const called = llvm::BasicBlock::Create(context, "", f);
  ir.CreateCondBr(nothing, vanishes, called);
  ir.SetInsertPoint(vanishes);
  ir.CreateRet(ir.CreateFAdd(product, f->getArg(2)));
  ir.SetInsertPoint(called);
  ir.CreateRet(ir.CreateCall(rest, {f->getArg(0), f->getArg(1), f->getArg(2)}));
}

/// Writer of the steps of a motion; returns the doubles of scratch that they need.
struct LoopWriter {
  llvm::Module& module;
  const llvm::TargetMachine& target;
  const symbolic::Program& motion;
  const kernel::StateLayout& entries;

  std::size_t operator()(const TaylorSteps&) const {
    const Tape tape = lower(motion);
    if (const auto reason = why_not_analytic(with_outputs(tape, entries.size())); !reason.empty())
      throw CompileError(reason);
    const AnalyticTape with_derivatives = analytic(tape);
    return TaylorEmitter(module, target, with_derivatives, entries, 1, 1).emit_loop(the_loop);
  }
  std::size_t operator()(const kernel::EmbeddedPair& pair) const {
    Tape start = contracted(lower(motion));
    Tape rates = with_outputs(start, entries.size());
    const StageTapes tapes{std::move(start), std::move(rates)};
    return AdaptiveEmitter(module, target, tapes, entries, pair, 1, 1, chunk).emit_loop(the_loop);
  }
  std::size_t operator()(const kernel::ExplicitTableau& tableau) const {
    const SteppedTapes stepped = stepped_tapes(motion, entries, {});
    return RungeKuttaEmitter(module, target, stepped.tapes, entries, tableau, 1, 1, chunk).emit_loop(the_loop);
  }
};

std::string object_of(llvm::Module& module, llvm::TargetMachine& target) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    throw CompileError("LLVM writes no WebAssembly objects");
  passes.run(module);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

WebModule compile_web(const symbolic::Program& motion, const kernel::StateLayout& entries, const WebSteps& steps,
                      std::span<const symbolic::Program> kernels) {
  if (!cpu_has_fma())
    throw CompileError("this processor has no fused multiply-add, so that its runs have other bits than a page's");
  const auto target = web_target();
  llvm::LLVMContext context;
  llvm::Module module("herglotz", context);
  module.setDataLayout(target->createDataLayout());
  module.setTargetTriple(triple);
  emit_fused(module);
  WebModule result;
  result.work = std::visit(LoopWriter{module, *target, motion, entries}, steps);
  std::vector<std::string> exports{the_loop};
  for (const symbolic::Program& program : kernels) {
    const Tape tape = lower(program);
    exports.push_back(fmt::format("kernel{}", exports.size() - 1));
    result.work = std::max(result.work, Emitter(module, *target, tape, 1, 1, chunk).emit(exports.back()));
  }
  LaidOut laid = laid_out(object_of(module, *target), exports);
  result.bytes = std::move(laid.bytes);
  result.data = laid.data;
  return result;
}

}  // namespace herglotz::compile
