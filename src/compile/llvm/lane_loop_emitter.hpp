#pragma once
/// Code that every kernel::AdaptiveLoop has.

#include <vector>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "llvm/emitter.hpp"

namespace herglotz::compile {

/// Emitter of loops over steps. The numbers of all lanes are values; state that lasts from step to step is in the rows
/// of kernel::AdaptiveRows.
class LaneLoopEmitter : public Emitter {
 public:
  LaneLoopEmitter(llvm::Module& module, const llvm::TargetMachine& target, const Tape& tape,
                  const kernel::StateLayout& entries, int lanes, int width, std::size_t chunk);

 protected:
  using Values = std::vector<Value*>;

  /// Starts the function and returns its first block.
  llvm::BasicBlock* begin(const std::string& name);
  void emit_controls();
  /// Emits y, t and the mask of running lanes.
  void emit_lane();
  void emit_weights();
  /// Emits the mask of lanes in which y' is finite and its checks are sound. The scales and checks must be known
  /// before.
  void emit_soundness(const Values& slopes);
  /// Moves accepted lanes to `reached` with the low-order parts `lost` of the sums, at time t after a step h.
  void emit_move(Value* accepted, const Values& reached, const Values& lost, Value* t, Value* h);
  /// Counts the try, and sets the states of the lanes.
  void emit_verdict(Value* accepted, Value* defined, Value* reaches, Value* next, Value* t);
  Value* leaves();

  /// Returns the alignment of a frame. With it the last 12 bits of its addresses differ from those of other data in the
  /// same way in every run: loads wait for stores whose last 12 bits are equal, which could cost up to a third of the
  /// speed.
  static llvm::Align whole_page() { return llvm::Align(4096); }
  Value* row(std::size_t i) { return load(1, i); }
  void set_row(std::size_t i, Value* value) { store(value, 1, i); }
  Value* control(std::size_t offset, llvm::Type* type);
  Value* magnitude(Value* a);
  Value* larger(Value* a, Value* b);
  Value* smaller(Value* a, Value* b);
  Value* root(Value* a);
  Value* state_is(kernel::LaneState state);
  Value* any(Value* mask);

  kernel::StateLayout entries_;
  kernel::AdaptiveRows rows_;
  std::size_t size_;
  Values scales_;
  Values checks_;
  Value* local_ = nullptr;
  Value* t_end_ = nullptr;
  Value* most_steps_ = nullptr;
  Values y_;
  Value* t_ = nullptr;
  Value* running_ = nullptr;
  Value* defined_ = nullptr;  // lanes in which f is finite at y
  Values weights_;
  Values lately_;

 private:
  Value* how_many(Value* mask);
  Value* bits(Value* mask);

  Value* tries_left_ = nullptr;  // its address
};

}  // namespace herglotz::compile
