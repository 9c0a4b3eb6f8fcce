#include "sweep/journal_records.hpp"

#include "herglotz/io/bytes.hpp"
#include "journal/identity.hpp"
#include "journal/records.hpp"
#include "sweep/outline_bytes.hpp"

namespace herglotz::io {
namespace {

constexpr std::string_view title = "herglotz sweep journal 3\n";

JournalHeader decoded_header(std::string_view payload) {
  ByteReader in(payload);
  JournalHeader header;
  header.outline = decoded_outline(in.get_text());
  header.identity = get_identity(in);
  return header;
}

}  // namespace

std::string encoded_header(const JournalHeader& header) {
  ByteWriter out;
  out.put_text(encoded_outline(header.outline));
  put_identity(header.identity, out);
  return beginning_of(title, out.take());
}

Beginning read_header(int descriptor, std::optional<StoredHeader>& header) {
  FoundHeader found;
  const Beginning beginning = read_beginning(descriptor, title, found);
  if (beginning != Beginning::journal) return beginning;
  try {
    header = StoredHeader{decoded_header(found.payload), found.end};
    return Beginning::journal;
  } catch (const std::out_of_range&) {
    return Beginning::damaged;
  }
}

BlockPlaces::BlockPlaces(int descriptor, std::uint64_t begin, std::size_t blocks) : places_(blocks), end_(begin) {
  const std::uint64_t size = size_of(descriptor);
  Record record;
  while (read_record(descriptor, end_, size, record) && record.number < places_.size())
    append(record.number, record.payload.size());
}

void BlockPlaces::append(std::size_t block, std::size_t payload_size) {
  Place& place = places_.at(block);
  if (place.offset == 0) ++count_;
  place = {end_, payload_size};
  end_ += record_size(payload_size);
}

std::optional<StoredBlock> BlockPlaces::read(int descriptor, std::size_t block) const {
  const Place& place = places_.at(block);
  Record record;
  if (place.offset == 0 || !read_record(descriptor, place.offset, place.offset + record_size(place.size), record))
    return std::nullopt;
  try {
    return decoded_block(record.payload);
  } catch (const std::out_of_range&) {
    return std::nullopt;
  }
}

}  // namespace herglotz::io
