#include "llvm/lane_loop_emitter.hpp"

#include <llvm/IR/Intrinsics.h>

#include <cstddef>
#include <limits>

#include "herglotz/kernel/least_size.hpp"

namespace herglotz::compile {

namespace {

using kernel::LaneState;
using Control = kernel::AdaptiveLoop::Control;

constexpr double least_check = 1e-7;
constexpr double most_tiny_steps = 20;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

LaneLoopEmitter::LaneLoopEmitter(llvm::Module& module, const llvm::TargetMachine& target, const Tape& tape,
                                 const kernel::StateLayout& entries, int lanes, int width, std::size_t chunk)
    : Emitter(module, target, tape, lanes, width, chunk),
      entries_(entries),
      rows_(entries),
      size_(entries.size()),
      scales_(entries.laws),
      checks_(entries.checks),
      y_(size_),
      weights_(size_),
      lately_(entries.bounds[kernel::StateLayout::groups]) {}

llvm::BasicBlock* LaneLoopEmitter::begin(const std::string& name) {
  plan();
  current_ = function(name, llvm::Function::ExternalLinkage);
  current_->getArg(1)->removeAttr(llvm::Attribute::ReadOnly);
  return block();
}

void LaneLoopEmitter::emit_controls() {
  local_ = everywhere(control(offsetof(Control, local), scalar_));
  t_end_ = everywhere(control(offsetof(Control, t_end), scalar_));
  most_steps_ = everywhere(control(offsetof(Control, most_steps), scalar_));
  auto* const tries = ir_.CreateAlloca(ir_.getInt64Ty());
  tries->setAlignment(whole_page());
  tries_left_ = tries;
  ir_.CreateStore(control(offsetof(Control, tries), ir_.getInt64Ty()), tries_left_);
}

void LaneLoopEmitter::emit_lane() {
  for (std::size_t e = 0; e < size_; ++e) y_[e] = row(rows_.y(e));
  t_ = row(rows_.t());
  running_ = state_is(LaneState::running);
}

/// Emits the condition that ends a call.
llvm::Value* LaneLoopEmitter::leaves() {
  auto* const still = how_many(state_is(LaneState::running));
  auto* const index = ir_.getInt64Ty();
  auto* const enough = ir_.CreateICmpULE(still, control(offsetof(Control, min_running), index));
  auto* const left = ir_.CreateSub(ir_.CreateLoad(index, tries_left_), ir_.getInt64(1));
  ir_.CreateStore(left, tries_left_);
  return ir_.CreateOr(enough, ir_.CreateICmpEQ(left, ir_.getInt64(0)));
}

void LaneLoopEmitter::emit_move(Value* accepted, const Values& reached, const Values& lost, Value* t, Value* h) {
  for (std::size_t e = 0; e < size_; ++e) {
    set_row(rows_.y(e), ir_.CreateSelect(accepted, reached[e], y_[e]));
    set_row(rows_.lost(e), ir_.CreateSelect(accepted, lost[e], row(rows_.lost(e))));
  }
  for (std::size_t e = 0; e < lately_.size(); ++e)
    set_row(rows_.recent_magnitude(e), ir_.CreateSelect(accepted, lately_[e], row(rows_.recent_magnitude(e))));
  set_row(rows_.t(), t);
  set_row(rows_.last(), ir_.CreateSelect(accepted, h, row(rows_.last())));
}

void LaneLoopEmitter::emit_soundness(const Values& slopes) {
  Value* zero = constant(0.0);
  for (auto* const slope : slopes) zero = fused(slope, constant(0.0), zero);
  defined_ = ir_.CreateFCmpOLE(zero, constant(0.0));
  for (auto* const check : checks_) {
    auto* const size = magnitude(check);
    auto* const sound = ir_.CreateAnd(ir_.CreateFCmpOGT(size, constant(least_check)),
                                      ir_.CreateFCmpOLT(size, constant(1 / least_check)));
    defined_ = ir_.CreateAnd(defined_, sound);
  }
}

void LaneLoopEmitter::emit_weights() {
  Value* largest = constant(0.0);
  Values group;
  for (std::size_t g = 0; g < kernel::StateLayout::groups; ++g) {
    group.push_back(row(rows_.group(g)));
    for (std::size_t e = entries_.bounds[g]; e < entries_.bounds[g + 1]; ++e)
      group[g] = larger(magnitude(y_[e]), group[g]);
    if (entries_.bounds[g] == entries_.bounds[g + 1]) continue;
    set_row(rows_.group(g), group[g]);
    largest = larger(group[g], largest);
  }
  auto* const somewhere = ir_.CreateFCmpOGT(largest, constant(kernel::least_size));
  auto* const whole = ir_.CreateSelect(somewhere, largest, constant(1.0));
  auto* const state_floor = ir_.CreateFMul(constant(kernel::ErrorShares::state), whole);
  const auto put = [&](std::size_t e, Value* size, Value* floor) {
    weights_[e] = ir_.CreateFDiv(constant(1.0), ir_.CreateFMul(local_, ir_.CreateFAdd(size, floor)));
  };
  for (std::size_t g = 0; g < kernel::StateLayout::groups; ++g) {
    if (entries_.bounds[g] == entries_.bounds[g + 1]) continue;
    auto* const some = larger(ir_.CreateFMul(constant(kernel::ErrorShares::group), group[g]), state_floor);
    auto* const floor = ir_.CreateSelect(somewhere, some, constant(1.0));
    for (std::size_t e = entries_.bounds[g]; e < entries_.bounds[g + 1]; ++e) {
      lately_[e] =
          larger(magnitude(y_[e]), ir_.CreateFMul(constant(kernel::ErrorShares::fade), row(rows_.recent_magnitude(e))));
      put(e, lately_[e], floor);
    }
  }
  std::size_t e = entries_.bounds[kernel::StateLayout::groups];
  if (entries_.factor) {
    put(e, magnitude(y_[e]), constant(1.0));
    ++e;
  }
  for (std::size_t k = 0; k < entries_.laws; ++k) {
    auto* const known = row(rows_.law(k));
    auto* const scale = magnitude(scales_[k]);
    auto* const finite = ir_.CreateFCmpOLT(scale, constant(std::numeric_limits<double>::infinity()));
    auto* const law = ir_.CreateSelect(finite, larger(scale, known), known);
    set_row(rows_.law(k), law);
    auto* const share = ir_.CreateSelect(ir_.CreateFCmpOGT(law, constant(0.0)),
                                         ir_.CreateFMul(constant(kernel::ErrorShares::group), law), constant(1.0));
    put(e, magnitude(y_[e]), larger(share, state_floor));
    ++e;
  }
}

void LaneLoopEmitter::emit_verdict(Value* accepted, Value* defined, Value* reaches, Value* next, Value* t) {
  const auto count = [&](std::size_t at, Value* where) {
    set_row(at, ir_.CreateFAdd(row(at), ir_.CreateSelect(where, constant(1.0), constant(0.0))));
  };
  count(rows_.steps(), accepted);
  count(rows_.tries(), ir_.CreateAnd(running_, defined_));
  // A tiny first step that grows is not a breakdown; several tiny steps in a row are.
  auto* const resolution = ir_.CreateFMul(constant(4 * epsilon), magnitude(t));
  auto* const tiny = ir_.CreateAnd(ir_.CreateAnd(accepted, ir_.CreateNot(reaches)),
                                   ir_.CreateFCmpOLT(magnitude(row(rows_.last())), resolution));
  auto* const so_far = row(rows_.tiny());
  auto* const in_a_row = ir_.CreateSelect(tiny, ir_.CreateFAdd(so_far, constant(1.0)), constant(0.0));
  auto* const tiny_steps = ir_.CreateSelect(accepted, in_a_row, so_far);
  set_row(rows_.tiny(), tiny_steps);
  auto* const left = ir_.CreateFMul(constant(1e-20), magnitude(ir_.CreateFSub(row(rows_.t_stop()), t)));
  auto* const least = ir_.CreateFAdd(resolution, left);
  auto* const stuck = ir_.CreateAnd(ir_.CreateNot(accepted), ir_.CreateFCmpOLE(magnitude(next), least));

  Value* state = constant(static_cast<double>(LaneState::running));
  const auto where = [&](Value* mask, LaneState what) {
    state = ir_.CreateSelect(mask, constant(static_cast<double>(what)), state);
  };
  where(ir_.CreateFCmpOGE(row(rows_.steps()), most_steps_), LaneState::step_limit);
  where(ir_.CreateFCmpOGT(tiny_steps, constant(most_tiny_steps)), LaneState::step_underflow);
  where(stuck, LaneState::step_too_small);
  where(ir_.CreateAnd(stuck, ir_.CreateNot(defined)), LaneState::step_too_small_undefined);
  where(ir_.CreateNot(defined_), LaneState::undefined);
  where(ir_.CreateAnd(accepted, reaches), LaneState::arrived);
  set_row(rows_.state(), ir_.CreateSelect(running_, state, row(rows_.state())));
}

llvm::Value* LaneLoopEmitter::control(std::size_t offset, llvm::Type* type) {
  auto* const at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), current_->getArg(3), offset);
  return ir_.CreateAlignedLoad(type, at, llvm::Align(8));
}

llvm::Value* LaneLoopEmitter::magnitude(Value* a) {
  return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
}

/// Emits a if it is larger than b, else b; a NaN in a gives b.
llvm::Value* LaneLoopEmitter::larger(Value* a, Value* b) {
  return ir_.CreateSelect(ir_.CreateFCmpOGT(a, b), a, b);
}

llvm::Value* LaneLoopEmitter::smaller(Value* a, Value* b) {
  return ir_.CreateSelect(ir_.CreateFCmpOLT(a, b), a, b);
}

llvm::Value* LaneLoopEmitter::root(Value* a) {
  return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
}

llvm::Value* LaneLoopEmitter::state_is(LaneState state) {
  return ir_.CreateFCmpOEQ(row(rows_.state()), constant(static_cast<double>(state)));
}

/// Emits one bit for every lane.
llvm::Value* LaneLoopEmitter::bits(Value* mask) {
  return lanes_ == 1 ? mask : ir_.CreateBitCast(mask, ir_.getIntNTy(lanes_));
}

llvm::Value* LaneLoopEmitter::any(Value* mask) {
  auto* const all = bits(mask);
  return ir_.CreateICmpNE(all, llvm::ConstantInt::get(all->getType(), 0));
}

llvm::Value* LaneLoopEmitter::how_many(Value* mask) {
  auto* const all = ir_.CreateZExt(bits(mask), ir_.getInt64Ty());
  return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, all);
}

}  // namespace herglotz::compile
