#pragma once
/// Records with checksums, of which journals consist: a title, a header, then any number of records.

#include <cstdint>
#include <string>
#include <string_view>

namespace herglotz::io {

struct Record {
  std::uint64_t number = 0;
  std::string payload{};
};

/// Returns the bytes of a record: number, size, CRC-32 of both and of the payload, payload.
std::string record_of(std::uint64_t number, std::string_view payload);
/// Returns the number of bytes of a record with a payload of this size.
std::uint64_t record_size(std::uint64_t payload);
/// Reads the record at an offset of an open file. Returns false if it is torn or damaged, or goes beyond `end`.
bool read_record(int descriptor, std::uint64_t offset, std::uint64_t end, Record& record);
/// Returns the size of an open file.
std::uint64_t size_of(int descriptor);

/// Returns the bytes with which a journal begins: its title, a line, and its header.
std::string beginning_of(std::string_view title, std::string_view header);

/// State of the first bytes of a file.
enum class Beginning {
  journal,  ///< a whole header
  torn,     ///< a part of a header and nothing else: a run was killed before its first record
  damaged,  ///< a header that does not fit its checksum, with something after it
  foreign   ///< anything else
};

/// Header of an open journal, and the offset of what follows it.
struct FoundHeader {
  std::string payload;
  std::uint64_t end = 0;
};

/// Reads the beginning of an open file; `header` is set if it is whole.
Beginning read_beginning(int descriptor, std::string_view title, FoundHeader& header);

}  // namespace herglotz::io
