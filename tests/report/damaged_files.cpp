#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <random>

#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/report/report.hpp"
#include "sample_runs.hpp"
#include "sample_sweeps.hpp"
#include "sweep/sweep_page.hpp"

namespace herglotz::report {
namespace {

namespace fs = std::filesystem;
using ensemble::Keep;
using testing::HasSubstr;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "herglotz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// While one lives, the process may take two more gigabytes. Sanitizers need their own room and go without.
class LimitedMemory {
 public:
  LimitedMemory() {
    getrlimit(RLIMIT_AS, &before_);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limited = before_;
    limited.rlim_cur = static_cast<rlim_t>(pages) * 4096 + (rlim_t{2} << 30U);
    setrlimit(RLIMIT_AS, &limited);
#endif
  }
  ~LimitedMemory() { setrlimit(RLIMIT_AS, &before_); }
  LimitedMemory(const LimitedMemory&) = delete;
  LimitedMemory& operator=(const LimitedMemory&) = delete;

 private:
  rlimit before_{};
};

constexpr int run = 0;
constexpr int final_states = 1;
constexpr int trajectories = 2;
constexpr int statistics = 3;
constexpr int kinds = 4;

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// Reads everything that a page of the file shows. What is wrong with it, in one line, or nothing.
std::string complaint_about(const fs::path& file, int kind) {
  std::string complaint;
  testing::internal::CaptureStderr();
  try {
    kind == run ? render(io::read_hdf5(file)) : render_sweep(io::SweepReader(file));
  } catch (const io::InputError& error) {
    complaint = error.what();
    EXPECT_EQ(complaint.find('\n'), std::string::npos) << complaint;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  return complaint;
}

void write_sample(const fs::path& file, int kind) {
  if (kind == run) return io::write_hdf5(samples::knife_edge(50), file);
  samples::write_grid(file, kind == final_states   ? Keep::final
                            : kind == trajectories ? Keep::trajectory
                                                   : Keep::statistics);
}

/// A change of a file through the library, and what is then said of it.
struct Alteration {
  const char* name;
  int kind;
  std::function<void(hid_t)> alter;
  const char* complaint;
};

void set_attribute(hid_t file, const char* group, const char* name, const std::vector<std::int64_t>& values,
                   bool scalar) {
  H5Adelete_by_name(file, group, name, H5P_DEFAULT);
  const hsize_t length = values.size();
  const hid_t space = scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &length, nullptr);
  const hid_t attribute =
      H5Acreate_by_name(file, group, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (!values.empty()) {
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, values.data()), 0);
  }
  H5Aclose(attribute);
  H5Sclose(space);
}

void set_shape(hid_t file, const std::vector<std::int64_t>& shape) {
  set_attribute(file, "ensemble", "shape", shape, false);
}

void set_members(hid_t file, std::int64_t members) {
  set_attribute(file, "ensemble", "members", {members}, true);
}

/// Puts a dataset in the place of another. In chunks it claims values that are nowhere in the file.
void replace(hid_t file, const char* path, hid_t type, const std::vector<hsize_t>& shape, hsize_t chunk = 0) {
  EXPECT_GE(H5Ldelete(file, path, H5P_DEFAULT), 0);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  const std::vector<hsize_t> chunks(shape.size(), chunk);
  if (chunk > 0) H5Pset_chunk(properties, static_cast<int>(chunks.size()), chunks.data());
  const hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  EXPECT_GE(dataset, 0) << path;
  H5Dclose(dataset);
  H5Pclose(properties);
  H5Sclose(space);
}

const std::int64_t huge = std::int64_t{1} << 62U;

const std::vector<Alteration> alterations = {
    {"a time without rows", trajectories, [](hid_t file) { replace(file, "ensemble/time", H5T_IEEE_F64LE, {0}); },
     "could not find rows in time"},
    {"statistics without rows", statistics, [](hid_t file) { replace(file, "ensemble/time", H5T_IEEE_F64LE, {0}); },
     "could not find rows in time"},
    {"another number of rows", trajectories, [](hid_t file) { replace(file, "ensemble/time", H5T_IEEE_F64LE, {3}); },
     "could not read time"},
    {"a shape of 10^9", final_states, [](hid_t file) { set_shape(file, {1'000'000'000}); },
     "could not match the shape and the members"},
    {"a shape of 2^62", final_states, [](hid_t file) { set_shape(file, {huge}); },
     "could not match the shape and the members"},
    {"a shape whose product wraps around", final_states, [](hid_t file) { set_shape(file, {77, huge, 4}); },
     "could not match the shape and the members"},
    {"a negative shape", final_states, [](hid_t file) { set_shape(file, {-1, -77}); },
     "could not match the shape and the members"},
    {"a shape of nothing", final_states, [](hid_t file) { set_shape(file, {0, 77}); },
     "could not match the shape and the members"},
    {"a shape without axes", final_states, [](hid_t file) { set_shape(file, {}); },
     "could not match the shape and the members"},
    {"a grid of more axes than quantities", final_states, [](hid_t file) { set_shape(file, {11, 7, 1, 1}); },
     "could not match the shape and what is swept"},
    {"a negative number of members", final_states, [](hid_t file) { set_members(file, -1); },
     "could not read the attribute members"},
    {"too many members", final_states, [](hid_t file) { set_members(file, huge); },
     "could not match member and the members"},
    {"too many members, and a dataset of theirs that is nowhere", final_states,
     [](hid_t file) {
       set_members(file, huge);
       set_shape(file, {huge});
       replace(file, "ensemble/member", H5T_STD_I64LE, {static_cast<hsize_t>(huge)}, 1U << 20U);
     },
     "could not read member"},
    {"a column of a huge ensemble", final_states,
     [](hid_t file) { replace(file, "ensemble/q", H5T_IEEE_F64LE, {hsize_t{1} << 40U}, 1U << 20U); },
     "could not find the attribute role"},
    {"reasons wider than the file", final_states,
     [](hid_t file) {
       const hid_t text = H5Tcopy(H5T_C_S1);
       H5Tset_size(text, hsize_t{1} << 30U);
       replace(file, "ensemble/failed_reason", text, {3});
       H5Tclose(text);
     },
     "could not read failed_reason"},
    {"texts in the place of numbers", final_states,
     [](hid_t file) { replace(file, "ensemble/initial.q", H5T_C_S1, {77}); }, "could not read initial.q"},
    {"a column in another file", run,
     [](hid_t file) {
       EXPECT_GE(H5Ldelete(file, "trajectory/phi", H5P_DEFAULT), 0);
       EXPECT_GE(H5Lcreate_external("/etc/passwd", "/", file, "trajectory/phi", H5P_DEFAULT, H5P_DEFAULT), 0);
     },
     "could not find phi"},
    {"a column whose bytes lie in another file", run,
     [](hid_t file) {
       EXPECT_GE(H5Ldelete(file, "trajectory/phi", H5P_DEFAULT), 0);
       const hsize_t rows = 50;
       const hid_t space = H5Screate_simple(1, &rows, nullptr);
       const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
       H5Pset_external(properties, "/etc/passwd", 0, 400);
       const hid_t dataset =
           H5Dcreate2(file, "trajectory/phi", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
       EXPECT_GE(dataset, 0);
       H5Dclose(dataset);
       H5Pclose(properties);
       H5Sclose(space);
     },
     "could not read phi"},
    {"a column that is longer than the file", run,
     [](hid_t file) { replace(file, "trajectory/phi", H5T_IEEE_F64LE, {hsize_t{1} << 40U}); }, "could not read phi"},
};

}  // namespace

TEST(DamagedFiles, AreReadOrRefusedWithOneLine) {
  const Folder folder;
  const LimitedMemory limited;
  std::size_t refused = 0;
  for (int kind = 0; kind < kinds; ++kind) {
    write_sample(folder / "whole.h5", kind);
    const std::string whole = bytes_of(folder / "whole.h5");
    EXPECT_EQ(complaint_about(folder / "whole.h5", kind), "");
    std::mt19937_64 random(static_cast<unsigned>(kind));
    for (int k = 0; k < 50; ++k) {
      std::string bytes = whole;
      if (k % 10 == 0) {
        bytes.resize(random() % bytes.size());
      } else {
        for (auto flips = 1 + random() % 8; flips > 0; --flips)
          bytes[random() % bytes.size()] ^= static_cast<char>(1U << (random() % 8));
      }
      write_bytes(folder / "damaged.h5", bytes);
      if (!complaint_about(folder / "damaged.h5", kind).empty()) ++refused;
    }
  }
  EXPECT_GT(refused, 100U);
  // The library would tell of the damaged ones again as the process ends.
  io::silence_hdf5();
}

TEST(DamagedFiles, MayBeConsistentInThemselvesAndFalse) {
  const Folder folder;
  const LimitedMemory limited;
  const fs::path file = folder / "altered.h5";
  for (const Alteration& alteration : alterations) {
    write_sample(file, alteration.kind);
    {
      const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      ASSERT_GE(opened, 0);
      alteration.alter(opened);
      EXPECT_GE(H5Fclose(opened), 0);
    }
    EXPECT_THAT(complaint_about(file, alteration.kind), HasSubstr(alteration.complaint)) << alteration.name;
  }
}

}  // namespace herglotz::report
