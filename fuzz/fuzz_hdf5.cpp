// Files of runs and of ensembles, altered: the input says which file and then, six bytes at a time, where it gets which
// byte. Each is read to its end, or refused with an InputError of one line. The bytes stay in memory.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/trajectory_file.hpp"

namespace {

using namespace herglotz;
using ensemble::Keep;

/// 20 members, of which the first fails.
void write_ensemble(const std::string& file, Keep keep) {
  ensemble::Plan plan{io::parse_model("algebroid = { kind = \"tangent\", base = [\"q\"], fibre = [\"v\"] }\n"
                                      "dynamics = { lagrangian = \"v^2/2\" }\n"
                                      "initial = { q = 1 }\n"),
                      {},
                      {}};
  plan.sweep.quantities.push_back({ensemble::Target::initial, "q", ensemble::Range{0, 1, 20, false}});
  plan.output.keep = keep;
  ensemble::Layout layout;
  layout.columns = {{"q", analyse::Role::base}};
  layout.times = keep == Keep::final ? std::vector<double>{1} : std::vector<double>{0, 1};
  layout.members = 20;
  layout.block_members = 20;
  layout.method = "contact-gauss-4";
  layout.order = 4;
  ensemble::Block block;
  block.members = 20;
  block.failures.push_back({0, "no convergence"});
  if (keep == Keep::statistics) {
    block.statistics.resize(layout.times.size());
  } else {
    block.columns.assign(1, std::vector<double>(20 * layout.times.size(), 0.5));
  }
  io::SweepWriter writer(plan, layout, file);
  writer.add(block);
  writer.finish();
}

void write_run(const std::string& file) {
  analyse::Trajectory run;
  run.columns = {{"t", analyse::Role::time, {0, 1}}, {"q", analyse::Role::base, {2, 3}}};
  run.facts.notes = {"a note", "another"};
  run.facts.parameters = {{"gamma", 0.1}};
  run.events = {{"crossing", run.columns}};
  io::write_hdf5(run, file);
}

/// The bytes of one file of every kind.
std::vector<std::string> samples() {
  const std::filesystem::path folder = "/dev/shm/herglotz-fuzz-hdf5-" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  std::vector<std::string> all;
  for (int kind = 0; kind < 4; ++kind) {
    const std::string file = (folder / (std::to_string(kind) + ".h5")).string();
    kind == 0 ? write_run(file)
              : write_ensemble(file, kind == 1   ? Keep::final
                                     : kind == 2 ? Keep::times
                                                 : Keep::statistics);
    std::ifstream stream(file, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  std::filesystem::remove_all(folder);
  return all;
}

std::string altered(const std::vector<std::string>& whole, const std::uint8_t* data, std::size_t size) {
  std::string bytes = whole[data[0] % whole.size()];
  for (std::size_t at = 1; at + 6 <= size; at += 6) {
    std::uint32_t place = 0;
    std::memcpy(&place, data + at, sizeof(place));
    if (data[at + 4] == 255) bytes.resize(1 + place % bytes.size());
    bytes[place % bytes.size()] = static_cast<char>(data[at + 5]);
  }
  return bytes;
}

void read_all(const std::string& file) {
  const io::SweepReader sweep(file);
  const io::SweepFacts& facts = sweep.facts();
  std::size_t values = 0;
  for (const auto& name : facts.swept) values += sweep.swept(name, 0, facts.members).size();
  for (const auto& [name, role] : facts.columns)
    values += facts.keep == ensemble::Keep::statistics ? sweep.statistics(name).size()
                                                       : sweep.column(name, 0, facts.members).size();
  if (values < facts.swept.size() * facts.members) std::abort();
}

template <class Read>
void require_one_line(const Read& read, const std::string& file) {
  try {
    read(file);
  } catch (const io::InputError& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  io::silence_hdf5();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> whole = samples();
  if (size == 0) return 0;
  const std::string bytes = altered(whole, data, size);
  const int descriptor = ::memfd_create("fuzz", 0);
  if (descriptor < 0 || ::write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    std::abort();
  const std::string file = "/proc/self/fd/" + std::to_string(descriptor);
  require_one_line(read_all, file);
  require_one_line(io::read_hdf5, file);
  ::close(descriptor);
  return 0;
}
