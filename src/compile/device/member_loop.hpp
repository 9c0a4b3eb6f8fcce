#pragma once
/// Loops of emitters that become functions for the threads of a device.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/kernel/embedded_pair.hpp"
#include "tape/analytic_tape.hpp"
#include "tape/stepped_tapes.hpp"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace herglotz::compile {

/// Loop of an emitter, and what a function around it has to know.
struct MemberLoop {
  /// Writes the function `name` with the arguments (context, rows, parameters, control, work) for one lane. Returns the
  /// doubles of scratch that it needs.
  std::function<std::size_t(llvm::Module& module, const llvm::TargetMachine& target, const std::string& name)> emit;
  std::size_t rows = 0;        ///< of a run
  std::size_t parameters = 0;  ///< of a run
  std::vector<bool> control;   ///< fields of the control, each of 64 bits: true for a whole number, false for a double
  std::size_t marked_row = 0;  ///< row that says that the run needed a function that a device does not have
  double mark = 0;             ///< value of that row then
  std::optional<std::size_t> steps;  ///< whole field of the control that is added to the last row once they are taken
  std::size_t operations = 0;        ///< of all stages, if they are written out one after the other
};

/// Returns the loop of RungeKuttaLoop::Steps. The tapes and the tableau must outlive it.
MemberLoop stepped_loop(const SteppedTapes& stepped, const kernel::ExplicitTableau& tableau);
/// Returns the loop of kernel::StepLoop for a step of this number of substeps; see kernel::DeviceLoop. The tape must
/// outlive it.
MemberLoop composed_loop(const Tape& step, std::size_t unread, std::size_t substeps);
/// Returns the loop of AdaptiveLoop::Control. The tapes, entries and the pair must outlive it.
MemberLoop adaptive_loop(const StageTapes& tapes, const kernel::StateLayout& entries, const kernel::EmbeddedPair& pair);
/// Returns the loop of AdaptiveLoop::Control for Taylor polynomials. The tape and the entries must outlive it.
MemberLoop taylor_loop(const AnalyticTape& tape, const kernel::StateLayout& entries);

/// Origin of the number of a run.
enum class RunNumber {
  argument,  ///< the last argument of the function
  thread,    ///< the number of the thread, on a card
  listed     ///< the entry of a list at the number of the thread, on a card
};

}  // namespace herglotz::compile
