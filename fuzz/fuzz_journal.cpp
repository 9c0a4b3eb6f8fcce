// Journals of sweeps from arbitrary bytes: each is resumed to a complete file, or refused with an InputError of one
// line. An even first byte puts the rest behind a valid head, as the payload of a block whose check fits.

#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "herglotz/io/sweep_file.hpp"

namespace {

using namespace herglotz;

ensemble::Plan plan() {
  ensemble::Plan made{io::parse_model("algebroid = { kind = \"tangent\", base = [\"q\"], fibre = [\"v\"] }\n"
                                      "dynamics = { lagrangian = \"v^2/2\" }\n"
                                      "initial = { q = 1 }\n"),
                      {},
                      {}};
  made.sweep.quantities.push_back({ensemble::Target::initial, "q", ensemble::Range{0, 1, 20, false}});
  return made;
}

ensemble::Layout layout() {
  ensemble::Layout made;
  made.columns = {{"q", analyse::Role::base}};
  made.times = {1};
  made.members = 20;
  made.block_members = 10;
  made.method = "contact-gauss-4";
  made.order = 4;
  return made;
}

ensemble::Block block(std::size_t index) {
  ensemble::Block made;
  made.index = index;
  made.first = 10 * index;
  made.members = 10;
  made.columns.assign(1, std::vector<double>(10, 1.0));
  return made;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A folder of this process in memory, and a journal without blocks.
struct Place {
  std::filesystem::path folder = "/dev/shm/herglotz-fuzz-" + std::to_string(::getpid());
  std::filesystem::path file = folder / "e.h5";
  std::string head;

  Place() {
    std::filesystem::create_directories(folder);
    {
      const io::SweepWriter begin(plan(), layout(), file);
    }
    head = bytes_of(io::journal_of(file));
  }
  ~Place() { std::filesystem::remove_all(folder); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
};

std::string with_payload(const std::string& head, const std::string& payload) {
  const std::uint64_t numbers[2] = {0, payload.size()};
  uLong sum = crc32(0, reinterpret_cast<const Bytef*>(numbers), sizeof(numbers));
  sum = crc32(sum, reinterpret_cast<const Bytef*>(payload.data()), static_cast<uInt>(payload.size()));
  const std::uint64_t check = sum;
  std::string journal = head;
  journal.append(reinterpret_cast<const char*>(numbers), sizeof(numbers));
  journal.append(reinterpret_cast<const char*>(&check), sizeof(check));
  return journal + payload;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Place place;
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::ofstream(io::journal_of(place.file), std::ios::binary)
      << (data[0] % 2 == 0 ? with_payload(place.head, rest) : rest);
  try {
    io::SweepWriter writer(plan(), layout(), place.file, true);
    for (const std::size_t index : {0U, 1U})
      if (!writer.has(index)) writer.add(block(index));
    if (!writer.finish().complete()) std::abort();
  } catch (const io::InputError& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  return 0;
}
