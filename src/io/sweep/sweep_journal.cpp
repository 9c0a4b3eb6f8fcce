#include "sweep/sweep_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>

#include "hdf5/bytes.hpp"
#include "herglotz/io/model_file.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

constexpr std::string_view kMagic = "herglotz sweep journal 1\n";
/// Number of the record of the identity; records of blocks have the numbers of the blocks.
constexpr std::uint64_t kIdentity = ~std::uint64_t{0};

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

std::string encoded(const SweepIdentity& identity) {
  ByteWriter out;
  for (const auto& [name, text] : identity) {
    out.put_text(name);
    out.put_text(text);
  }
  return out.take();
}

SweepIdentity decoded(std::string_view payload) {
  SweepIdentity identity;
  ByteReader in(payload);
  while (!in.at_end()) {
    const auto name = in.get_text();
    identity.emplace_back(name, in.get_text());
  }
  return identity;
}

const std::string* find(const SweepIdentity& identity, const std::string& name) {
  const auto found =
      std::find_if(identity.begin(), identity.end(), [&](const auto& pair) { return pair.first == name; });
  return found == identity.end() ? nullptr : &found->second;
}

/// Returns a text such as "gamma was 0.1 and is 0.2"; long texts are only named.
std::string difference(const std::string& name, const std::string* before, const std::string* now) {
  if (before == nullptr) return name + " was not there";
  if (now == nullptr) return name + " is not there any more";
  constexpr std::size_t short_enough = 40;
  if (std::max(before->size(), now->size()) > short_enough) return name + " is another one";
  return fmt::format("{} was {} and is {}", name, in_quotes(*before), in_quotes(*now));
}

}  // namespace

SweepJournal::SweepJournal(std::filesystem::path file, const SweepIdentity& identity, std::size_t blocks, bool resume)
    : file_(std::move(file)), places_(blocks), next_flush_(std::chrono::steady_clock::now()) {
  const bool there = std::filesystem::exists(file_);
  if (there && !resume) {
    throw InputError(file_.string(), 0, 0, "a sweep that was not finished is kept here",
                     "continue it with --resume, or delete this file to begin anew");
  }
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) cannot_write();
  try {
    lock();
    if (there) {
      this->resume(identity);
    } else {
      begin(identity);
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

SweepJournal::~SweepJournal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SweepJournal::lock() const {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw InputError(file_.string(), 0, 0, "another run is writing this sweep", "wait for it, or give another --out");
}

void SweepJournal::begin(const SweepIdentity& identity) {
  if (::ftruncate(descriptor_, 0) != 0) cannot_write();
  end_ = 0;
  write_at_end(std::string(kMagic) + record_of(kIdentity, encoded(identity)));
  flush();
}

void SweepJournal::resume(const SweepIdentity& identity) {
  const std::uint64_t size = size_of(descriptor_);
  std::string magic(std::min<std::uint64_t>(size, kMagic.size()), '\0');
  if (!read_at(descriptor_, 0, magic.data(), magic.size()) || !kMagic.starts_with(magic)) {
    throw InputError(file_.string(), 0, 0, "this is no journal of a sweep", "give another --out, or move this file");
  }
  std::uint64_t number = 0;
  std::string payload;
  if (!read_record(descriptor_, kMagic.size(), size, number, payload) || number != kIdentity) {
    // The run was killed before its first block, so nothing is lost.
    if (size <= kMagic.size() + sizeof(Head) + encoded(identity).size()) return begin(identity);
    damaged();
  }
  try {
    compare(decoded(payload), identity);
  } catch (const std::out_of_range&) {
    damaged();
  }
  end_ = kMagic.size() + sizeof(Head) + payload.size();
  scan();
}

void SweepJournal::compare(const SweepIdentity& stored, const SweepIdentity& identity) const {
  std::string what;
  for (const auto& [name, text] : stored) {
    const auto* now = find(identity, name);
    if (what.empty() && (now == nullptr || *now != text)) what = difference(name, &text, now);
  }
  for (const auto& [name, text] : identity)
    if (what.empty() && find(stored, name) == nullptr) what = difference(name, nullptr, &text);
  if (what.empty()) return;
  throw InputError(file_.string(), 0, 0, "this sweep was begun otherwise: " + what,
                   "resume it as it was begun, or delete this file to begin anew");
}

void SweepJournal::scan() {
  const std::uint64_t size = size_of(descriptor_);
  std::uint64_t number = 0;
  std::string payload;
  while (read_record(descriptor_, end_, size, number, payload) && number < places_.size()) {
    if (places_[number].offset == 0) ++count_;
    places_[number] = {end_, payload.size()};
    end_ += sizeof(Head) + payload.size();
  }
  if (end_ < size && ::ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) cannot_write();
}

bool SweepJournal::has(std::size_t block) const {
  const std::scoped_lock guard(mutex_);
  return places_.at(block).offset != 0;
}

std::size_t SweepJournal::count() const {
  const std::scoped_lock guard(mutex_);
  return count_;
}

void SweepJournal::append(std::size_t block, std::string_view payload) {
  const std::string record = record_of(block, payload);
  {
    const std::scoped_lock guard(mutex_);
    const Place place{end_, payload.size()};
    write_at_end(record);
    if (places_.at(block).offset == 0) ++count_;
    places_[block] = place;
  }
  flush_now_and_then();
}

StoredBlock SweepJournal::block(std::size_t index) const {
  Place place;
  {
    const std::scoped_lock guard(mutex_);
    place = places_.at(index);
  }
  std::uint64_t number = 0;
  std::string payload;
  if (!read_record(descriptor_, place.offset, place.offset + sizeof(Head) + place.size, number, payload)) damaged();
  try {
    return decoded_block(payload);
  } catch (const std::out_of_range&) {
    damaged();
  }
}

void SweepJournal::write_at_end(const std::string& bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t put =
        ::pwrite(descriptor_, bytes.data() + written, bytes.size() - written, static_cast<off_t>(end_ + written));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      // If this fails, the next run cuts off the half-written record.
      if (::ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) cannot_write();
      cannot_write();
    }
    written += static_cast<std::size_t>(put);
  }
  end_ += bytes.size();
}

/// Writes the journal to the disk about once a second. Only a crash of the machine, not of the program, loses that last
/// second; only one thread waits for the disk.
void SweepJournal::flush_now_and_then() {
  {
    const std::scoped_lock guard(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_flush_) return;
    next_flush_ = now + std::chrono::seconds(1);
  }
  ::fdatasync(descriptor_);
}

void SweepJournal::flush() {
  ::fdatasync(descriptor_);
}

void SweepJournal::remove() {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

void SweepJournal::cannot_write() const {
  throw InputError(file_.string(), 0, 0, "the journal of the sweep cannot be written",
                   "check the permissions of the folder and the space on the disk; --resume continues");
}

void SweepJournal::damaged() const {
  throw InputError(file_.string(), 0, 0, "this journal is damaged", "delete it and run the sweep again");
}

}  // namespace herglotz::io
