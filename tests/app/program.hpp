#pragma once
/// The program as its users meet it: a process with a status and two streams.

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace herglotz::app::testing {

struct Finished {
  int status = -1;  ///< exit status, or 128 + the signal that ended it
  std::string out;
  std::string err;
};

/// Runs `herglotz` with the arguments in `folder`; `signal` is sent to it after `delay` when not 0.
Finished run_herglotz(const std::vector<std::string>& arguments, const std::filesystem::path& folder = ".",
                      int signal = 0, std::chrono::milliseconds delay = {});

/// Runs a line of the POSIX shell in which "$0" is the program.
Finished run_in_shell(const std::string& line, const std::filesystem::path& folder = ".");

/// A fresh folder that goes when the object goes.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file into it and returns its name.
  std::string write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }

 private:
  std::filesystem::path path_;
};

/// Runs a command of `herglotz` on a model, "m.toml", in a fresh folder; `more` are the arguments after its name.
Finished run_model(const std::string& command, const std::string& text, std::vector<std::string> more = {});

/// Lines without their ends.
std::vector<std::string> lines_of(const std::string& text);
/// A CSV file: its header and its rows.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  [[nodiscard]] double last(const std::string& name) const;
};
Table table_of(const std::string& csv);

}  // namespace herglotz::app::testing
