#include "herglotz/io/sweep_file.hpp"

#include "sweep/sweep_assembly.hpp"
#include "sweep/sweep_header.hpp"
#include "sweep/sweep_journal.hpp"

namespace herglotz::io {

using ensemble::Layout;
using ensemble::Plan;

std::filesystem::path journal_of(const std::filesystem::path& file) {
  std::filesystem::path journal = file;
  journal += ".journal";
  return journal;
}

struct SweepWriter::Impl {
  std::filesystem::path file;
  JournalHeader header;
  SweepJournal journal;

  Impl(const Plan& plan, const Layout& layout, std::filesystem::path where, bool resume)
      : file(std::move(where)),
        header(header_of(plan, layout, file)),
        journal(journal_of(file), header, resume ? Earlier::resume : Earlier::refuse) {}
};

SweepWriter::SweepWriter(const Plan& plan, const Layout& layout, const std::filesystem::path& file, bool resume)
    : impl_(std::make_unique<Impl>(plan, layout, file, resume)) {}

SweepWriter::~SweepWriter() = default;

bool SweepWriter::has(std::size_t block) const {
  return impl_->journal.has(block);
}

std::size_t SweepWriter::members_done() const {
  const Layout& layout = impl_->header.outline.layout;
  std::size_t done = impl_->journal.count() * layout.block_members;
  if (layout.blocks() > 0 && has(layout.blocks() - 1)) done -= layout.blocks() * layout.block_members - layout.members;
  return done;
}

void SweepWriter::add(const ensemble::Block& block) {
  add(block.index, encoded_block(block, impl_->header.outline.layout));
}

void SweepWriter::add(std::size_t block, std::string_view encoded) {
  impl_->journal.append(block, encoded);
}

SweepSummary SweepWriter::finish() {
  impl_->journal.flush();
  SweepSummary summary = assemble(impl_->header.outline, impl_->journal, impl_->file);
  if (summary.complete()) impl_->journal.remove();
  return summary;
}

}  // namespace herglotz::io
