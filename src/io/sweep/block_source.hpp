#pragma once
/// Finished blocks of a sweep, wherever they are stored.

#include <cstddef>
#include <filesystem>

#include "sweep/sweep_block.hpp"

namespace herglotz::io {

class BlockSource {
 public:
  virtual ~BlockSource() = default;
  [[nodiscard]] virtual bool has(std::size_t block) const = 0;
  /// Returns a block that is there. Throws InputError if the block is damaged.
  [[nodiscard]] virtual StoredBlock block(std::size_t index) const = 0;
  /// Throws the InputError for the damaged journal in which the block is stored.
  [[noreturn]] virtual void damaged(std::size_t block) const = 0;
};

/// Throws the InputError for a damaged journal.
[[noreturn]] void throw_damaged(const std::filesystem::path& journal);
/// Throws the InputError for a file that has the name of a journal but is not one.
[[noreturn]] void throw_no_journal(const std::filesystem::path& file);

}  // namespace herglotz::io
