#include "program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace herglotz::app::testing {
namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What to execute: the path of a program, and its arguments with its name before them.
struct Command {
  std::string path;
  std::vector<std::string> words;
};

[[noreturn]] void become(Command command, const std::filesystem::path& folder, const std::filesystem::path& out,
                         const std::filesystem::path& err) {
  const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(out_file, STDOUT_FILENO);
  dup2(err_file, STDERR_FILENO);
  std::vector<char*> argv;
  for (auto& word : command.words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::signal(SIGINT, SIG_DFL);  // tests that run in the background of a shell ignore it
  if (chdir(folder.c_str()) == 0) execv(command.path.c_str(), argv.data());
  _exit(127);
}

Finished run(const Command& command, const std::filesystem::path& folder, int signal, std::chrono::milliseconds delay) {
  const Folder streams;
  const auto out = streams.path() / "out";
  const auto err = streams.path() / "err";
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(command, folder, out, err);
  if (signal != 0) {
    std::this_thread::sleep_for(delay);
    kill(child, signal);
  }
  int state = 0;
  waitpid(child, &state, 0);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state), content(out), content(err)};
}

}  // namespace

Finished run_herglotz(const std::vector<std::string>& arguments, const std::filesystem::path& folder, int signal,
                      std::chrono::milliseconds delay) {
  Command command{HERGLOTZ_PROGRAM, {HERGLOTZ_PROGRAM}};
  command.words.insert(command.words.end(), arguments.begin(), arguments.end());
  return run(command, folder, signal, delay);
}

Finished run_in_shell(const std::string& line, const std::filesystem::path& folder) {
  return run({"/bin/sh", {"sh", "-c", line, HERGLOTZ_PROGRAM}}, folder, 0, {});
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "herglotz-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return name;
}

std::string Folder::read(const std::string& name) const {
  return content(path_ / name);
}

Finished run_model(const std::string& command, const std::string& text, std::vector<std::string> more) {
  const Folder folder;
  folder.write("m.toml", text);
  more.insert(more.begin(), {command, "m.toml"});
  return run_herglotz(more, folder.path());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Table table_of(const std::string& csv) {
  Table table;
  for (const auto& line : lines_of(csv)) {
    std::istringstream stream(line);
    std::vector<double> row;
    for (std::string cell; std::getline(stream, cell, ',');) {
      if (table.rows.empty() && row.empty() && std::isalpha(static_cast<unsigned char>(line.front())) != 0) {
        table.names.push_back(cell);
      } else {
        row.push_back(std::stod(cell));
      }
    }
    if (!row.empty()) table.rows.push_back(std::move(row));
  }
  return table;
}

double Table::last(const std::string& name) const {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end() || rows.empty()) throw std::out_of_range("no column " + name);
  return rows.back().at(static_cast<std::size_t>(it - names.begin()));
}

}  // namespace herglotz::app::testing
