#include "card/ptx_instructions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <unordered_map>

namespace herglotz::card {

namespace {

using std::int32_t, std::int64_t, std::uint32_t, std::uint64_t;

/// Reads a register as a number of some type; shorter numbers are its lower bits.
template <class T>
T get(const Thread& thread, uint32_t place) {
  const uint64_t bits = thread.registers[place];
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}

template <class T>
void set(Thread& thread, const Instruction& instruction, T value) {
  uint64_t& bits = thread.registers[instruction.to];
  if constexpr (std::is_same_v<T, double>)
    bits = std::bit_cast<uint64_t>(value);
  else
    bits = static_cast<uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
}

template <class T, auto f>
void one(Thread& thread, const Instruction& i) {
  set(thread, i, f(get<T>(thread, i.from[0])));
}
template <class T, auto f>
void two(Thread& thread, const Instruction& i) {
  set(thread, i, f(get<T>(thread, i.from[0]), get<T>(thread, i.from[1])));
}
template <class T, auto f>
void three(Thread& thread, const Instruction& i) {
  set(thread, i, f(get<T>(thread, i.from[0]), get<T>(thread, i.from[1]), get<T>(thread, i.from[2])));
}
template <class T, auto f>
void compare(Thread& thread, const Instruction& i) {
  thread.registers[i.to] = f(get<T>(thread, i.from[0]), get<T>(thread, i.from[1])) ? 1 : 0;
}
/// Shifts take their distance from 32 bits; what is shifted further than its width leaves nothing but signs.
template <class T, bool left>
void shift(Thread& thread, const Instruction& i) {
  constexpr uint32_t width = 8 * sizeof(T);
  const T value = get<T>(thread, i.from[0]);
  const uint32_t distance = std::min(get<uint32_t>(thread, i.from[1]), width);
  if constexpr (left)
    set(thread, i, distance == width ? T{0} : static_cast<T>(value << distance));
  else
    set(thread, i, distance == width ? static_cast<T>(value < 0 ? -1 : 0) : static_cast<T>(value >> distance));
}
template <class From, class To>
void convert(Thread& thread, const Instruction& i) {
  set(thread, i, static_cast<To>(get<From>(thread, i.from[0])));
}
/// Conversion to whole numbers towards zero. NaN becomes the number whose only bit is the first, and what is too large
/// or small the number next to it.
template <class To>
void truncate(Thread& thread, const Instruction& i) {
  using U = std::make_unsigned_t<To>;
  constexpr To least = std::numeric_limits<To>::min();
  constexpr To most = std::numeric_limits<To>::max();
  const auto value = get<double>(thread, i.from[0]);
  if (std::isnan(value)) return set(thread, i, static_cast<To>(U{1} << (8 * sizeof(To) - 1)));
  if (value >= static_cast<double>(most)) return set(thread, i, most);
  set(thread, i, value <= static_cast<double>(least) ? least : static_cast<To>(value));
}
void choose(Thread& thread, const Instruction& i) {
  thread.registers[i.to] = thread.registers[i.from[thread.registers[i.from[2]] != 0 ? 0 : 1]];
}
void mul_wide(Thread& thread, const Instruction& i) {
  set(thread, i, uint64_t{get<uint32_t>(thread, i.from[0])} * get<uint32_t>(thread, i.from[1]));
}
void end(Thread& thread, const Instruction&) {
  thread.done = true;
}

// A NaN is left out by min and max, and -0 is less than 0.
double least_of(double a, double b) {
  if (std::isnan(a)) return b;
  if (a == b) return std::signbit(a) ? a : b;
  return b < a ? b : a;
}
double largest_of(double a, double b) {
  if (std::isnan(a)) return b;
  if (a == b) return std::signbit(a) ? b : a;
  return b > a ? b : a;
}

using Table = std::unordered_map<std::string_view, Action>;

void add_reals(Table& table) {
  table["add.rn.f64"] = two<double, [](double a, double b) { return a + b; }>;
  table["sub.rn.f64"] = two<double, [](double a, double b) { return a - b; }>;
  table["mul.rn.f64"] = two<double, [](double a, double b) { return a * b; }>;
  table["div.rn.f64"] = two<double, [](double a, double b) { return a / b; }>;
  table["rcp.rn.f64"] = one<double, [](double a) { return 1 / a; }>;
  table["fma.rn.f64"] = three<double, [](double a, double b, double c) { return std::fma(a, b, c); }>;
  table["sqrt.rn.f64"] = one<double, [](double a) { return std::sqrt(a); }>;
  table["neg.f64"] = one<double, [](double a) { return -a; }>;
  table["abs.f64"] = one<double, [](double a) { return std::fabs(a); }>;
  table["min.f64"] = two<double, least_of>;
  table["max.f64"] = two<double, largest_of>;
  table["cvt.rmi.f64.f64"] = one<double, [](double a) { return std::floor(a); }>;
  table["cvt.rpi.f64.f64"] = one<double, [](double a) { return std::ceil(a); }>;
  table["cvt.rzi.f64.f64"] = one<double, [](double a) { return std::trunc(a); }>;
  table["cvt.rni.f64.f64"] = one<double, [](double a) { return std::nearbyint(a); }>;
  table["cvt.rn.f64.s64"] = convert<int64_t, double>;
  table["cvt.rn.f64.u64"] = convert<uint64_t, double>;
  table["cvt.rn.f64.s32"] = convert<int32_t, double>;
  table["cvt.rn.f64.u32"] = convert<uint32_t, double>;
  table["cvt.rzi.s64.f64"] = truncate<int64_t>;
  table["cvt.rzi.u64.f64"] = truncate<uint64_t>;
  table["cvt.rzi.s32.f64"] = truncate<int32_t>;
  table["setp.eq.f64"] = compare<double, [](double a, double b) { return a == b; }>;
  table["setp.ne.f64"] = compare<double, [](double a, double b) { return (a < b || a > b); }>;
  table["setp.lt.f64"] = compare<double, [](double a, double b) { return a < b; }>;
  table["setp.le.f64"] = compare<double, [](double a, double b) { return a <= b; }>;
  table["setp.gt.f64"] = compare<double, [](double a, double b) { return (a > b); }>;
  table["setp.ge.f64"] = compare<double, [](double a, double b) { return a >= b; }>;
  table["setp.equ.f64"] = compare<double, [](double a, double b) { return !(a < b || a > b); }>;
  table["setp.neu.f64"] = compare<double, [](double a, double b) { return a != b; }>;
  table["setp.ltu.f64"] = compare<double, [](double a, double b) { return !(a >= b); }>;
  table["setp.leu.f64"] = compare<double, [](double a, double b) { return !(a > b); }>;
  table["setp.gtu.f64"] = compare<double, [](double a, double b) { return !(a <= b); }>;
  table["setp.geu.f64"] = compare<double, [](double a, double b) { return !(a < b); }>;
  table["setp.num.f64"] = compare<double, [](double a, double b) { return !std::isnan(a) && !std::isnan(b); }>;
  table["setp.nan.f64"] = compare<double, [](double a, double b) { return std::isnan(a) || std::isnan(b); }>;
}

/// Names of instructions for whole numbers of one width, which begin with these words.
struct Names {
  std::array<std::string_view, 6> compare;
  std::array<std::string_view, 4> arithmetic;  // add, sub, mul.lo, mad.lo
};

template <class T>
void add_wholes(Table& table, const Names& names) {
  table[names.compare[0]] = compare<T, [](T a, T b) { return a == b; }>;
  table[names.compare[1]] = compare<T, [](T a, T b) { return a != b; }>;
  table[names.compare[2]] = compare<T, [](T a, T b) { return a < b; }>;
  table[names.compare[3]] = compare<T, [](T a, T b) { return a <= b; }>;
  table[names.compare[4]] = compare<T, [](T a, T b) { return (a > b); }>;
  table[names.compare[5]] = compare<T, [](T a, T b) { return a >= b; }>;
  using U = std::make_unsigned_t<T>;  // sums and products of either sign have the same bits
  table[names.arithmetic[0]] = two<U, [](U a, U b) { return static_cast<U>(a + b); }>;
  table[names.arithmetic[1]] = two<U, [](U a, U b) { return static_cast<U>(a - b); }>;
  table[names.arithmetic[2]] = two<U, [](U a, U b) { return static_cast<U>(a * b); }>;
  table[names.arithmetic[3]] = three<U, [](U a, U b, U c) { return static_cast<U>(a * b + c); }>;
}

template <class U>
void add_bits(Table& table, const std::array<std::string_view, 4>& names) {
  table[names[0]] = two<U, [](U a, U b) { return static_cast<U>(a & b); }>;
  table[names[1]] = two<U, [](U a, U b) { return static_cast<U>(a | b); }>;
  table[names[2]] = two<U, [](U a, U b) { return static_cast<U>(a ^ b); }>;
  table[names[3]] = one<U, [](U a) { return static_cast<U>(~a); }>;
}

void add_bits(Table& table) {
  add_bits<uint64_t>(table, {"and.b64", "or.b64", "xor.b64", "not.b64"});
  add_bits<uint32_t>(table, {"and.b32", "or.b32", "xor.b32", "not.b32"});
  add_bits<std::uint16_t>(table, {"and.b16", "or.b16", "xor.b16", "not.b16"});
  table["and.pred"] = two<uint64_t, [](uint64_t a, uint64_t b) { return a & b; }>;
  table["or.pred"] = two<uint64_t, [](uint64_t a, uint64_t b) { return a | b; }>;
  table["xor.pred"] = two<uint64_t, [](uint64_t a, uint64_t b) { return a ^ b; }>;
  table["not.pred"] = one<uint64_t, [](uint64_t a) { return a ^ 1U; }>;
  table["shl.b64"] = shift<uint64_t, true>;
  table["shr.u64"] = shift<uint64_t, false>;
  table["shr.s64"] = shift<int64_t, false>;
  table["shl.b32"] = shift<uint32_t, true>;
  table["shr.u32"] = shift<uint32_t, false>;
  table["shr.s32"] = shift<int32_t, false>;
  table["neg.s64"] = one<uint64_t, [](uint64_t a) { return 0 - a; }>;
  table["setp.eq.b64"] = compare<uint64_t, [](uint64_t a, uint64_t b) { return a == b; }>;
  table["setp.ne.b64"] = compare<uint64_t, [](uint64_t a, uint64_t b) { return a != b; }>;
  table["setp.eq.b32"] = compare<uint32_t, [](uint32_t a, uint32_t b) { return a == b; }>;
  table["setp.ne.b32"] = compare<uint32_t, [](uint32_t a, uint32_t b) { return a != b; }>;
  table["setp.eq.b16"] = compare<std::uint16_t, [](std::uint16_t a, std::uint16_t b) { return a == b; }>;
  table["setp.ne.b16"] = compare<std::uint16_t, [](std::uint16_t a, std::uint16_t b) { return a != b; }>;
  table["cvt.u64.u32"] = convert<uint32_t, uint64_t>;
  table["cvt.s64.s32"] = convert<int32_t, int64_t>;
  table["cvt.u32.u64"] = convert<uint64_t, uint32_t>;
  table["cvt.u64.u16"] = convert<std::uint16_t, uint64_t>;
  table["cvt.u32.u16"] = convert<std::uint16_t, uint32_t>;
  table["cvt.u16.u32"] = convert<uint32_t, std::uint16_t>;
  table["cvt.u16.u64"] = convert<uint64_t, std::uint16_t>;
  table["mul.wide.u32"] = mul_wide;
}

Table make_table() {
  Table table;
  add_reals(table);
  add_wholes<int64_t>(table,
                      {{"setp.eq.s64", "setp.ne.s64", "setp.lt.s64", "setp.le.s64", "setp.gt.s64", "setp.ge.s64"},
                       {"add.s64", "sub.s64", "mul.lo.s64", "mad.lo.s64"}});
  add_wholes<uint64_t>(table,
                       {{"setp.eq.u64", "setp.ne.u64", "setp.lt.u64", "setp.le.u64", "setp.gt.u64", "setp.ge.u64"},
                        {"add.u64", "sub.u64", "mul.lo.u64", "mad.lo.u64"}});
  add_wholes<int32_t>(table,
                      {{"setp.eq.s32", "setp.ne.s32", "setp.lt.s32", "setp.le.s32", "setp.gt.s32", "setp.ge.s32"},
                       {"add.s32", "sub.s32", "mul.lo.s32", "mad.lo.s32"}});
  add_wholes<uint32_t>(table,
                       {{"setp.eq.u32", "setp.ne.u32", "setp.lt.u32", "setp.le.u32", "setp.gt.u32", "setp.ge.u32"},
                        {"add.u32", "sub.u32", "mul.lo.u32", "mad.lo.u32"}});
  add_bits(table);
  for (const char* name : {"mov.u64", "mov.b64", "mov.s64", "mov.f64", "mov.u32", "mov.b32", "mov.u16", "mov.b16",
                           "mov.pred", "cvta.local.u64", "cvta.global.u64", "cvta.to.global.u64", "cvta.to.local.u64"})
    table[name] = move;  // all memory has one space of addresses here
  for (const char* name :
       {"selp.f64", "selp.b64", "selp.u64", "selp.s64", "selp.b32", "selp.u32", "selp.s32", "selp.b16", "selp.u16"})
    table[name] = choose;
  for (const char* name : {"bra", "bra.uni"}) table[name] = branch;
  table["ret"] = end;
  return table;
}

/// Finds memory of the thread. Throws PtxError if it has none there.
void* memory_at(Thread& thread, std::uint64_t address, std::uint32_t bytes) {
  const auto holds = [&](const Range& range) {
    return address >= range.first && address - range.first + bytes <= range.size;
  };
  if (!holds(thread.last)) {
    const auto found = std::find_if(thread.memory.begin(), thread.memory.end(), holds);
    if (found == thread.memory.end()) throw PtxError("a thread leaves its memory");
    thread.last = *found;
  }
  return std::bit_cast<void*>(address);
}

}  // namespace

Action action_of(std::string_view name) {
  static const Table table = make_table();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

void branch(Thread& thread, const Instruction& instruction) {
  thread.next = instruction.to;
}

void move(Thread& thread, const Instruction& instruction) {
  thread.registers[instruction.to] = thread.registers[instruction.from[0]];
}

void load(Thread& thread, const Instruction& instruction) {
  const uint64_t address = thread.registers[instruction.from[0]] + static_cast<uint64_t>(instruction.offset);
  uint64_t value = 0;
  std::memcpy(&value, memory_at(thread, address, instruction.bytes), instruction.bytes);
  thread.registers[instruction.to] = value;
}

void store(Thread& thread, const Instruction& instruction) {
  const uint64_t address = thread.registers[instruction.to] + static_cast<uint64_t>(instruction.offset);
  std::memcpy(memory_at(thread, address, instruction.bytes), &thread.registers[instruction.from[0]], instruction.bytes);
}

}  // namespace herglotz::card
