/// NVIDIA's driver with one card, for tests: it runs the code on this processor, keeps the memory of the card, and
/// checks how it is called. The environment variable FAKE_CARD chooses how it is:
///   none            there is no card
///   idle            launches do nothing
///   lazy            launches leave the second half of each block of threads out
///   lossy           launches turn all numbers into NaN
///   biased          launches change the last bit of the first number
///   CALL=CODE@N     the Nth call of the driver's function CALL ends with the error CODE
/// What is not given back at the end is told on the standard error stream.

#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "card/ptx_machine.hpp"

namespace {

using herglotz::card::PtxEntry;
using herglotz::card::PtxError;
using herglotz::card::Range;

constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int out_of_memory = 2;
constexpr int invalid_device = 101;
constexpr int invalid_context = 201;
constexpr int invalid_ptx = 218;
constexpr int invalid_handle = 400;
constexpr int not_found = 500;
constexpr int illegal_address = 700;
constexpr int ordinal_of_card = 7;
constexpr std::size_t memory_of_card = std::size_t{3} << 30U;

struct Card {
  std::mutex mutex;
  std::map<std::uint64_t, std::unique_ptr<std::vector<double>>> memory;
  std::set<const PtxEntry*> modules;
  int contexts = 0;
  std::map<std::string, int> calls;
};

Card& card() {
  static Card one;
  return one;
}

int the_context = 0;
thread_local void* current = nullptr;

std::string mode() {
  const char* const given = std::getenv("FAKE_CARD");
  return given == nullptr ? "" : given;
}

/// Returns the error that this call is asked to end with, or success.
int asked(const std::string& call) {
  const std::lock_guard lock(card().mutex);
  const int count = ++card().calls[call];
  const std::string wish = mode();
  const auto equals = wish.find('=');
  const auto at = wish.find('@');
  if (equals == std::string::npos || wish.substr(0, equals) != call) return success;
  return std::stoi(wish.substr(at + 1)) == count ? std::stoi(wish.substr(equals + 1, at - equals - 1)) : success;
}

/// Returns what is wrong with a call that needs the context of the card in its thread.
int in_context(const std::string& call) {
  const int error = asked(call);
  if (error != success) return error;
  if (current == &the_context) return success;
  std::fprintf(stderr, "%s was called without a context\n", call.c_str());
  return invalid_context;
}

/// Returns the memory of the card with these bytes, or nullptr.
void* place(std::uint64_t address, std::size_t bytes) {
  const std::lock_guard lock(card().mutex);
  auto after = card().memory.upper_bound(address);
  if (after == card().memory.begin()) return nullptr;
  const auto& [first, numbers] = *--after;
  if (address - first + bytes > numbers->size() * sizeof(double)) return nullptr;
  return std::bit_cast<void*>(address);
}

bool is_stream_of_thread(void* stream) {
  return std::bit_cast<std::uintptr_t>(stream) == 2;
}

}  // namespace

extern "C" {

int cuInit(unsigned flags) {
  const int error = asked("cuInit");
  return error != success ? error : flags == 0 ? success : invalid_value;
}

int cuGetErrorString(int result, const char** text) {
  static const std::map<int, const char*> words{{out_of_memory, "out of memory"},
                                                {invalid_context, "invalid device context"},
                                                {invalid_ptx, "a PTX JIT compilation failed"},
                                                {222, "the provided PTX was compiled with an unsupported toolchain"},
                                                {illegal_address, "an illegal memory access was encountered"},
                                                {719, "unspecified launch failure"}};
  const auto found = words.find(result);
  if (found == words.end()) return invalid_value;
  *text = found->second;
  return success;
}

int cuDeviceGetCount(int* count) {
  *count = mode() == "none" ? 0 : 1;
  return asked("cuDeviceGetCount");
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal_of_card;
  const int error = asked("cuDeviceGet");
  return error != success ? error : ordinal == 0 ? success : invalid_device;
}

int cuDeviceGetName(char* name, int size, int device) {
  std::snprintf(name, static_cast<std::size_t>(size), "Paper Card %d", device);
  return asked("cuDeviceGetName");
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  *bytes = memory_of_card;
  const int error = asked("cuDeviceTotalMem");
  return error != success ? error : device == ordinal_of_card ? success : invalid_device;
}

int cuDevicePrimaryCtxRetain(void** context, int device) {
  if (const int error = asked("cuDevicePrimaryCtxRetain"); error != success) return error;
  const std::lock_guard lock(card().mutex);
  ++card().contexts;
  *context = &the_context;
  return device == ordinal_of_card ? success : invalid_device;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  if (const int error = asked("cuDevicePrimaryCtxRelease"); error != success) return error;
  const std::lock_guard lock(card().mutex);
  if (device != ordinal_of_card || card().contexts == 0) return invalid_context;
  if (--card().contexts > 0) return success;
  if (!card().memory.empty()) std::fprintf(stderr, "%zu pieces of memory are left\n", card().memory.size());
  if (!card().modules.empty()) std::fprintf(stderr, "%zu modules are left\n", card().modules.size());
  return success;
}

int cuCtxSetCurrent(void* context) {
  const int wished = asked("cuCtxSetCurrent");
  const int error = wished != success ? wished : context == &the_context ? success : invalid_context;
  current = error == success ? context : nullptr;
  return error;
}

int cuModuleLoadDataEx(void** module, const void* text, unsigned options, int* names, void** values) {
  constexpr int log_buffer = 5;
  constexpr int log_size = 6;
  int error = in_context("cuModuleLoadDataEx");
  if (options != 2 || names[0] != log_buffer || names[1] != log_size) return invalid_value;
  std::string words = error == success ? "" : "line 1: unsupported .version";
  if (error == success) {
    try {
      auto entry = std::make_unique<const PtxEntry>(static_cast<const char*>(text));
      const std::lock_guard lock(card().mutex);
      card().modules.insert(entry.get());
      *module = const_cast<PtxEntry*>(entry.release());
    } catch (const PtxError& wrong) {
      words = wrong.what();
      error = invalid_ptx;
    }
  }
  std::snprintf(static_cast<char*>(values[0]), std::bit_cast<std::size_t>(values[1]), "%s", words.c_str());
  return error;
}

int cuModuleUnload(void* module) {
  if (const int error = in_context("cuModuleUnload"); error != success) return error;
  const std::lock_guard lock(card().mutex);
  if (card().modules.erase(static_cast<PtxEntry*>(module)) == 0) return invalid_handle;
  delete static_cast<PtxEntry*>(module);
  return success;
}

int cuModuleGetFunction(void** function, void* module, const char* name) {
  if (const int error = in_context("cuModuleGetFunction"); error != success) return error;
  *function = module;
  return static_cast<PtxEntry*>(module)->name() == name ? success : not_found;
}

int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  if (const int error = in_context("cuMemAlloc"); error != success) return error;
  if (bytes == 0 || bytes > memory_of_card) return bytes == 0 ? invalid_value : out_of_memory;
  auto numbers = std::make_unique<std::vector<double>>((bytes + sizeof(double) - 1) / sizeof(double));
  *address = std::bit_cast<std::uint64_t>(numbers->data());
  const std::lock_guard lock(card().mutex);
  card().memory.emplace(*address, std::move(numbers));
  return success;
}

int cuMemFree_v2(std::uint64_t address) {
  if (const int error = in_context("cuMemFree"); error != success) return error;
  const std::lock_guard lock(card().mutex);
  return card().memory.erase(address) == 1 ? success : invalid_value;
}

int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* stream) {
  if (const int error = in_context("cuMemcpyHtoD"); error != success) return error;
  void* const there = place(to, bytes);
  if (there == nullptr || !is_stream_of_thread(stream)) return invalid_value;
  std::memcpy(there, from, bytes);
  return success;
}

int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* stream) {
  if (const int error = in_context("cuMemcpyDtoH"); error != success) return error;
  const void* const there = place(from, bytes);
  if (there == nullptr || !is_stream_of_thread(stream)) return invalid_value;
  std::memcpy(to, there, bytes);
  return success;
}

int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared, void* stream, void** arguments, void** extra) {
  constexpr unsigned most_threads = 1024;
  if (const int error = in_context("cuLaunchKernel"); error != success) return error;
  if (grid_x == 0 || grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 || block_x == 0 ||
      block_x > most_threads || shared != 0 || extra != nullptr || !is_stream_of_thread(stream))
    return invalid_value;
  std::vector<Range> memory;
  {
    const std::lock_guard lock(card().mutex);
    if (card().modules.count(static_cast<PtxEntry*>(function)) == 0) return invalid_handle;
    for (const auto& [first, numbers] : card().memory) memory.push_back({first, numbers->size() * sizeof(double)});
  }
  if (mode() == "idle") return success;
  if (mode() == "lossy") {
    const auto rows = *static_cast<const std::uint64_t*>(arguments[0]);
    for (const auto& range : memory)
      if (range.first == rows) std::memset(std::bit_cast<void*>(range.first), 0xff, range.size);
    return success;
  }
  try {
    static_cast<const PtxEntry*>(function)->run(grid_x, mode() == "lazy" ? block_x / 2 : block_x, arguments, memory);
  } catch (const PtxError&) {
    return illegal_address;
  }
  if (mode() == "biased") *std::bit_cast<std::uint64_t*>(*static_cast<const std::uint64_t*>(arguments[0])) ^= 1U;
  return success;
}

int cuStreamSynchronize(void* stream) {
  const int error = in_context("cuStreamSynchronize");
  return error != success ? error : is_stream_of_thread(stream) ? success : invalid_value;
}
}
