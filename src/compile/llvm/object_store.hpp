#pragma once
/// Objects of modules that this process has compiled before.

#include <llvm/ExecutionEngine/ObjectCache.h>

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace herglotz::compile {

/// Gives the compiler the object of an equal module that was compiled before for the same target at the same level, and
/// keeps the object of a new module. Methods share kernels, and models are run again with other numbers, while the code
/// generator takes most of the time from a text to its first step. One store serves one module. Objects of all stores
/// are kept together until they fill 64 MiB; the one that was asked for longest ago then gives way first. Modules hold
/// addresses of functions, so that their objects are of no use to another process.
class ObjectStore final : public llvm::ObjectCache {
 public:
  explicit ObjectStore(const llvm::TargetMachine& target);

  std::unique_ptr<llvm::MemoryBuffer> getObject(const llvm::Module* module) override;
  void notifyObjectCompiled(const llvm::Module* module, llvm::MemoryBufferRef object) override;

 private:
  std::string target_;  ///< what the code depends on besides the module
  std::string key_;     ///< of the module that is being compiled; code generation changes the module itself
};

}  // namespace herglotz::compile
