#pragma once
/// NVIDIA's driver, loaded from libcuda.so.1 when it is asked for.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace herglotz::compile {

/// Types of the driver's interface.
struct Cuda {
  using Result = int;
  using Device = int;
  using Context = struct ContextTag*;
  using Module = struct ModuleTag*;
  using Function = struct FunctionTag*;
  using Stream = struct StreamTag*;
  using Address = std::uint64_t;  ///< an address in the memory of a card
};

/// Functions of the driver. They throw Failed with the name of the call and the driver's own words. Functions that give
/// back cannot throw: the next call of use() does so for them.
class CudaDriver {
 public:
  struct Card {
    std::string name;
    std::size_t memory = 0;
  };

  /// Loads the driver once.
  static const CudaDriver& instance();

  /// Returns the cards; if there is none, `missing` says why.
  [[nodiscard]] const std::vector<Card>& cards() const { return cards_; }
  [[nodiscard]] const std::string& missing() const { return missing_; }

  /// Returns the context that all libraries of this process share on a card.
  [[nodiscard]] Cuda::Context retain(Cuda::Device card) const;
  void release(Cuda::Device card) const noexcept;
  /// Makes the context that of this thread; the functions without a context act on it.
  void use(Cuda::Context context) const;
  /// Throws CompileError with the driver's log if it does not accept the text.
  [[nodiscard]] Cuda::Module load(const std::string& ptx) const;
  void unload(Cuda::Context context, Cuda::Module module) const noexcept;
  [[nodiscard]] Cuda::Function function(Cuda::Module module, const char* name) const;
  [[nodiscard]] Cuda::Address allocate(std::size_t bytes) const;
  void free(Cuda::Context context, Cuda::Address address) const noexcept;
  void to_card(Cuda::Address to, const void* from, std::size_t bytes) const;
  /// Waits for what this thread has launched, then copies.
  void from_card(void* to, Cuda::Address from, std::size_t bytes) const;
  /// Starts a function in `blocks` blocks of `threads` threads.
  void launch(Cuda::Function function, unsigned blocks, unsigned threads, void** arguments) const;

 private:
  CudaDriver();
  void find_cards();
  void check(Cuda::Result result, const char* call) const;
  [[nodiscard]] std::string words(Cuda::Result result) const;
  [[nodiscard]] std::string sentence(Cuda::Result result, const char* call) const;
  /// Makes the context that of this thread before something in it is given back. Returns false if that failed: nothing
  /// may then be given back, since the driver would take it from another context.
  bool enter(Cuda::Context context) const noexcept;
  /// Keeps the first error of a call that gives back. What follows an error that was thrown is no news.
  void note(Cuda::Result result, const char* call) const noexcept;

  struct Functions;
  const Functions* functions_ = nullptr;  // loaded for the life of the process
  std::vector<Card> cards_;
  std::string missing_;
  mutable std::mutex mutex_;   // guards the rest
  mutable std::string noted_;  // what use() throws
  mutable int retained_ = 0;   // contexts that are in use
};

}  // namespace herglotz::compile
