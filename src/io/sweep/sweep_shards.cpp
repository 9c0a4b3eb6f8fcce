#include "herglotz/io/sweep_shards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "herglotz/error.hpp"
#include "herglotz/io/existing_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "journal/locked_file.hpp"
#include "sweep/shard_journals.hpp"
#include "sweep/sweep_assembly.hpp"
#include "sweep/sweep_header.hpp"
#include "sweep/sweep_identity.hpp"
#include "sweep/sweep_journal.hpp"

namespace herglotz::io {
namespace {

/// Number of shards from which a division is refused.
constexpr std::size_t most_shards = 1'000'000;

/// Opens the journals that lie beside the file. Throws InputError if there are none.
ShardJournals journals_beside(const std::filesystem::path& file) {
  const auto shards = shards_beside(file);
  if (shards.empty())
    throw InputError(file.string(), 0, 0, "no journals of shards lie beside it",
                     "give the --out of `herglotz sweep --shard K/N`");
  return {file, shards.front().count};
}

/// Returns a text such as "shard 3 of 64", or "shards 3, 7 of 64".
std::string shards_in_words(const std::vector<std::size_t>& shards, std::size_t count) {
  return fmt::format("{} {} of {}", shards.size() == 1 ? "shard" : "shards", fmt::join(shards, ", "), count);
}

/// Throws IncompleteShards if a shard lacks blocks.
void require_complete(const std::filesystem::path& file, const ShardJournals& journals, std::size_t count,
                      std::size_t blocks) {
  std::vector<std::size_t> missing;
  std::vector<std::string> parts;
  for (std::size_t shard = 0; shard < count; ++shard) {
    const ShardState state = journals.state(shard, blocks);
    if (state.done == state.blocks) continue;
    if (!state.begun) missing.push_back(shard);
    if (state.begun)
      parts.push_back(fmt::format("{} lacks {} of {} blocks", shards_in_words({shard}, count),
                                  state.blocks - state.done, state.blocks));
  }
  if (!missing.empty())
    parts.push_back(
        fmt::format("{} {} no journal", shards_in_words(missing, count), missing.size() == 1 ? "has" : "have"));
  if (!parts.empty())
    throw IncompleteShards(fmt::format("{}: {}; run them again, or take what is there with --partial", file.string(),
                                       fmt::join(parts, ", ")));
}

}  // namespace

Shard shard_of(const std::string& text) {
  const auto number = [&](std::size_t begin, std::size_t end, std::size_t& value) {
    const auto [stop, problem] = std::from_chars(text.data() + begin, text.data() + end, value);
    return problem == std::errc{} && stop == text.data() + end;
  };
  const std::size_t slash = text.find('/');
  Shard shard;
  if (slash == std::string::npos || !number(0, slash, shard.index) || !number(slash + 1, text.size(), shard.count) ||
      shard.index >= shard.count || shard.count > most_shards)
    throw Refused(fmt::format("'{}' is not a shard", text),
                  fmt::format("give K/N with K from 0 to N - 1 and N at most {}, such as 0/64", most_shards));
  return shard;
}

std::filesystem::path journal_of(const std::filesystem::path& file, const Shard& shard) {
  std::filesystem::path journal = file;
  journal += fmt::format(".{}-of-{}.journal", shard.index, shard.count);
  return journal;
}

struct ShardWriter::Impl {
  Shard shard;
  JournalHeader header;
  SweepJournal journal;

  Impl(const ensemble::Plan& plan, const ensemble::Layout& layout, const std::filesystem::path& file, const Shard& part)
      : shard(part), header(header_of(plan, layout, file)), journal(journal_of(file, shard), header, Earlier::resume) {}
};

ShardWriter::ShardWriter(const ensemble::Plan& plan, const ensemble::Layout& layout, const std::filesystem::path& file,
                         const Shard& shard)
    : impl_(std::make_unique<Impl>(plan, layout, file, shard)) {}

ShardWriter::~ShardWriter() = default;

bool ShardWriter::wants(std::size_t block) const {
  return impl_->shard.owns(block) && !impl_->journal.has(block);
}

std::size_t ShardWriter::done() const {
  return impl_->journal.count();
}

void ShardWriter::add(const ensemble::Block& block) {
  impl_->journal.append(block.index, encoded_block(block, impl_->header.outline.layout));
}

void ShardWriter::finish() {
  impl_->journal.flush();
}

std::vector<ShardState> shard_states(const ensemble::Plan& plan, const ensemble::Layout& layout,
                                     const std::filesystem::path& file, std::size_t count) {
  const ShardJournals journals(file, count);
  if (const JournalHeader* header = journals.header()) {
    const std::string what = difference(header->identity, identity_of(plan, layout));
    if (!what.empty())
      throw InputError(file.string(), 0, 0, "its shards were begun otherwise: " + what,
                       "give the model and the settings that they were begun with");
  }
  std::vector<ShardState> states;
  for (std::size_t shard = 0; shard < count; ++shard) states.push_back(journals.state(shard, layout.blocks()));
  return states;
}

Merged merge_shards(const std::filesystem::path& file, bool partial) {
  // A sweep without shards and another merge into this file hold the same lock.
  const LockedFile lock(journal_of(file), "sweep");
  if (lock.size() != 0)
    throw InputError(journal_of(file).string(), 0, 0, "a sweep without shards that was not finished is kept here",
                     "finish it with --resume, or delete this file");
  const struct Removal {
    const LockedFile& lock;
    ~Removal() { lock.remove(); }
  } removal{lock};
  const ShardJournals journals = journals_beside(file);
  const JournalHeader* header = journals.header();
  if (header == nullptr)
    throw InputError(file.string(), 0, 0, "no shard has begun", "run `herglotz sweep --shard K/N` first");
  const auto& version = header->identity.front();
  if (version.second != HERGLOTZ_VERSION)
    throw InputError(
        file.string(), 0, 0,
        fmt::format("its shards were run by herglotz {}, and this is {}", version.second, HERGLOTZ_VERSION),
        "merge with the version that ran them");
  const std::size_t count = shards_beside(file).front().count;
  if (!partial) require_complete(file, journals, count, header->outline.layout.blocks());
  Merged merged{header->outline, assemble(header->outline, journals, file)};
  if (merged.summary.complete()) journals.remove();
  return merged;
}

bool is_merged(const std::filesystem::path& file) {
  const auto shards = shards_beside(file);
  if (shards.empty()) return occupant_of(file) == Occupant::complete_sweep;
  const ShardJournals journals(file, shards.front().count);
  const JournalHeader* header = journals.header();
  return header != nullptr && is_complete_sweep(file, header->outline.fingerprint);
}

void remove_merged_journals(const std::filesystem::path& file) {
  const auto shards = shards_beside(file);
  if (!shards.empty()) ShardJournals(file, shards.front().count).remove();
}

}  // namespace herglotz::io
