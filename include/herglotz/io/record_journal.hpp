#pragma once
/// Journal of work that takes long: what it has found so far, so that it goes on where it was ended.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace herglotz::io {

/// Everything that determines the results, as names and texts.
using Identity = std::vector<std::pair<std::string, std::string>>;

/// A file of records with checksums, which one process at a time writes. A record that was not written to its end is
/// left out.
class RecordJournal {
 public:
  /// Opens the journal, or begins it. `kind` is what the work is called, such as "fit"; `version` is that of its
  /// records. Throws InputError for a file that is no such journal, for one of other work (the message names a
  /// difference), for one that another process writes, and if it cannot be written.
  RecordJournal(std::filesystem::path file, const std::string& kind, int version, const Identity& identity);
  ~RecordJournal();
  RecordJournal(const RecordJournal&) = delete;
  RecordJournal& operator=(const RecordJournal&) = delete;

  /// Returns the records that were there when the journal was opened, in their order.
  [[nodiscard]] const std::vector<std::string>& before() const;
  /// Appends a record. Throws InputError if the disk is full; the journal stays valid.
  void append(std::string_view record);
  /// Removes the file.
  void remove();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::io
