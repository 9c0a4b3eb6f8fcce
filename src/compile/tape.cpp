#include "tape.hpp"

namespace herglotz::compile {

int arity(Code code) {
  switch (code) {
    case Code::constant:
    case Code::variable:
    case Code::parameter:
      return 0;
    case Code::add:
    case Code::subtract:
    case Code::multiply:
    case Code::divide:
    case Code::atan2:
    case Code::pow:
      return 2;
    case Code::select:
      return 4;
    default:
      return 1;
  }
}

std::vector<bool> needed(const Tape& tape, std::size_t outputs) {
  std::vector<bool> need(tape.operations.size());
  for (std::size_t k = 0; k < outputs; ++k) need[tape.outputs[k]] = true;
  for (std::size_t i = need.size(); i-- > 0;) {
    const auto& operation = tape.operations[i];
    if (!need[i]) continue;
    for (int k = 0; k < arity(operation.code); ++k) need[operation.operands[static_cast<std::size_t>(k)]] = true;
  }
  return need;
}

std::vector<bool> varying(const Tape& tape) {
  std::vector<bool> varies(tape.operations.size());
  for (std::size_t i = 0; i < varies.size(); ++i) {
    const auto& operation = tape.operations[i];
    varies[i] = operation.code == Code::variable;
    for (int k = 0; k < arity(operation.code); ++k)
      varies[i] = varies[i] || varies[operation.operands[static_cast<std::size_t>(k)]];
  }
  return varies;
}

std::size_t work_of(const Tape& tape) {
  std::size_t count = 0;
  for (const auto& operation : tape.operations) count += is_leaf(operation.code) ? 0 : 1;
  return count;
}

Tape with_outputs(const Tape& tape, std::size_t outputs) {
  const auto need = needed(tape, outputs);
  Tape result{tape.name, tape.variables, tape.parameters, {}, {}};
  std::vector<std::uint32_t> place(tape.operations.size());
  for (std::size_t i = 0; i < need.size(); ++i) {
    if (!need[i]) continue;
    Operation operation = tape.operations[i];
    for (int k = 0; k < arity(operation.code); ++k) {
      auto& operand = operation.operands[static_cast<std::size_t>(k)];
      operand = place[operand];
    }
    place[i] = static_cast<std::uint32_t>(result.operations.size());
    result.operations.push_back(operation);
  }
  for (std::size_t k = 0; k < outputs; ++k) result.outputs.push_back(place[tape.outputs[k]]);
  return result;
}

}  // namespace herglotz::compile
