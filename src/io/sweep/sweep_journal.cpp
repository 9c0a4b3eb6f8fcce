#include "sweep/sweep_journal.hpp"

#include <unistd.h>

#include <cerrno>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

void throw_damaged(const std::filesystem::path& journal) {
  throw InputError(journal.string(), 0, 0, "this journal is damaged", "delete it and run the sweep again");
}

void throw_no_journal(const std::filesystem::path& file) {
  throw InputError(file.string(), 0, 0, "this is not a journal of a sweep by this version",
                   "give another --out, or move this file");
}

SweepJournal::SweepJournal(std::filesystem::path file, const JournalHeader& header, Earlier earlier)
    : path_(std::move(file)), file_(path_), next_flush_(std::chrono::steady_clock::now()) {
  if (file_.size() == 0) {
    begin(header);
  } else if (earlier == Earlier::resume) {
    resume(header);
  } else {
    throw InputError(path_.string(), 0, 0, "a sweep that was not finished is kept here",
                     "continue it with --resume, or delete this file to begin anew");
  }
}

void SweepJournal::begin(const JournalHeader& header) {
  if (::ftruncate(file_.descriptor(), 0) != 0) cannot_write();
  const std::string bytes = encoded_header(header);
  write_at(0, bytes);
  places_.emplace(file_.descriptor(), bytes.size(), header.outline.layout.blocks());
  flush();
}

void SweepJournal::resume(const JournalHeader& header) {
  std::optional<StoredHeader> stored;
  const Beginning beginning = read_header(file_.descriptor(), stored);
  if (beginning == Beginning::foreign) throw_no_journal(path_);
  if (beginning != Beginning::journal) {
    // A run that was killed before its first block has lost nothing.
    if (beginning == Beginning::torn || file_.size() <= encoded_header(header).size()) return begin(header);
    throw_damaged(path_);
  }
  const std::string what = difference(stored->header.identity, header.identity);
  if (!what.empty())
    throw InputError(path_.string(), 0, 0, "this sweep was begun otherwise: " + what,
                     "resume it as it was begun, or delete this file to begin anew");
  places_.emplace(file_.descriptor(), stored->end, header.outline.layout.blocks());
  if (places_->end() < file_.size() && ::ftruncate(file_.descriptor(), static_cast<off_t>(places_->end())) != 0)
    cannot_write();
}

bool SweepJournal::has(std::size_t block) const {
  const std::scoped_lock guard(mutex_);
  return places_->has(block);
}

std::size_t SweepJournal::count() const {
  const std::scoped_lock guard(mutex_);
  return places_->count();
}

void SweepJournal::append(std::size_t block, std::string_view payload) {
  const std::string record = encoded_record(block, payload);
  {
    const std::scoped_lock guard(mutex_);
    write_at(places_->end(), record);
    places_->append(block, payload.size());
  }
  flush_now_and_then();
}

StoredBlock SweepJournal::block(std::size_t index) const {
  const std::scoped_lock guard(mutex_);
  auto block = places_->read(file_.descriptor(), index);
  if (!block) throw_damaged(path_);
  return std::move(*block);
}

void SweepJournal::write_at(std::uint64_t offset, const std::string& bytes) const {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t put = ::pwrite(file_.descriptor(), bytes.data() + written, bytes.size() - written,
                                 static_cast<off_t>(offset + written));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      // If this fails, the next run cuts off the half-written record.
      if (::ftruncate(file_.descriptor(), static_cast<off_t>(offset)) != 0) cannot_write();
      cannot_write();
    }
    written += static_cast<std::size_t>(put);
  }
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
  ::fdatasync(file_.descriptor());
}

void SweepJournal::flush() {
  ::fdatasync(file_.descriptor());
}

void SweepJournal::remove() {
  file_.remove();
}

void SweepJournal::damaged(std::size_t /*block*/) const {
  throw_damaged(path_);
}

void SweepJournal::cannot_write() const {
  throw InputError(path_.string(), 0, 0, "the journal of the sweep cannot be written",
                   "check the permissions of the folder and the space on the disk; --resume continues");
}

}  // namespace herglotz::io
