#include "sweep/shard_journals.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {
namespace {

/// Reads digits without a leading zero up to `end_mark` and moves `text` behind it.
std::optional<std::size_t> number_before(std::string_view& text, std::string_view end_mark) {
  const std::size_t end = text.find(end_mark);
  if (end == std::string_view::npos || end == 0 || (text[0] == '0' && end > 1)) return std::nullopt;
  const std::string_view digits = text.substr(0, end);
  std::size_t number = 0;
  const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (problem != std::errc{} || stop != digits.data() + digits.size()) return std::nullopt;
  text.remove_prefix(end + end_mark.size());
  return number;
}

std::optional<Shard> shard_in_name(std::string_view name, std::string_view file) {
  if (!name.starts_with(file) || !name.substr(file.size()).starts_with(".")) return std::nullopt;
  name.remove_prefix(file.size() + 1);
  const auto index = number_before(name, "-of-");
  if (!index) return std::nullopt;
  const auto count = number_before(name, ".journal");
  if (!count || !name.empty() || *index >= *count) return std::nullopt;
  return Shard{*index, *count};
}

}  // namespace

ReadJournal::ReadJournal(std::filesystem::path path, const Shard& shard) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw InputError(path_.string(), 0, 0, "this journal cannot be read", "check the permissions of the file");
  try {
    switch (read_header(descriptor_, header_)) {
      case Beginning::foreign:
        throw_no_journal(path_);
      case Beginning::damaged:
        throw_damaged(path_);
      case Beginning::torn:
        return;
      case Beginning::journal:
        break;
    }
    places_.emplace(descriptor_, header_->end, header_->header.outline.layout.blocks());
    require_own_blocks(shard);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

ReadJournal::~ReadJournal() {
  ::close(descriptor_);
}

void ReadJournal::require_own_blocks(const Shard& shard) const {
  for (std::size_t block = 0; block < header_->header.outline.layout.blocks(); ++block)
    if (places_->has(block) && !shard.owns(block))
      throw InputError(path_.string(), 0, 0, fmt::format("block {} is not of this shard", block),
                       "give the journal the name that it was written with");
}

StoredBlock ReadJournal::block(std::size_t index) const {
  auto block = places_->read(descriptor_, index);
  if (!block) throw_damaged(path_);
  return std::move(*block);
}

std::vector<Shard> shards_beside(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const std::string name = file.filename().string();
  std::vector<Shard> shards;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem))
    if (const auto shard = shard_in_name(entry.path().filename().string(), name)) shards.push_back(*shard);
  std::sort(shards.begin(), shards.end(),
            [](const Shard& a, const Shard& b) { return std::tie(a.count, a.index) < std::tie(b.count, b.index); });
  return shards;
}

ShardJournals::ShardJournals(const std::filesystem::path& file, std::size_t count) : journals_(count) {
  const ReadJournal* first = nullptr;
  for (const Shard& shard : shards_beside(file)) {
    if (shard.count != count)
      throw InputError(file.string(), 0, 0,
                       fmt::format("journals of {} shards and of {} lie beside it", std::min(count, shard.count),
                                   std::max(count, shard.count)),
                       "a sweep is divided in one way; delete the journals of the other");
    auto journal = std::make_unique<ReadJournal>(journal_of(file, shard), shard);
    if (journal->begun() && first != nullptr) {
      const std::string what = difference(first->header().identity, journal->header().identity);
      if (!what.empty())
        throw InputError(journal->path().string(), 0, 0,
                         fmt::format("this is of another sweep than {}: {}", first->path().filename().string(), what),
                         "delete the journal that does not belong here, and run its shard again");
    }
    if (journal->begun() && first == nullptr) first = journal.get();
    journals_[shard.index] = std::move(journal);
  }
}

const JournalHeader* ShardJournals::header() const {
  for (const auto& journal : journals_)
    if (journal && journal->begun()) return &journal->header();
  return nullptr;
}

bool ShardJournals::has(std::size_t block) const {
  const auto& journal = journals_[block % journals_.size()];
  return journal && journal->has(block);
}

StoredBlock ShardJournals::block(std::size_t index) const {
  return journals_[index % journals_.size()]->block(index);
}

void ShardJournals::damaged(std::size_t block) const {
  throw_damaged(journals_[block % journals_.size()]->path());
}

ShardState ShardJournals::state(std::size_t shard, std::size_t blocks) const {
  const auto& journal = journals_[shard];
  const std::size_t own = Shard{shard, journals_.size()}.blocks_of(blocks);
  return journal && journal->begun() ? ShardState{true, journal->count(), own} : ShardState{false, 0, own};
}

void ShardJournals::remove() const {
  std::error_code ignored;
  for (const auto& journal : journals_)
    if (journal) std::filesystem::remove(journal->path(), ignored);
}

}  // namespace herglotz::io
