#pragma once
/// Writer and reader of values as consecutive bytes, little end first.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "herglotz/error.hpp"

namespace herglotz::io {

static_assert(std::endian::native == std::endian::little, "journals and chunks are written as they lie in memory");

class ByteWriter {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  /// Writes the length of the text, then its characters.
  void put_text(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reader of values from bytes. Throws OutOfRange if the bytes end early.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  T get() {
    T value;
    const std::string_view part = next(sizeof(T));
    std::memcpy(&value, part.data(), part.size());
    return value;
  }
  std::string_view get_text() { return next(get<std::uint64_t>()); }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view next(std::uint64_t size) {
    if (size > bytes_.size()) throw OutOfRange("the bytes end early");
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }

  std::string_view bytes_;
};

}  // namespace herglotz::io
