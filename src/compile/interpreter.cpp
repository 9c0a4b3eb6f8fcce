#include "interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "llvm/functions.hpp"

namespace herglotz::compile {

namespace {

struct Interpreted {
  Tape tape;
  std::size_t lanes;
};

/// A number of lanes that the compiler knows, so that a loop over them becomes a few instructions.
template <std::size_t number>
struct Lanes {
  static constexpr std::size_t count = number;
};

struct AnyLanes {
  std::size_t count;
};

/// Returns the number of the last piece that begins at or before t, or else 0. The search compares as the machine code
/// does, so that a NaN finds the same piece.
double piece_at(const std::vector<double>& starts, double t) {
  std::size_t found = 0;
  for (std::size_t left = starts.size(); left > 1;) {
    const std::size_t half = left / 2;
    if (t >= starts[found + half]) found += half;
    left -= half;
  }
  return static_cast<double>(found);
}

/// Sets the lanes of `result` to f(a, b, c, d), with the lanes of the operands. An operand beyond the arity of f is
/// index 0: a valid value that is ignored.
template <class Number, class Function>
void each_lane(const Operation& operation, const double* work, Number lanes, double* __restrict result, Function f) {
  const std::size_t count = lanes.count;
  const auto& [ia, ib, ic, id] = operation.operands;
  const double* const a = work + ia * count;
  const double* const b = work + ib * count;
  const double* const c = work + ic * count;
  const double* const d = work + id * count;
  for (std::size_t l = 0; l < count; ++l) result[l] = f(a[l], b[l], c[l], d[l]);
}

template <class Number>
void apply(const Operation& operation, const double* work, Number lanes, double* result) {
  const auto each = [&](auto f) { each_lane(operation, work, lanes, result, f); };
  switch (operation.code) {
    case Code::add:
      return each([](double a, double b, double, double) { return a + b; });
    case Code::subtract:
      return each([](double a, double b, double, double) { return a - b; });
    case Code::multiply:
      return each([](double a, double b, double, double) { return a * b; });
    case Code::divide:
      return each([](double a, double b, double, double) { return a / b; });
    case Code::negate:
      return each([](double a, double, double, double) { return -a; });
    case Code::square_root:
      return each([](double a, double, double, double) { return std::sqrt(a); });
    case Code::absolute:
      return each([](double a, double, double, double) { return std::abs(a); });
    case Code::sign:
      return each([](double a, double, double, double) { return a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : a); });
    case Code::floor:
      return each([](double a, double, double, double) { return std::floor(a); });
    case Code::select:
      return each([](double a, double b, double c, double d) { return a > b ? c : d; });
    case Code::fused_add:
      return each([](double a, double b, double c, double) { return std::fma(a, b, c); });
    case Code::fused_subtract:
      return each([](double a, double b, double c, double) { return std::fma(a, b, -c); });
    case Code::fused_from:
      return each([](double a, double b, double c, double) { return std::fma(-a, b, c); });
    case Code::sin:
      return each([](double a, double, double, double) { return sine_and_cosine(a).sine; });
    case Code::cos:
      return each([](double a, double, double, double) { return sine_and_cosine(a).cosine; });
    default:
      return each([&](double a, double b, double, double) { return call_function(operation.code, a, b); });
  }
}

template <class Number>
void run_tape(const Tape& tape, Number number, const double* u, const double* p, double* out, double* work) {
  const std::size_t lanes = number.count;
  double* result = work;
  for (const auto& operation : tape.operations) {
    const auto& [a, b, c, d] = operation.operands;
    switch (operation.code) {
      case Code::constant:
        std::fill_n(result, lanes, operation.value);
        break;
      case Code::variable:
        std::copy_n(u + a * lanes, lanes, result);
        break;
      case Code::parameter:
        std::copy_n(p + a * lanes, lanes, result);
        break;
      case Code::piece:
        for (std::size_t l = 0; l < lanes; ++l) result[l] = piece_at(tape.tables[b]->rows[0], work[a * lanes + l]);
        break;
      case Code::entry:
        for (std::size_t l = 0; l < lanes; ++l)
          result[l] = tape.tables[b]->rows[c][static_cast<std::size_t>(work[a * lanes + l])];
        break;
      default:
        apply(operation, work, number, result);
    }
    result += lanes;
  }
  for (const auto output : tape.outputs) out = std::copy_n(work + output * lanes, lanes, out);
}

const Tape& tape_of(const void* context) {
  return static_cast<const Interpreted*>(context)->tape;
}

// Loops for wider registers were measured: they are no faster, and slower by a tenth with those of 512 bits, since most
// of the time goes into finding the next operation. All operations in one function save a tenth.
void run_one(const void* context, const double* u, const double* p, double* out, double* work) {
  run_interpreted(tape_of(context), u, p, out, work);
}

[[gnu::flatten]] void run_four(const void* context, const double* u, const double* p, double* out, double* work) {
  run_tape(tape_of(context), Lanes<4>{}, u, p, out, work);
}

[[gnu::flatten]] void run_eight(const void* context, const double* u, const double* p, double* out, double* work) {
  run_tape(tape_of(context), Lanes<8>{}, u, p, out, work);
}

void run_any(const void* context, const double* u, const double* p, double* out, double* work) {
  const auto& [tape, lanes] = *static_cast<const Interpreted*>(context);
  run_tape(tape, AnyLanes{lanes}, u, p, out, work);
}

}  // namespace

[[gnu::flatten]] void run_interpreted(const Tape& tape, const double* u, const double* p, double* out, double* work) {
  run_tape(tape, Lanes<1>{}, u, p, out, work);
}

kernel::Kernel interpret(Tape tape, int lanes) {
  const auto width = static_cast<std::size_t>(lanes);
  auto context = std::make_shared<const Interpreted>(Interpreted{std::move(tape), width});
  const auto& kept = context->tape;
  const auto run = lanes == 1 ? run_one : (lanes == 4 ? run_four : (lanes == 8 ? run_eight : run_any));
  return {kept.name, run, context, kept.variables, kept.parameters, kept.outputs.size(), kept.operations.size() * width,
          lanes};
}

}  // namespace herglotz::compile
