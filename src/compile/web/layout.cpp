#include "web/layout.hpp"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Wasm.h>
#include <llvm/Object/Wasm.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/LEB128.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>

#include "herglotz/compile/compile.hpp"

namespace herglotz::compile {
namespace {

constexpr std::size_t header = 8;  // the magic number and the version

void append_number(std::string& to, std::uint64_t value) {
  std::uint8_t bytes[10];
  to.append(reinterpret_cast<const char*>(bytes), llvm::encodeULEB128(value, bytes));
}

std::uint64_t read_number(std::string_view from, std::size_t& at) {
  unsigned length = 0;
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(from.data());
  const std::uint64_t value = llvm::decodeULEB128(begin + at, &length, begin + from.size());
  at += length;
  return value;
}

std::string export_section(const std::map<std::string, std::uint32_t>& functions, std::span<const std::string> names) {
  std::string content;
  append_number(content, names.size());
  for (const std::string& name : names) {
    const auto known = functions.find(name);
    if (known == functions.end()) throw CompileError(fmt::format("LLVM wrote no function {} for the page", name));
    append_number(content, name.size());
    content += name;
    content += static_cast<char>(llvm::wasm::WASM_EXTERNAL_FUNCTION);
    append_number(content, known->second);
  }
  std::string section(1, static_cast<char>(llvm::wasm::WASM_SEC_EXPORT));
  append_number(section, content.size());
  return section + content;
}

/// Returns the rank of a section in a module: the numbers are in order but for that of the data count.
int rank(std::uint8_t section) {
  return section == llvm::wasm::WASM_SEC_DATACOUNT ? 2 * llvm::wasm::WASM_SEC_ELEM + 1 : 2 * section;
}

}  // namespace

LaidOut laid_out(std::string_view object, std::span<const std::string> exports) {
  auto read = llvm::object::ObjectFile::createWasmObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), "page"));
  if (!read) throw CompileError("LLVM: " + llvm::toString(read.takeError()));
  const auto& file = **read;
  std::map<std::string, std::uint32_t> functions;
  for (const auto& symbol : file.symbols()) {
    const auto& known = file.getWasmSymbol(symbol);
    if (known.isTypeFunction() && known.isDefined()) functions.emplace(known.Info.Name.str(), known.Info.ElementIndex);
  }
  LaidOut result;
  for (const auto& segment : file.dataSegments())
    result.data = std::max(
        result.data, static_cast<std::size_t>(segment.Data.Offset.Inst.Value.Int32) + segment.Data.Content.size());
  result.bytes = object.substr(0, header);
  bool exported = false;
  const auto export_functions = [&] {
    if (!exported) result.bytes += export_section(functions, exports);
    exported = true;
  };
  for (std::size_t at = header; at < object.size();) {
    const std::size_t begin = at;
    const auto section = static_cast<std::uint8_t>(object[at++]);
    const std::uint64_t size = read_number(object, at);
    at += size;
    if (section == llvm::wasm::WASM_SEC_CUSTOM) continue;
    if (rank(section) > rank(llvm::wasm::WASM_SEC_EXPORT)) export_functions();
    result.bytes += object.substr(begin, at - begin);
  }
  export_functions();
  return result;
}

}  // namespace herglotz::compile
