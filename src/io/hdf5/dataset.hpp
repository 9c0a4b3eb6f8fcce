#pragma once
/// Datasets of files that may be damaged: their sizes are checked against the size of the file before memory is
/// allocated.

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hdf5/hdf5_object.hpp"

namespace herglotz::io {

/// Requirement on a dataset: every value must be stored (`all`), or values may be missing because the sweep was stopped
/// (`part`).
enum class Stored { all, part };

class Dataset {
 public:
  /// Opens a dataset of one or two dimensions. Throws Hdf5Failure if there is none with values of this class, if its
  /// data lies outside the file, or if it claims more values than its bytes in the file can hold.
  Dataset(hid_t parent, const std::string& name, H5T_class_t values, Stored stored = Stored::all);

  [[nodiscard]] const std::vector<hsize_t>& shape() const { return shape_; }
  [[nodiscard]] hid_t id() const { return dataset_; }

  /// Returns the part that begins at `first` and has the extent `count` in each dimension; the last dimension runs
  /// fastest. Throws Hdf5Failure if the dataset has no such part.
  [[nodiscard]] std::vector<double> numbers(const std::vector<hsize_t>& first, const std::vector<hsize_t>& count) const;
  [[nodiscard]] std::vector<double> all_numbers() const;
  [[nodiscard]] std::vector<std::int64_t> all_integers() const;
  /// Returns the texts of a dataset of fixed-width texts, without the zeros at their ends.
  [[nodiscard]] std::vector<std::string> all_texts() const;

 private:
  [[noreturn]] void fail() const;
  void require_plain_layout(hid_t properties);
  void require_known_filters(hid_t properties);
  void require_stored(hid_t properties, Stored stored) const;
  /// Reads a part after a check that its chunks inflate to no more than their own size. Throws Hdf5Failure otherwise.
  void read(hid_t memory_type, const std::vector<hsize_t>& first, const std::vector<hsize_t>& count, void* into) const;
  void require_chunks(const std::vector<hsize_t>& first, const std::vector<hsize_t>& count) const;
  void require_chunk(const std::vector<hsize_t>& place, hsize_t size) const;

  std::string name_;
  Handle dataset_;
  Handle space_;
  Handle type_;
  std::vector<hsize_t> shape_;
  hsize_t values_ = 1;                 ///< number of values
  hsize_t width_ = 0;                  ///< bytes of a value in the file
  std::vector<hsize_t> chunk_{};       ///< the extent of a chunk; empty if there are none
  std::optional<unsigned> deflate_{};  ///< place of the filter `deflate` among the filters of the chunks
};

}  // namespace herglotz::io
