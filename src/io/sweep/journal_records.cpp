#include "sweep/journal_records.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>

#include "hdf5/bytes.hpp"
#include "quote.hpp"
#include "sweep/outline_bytes.hpp"

namespace herglotz::io {
namespace {

constexpr std::string_view kMagic = "herglotz sweep journal 3\n";
/// Number of the record of the header; records of blocks have the numbers of the blocks.
constexpr std::uint64_t kHeader = ~std::uint64_t{0};

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

std::string record_of(std::uint64_t number, std::string_view payload) {
  ByteWriter out;
  out.put(Head{number, payload.size(), check_of(number, payload)});
  std::string bytes = out.take();
  bytes.append(payload);
  return bytes;
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

std::uint64_t size_of(int descriptor) {
  struct stat state{};
  return ::fstat(descriptor, &state) == 0 ? static_cast<std::uint64_t>(state.st_size) : 0;
}

/// Reads the number and payload of the record at `offset`. Returns false if the record is torn or damaged.
bool read_record(int descriptor, std::uint64_t offset, std::uint64_t end, std::uint64_t& number, std::string& payload) {
  Head head{};
  if (offset + sizeof(head) > end || !read_at(descriptor, offset, &head, sizeof(head))) return false;
  if (head.size > end - offset - sizeof(head)) return false;
  payload.resize(head.size);
  if (!read_at(descriptor, offset + sizeof(head), payload.data(), payload.size())) return false;
  number = head.number;
  return head.check == check_of(number, payload);
}

JournalHeader decoded_header(std::string_view payload) {
  ByteReader in(payload);
  JournalHeader header;
  header.outline = decoded_outline(in.get_text());
  while (!in.at_end()) {
    const auto name = in.get_text();
    header.identity.emplace_back(name, in.get_text());
  }
  return header;
}

const std::string* find(const SweepIdentity& identity, const std::string& name) {
  const auto found =
      std::find_if(identity.begin(), identity.end(), [&](const auto& pair) { return pair.first == name; });
  return found == identity.end() ? nullptr : &found->second;
}

/// Returns a text such as "gamma was 0.1 and is 0.2"; long texts are only named.
std::string difference_of(const std::string& name, const std::string* before, const std::string* now) {
  if (before == nullptr) return name + " was not there";
  if (now == nullptr) return name + " is not there any more";
  constexpr std::size_t short_enough = 40;
  if (std::max(before->size(), now->size()) > short_enough) return name + " is another one";
  return fmt::format("{} was {} and is {}", name, in_quotes(*before), in_quotes(*now));
}

}  // namespace

std::string encoded_header(const JournalHeader& header) {
  ByteWriter out;
  out.put_text(encoded_outline(header.outline));
  for (const auto& [name, text] : header.identity) {
    out.put_text(name);
    out.put_text(text);
  }
  return std::string(kMagic) + record_of(kHeader, out.take());
}

std::string encoded_record(std::size_t block, std::string_view payload) {
  return record_of(block, payload);
}

Beginning read_header(int descriptor, std::optional<StoredHeader>& header) {
  const std::uint64_t size = size_of(descriptor);
  std::string magic(std::min<std::uint64_t>(size, kMagic.size()), '\0');
  if (!read_at(descriptor, 0, magic.data(), magic.size()) || !kMagic.starts_with(magic)) return Beginning::foreign;
  Head head{};
  if (size < kMagic.size() + sizeof(head)) return Beginning::torn;
  if (!read_at(descriptor, kMagic.size(), &head, sizeof(head)) || head.number != kHeader) return Beginning::damaged;
  if (head.size > size - kMagic.size() - sizeof(head)) return Beginning::torn;
  std::uint64_t number = 0;
  std::string payload;
  try {
    if (!read_record(descriptor, kMagic.size(), size, number, payload)) return Beginning::damaged;
    header = StoredHeader{decoded_header(payload), kMagic.size() + sizeof(Head) + payload.size()};
    return Beginning::journal;
  } catch (const std::out_of_range&) {
    return Beginning::damaged;
  }
}

std::string difference(const SweepIdentity& before, const SweepIdentity& now) {
  for (const auto& [name, text] : before) {
    const auto* other = find(now, name);
    if (other == nullptr || *other != text) return difference_of(name, &text, other);
  }
  for (const auto& [name, text] : now)
    if (find(before, name) == nullptr) return difference_of(name, nullptr, &text);
  return {};
}

BlockPlaces::BlockPlaces(int descriptor, std::uint64_t begin, std::size_t blocks) : places_(blocks), end_(begin) {
  const std::uint64_t size = size_of(descriptor);
  std::uint64_t number = 0;
  std::string payload;
  while (read_record(descriptor, end_, size, number, payload) && number < places_.size())
    append(number, payload.size());
}

void BlockPlaces::append(std::size_t block, std::size_t payload_size) {
  Place& place = places_.at(block);
  if (place.offset == 0) ++count_;
  place = {end_, payload_size};
  end_ += sizeof(Head) + payload_size;
}

std::optional<StoredBlock> BlockPlaces::read(int descriptor, std::size_t block) const {
  const Place& place = places_.at(block);
  std::uint64_t number = 0;
  std::string payload;
  if (place.offset == 0 ||
      !read_record(descriptor, place.offset, place.offset + sizeof(Head) + place.size, number, payload))
    return std::nullopt;
  try {
    return decoded_block(payload);
  } catch (const std::out_of_range&) {
    return std::nullopt;
  }
}

}  // namespace herglotz::io
