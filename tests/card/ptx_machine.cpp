#include "card/ptx_machine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "card/ptx_instructions.hpp"

namespace herglotz::card {

namespace {

constexpr std::array<std::string_view, 4> special{"%tid.x", "%ntid.x", "%ctaid.x", "%nctaid.x"};
constexpr std::string_view white = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(white);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white) - begin + 1);
}

/// Takes the part before a character away from the text.
std::string_view taken(std::string_view& text, char before) {
  const auto at = text.find(before);
  const auto part = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return trimmed(part);
}

std::string without_comments(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) i = std::min(text.find('\n', i), text.size() - 1);
    result += text[i];
  }
  return result;
}

[[noreturn]] void unknown(std::string_view what) {
  throw PtxError("unknown: " + std::string(what));
}

template <class T>
T number(std::string_view text, int base) {
  T value{};
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) unknown(text);
  return value;
}

/// Returns the bytes of a type like `f64`.
std::size_t bytes_of(std::string_view type) {
  const auto digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos) unknown(type);
  return number<std::size_t>(type.substr(digits), 10) / 8;
}

}  // namespace

PtxEntry::PtxEntry(const std::string& text) {
  for (const auto name : special) place_of(name);
  const std::string code = without_comments(text);
  const auto begin = code.find(".entry");
  const auto body = code.find('{', begin);
  const auto end = code.find('}', body);
  if (begin == std::string::npos || end == std::string::npos) throw PtxError("there is no entry");
  if (code.find(".entry", begin + 1) != std::string::npos || code.find(".func") != std::string::npos)
    throw PtxError("there is more than one function");
  read_header(std::string_view(code).substr(begin + 6, body - begin - 6));
  read_body(std::string_view(code).substr(body + 1, end - body - 1));
  for (const auto& [at, label] : branches_) {
    const auto to = labels_.find(label);
    if (to == labels_.end()) unknown(label);
    code_[at].to = to->second;
  }
}

void PtxEntry::read_header(std::string_view header) {
  name_ = taken(header, '(');
  auto list = taken(header, ')');
  while (!list.empty()) {
    auto parameter = taken(list, ',');
    if (taken(parameter, ' ') != ".param") unknown(parameter);
    const auto type = parameter.substr(0, parameter.find(' '));
    const auto name = parameter.substr(parameter.find_last_of(white) + 1);
    parameters_.push_back({bytes_of(type), place_of(name)});
  }
}

void PtxEntry::read_body(std::string_view body) {
  while (!trimmed(body).empty()) {
    auto statement = taken(body, ';');
    while (statement.starts_with("$")) {
      labels_[std::string(taken(statement, ':'))] = static_cast<std::uint32_t>(code_.size());
      statement = trimmed(statement);
    }
    if (!statement.empty()) read_statement(statement);
  }
}

void PtxEntry::read_statement(std::string_view statement) {
  if (statement.starts_with(".reg") || statement.starts_with(".pragma")) return;
  if (statement.starts_with(".local")) {
    const auto open = statement.find('[');
    own_bytes_ = number<std::size_t>(statement.substr(open + 1, statement.find(']') - open - 1), 10);
    const auto name = statement.substr(0, open);
    place_of(name.substr(name.find_last_of(white) + 1));
    return;
  }
  const auto whole = statement;
  Instruction instruction;
  instruction.guard = operand("1");
  if (statement.starts_with("@")) {
    auto guard = statement.substr(1, statement.find_first_of(white) - 1);
    statement = trimmed(statement.substr(guard.size() + 1));
    instruction.wanted = !guard.starts_with("!");
    instruction.guard = place_of(guard.substr(instruction.wanted ? 0 : 1));
  }
  const auto name = statement.substr(0, statement.find_first_of(white));
  auto rest = trimmed(statement.substr(name.size()));
  const bool loads = name.starts_with("ld.");
  if (loads || name.starts_with("st.")) {
    instruction.bytes = static_cast<std::uint32_t>(bytes_of(name.substr(name.find_last_of('.') + 1)));
    const auto first = taken(rest, ',');
    const auto second = taken(rest, ',');
    instruction.to = loads ? place_of(first) : address(first, instruction.offset);
    instruction.from[0] = loads ? address(second, instruction.offset) : operand(second);
    instruction.action = !loads ? store : name.starts_with("ld.param") ? move : load;
  } else if (name == "bra" || name == "bra.uni") {
    instruction.action = branch;
    branches_.emplace_back(code_.size(), rest);
    rest = {};
  } else {
    instruction.action = action_of(name);
    if (!rest.empty()) instruction.to = place_of(taken(rest, ','));
    for (std::size_t i = 0; i < 3 && !rest.empty(); ++i) instruction.from[i] = operand(taken(rest, ','));
  }
  if (instruction.action == nullptr || !rest.empty()) unknown(whole);
  code_.push_back(instruction);
}

std::uint32_t PtxEntry::operand(std::string_view text) {
  const bool constant = text.find_first_not_of("-0123456789abcdefABCDEFx") == std::string_view::npos;
  const auto place = place_of(text);
  if (!constant) return place;
  if (text.starts_with("0d"))
    first_[place] = number<std::uint64_t>(text.substr(2), 16);
  else
    first_[place] = static_cast<std::uint64_t>(number<std::int64_t>(text, 10));
  return place;
}

std::uint32_t PtxEntry::address(std::string_view text, std::int64_t& offset) {
  if (!text.starts_with("[") || !text.ends_with("]")) unknown(text);
  text = text.substr(1, text.size() - 2);
  const auto plus = text.find('+');
  if (plus != std::string_view::npos) offset = number<std::int64_t>(text.substr(plus + 1), 10);
  return place_of(text.substr(0, plus));
}

std::uint32_t PtxEntry::place_of(std::string_view name) {
  const auto [found, fresh] = places_.try_emplace(std::string(name), static_cast<std::uint32_t>(first_.size()));
  if (fresh) first_.push_back(0);
  return found->second;
}

void PtxEntry::run(unsigned blocks, unsigned threads, void* const* arguments, std::span<const Range> memory) const {
  std::vector<std::uint64_t> registers = first_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, arguments[i], parameters_[i].bytes);
    registers[parameters_[i].place] = value;
  }
  std::vector<double> own((own_bytes_ + sizeof(double) - 1) / sizeof(double));
  std::vector<Range> all(memory.begin(), memory.end());
  all.push_back({std::bit_cast<std::uint64_t>(own.data()), own_bytes_});
  for (const auto& [name, place] : places_)
    if (name.starts_with("__local_depot")) registers[place] = all.back().first;
  registers[1] = threads;
  registers[3] = blocks;
  for (unsigned block = 0; block < blocks; ++block) {
    for (unsigned index = 0; index < threads; ++index) {
      registers[0] = index;
      registers[2] = block;
      Thread thread{registers.data(), 0, false, all, {}};
      while (!thread.done) {
        const Instruction& instruction = code_[thread.next++];
        if ((registers[instruction.guard] != 0) == instruction.wanted) instruction.action(thread, instruction);
      }
    }
  }
}

}  // namespace herglotz::card
