#include "herglotz/io/data_file.hpp"

#include "trajectory/csv_reader.hpp"

namespace herglotz::io {

std::vector<analyse::Column> read_data(const std::filesystem::path& file) {
  return read_csv(file, "give a .csv file of measurements with a column 't' and columns named as those of a run",
                  EmptyField::missing);
}

}  // namespace herglotz::io
