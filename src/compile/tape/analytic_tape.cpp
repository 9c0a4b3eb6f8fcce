#include "tape/analytic_tape.hpp"

#include <fmt/format.h>

#include "herglotz/compile/compile.hpp"
#include "tape/tape_builder.hpp"

namespace herglotz::compile {

namespace {

class Analytic {
 public:
  explicit Analytic(const Tape& given) : given_(given), build_(result_.tape) {
    result_.tape.name = given.name;
    result_.tape.variables = given.variables;
    result_.tape.parameters = given.parameters;
    result_.tape.tables = given.tables;
  }

  AnalyticTape run() && {
    std::vector<Index> place;
    for (const Operation& operation : given_.operations) {
      auto moved = operation.operands;
      for (int k = 0; k < arity(operation.code); ++k) {
        auto& operand = moved[static_cast<std::size_t>(k)];
        operand = place[operand];
      }
      place.push_back(operation.code == Code::constant
                          ? build_.constant(operation.value)
                          : build_.emit(operation.code, moved[0], moved[1], moved[2], moved[3]));
    }
    for (const auto output : given_.outputs) result_.tape.outputs.push_back(place[output]);
    // Factors contain functions too, and the factors of these functions are in the tape as well.
    for (Index i = 0; i < result_.tape.operations.size(); ++i) {
      const Operation operation = result_.tape.operations[i];
      std::vector<Derivative> changes;
      if (is_function(operation.code) && build_.varies(i))
        for (const auto& change : changes_of(operation, i))
          if (build_.varies(change.operand)) changes.push_back(change);
      result_.changes.push_back(std::move(changes));
    }
    return std::move(result_);
  }

 private:
  Index one() { return build_.constant(1); }
  Index square(Index a) { return build_.emit(Code::multiply, a, a); }
  Index plus(Index a, Index b) { return build_.emit(Code::add, a, b); }
  Index minus(Index a, Index b) { return build_.emit(Code::subtract, a, b); }
  Index negative(Index a) { return build_.emit(Code::negate, a); }
  Index quotient(Index a, Index b) { return build_.emit(Code::divide, a, b); }
  Index product(Index a, Index b) { return build_.emit(Code::multiply, a, b); }

  std::vector<Derivative> changes_of(const Operation& operation, Index value) {
    const Index a = operation.operands[0];
    const Index b = operation.operands[1];
    switch (operation.code) {
      case Code::exp:
        return {{a, value}};
      case Code::log:
        return {{a, quotient(one(), a)}};
      case Code::sin:
        return {{a, build_.emit(Code::cos, a)}};
      case Code::cos:
        return {{a, negative(build_.emit(Code::sin, a))}};
      case Code::tan:
        return {{a, plus(one(), square(value))}};
      case Code::asin:
        return {{a, quotient(one(), build_.emit(Code::square_root, minus(one(), square(a))))}};
      case Code::acos:
        return {{a, quotient(build_.constant(-1), build_.emit(Code::square_root, minus(one(), square(a))))}};
      case Code::atan:
        return {{a, quotient(one(), plus(one(), square(a)))}};
      case Code::atan2: {
        const Index r = plus(square(a), square(b));
        return {{a, quotient(b, r)}, {b, negative(quotient(a, r))}};
      }
      case Code::sinh:
        return {{a, build_.emit(Code::cosh, a)}};
      case Code::cosh:
        return {{a, build_.emit(Code::sinh, a)}};
      case Code::tanh:
        return {{a, minus(one(), square(value))}};
      case Code::pow:
        return {{a, quotient(product(b, value), a)},
                {b, build_.varies(b) ? product(value, build_.emit(Code::log, a)) : value}};
      default:
        throw CompileError("a function has no derivative");
    }
  }

  const Tape& given_;
  AnalyticTape result_;
  TapeBuilder build_;
};

}  // namespace

std::string why_not_analytic(const Tape& tape) {
  constexpr std::size_t longest = 800;  // the cost of generating code grows faster than linearly
  const std::string none = ", which has no Taylor polynomial";
  if (const std::size_t work = work_of(tape); work > longest)
    return fmt::format("its equations take {} operations, and Taylor polynomials are made of up to {}", work, longest);
  const auto varies = varying(tape);
  for (std::size_t i = 0; i < varies.size(); ++i) {
    if (!varies[i]) continue;
    if (tape.operations[i].code == Code::absolute) return "its equations contain an absolute value" + none;
    if (tape.operations[i].code == Code::sign) return "its equations contain a sign" + none;
    if (tape.operations[i].code == Code::floor) return "its equations contain a floor" + none;
    if (tape.operations[i].code == Code::piece) return "its equations contain an input given by a table" + none;
    if (tape.operations[i].code == Code::select) return "its equations contain a choice between two expressions" + none;
  }
  return {};
}

AnalyticTape analytic(const Tape& tape) {
  return Analytic(tape).run();
}

AnalyticTape taylor_tape(const symbolic::Program& motion, const kernel::StateLayout& entries) {
  const Tape tape = lower(motion);
  if (const auto reason = why_not_analytic(with_outputs(tape, entries.size())); !reason.empty())
    throw CompileError(reason);
  return analytic(tape);
}

}  // namespace herglotz::compile
