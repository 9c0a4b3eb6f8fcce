#pragma once
/// What the code of every kernel::AdaptiveLoop has in common.

#include <vector>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "llvm/emitter.hpp"

namespace herglotz::compile {

/// Numbers of lanes are values; what lasts from step to step is in the rows of kernel::AdaptiveRows.
class LaneLoopEmitter : public Emitter {
 public:
  LaneLoopEmitter(llvm::Module& module, const llvm::TargetMachine& target, const Tape& tape,
                  const kernel::LoopEntries& entries, int lanes, int width, std::size_t chunk);

 protected:
  using Values = std::vector<Value*>;

  /// Starts the function; gives its first block.
  llvm::BasicBlock* begin(const std::string& name);
  void emit_controls();
  /// What depends on parameters alone, once and for all.
  void emit_fixed();
  /// y, t, and which lanes run.
  void emit_lane();
  void emit_weights();
  /// Where y' is finite and its checks are sound; to be called with the scales and checks at hand.
  void emit_soundness(const Values& slopes);
  /// To `reached` with the sums' low-order parts `lost`, at time t by a step h, where that is accepted.
  void emit_move(Value* accepted, const Values& reached, const Values& lost, Value* t, Value* h);
  /// Counts the try, and sets the states of the lanes.
  void emit_verdict(Value* accepted, Value* defined, Value* reaches, Value* next, Value* t);
  Value* leaves();

  /// The alignment of a frame whose addresses differ from those of other data by the same last 12 bits in every run:
  /// loads wait for stores where these are equal, which would cost up to a third of the speed by chance.
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

  kernel::LoopEntries entries_;
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
  Value* defined_ = nullptr;  // f is finite at y
  Values weights_;
  Values lately_;

 private:
  Value* how_many(Value* mask);
  Value* bits(Value* mask);

  Value* tries_left_ = nullptr;  // its place
};

}  // namespace herglotz::compile
