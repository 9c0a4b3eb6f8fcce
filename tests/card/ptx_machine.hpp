#pragma once
/// A processor for the text of PTX: it runs the threads of a card one after the other, with the card's arithmetic.
///
/// NVIDIA, Parallel Thread Execution ISA, version 6.3, has the meaning of each instruction. The machine knows those
/// that our code for cards consists of; text with any other is refused.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace herglotz::card {

/// Text that is not PTX of this machine, or a thread that leaves its memory.
class PtxError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Memory that threads may read and write.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t size = 0;
};

struct Thread;
struct Instruction;
using Action = void (*)(Thread& thread, const Instruction& instruction);

/// Instruction with places in the registers of a thread for its operands. Constants have registers too.
struct Instruction {
  Action action = nullptr;
  std::uint32_t guard = 0;     ///< register of a condition
  bool wanted = true;          ///< the instruction runs if the condition is this
  std::uint32_t to = 0;        ///< result, or the target of a branch
  std::uint32_t from[3] = {};  ///< operands
  std::int64_t offset = 0;     ///< of an address
  std::uint32_t bytes = 0;     ///< size of what is loaded or stored
};

/// The entry of a module.
class PtxEntry {
 public:
  /// Throws PtxError with the line that it does not know.
  explicit PtxEntry(const std::string& text);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t parameters() const { return parameters_.size(); }
  /// Runs all threads of the blocks. `arguments` has the address of each argument. Throws PtxError if a thread reads or
  /// writes outside of `memory` and of its own.
  void run(unsigned blocks, unsigned threads, void* const* arguments, std::span<const Range> memory) const;

 private:
  struct Parameter {
    std::size_t bytes = 0;
    std::uint32_t place = 0;
  };

  void read_header(std::string_view header);
  void read_body(std::string_view body);
  void read_statement(std::string_view statement);
  std::uint32_t operand(std::string_view text);
  /// Reads `[register+offset]` or `[parameter]` and returns its register.
  std::uint32_t address(std::string_view text, std::int64_t& offset);
  std::uint32_t place_of(std::string_view name);

  std::string name_;
  std::vector<Parameter> parameters_;
  std::vector<Instruction> code_;
  std::vector<std::pair<std::size_t, std::string>> branches_;  // and the labels that they go to
  std::unordered_map<std::string, std::uint32_t> places_;
  std::unordered_map<std::string, std::uint32_t> labels_;
  std::vector<std::uint64_t> first_;  // values of constants; the other registers are 0
  std::size_t own_bytes_ = 0;         // memory of a thread
};

}  // namespace herglotz::card
