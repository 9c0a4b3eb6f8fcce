/* A driver of NVIDIA with one card that keeps memory, accepts code, and loses every number: what it runs becomes NaN. With FAKE_CARD=broken
   every launch fails, with FAKE_CARD=old the code is not accepted, and with FAKE_CARD=none there is no card. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is(const char* what) {
  const char* const mode = getenv("FAKE_CARD");
  return mode != NULL && strcmp(mode, what) == 0;
}

int cuInit(unsigned flags) { return flags == 0 ? 0 : 1; }
int cuGetErrorString(int result, const char** text) {
  *text = result == 719 ? "unspecified launch failure" : result == 222 ? "the provided PTX was compiled with an unsupported toolchain" : "other";
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = is("none") ? 0 : 1;
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = 7;
  return ordinal == 0 ? 0 : 101;
}
int cuDeviceGetName(char* name, int size, int device) {
  snprintf(name, (size_t)size, "Forgetful Card %d", device);
  return 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int device) {
  *bytes = (size_t)3 << 30;
  return device == 7 ? 0 : 101;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = context;
  return device == 7 ? 0 : 101;
}
int cuDevicePrimaryCtxRelease_v2(int device) { return device == 7 ? 0 : 101; }
int cuCtxSetCurrent(void* context) { return context == NULL ? 201 : 0; }
int cuModuleLoadDataEx(void** module, const void* text, unsigned options, int* names, void** values) {
  static int loaded;
  *module = &loaded;
  if (options != 2 || names[0] != 5 || names[1] != 6) return 1;
  if (is("old")) {
    snprintf(values[0], (size_t)values[1], "line 1: unsupported .version");
    return 222;
  }
  return strstr(text, ".entry loop(") != NULL ? 0 : 218;
}
int cuModuleUnload(void* module) { return module == NULL ? 1 : 0; }
int cuModuleGetFunction(void** function, void* module, const char* name) {
  *function = module;
  return strcmp(name, "loop") == 0 ? 0 : 500;
}
/* Memory begins with its size, so that copies are checked. */
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  size_t* const memory = malloc(sizeof(double) + bytes);
  if (memory == NULL) return 2;
  memory[0] = bytes;
  *address = (uint64_t)(uintptr_t)(memory + 1);
  return 0;
}
static size_t size_of(uint64_t address) { return ((size_t*)(uintptr_t)address)[-1]; }
int cuMemFree_v2(uint64_t address) {
  free((size_t*)(uintptr_t)address - 1);
  return 0;
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* stream) {
  if (bytes > size_of(to) || stream != (void*)2) return 1;
  memcpy((void*)(uintptr_t)to, from, bytes);
  return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream) {
  if (bytes != size_of(from) || stream != (void*)2) return 1;
  memcpy(to, (const void*)(uintptr_t)from, bytes);
  return 0;
}
int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                   unsigned shared, void* stream, void** arguments, void** extra) {
  const uint64_t state = *(uint64_t*)arguments[0];
  const uint64_t width = *(uint64_t*)arguments[6];
  if (function == NULL || extra != NULL || shared != 0 || stream != (void*)2) return 1;
  if (grid_y * grid_z * block_y * block_z != 1 || (uint64_t)grid_x * block_x != width) return 1;
  if (is("broken")) return 719;
  memset((void*)(uintptr_t)state, 0xff, size_of(state));
  return 0;
}
int cuStreamSynchronize(void* stream) { return stream == (void*)2 ? 0 : 1; }
