// The program from start to exit: reading a model, deriving, compiling, integrating, verifying, printing.

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

namespace {

/// Runs herglotz with its output thrown away; its exit status, or -1 where it could not be started.
int run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), HERGLOTZ_PROGRAM);
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int spawned = posix_spawn(&child, HERGLOTZ_PROGRAM, &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (spawned != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

void herglotz_program(benchmark::State& state, const std::vector<std::string>& arguments) {
  for (auto _ : state) {
    if (run(arguments) != 0) state.SkipWithError("herglotz failed");
  }
}

void start_up(const std::string& name, const std::vector<std::string>& arguments) {
  benchmark::RegisterBenchmark(name.c_str(), herglotz_program, arguments)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->Iterations(1)
      ->Repetitions(20);
}

const bool registered = [] {
  start_up("methods", {"methods"});  // derives and compiles nothing: what loading the program costs
  for (const char* model : {"damped-pendulum", "double-pendulum", "rigid-body", "heavy-top"})
    start_up("simulate/" + std::string(model),
             {"simulate", HERGLOTZ_SOURCE_DIR "/models/" + std::string(model) + ".toml"});
  return true;
}();

}  // namespace
