#include "tape/tape.hpp"

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
    case Code::fused_add:
    case Code::fused_subtract:
    case Code::fused_from:
      return 3;
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
  Tape result{tape.name, tape.variables, tape.parameters, {}, {}, tape.tables};
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

namespace {

/// Counts how often each operation is an operand or an output.
std::vector<std::size_t> uses_of(const Tape& tape) {
  std::vector<std::size_t> uses(tape.operations.size());
  for (const auto& operation : tape.operations)
    for (int k = 0; k < arity(operation.code); ++k) ++uses[operation.operands[static_cast<std::size_t>(k)]];
  for (const auto output : tape.outputs) ++uses[output];
  return uses;
}

}  // namespace

Tape contracted(const Tape& tape) {
  const auto uses = uses_of(tape);
  const auto varies = varying(tape);
  Tape result = tape;
  for (auto& operation : result.operations) {
    if (operation.code != Code::add && operation.code != Code::subtract) continue;
    const auto [first, second, c, d] = operation.operands;
    // Products of parameters alone are not fused: loops compute them before their first step.
    const auto joins = [&](std::uint32_t i) {
      return tape.operations[i].code == Code::multiply && uses[i] == 1 && varies[i];
    };
    if (joins(second)) {
      const auto& product = tape.operations[second].operands;
      operation.code = operation.code == Code::add ? Code::fused_add : Code::fused_from;
      operation.operands = {product[0], product[1], first};
    } else if (joins(first)) {
      const auto& product = tape.operations[first].operands;
      operation.code = operation.code == Code::add ? Code::fused_add : Code::fused_subtract;
      operation.operands = {product[0], product[1], second};
    }
  }
  return with_outputs(result, result.outputs.size());
}

}  // namespace herglotz::compile
