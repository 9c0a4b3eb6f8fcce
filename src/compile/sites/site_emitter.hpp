#pragma once
/// The LLVM IR of a kernel::SiteLoop.

#include <string>
#include <vector>

#include "herglotz/compile/sites.hpp"
#include "llvm/emitter.hpp"

namespace herglotz::compile {

/// Emitter of passes over sites, in blocks of kernel::SiteLoop::block. The tape is that of the program's values.
class SiteEmitter : public Emitter {
 public:
  SiteEmitter(llvm::Module& module, const llvm::TargetMachine& target, const Tape& tape, const SiteProgram& program,
              int width);

  /// Emits void (context, arrays, scalars, sums, range).
  void emit_loop(const std::string& name);

 private:
  /// Emits a loop over the blocks that begin before `end`, the first at `begin`; returns the end of the last block.
  template <class Body>
  Value* emit_blocks(Value* begin, Value* end, const Body& body);
  /// Emits one phase at the block that begins at the site `at`. Sites from `last` on are not written.
  void emit_phase(std::size_t phase, Value* at, bool partly);
  Value* place(std::size_t array, Value* at, std::int64_t offset);
  Value* field(std::size_t offset);
  void write(const SiteWrite& how, Value* value, Value* at, bool partly);

  const SiteProgram& program_;
  std::vector<std::size_t> first_output_;    // of each phase, then the number of outputs
  std::vector<std::vector<bool>> of_phase_;  // the operations that a phase needs
  std::vector<Value*> arrays_;
  Value* sites_ = nullptr;  // 0, 1, .., block - 1
  Value* last_ = nullptr;
  Value* inside_first_ = nullptr;
  Value* inside_last_ = nullptr;
  std::size_t chunks_ = 0;
};

}  // namespace herglotz::compile
