#pragma once
/// Commands of `herglotz`: each takes the arguments that its user typed and returns the exit status.

#include <optional>
#include <string>
#include <vector>

#include "exit_status.hpp"

namespace herglotz::app {

struct CheckArguments {
  std::string model;
  std::string format = "text";  ///< text or json
  std::vector<std::string> set;
};

struct DeriveArguments {
  std::string model;
  std::vector<std::string> set;
  std::string format = "text";
  bool geometry = false;
  bool discrete = false;
  bool implicit = false;
  bool tulczyjew = false;
  bool sections = false;  ///< brackets and lifts of sections
  bool connection = false;
  std::vector<std::string> christoffel;  ///< Christoffel symbols of --connection that do not vanish, B,I,A=EXPRESSION
};

/// Returns the option that asks for other equations than those of motion, or nullptr; of several the last one in the
/// order of the help.
const char* view_of(const DeriveArguments& arguments);

struct ReduceArguments {
  std::string model;
  std::vector<std::string> set;
  std::string by = "constraints";
  std::vector<std::string> fibre;  ///< coordinates to keep; empty: chosen at the start
  std::vector<std::string> group;  ///< symmetries to reduce by; empty: chosen at the start
  bool with_group = false;         ///< keep coordinates of the group
  std::string out;                 ///< empty: standard output
  bool force = false;
};

/// Arguments of flow and extend, which write a model that belongs to another one.
struct RelatedArguments {
  std::string model;
  std::vector<std::string> set;
  std::string function;
  bool constrained = false;
  bool projected = false;
  std::string rule = "nonholonomic";
  std::string out;  ///< empty: standard output
  bool force = false;
};

struct ImportArguments {
  std::string file;
  bool floating = false;
  std::vector<std::string> rolling;  ///< LINK or LINK=RADIUS
  std::string out;                   ///< empty: standard output
  bool force = false;
};

/// Arguments that describe a run; an unset value keeps the value of the model file.
struct RunArguments {
  std::vector<std::string> set;
  std::optional<std::string> method;
  std::optional<double> step;
  std::optional<double> tolerance;
  std::optional<double> t_end;
  std::optional<std::int64_t> output_every;
  std::optional<double> output_step;
};

struct SimulateArguments : RunArguments {
  std::string model;
  std::string out;  ///< "-": CSV to standard output
  std::string report;
  bool live = false;                       ///< the report follows the motion itself
  std::vector<std::string> columns;        ///< empty: the columns of the model file
  std::vector<std::string> sensitivities;  ///< parameters and initial values by which the run is differentiated
  std::string format = "text";             ///< format of the summary: text or json
  bool force = false;
};

struct SweepArguments : RunArguments {
  std::string model;
  std::string out;
  int threads = 0;  ///< 0: one per core
  int lanes = 0;    ///< 0: as many as the machine has
  std::optional<std::string> device;
  bool resume = false;
  bool force = false;
  std::vector<std::string> sweep;  ///< NAME=FROM:TO:COUNT
  std::string shard;               ///< K/N; empty: the whole sweep
  bool status = false;             ///< only say what is there of every shard
};

struct MergeArguments {
  std::string out;
  bool partial = false;
  bool force = false;
};

struct SolveArguments {
  std::string model;
  std::string out;  ///< "-": CSV to standard output
  std::vector<std::string> set;
  std::optional<std::string> method;
  std::optional<std::int64_t> intervals;
  std::optional<double> tolerance;
  std::optional<double> duration;
  std::string report;
  std::string guess;      ///< file of a path; empty: [guess]
  std::string continued;  ///< NAME=FROM:TO:COUNT; empty: one problem
  std::string format = "text";
  bool force = false;
};

struct ReportArguments {
  std::vector<std::string> files;  ///< one file, or two to compare
  std::string out;
  bool force = false;
};

struct StudioArguments {
  std::string model;  ///< empty: a model of the gallery
  int port = 0;       ///< 0: a free one
  bool no_browser = false;
};

struct ModelsArguments {
  std::string name;
  std::string out;        ///< file of `models copy`; empty: <name>.toml
  std::size_t links = 0;  ///< links of generated models; 0: their default
  bool force = false;
  std::string format = "table";  ///< format of `models list`: table or json
  bool problems = false;         ///< list what `solve` takes
  bool indexed = false;          ///< list the models with an index
};

int check(const CheckArguments& arguments);
int derive(const DeriveArguments& arguments);
int reduce(const ReduceArguments& arguments);
int flow(const RelatedArguments& arguments);
int extend(const RelatedArguments& arguments);
/// Writes the model of a robot that is described in URDF.
int import_robot(const ImportArguments& arguments);
int simulate(const SimulateArguments& arguments);
int solve(const SolveArguments& arguments);
int sweep(const SweepArguments& arguments);
int merge(const MergeArguments& arguments);
int report(const ReportArguments& arguments);
int studio(const StudioArguments& arguments);
int methods(const std::string& format);
int devices(const std::string& format);
int models_list(const ModelsArguments& arguments);
int models_show(const ModelsArguments& arguments);
int models_copy(const ModelsArguments& arguments);

}  // namespace herglotz::app
