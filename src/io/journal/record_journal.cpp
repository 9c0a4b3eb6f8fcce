#include "herglotz/io/record_journal.hpp"

#include <fmt/format.h>

#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "journal/identity.hpp"
#include "journal/journal_file.hpp"
#include "journal/records.hpp"

namespace herglotz::io {

struct RecordJournal::Impl {
  JournalFile file;
  std::string kind;
  std::uint64_t end = 0;
  std::vector<std::string> before{};

  /// Begins the file anew.
  void begin(const std::string& beginning) {
    file.cut(0);
    file.write_at(0, beginning);
    end = beginning.size();
    file.flush();
  }

  [[noreturn]] void throw_damaged() const {
    throw InputError(file.path().string(), 0, 0, "this journal is damaged",
                     fmt::format("delete it to begin the {} anew", kind));
  }

  void require(const std::string& header, const Identity& identity) const {
    Identity stored;
    try {
      ByteReader in(header);
      stored = get_identity(in);
    } catch (const OutOfRange&) {
      throw_damaged();
    }
    const std::string what = difference(stored, identity);
    if (!what.empty())
      throw InputError(file.path().string(), 0, 0, fmt::format("this {} was begun otherwise: {}", kind, what),
                       "resume it as it was begun, or delete this file to begin anew");
  }

  void resume(const std::string& title, const std::string& beginning, const Identity& identity) {
    FoundHeader header;
    switch (read_beginning(file.descriptor(), title, header)) {
      case Beginning::foreign:
        throw InputError(file.path().string(), 0, 0, fmt::format("this is not a journal of a {} by this version", kind),
                         "give another --out, or move this file");
      case Beginning::torn:
        return begin(beginning);
      case Beginning::damaged:
        // What was ended before its first record has lost nothing.
        if (file.size() <= beginning.size()) return begin(beginning);
        throw_damaged();
      case Beginning::journal:
        break;
    }
    require(header.payload, identity);
    end = header.end;
    Record record;
    while (read_record(file.descriptor(), end, file.size(), record)) {
      end += record_size(record.payload.size());
      before.push_back(std::move(record.payload));
    }
    if (end < file.size()) file.cut(end);
  }
};

RecordJournal::RecordJournal(std::filesystem::path file, const std::string& kind, int version, const Identity& identity)
    : impl_(new Impl{{std::move(file), kind}, kind}) {
  ByteWriter header;
  put_identity(identity, header);
  const std::string title = fmt::format("herglotz {} journal {}\n", kind, version);
  const std::string beginning = beginning_of(title, header.take());
  impl_->file.size() == 0 ? impl_->begin(beginning) : impl_->resume(title, beginning, identity);
}

RecordJournal::~RecordJournal() = default;

const std::vector<std::string>& RecordJournal::before() const {
  return impl_->before;
}

void RecordJournal::append(std::string_view record) {
  impl_->file.write_at(impl_->end, record_of(0, record));
  impl_->end += record_size(record.size());
  impl_->file.flush_now_and_then();
}

void RecordJournal::remove() {
  impl_->file.remove();
}

}  // namespace herglotz::io
