#include "hdf5/number_list.hpp"

#include <algorithm>

#include "hdf5/dataset.hpp"

namespace herglotz::io {

bool is_hdf5_name(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".h5" || ending == ".hdf5" || ending == ".nc";
}

std::vector<double> read_numbers(const std::filesystem::path& file, const std::string& dataset) {
  const QuietHdf5 quiet;
  const Handle opened = open_to_read(file);
  for (std::size_t end = dataset.find('/', 1); end != std::string::npos; end = dataset.find('/', end + 1))
    require_own(opened, dataset.substr(0, end));
  require_own(opened, dataset);
  const Handle object(H5Dopen2(opened, dataset.c_str(), H5P_DEFAULT), H5Dclose, "find " + dataset);
  const Handle type(H5Dget_type(object), H5Tclose, "read " + dataset);
  const bool integers = H5Tget_class(type) == H5T_INTEGER;
  const Dataset numbers(opened, dataset, integers ? H5T_INTEGER : H5T_FLOAT);
  const auto& shape = numbers.shape();
  if (std::count_if(shape.begin(), shape.end(), [](hsize_t length) { return length != 1; }) > 1)
    throw Hdf5Failure("read " + dataset + " as a list: it has two dimensions");
  if (!integers) return numbers.all_numbers();
  const auto values = numbers.all_integers();
  return {values.begin(), values.end()};
}

}  // namespace herglotz::io
