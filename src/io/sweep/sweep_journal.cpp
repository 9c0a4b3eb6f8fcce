#include "sweep/sweep_journal.hpp"

#include "herglotz/io/model_file.hpp"
#include "journal/identity.hpp"

namespace herglotz::io {

void throw_damaged(const std::filesystem::path& journal) {
  throw InputError(journal.string(), 0, 0, "this journal is damaged", "delete it and run the sweep again");
}

void throw_no_journal(const std::filesystem::path& file) {
  throw InputError(file.string(), 0, 0, "this is not a journal of a sweep by this version",
                   "give another --out, or move this file");
}

SweepJournal::SweepJournal(std::filesystem::path file, const JournalHeader& header, Earlier earlier)
    : file_(std::move(file), "sweep") {
  if (file_.size() == 0) {
    begin(header);
  } else if (earlier == Earlier::resume) {
    resume(header);
  } else {
    throw InputError(file_.path().string(), 0, 0, "a sweep that was not finished is kept here",
                     "continue it with --resume, or delete this file to begin anew");
  }
}

void SweepJournal::begin(const JournalHeader& header) {
  file_.cut(0);
  const std::string bytes = encoded_header(header);
  file_.write_at(0, bytes);
  places_.emplace(file_.descriptor(), bytes.size(), header.outline.layout.blocks());
  flush();
}

void SweepJournal::resume(const JournalHeader& header) {
  std::optional<StoredHeader> stored;
  const Beginning beginning = read_header(file_.descriptor(), stored);
  if (beginning == Beginning::foreign) throw_no_journal(file_.path());
  if (beginning != Beginning::journal) {
    // A run that was killed before its first block has lost nothing.
    if (beginning == Beginning::torn || file_.size() <= encoded_header(header).size()) return begin(header);
    throw_damaged(file_.path());
  }
  const std::string what = difference(stored->header.identity, header.identity);
  if (!what.empty())
    throw InputError(file_.path().string(), 0, 0, "this sweep was begun otherwise: " + what,
                     "resume it as it was begun, or delete this file to begin anew");
  places_.emplace(file_.descriptor(), stored->end, header.outline.layout.blocks());
  if (places_->end() < file_.size()) file_.cut(places_->end());
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
  const std::string record = record_of(block, payload);
  {
    const std::scoped_lock guard(mutex_);
    file_.write_at(places_->end(), record);
    places_->append(block, payload.size());
  }
  file_.flush_now_and_then();
}

StoredBlock SweepJournal::block(std::size_t index) const {
  const std::scoped_lock guard(mutex_);
  auto block = places_->read(file_.descriptor(), index);
  if (!block) throw_damaged(file_.path());
  return std::move(*block);
}

void SweepJournal::flush() {
  file_.flush();
}

void SweepJournal::remove() {
  file_.remove();
}

void SweepJournal::damaged(std::size_t /*block*/) const {
  throw_damaged(file_.path());
}

}  // namespace herglotz::io
