#pragma once
/// Machine code of one loop that an emitter writes.

#include <llvm/ExecutionEngine/Orc/Shared/ExecutorAddress.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace herglotz::compile {

/// The name of the function that such an emitter writes.
inline constexpr const char* the_loop = "loop";

struct Generated {
  llvm::orc::ExecutorAddr entry;
  std::shared_ptr<const void> code;  ///< its owner
  std::size_t work;                  ///< doubles of scratch
};

/// Compiles a module whose entry is the function `the_loop`. `emit` writes it and returns the scratch it needs.
Generated generate_one(const std::function<std::size_t(llvm::Module&, const llvm::TargetMachine&)>& emit);

}  // namespace herglotz::compile
