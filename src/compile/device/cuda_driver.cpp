#include "device/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <exception>
#include <utility>

#include "herglotz/compile/compile.hpp"
#include "herglotz/error.hpp"

namespace herglotz::compile {

struct CudaDriver::Functions {
  Cuda::Result (*init)(unsigned flags);
  Cuda::Result (*error_string)(Cuda::Result result, const char** text);
  Cuda::Result (*device_count)(int* count);
  Cuda::Result (*device)(Cuda::Device* device, int ordinal);
  Cuda::Result (*device_name)(char* name, int size, Cuda::Device device);
  Cuda::Result (*device_memory)(std::size_t* bytes, Cuda::Device device);
  Cuda::Result (*retain)(Cuda::Context* context, Cuda::Device device);
  Cuda::Result (*release)(Cuda::Device device);
  Cuda::Result (*set_current)(Cuda::Context context);
  Cuda::Result (*module_load)(Cuda::Module* module, const void* text, unsigned options, int* names, void** values);
  Cuda::Result (*module_unload)(Cuda::Module module);
  Cuda::Result (*module_function)(Cuda::Function* function, Cuda::Module module, const char* name);
  Cuda::Result (*allocate)(Cuda::Address* address, std::size_t bytes);
  Cuda::Result (*free)(Cuda::Address address);
  Cuda::Result (*to_card)(Cuda::Address to, const void* from, std::size_t bytes, Cuda::Stream stream);
  Cuda::Result (*from_card)(void* to, Cuda::Address from, std::size_t bytes, Cuda::Stream stream);
  Cuda::Result (*launch)(Cuda::Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                         unsigned block_y, unsigned block_z, unsigned shared, Cuda::Stream stream, void** arguments,
                         void** extra);
  Cuda::Result (*synchronise)(Cuda::Stream stream);
};

namespace {

constexpr const char* library_name = "libcuda.so.1";

/// Returns the stream of the calling thread, so that threads do not wait for one another.
Cuda::Stream stream_of_thread() {
  return std::bit_cast<Cuda::Stream>(std::uintptr_t{2});
}

/// Finds a function of the library. Returns false if the library does not have it.
template <class Function>
bool find(void* library, const char* name, Function& function) {
  void* const address = dlsym(library, name);
  std::memcpy(&function, &address, sizeof(function));
  return address != nullptr;
}

}  // namespace

const CudaDriver& CudaDriver::instance() {
  static const CudaDriver driver;
  return driver;
}

CudaDriver::CudaDriver() {
  void* const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    missing_ = fmt::format("NVIDIA's driver is not here ({})", dlerror());
    return;
  }
  static Functions found{};
  const bool complete =
      find(library, "cuInit", found.init) && find(library, "cuGetErrorString", found.error_string) &&
      find(library, "cuDeviceGetCount", found.device_count) && find(library, "cuDeviceGet", found.device) &&
      find(library, "cuDeviceGetName", found.device_name) &&
      find(library, "cuDeviceTotalMem_v2", found.device_memory) &&
      find(library, "cuDevicePrimaryCtxRetain", found.retain) &&
      find(library, "cuDevicePrimaryCtxRelease_v2", found.release) &&
      find(library, "cuCtxSetCurrent", found.set_current) && find(library, "cuModuleLoadDataEx", found.module_load) &&
      find(library, "cuModuleUnload", found.module_unload) &&
      find(library, "cuModuleGetFunction", found.module_function) && find(library, "cuMemAlloc_v2", found.allocate) &&
      find(library, "cuMemFree_v2", found.free) && find(library, "cuMemcpyHtoDAsync_v2", found.to_card) &&
      find(library, "cuMemcpyDtoHAsync_v2", found.from_card) && find(library, "cuLaunchKernel", found.launch) &&
      find(library, "cuStreamSynchronize", found.synchronise);
  if (!complete) {
    missing_ = fmt::format("{} is too old: it lacks a function of version 11 of the driver", library_name);
    return;
  }
  functions_ = &found;
  find_cards();
}

void CudaDriver::find_cards() {
  int count = 0;
  try {
    check(functions_->init(0), "cuInit");
    check(functions_->device_count(&count), "cuDeviceGetCount");
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      Cuda::Device device = 0;
      std::array<char, 256> name{};
      Card card;
      check(functions_->device(&device, ordinal), "cuDeviceGet");
      check(functions_->device_name(name.data(), static_cast<int>(name.size()) - 1, device), "cuDeviceGetName");
      check(functions_->device_memory(&card.memory, device), "cuDeviceTotalMem");
      card.name = name.data();
      cards_.push_back(std::move(card));
    }
  } catch (const Failed& failed) {
    cards_.clear();
    missing_ = failed.what();
    return;
  }
  if (cards_.empty()) missing_ = "NVIDIA's driver shows no card";
}

std::string CudaDriver::words(Cuda::Result result) const {
  const char* text = nullptr;
  if (functions_->error_string(result, &text) != 0 || text == nullptr) return fmt::format("error {}", result);
  return text;
}

void CudaDriver::check(Cuda::Result result, const char* call) const {
  if (result != 0) throw Failed(sentence(result, call));
}

std::string CudaDriver::sentence(Cuda::Result result, const char* call) const {
  return fmt::format("NVIDIA's driver: {}: {}", call, words(result));
}

void CudaDriver::note(Cuda::Result result, const char* call) const noexcept {
  if (result == 0 || std::uncaught_exceptions() > 0) return;
  const std::scoped_lock lock(mutex_);
  if (noted_.empty()) noted_ = sentence(result, call);
}

Cuda::Context CudaDriver::retain(Cuda::Device card) const {
  Cuda::Device device = 0;
  check(functions_->device(&device, card), "cuDeviceGet");
  Cuda::Context context = nullptr;
  check(functions_->retain(&context, device), "cuDevicePrimaryCtxRetain");
  const std::scoped_lock lock(mutex_);
  if (retained_++ == 0) noted_.clear();  // it was about what nobody uses any more
  return context;
}

void CudaDriver::release(Cuda::Device card) const noexcept {
  {
    const std::scoped_lock lock(mutex_);
    --retained_;
  }
  Cuda::Device device = 0;
  const Cuda::Result result = functions_->device(&device, card);
  note(result, "cuDeviceGet");
  if (result == 0) note(functions_->release(device), "cuDevicePrimaryCtxRelease");
}

void CudaDriver::use(Cuda::Context context) const {
  std::string noted;
  {
    const std::scoped_lock lock(mutex_);
    noted = std::exchange(noted_, {});
  }
  if (!noted.empty()) throw Failed(noted);
  check(functions_->set_current(context), "cuCtxSetCurrent");
}

Cuda::Module CudaDriver::load(const std::string& ptx) const {
  // The numbers of CU_JIT_ERROR_LOG_BUFFER and its size.
  std::array<int, 2> names{5, 6};
  std::array<char, 4096> log{};
  std::array<void*, 2> values{log.data(), std::bit_cast<void*>(log.size() - 1)};
  Cuda::Module module = nullptr;
  const Cuda::Result result =
      functions_->module_load(&module, ptx.c_str(), static_cast<unsigned>(names.size()), names.data(), values.data());
  if (result != 0)
    throw CompileError(fmt::format("NVIDIA's driver does not accept the code: {}{}{}", words(result),
                                   log[0] == 0 ? "" : ": ", log.data()));
  return module;
}

bool CudaDriver::enter(Cuda::Context context) const noexcept {
  const Cuda::Result result = functions_->set_current(context);
  note(result, "cuCtxSetCurrent");
  return result == 0;
}

void CudaDriver::unload(Cuda::Context context, Cuda::Module module) const noexcept {
  if (enter(context)) note(functions_->module_unload(module), "cuModuleUnload");
}

Cuda::Function CudaDriver::function(Cuda::Module module, const char* name) const {
  Cuda::Function found = nullptr;
  check(functions_->module_function(&found, module, name), "cuModuleGetFunction");
  return found;
}

Cuda::Address CudaDriver::allocate(std::size_t bytes) const {
  Cuda::Address address = 0;
  check(functions_->allocate(&address, bytes), "cuMemAlloc");
  return address;
}

void CudaDriver::free(Cuda::Context context, Cuda::Address address) const noexcept {
  if (enter(context)) note(functions_->free(address), "cuMemFree");
}

void CudaDriver::to_card(Cuda::Address to, const void* from, std::size_t bytes) const {
  check(functions_->to_card(to, from, bytes, stream_of_thread()), "cuMemcpyHtoD");
}

void CudaDriver::from_card(void* to, Cuda::Address from, std::size_t bytes) const {
  check(functions_->from_card(to, from, bytes, stream_of_thread()), "cuMemcpyDtoH");
  check(functions_->synchronise(stream_of_thread()), "cuStreamSynchronize");
}

void CudaDriver::launch(Cuda::Function function, unsigned blocks, unsigned threads, void** arguments) const {
  check(functions_->launch(function, blocks, 1, 1, threads, 1, 1, 0, stream_of_thread(), arguments, nullptr),
        "cuLaunchKernel");
}

}  // namespace herglotz::compile
