#include "journal/records.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>

#include "herglotz/io/bytes.hpp"

namespace herglotz::io {
namespace {

/// Number of the record of the header.
constexpr std::uint64_t header_number = ~std::uint64_t{0};

/// Head that precedes every payload.
struct Head {
  std::uint64_t number;
  std::uint64_t size;
  std::uint64_t check;  ///< CRC-32 of number, size and payload
};

std::uint64_t check_of(std::uint64_t number, std::string_view payload) {
  const std::uint64_t head[2] = {number, payload.size()};
  uLong sum = crc32_z(0, nullptr, 0);
  sum = crc32_z(sum, reinterpret_cast<const Bytef*>(head), sizeof(head));
  return crc32_z(sum, reinterpret_cast<const Bytef*>(payload.data()), payload.size());
}

/// Reads `size` bytes at `offset`. Returns false if the file ends earlier.
bool read_at(int descriptor, std::uint64_t offset, void* into, std::size_t size) {
  auto* at = static_cast<char*>(into);
  while (size > 0) {
    const ssize_t got = ::pread(descriptor, at, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::string record_of(std::uint64_t number, std::string_view payload) {
  ByteWriter out;
  out.put(Head{number, payload.size(), check_of(number, payload)});
  std::string bytes = out.take();
  bytes.append(payload);
  return bytes;
}

std::uint64_t record_size(std::uint64_t payload) {
  return sizeof(Head) + payload;
}

bool read_record(int descriptor, std::uint64_t offset, std::uint64_t end, Record& record) {
  Head head{};
  if (offset + sizeof(head) > end || !read_at(descriptor, offset, &head, sizeof(head))) return false;
  if (head.size > end - offset - sizeof(head)) return false;
  record.payload.resize(head.size);
  if (!read_at(descriptor, offset + sizeof(head), record.payload.data(), record.payload.size())) return false;
  record.number = head.number;
  return head.check == check_of(record.number, record.payload);
}

std::uint64_t size_of(int descriptor) {
  struct stat state{};
  return ::fstat(descriptor, &state) == 0 ? static_cast<std::uint64_t>(state.st_size) : 0;
}

std::string beginning_of(std::string_view title, std::string_view header) {
  return std::string(title) + record_of(header_number, header);
}

Beginning read_beginning(int descriptor, std::string_view title, FoundHeader& header) {
  const std::uint64_t size = size_of(descriptor);
  std::string first(std::min<std::uint64_t>(size, title.size()), '\0');
  if (!read_at(descriptor, 0, first.data(), first.size()) || !title.starts_with(first)) return Beginning::foreign;
  Head head{};
  if (size < title.size() + sizeof(head)) return Beginning::torn;
  if (!read_at(descriptor, title.size(), &head, sizeof(head)) || head.number != header_number)
    return Beginning::damaged;
  if (head.size > size - title.size() - sizeof(head)) return Beginning::torn;
  Record record;
  if (!read_record(descriptor, title.size(), size, record)) return Beginning::damaged;
  header.end = title.size() + record_size(record.payload.size());
  header.payload = std::move(record.payload);
  return Beginning::journal;
}

}  // namespace herglotz::io
