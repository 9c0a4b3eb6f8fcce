#pragma once
/// The arithmetic of all lanes, for the elementary functions: every operation writes an instruction.

#include <llvm/IR/IRBuilder.h>

#include <cmath>
#include <cstdint>

#include "llvm/cpu.hpp"

namespace herglotz::compile {

struct Lanes {
  using Number = llvm::Value*;
  using Whole = llvm::Value*;
  using Mask = llvm::Value*;
  llvm::IRBuilder<>& ir;
  llvm::Type* type;  ///< of a Number

  [[nodiscard]] Number constant(double value) const { return llvm::ConstantFP::get(type, value); }
  [[nodiscard]] Number add(Number a, Number b) const { return ir.CreateFAdd(a, b); }
  [[nodiscard]] Number subtract(Number a, Number b) const { return ir.CreateFSub(a, b); }
  [[nodiscard]] Number multiply(Number a, Number b) const { return ir.CreateFMul(a, b); }
  [[nodiscard]] Number divide(Number a, Number b) const { return ir.CreateFDiv(a, b); }
  [[nodiscard]] Number negate(Number a) const { return ir.CreateFNeg(a); }
  [[nodiscard]] Number square_root(Number a) const { return ir.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a); }
  [[nodiscard]] Number magnitude(Number a) const { return ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a); }
  /// Emits a b + c, rounded once. A processor that cannot do this has one lane, and calls the function of the C
  /// library.
  [[nodiscard]] Number fused(Number a, Number b, Number c) const {
    if (cpu_has_fma()) return ir.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a, b, c});
    const auto address = reinterpret_cast<std::uintptr_t>(static_cast<double (*)(double, double, double)>(std::fma));
    auto* const callee = ir.CreateIntToPtr(ir.getInt64(address), ir.getPtrTy());
    return ir.CreateCall(llvm::FunctionType::get(type, {type, type, type}, false), callee, {a, b, c});
  }
  [[nodiscard]] Mask greater(Number a, Number b) const { return ir.CreateFCmpOGT(a, b); }
  [[nodiscard]] Mask equal(Number a, Number b) const { return ir.CreateFCmpOEQ(a, b); }
  [[nodiscard]] Mask unordered(Number a, Number b) const { return ir.CreateFCmpUNO(a, b); }
  [[nodiscard]] Mask all(Mask a, Mask b) const { return ir.CreateAnd(a, b); }
  [[nodiscard]] Number choose(Mask where, Number a, Number b) const { return ir.CreateSelect(where, a, b); }
  [[nodiscard]] Whole whole(std::uint64_t value) const { return llvm::ConstantInt::get(whole_type(), value); }
  [[nodiscard]] Whole bits(Number a) const { return ir.CreateBitCast(a, whole_type()); }
  [[nodiscard]] Number number(Whole n) const { return ir.CreateBitCast(n, type); }
  [[nodiscard]] Whole plus(Whole a, Whole b) const { return ir.CreateAdd(a, b); }
  [[nodiscard]] Whole minus(Whole a, Whole b) const { return ir.CreateSub(a, b); }
  [[nodiscard]] Whole both(Whole a, Whole b) const { return ir.CreateAnd(a, b); }
  [[nodiscard]] Whole either(Whole a, Whole b) const { return ir.CreateOr(a, b); }
  [[nodiscard]] Whole exclusive_or(Whole a, Whole b) const { return ir.CreateXor(a, b); }
  [[nodiscard]] Whole left(Whole n, std::uint64_t places) const { return ir.CreateShl(n, whole(places)); }
  [[nodiscard]] Whole right(Whole n, std::uint64_t places) const { return ir.CreateLShr(n, whole(places)); }
  /// Emits a mask of the lanes in which the highest bit of n is set.
  [[nodiscard]] Mask is_negative(Whole n) const { return ir.CreateICmpSLT(n, whole(0)); }
  /// Emits a with the opposite sign if the highest bit of n is set.
  [[nodiscard]] Number flipped(Number a, Whole n) const {
    constexpr std::uint64_t highest = 1ULL << 63U;
    return number(exclusive_or(bits(a), both(n, whole(highest))));
  }

 private:
  [[nodiscard]] llvm::Type* whole_type() const { return type->getWithNewType(ir.getInt64Ty()); }
};

}  // namespace herglotz::compile
