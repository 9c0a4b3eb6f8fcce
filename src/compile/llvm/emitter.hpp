#pragma once
/// The LLVM IR of a tape.

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tape/tape.hpp"

namespace herglotz::compile {

/// Emitter that writes a tape into a module: as a function with its arrays in memory, or as values inside a function
/// that a derived class writes. Functions of libraries are called with `width` lanes; `lanes` is a multiple of `width`.
class Emitter {
 public:
  Emitter(llvm::Module& module, const llvm::TargetMachine& target, const Tape& tape, int lanes, int width,
          std::size_t chunk);

  /// Emits an entry function of that name, and the chunks that it calls if there are more than one. Returns the doubles
  /// of scratch the code needs.
  std::size_t emit(const std::string& name);

  /// Writes elementary functions in place if there are few, instead of calling functions of the module. Must be called
  /// first. The code is a third faster if the tape is written once; each function takes about 2 ms to generate.
  void repeat_few_functions();

 protected:
  using Index = std::uint32_t;
  using Value = llvm::Value;
  using Pair = std::pair<Value*, Value*>;

  /// Cuts the tape into chunks, and gives every value used in a later chunk a slot of the work buffer.
  void plan();
  llvm::Function* function(const std::string& name, llvm::Function::LinkageTypes linkage);
  llvm::BasicBlock* block();

  void remember(std::size_t i, Value* value) {
    values_[i] = value;
    known_in_[i] = chunk_now_;
  }
  /// Emits, before a loop, the values that depend on parameters alone; they are valid in all chunks.
  void emit_fixed();
  Value* get(std::size_t i);
  Value* compute(const Operation& operation);

  Value* address(unsigned argument, std::size_t entry);
  Value* load(unsigned argument, std::size_t entry);
  void store(Value* value, unsigned argument, std::size_t entry);
  /// Emits a b + c, rounded once. Only processors with fused multiply-add may run it.
  Value* fused(Value* a, Value* b, Value* c);
  Value* constant(double value) { return llvm::ConstantFP::get(type_, value); }
  /// Emits a vector with this number in every lane.
  Value* everywhere(Value* scalar) { return lanes_ == 1 ? scalar : ir_.CreateVectorSplat(lanes_, scalar); }

  static constexpr auto nowhere = std::numeric_limits<std::size_t>::max();
  /// The index of a chunk whose values are valid in all other chunks.
  static constexpr auto anywhere = nowhere - 1;

  llvm::Module& module_;
  const llvm::TargetMachine& target_;
  const Tape& tape_;
  unsigned lanes_;
  unsigned width_;
  std::size_t chunk_;
  llvm::IRBuilder<> ir_;
  llvm::Type* scalar_;
  llvm::Type* type_;
  llvm::PointerType* pointer_;

  llvm::Function* current_ = nullptr;
  std::size_t chunk_now_ = 0;
  std::vector<Value*> values_;
  std::vector<std::size_t> known_in_;  // the chunk in which values_[i] is valid
  std::map<Index, Pair> pairs_;        // sine and cosine of an operation, in this chunk
  std::vector<Value*> bound_;          // the variables, if they are values and not in memory

 private:
  void set_attributes(llvm::Function& f);
  /// An operation that is stored as an output.
  struct Store {
    Index source;
    std::size_t output;
  };
  /// Outputs that follow one another and are constants.
  struct Constants {
    std::size_t first;
    std::vector<double> values;
  };
  /// Removes long runs of constants from `copies_` and returns them: most entries of the matrices of large systems.
  std::vector<Constants> take_constants();
  /// Emits a loop for each run. The code does not grow with the lengths of the runs.
  void emit_constants(llvm::Function& f, std::span<const Constants> runs);
  /// Emits the operations of a chunk, then stores of leaves.
  void emit_chunk(std::size_t chunk, llvm::Function& f, std::span<const Store> copies);
  void emit_calls(llvm::Function& entry, std::span<llvm::Function* const> chunks);
  Value* sign(Value* a);
  /// Emits the number of the piece of a table at t, and an entry of a row of a table.
  Value* piece(const symbolic::Table& table, Value* t);
  Value* entry(const symbolic::Table& table, std::size_t row, Value* piece);
  /// Returns the row as a constant of the module, and emits the doubles at places in it.
  Value* row_of(const symbolic::Table& table, std::size_t row);
  Value* gathered(Value* row, Value* places);
  Value* function_value(Code code, Value* x, Value* y);
  Pair sine_and_cosine_of(Index argument);
  /// Returns the function of the module for a code. That for sine and cosine has both as its result.
  llvm::Function* function_of_module(Code code);
  /// Emits a branch if an argument is far from zero or NaN. Returns the values found near zero, or those that
  /// `far_from` emits for the mask of the lanes concerned.
  std::vector<Value*> unless_far(Value* argument, const std::vector<Value*>& near,
                                 const std::function<std::vector<Value*>(Value* far)>& far_from);
  /// Emits calls of SLEEF's functions for every lane, or NaN where the code runs without that library.
  Value* called_tangent(Value* of);
  Pair called_sine_and_cosine(Value* of);
  llvm::CallInst* call_width(Code code, llvm::Type* result, const std::vector<Value*>& arguments);
  Pair joint_in_registers(Value* argument);
  Pair joint_in_memory(Value* argument);
  /// `part` extracts part k of `width` lanes; `joined` joins such parts to all lanes.
  Value* part(Value* all, unsigned k);
  Value* joined(const std::vector<Value*>& parts);

  llvm::Type* width_type_;
  std::vector<std::size_t> first_;                // the first operation of each chunk, then the end of the tape
  std::vector<std::size_t> slot_;                 // the slot of each operation's value in the work buffer
  std::vector<std::vector<std::size_t>> stores_;  // the outputs that each operation is stored to, except for leaves
  std::vector<Store> copies_;                     // the outputs that are leaves; most of them are zeros of matrices
  std::size_t functions_ = 0;                     // the number of functions emitted for chunks so far
  std::size_t slots_ = 0;
  llvm::AllocaInst* joint_result_ = nullptr;
  bool functions_in_place_ = false;
  bool has_far_functions_;  // whether SLEEF's functions of far arguments can be called
};

}  // namespace herglotz::compile
