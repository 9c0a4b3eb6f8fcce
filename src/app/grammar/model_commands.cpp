#include <CLI/CLI.hpp>

#include "grammar/grammar.hpp"
#include "grammar/shared_options.hpp"

namespace herglotz::app {
namespace {

void add_check(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand(
      "check", "What the system is: its algebroid, regularity, constraints, symmetries, start, method");
  command.add_option("MODEL", typed.check.model, model_help)->required();
  add_set(command, typed.check.set);
  add_format(command, typed.check.format, {"text", "json"});
  auto* const compare = command.add_flag("--compare-rules", typed.rules.asked,
                                         "instead: whether a vakonomic motion from this start is the nonholonomic one");
  command.add_option("--t-end", typed.rules.t_end, "with --compare-rules: end of the motion")
      ->type_name("T")
      ->needs(compare);
  command.footer(
      "Says which axioms of an algebroid hold (with the largest defect of each), whether the\n"
      "Lagrangian is regular at the start, the kind of each constraint, which of them follow from or\n"
      "contradict the others, whether they are integrable, which of the declared symmetries hold,\n"
      "whether the initial state is consistent, and which method `auto` would choose, and why.\n\n"
      "Of a model with an index it names sites, inertia and symmetries at a site, and makes the first\n"
      "steps of a run.\n\n"
      "Exit status: 0 the model can be simulated, 2 bad input or contradictory constraints, 3 it is\n"
      "not regular or not consistent at the start; with an index, a state is not finite or a step fails.\n\n"
      "Examples:\n"
      "  herglotz check pendulum.toml\n"
      "  herglotz check heavy-top --set gamma=0\n"
      "  herglotz check chaplygin-sleigh --set vx=1 --set project=true\n"
      "  herglotz check rolling-disk --compare-rules --t-end 2");
}

void add_derive(CLI::App& app, Typed& typed) {
  auto& command =
      *app.add_subcommand("derive", "The equations of motion, energy, momenta and balance laws, or the geometry");
  command.add_option("MODEL", typed.derive.model, model_help)->required();
  add_set(command, typed.derive.set);
  command.add_option("--format", typed.derive.format, "text, latex, c, sympy or json")
      ->check(CLI::IsMember({"text", "latex", "c", "sympy", "json"}))
      ->type_name("FORMAT")
      ->capture_default_str();
  command.add_flag("--geometry", typed.derive.geometry,
                   "the contact and Jacobi geometry instead: brackets, fields, projector (not for c)");
  command.add_flag("--discrete", typed.derive.discrete,
                   "the discrete Herglotz equations of the model's [discrete] table instead (not for c)");
  command.add_flag("--implicit", typed.derive.implicit,
                   "the Hamilton-Pontryagin-Herglotz equations instead, with no Hessian inverted (not for c)");
  command.add_flag("--tulczyjew", typed.derive.tulczyjew,
                   "the algebroid as a map from T*E to TE*, and the Tulczyjew differential, instead (not for c)");
  command.add_flag("--sections", typed.derive.sections,
                   "the brackets of the frame, and the brackets and lifts of the sections in [symmetries], instead");
  command.add_flag("--connection", typed.derive.connection,
                   "the equations term by term with the flat connection of the frame instead (not for c)");
  command
      .add_option(
          "--christoffel", typed.derive.christoffel,
          "with --connection: the symbol Gamma^B_(I A) of fibre coordinates B, A and a base coordinate I; repeatable")
      ->type_name("B,I,A=EXPRESSION")
      ->allow_extra_args(false);
  command.footer(
      "--geometry prints the contact form, Reeb field, contact Hamiltonian field and Jacobi brackets (or,\n"
      "where the anchor is not invertible, the linear Jacobi structure), and with nonholonomic constraints\n"
      "their fields Z_a, the matrix C_ab, the projector and the nonholonomic brackets.\n"
      "--discrete prints the discrete Lagrangian, its discrete Legendre maps, the discrete Herglotz equations\n"
      "and the factor sigma_d by which a step dissipates momenta.\n"
      "--implicit prints the rates of positions, momenta and action, and the Legendre map, as equations in\n"
      "positions, velocities and momenta. The constraints of a singular Lagrangian are always printed.\n"
      "--tulczyjew prints the Legendre map and the Tulczyjew differential, the image of dL.\n"
      "--sections prints [e_a, e_b], and for each section s of [symmetries] its complete lift s^C, the change\n"
      "s^C(L), which is 0 for a symmetry, and its brackets with the others.\n"
      "--connection prints the parts of dL, the dual derivative of the momentum and the curvature; the\n"
      "Christoffel symbols cancel in the motion.\n\n"
      "Examples:\n"
      "  herglotz derive pendulum.toml\n"
      "  herglotz derive heavy-top --format latex > equations.tex\n"
      "  herglotz derive heavy-top --format c > right_hand_side.c\n"
      "  herglotz derive chaplygin-sleigh --geometry\n"
      "  herglotz derive discrete-oscillator --discrete\n"
      "  herglotz derive heavy-top --tulczyjew\n"
      "  herglotz derive heavy-top --sections\n"
      "  herglotz derive wong-particle --connection --christoffel v3,x1,v3=x2");
}

void add_reduce(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand(
      "reduce", "The same motion with its constraints solved, or without its symmetries, as a model");
  auto& to = typed.reduce;
  command.add_option("MODEL", to.model, model_help)->required();
  add_set(command, to.set);
  command.add_option("--by", to.by, "what to reduce by: constraints or symmetry")
      ->check(CLI::IsMember({"constraints", "symmetry"}))
      ->type_name("WHAT")
      ->capture_default_str();
  command
      .add_option("--keep", to.fibre,
                  "velocities that remain, separated by commas (default: chosen by the constraints)")
      ->delimiter(',')
      ->type_name("NAMES");
  command
      .add_option("--group", to.group,
                  "with --by symmetry: point symmetries, separated by commas (default: the largest free group)")
      ->delimiter(',')
      ->type_name("NAMES");
  command.add_flag("--with-group", to.with_group,
                   "with --by symmetry: keep coordinates of the group, which reconstruct the motion");
  command.add_option("--out", to.out, "where to (default: standard output)")->type_name("FILE.toml");
  command.add_flag("--force", to.force, "replace a file that exists");
  command.footer(
      "Nonholonomic constraints that are linear in the velocities, with coefficients on the base, span a\n"
      "skew algebroid whose bracket is projected in the metric of the kinetic energy. The model has its\n"
      "anchor, brackets and Lagrangian, and the velocities that are gone as observables. Affine constraints\n"
      "leave one more velocity, pace, along their section e_0, and the constraint pace = 1. Holonomic ones\n"
      "leave the velocities along a leaf, which the reduced model keeps as an invariant.\n\n"
      "--by symmetry finds the point symmetries of a Lagrangian, takes the largest group that acts freely at\n"
      "the start, and writes the Lagrange-Poincare-Herglotz system on E/G over a section of the orbits. A group\n"
      "that --group names may leave points where they are, as rotations of space do.\n\n"
      "Examples:\n"
      "  herglotz reduce chaplygin-sleigh\n"
      "  herglotz reduce kepler-drag --by symmetry\n"
      "  herglotz reduce rolling-disk --out reduced.toml && herglotz simulate reduced.toml");
}

void add_flow(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("flow", "The flow of a contact Hamiltonian field X_f, as a model");
  auto& to = typed.flow;
  command.add_option("MODEL", to.model, model_help)->required();
  command.add_option("FUNCTION", to.function, "f, of positions, momenta p_<fibre>, the action and time")->required();
  add_set(command, to.set);
  command.add_flag("--constrained", to.constrained,
                   "the flow of X_f^Delta along the nonholonomic constraints; f may have velocities and the energy");
  command.add_flag("--projected", to.projected,
                   "that of P(X_f), the motion with the Hamiltonian f and the reactions, in place of X_f^Delta");
  command.add_option("--out", to.out, "where to (default: standard output)")->type_name("FILE.toml");
  command.add_flag("--force", to.force, "replace a file that exists");
  command.footer(
      "The model has the Hamiltonian f on the same algebroid, without forces and constraints, and starts where\n"
      "the given one does. With --constrained and --projected positions, velocities and action are its base\n"
      "coordinates, the field is its anchor, and the constraints are observables, which stay 0. MODEL may also be a\n"
      "file with [structure], a contact form or Jacobi structure of one's own with or without constraints; f is a\n"
      "function of its coordinates.\n\n"
      "Examples:\n"
      "  herglotz flow damped-pendulum \"theta*p_omega\"\n"
      "  herglotz flow chaplygin-sleigh \"x*vx - z\" --constrained --out flow.toml && herglotz simulate flow.toml");
}

void add_extend(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("extend", "The same motion with the action as a coordinate, as a model");
  auto& to = typed.extend;
  command.add_option("MODEL", to.model, model_help)->required();
  add_set(command, to.set);
  command.add_option("--rule", to.rule, "rule of the constraint v_z = L: nonholonomic or vakonomic")
      ->check(CLI::IsMember({"nonholonomic", "vakonomic"}))
      ->type_name("RULE")
      ->capture_default_str();
  command.add_option("--out", to.out, "where to (default: standard output)")->type_name("FILE.toml");
  command.add_flag("--force", to.force, "replace a file that exists");
  command.footer(
      "The rate of the action is a constraint on E x TR, by either rule; the action of the model that is written\n"
      "does not affect the motion.\n\n"
      "Example:\n"
      "  herglotz extend damped-pendulum --rule vakonomic --out extended.toml && herglotz simulate extended.toml");
}

void add_path(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("path", "The action of a path, its first variation, and the force it needs");
  auto& to = typed.path;
  command.add_option("MODEL", to.model, model_help)->required();
  command
      .add_option("--along", to.along,
                  "a coordinate along the path, by time and parameters (repeatable); fibre coordinates that the\n"
                  "anchor gives may be left out")
      ->type_name("COORDINATE=EXPRESSION")
      ->allow_extra_args(false);
  auto* const rows_of =
      command.add_option("--rows-of", to.rows_of, "the path goes through the rows of a run or of samples; .csv or .h5");
  rows_of->type_name("FILE");
  command
      .add_option("--section", to.section,
                  "a component of the section of a variation, by time and base (repeatable; others are 0)")
      ->type_name("FIBRE=EXPRESSION")
      ->allow_extra_args(false);
  command.add_option("--t0", to.t0, "time at which the path begins (default: 0)")->type_name("T");
  command.add_option("--t-end", to.t_end, "time at which it ends")->type_name("T");
  command.add_option("--z0", to.z0, "action at its beginning (default: 0, or that of the first row)")->type_name("Z");
  command.add_option("--rows", to.rows, "number of times at which a path by expressions is looked at")
      ->type_name("N")
      ->excludes(rows_of)
      ->capture_default_str();
  add_set(command, to.set);
  command.add_option("--out", to.out, "write the path, its action and its force; .csv or .h5")->type_name("FILE");
  add_format(command, to.format, {"text", "json"});
  command.add_flag("--force", to.force, force_help);
  command.footer(
      "A path is admissible if dx/dt = rho y. Its action obeys dz/dt = L along it; the first variation is the\n"
      "derivative of its end along the variation of a section. The force is what the path needs in addition to\n"
      "those of the model; it is 0 exactly along the motions without constraints.\n\n"
      "Exit status: 0 done, 2 bad input, 3 the path is not admissible, or its action cannot be followed.\n\n"
      "Examples:\n"
      "  herglotz path damped-pendulum --along \"theta=sin(t)\" --t-end 2 --section \"omega=t*(2 - t)\"\n"
      "  herglotz simulate heavy-top --out run.csv && herglotz path heavy-top --rows-of run.csv");
}

void add_sequence(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand(
      "sequence", "The discrete action of a sequence of positions or arrows, and whether it is a motion");
  auto& to = typed.sequence;
  command.add_option("MODEL", to.model, model_help)->required();
  command
      .add_option("--positions", to.positions,
                  "values of a base coordinate, with commas between them (repeatable; default: those of [initial]\n"
                  "and [initial.next])")
      ->type_name("BASE=VALUES")
      ->allow_extra_args(false);
  command.add_option("--rows-of", to.rows_of, "the positions are the rows of a run or of samples; .csv or .h5")
      ->type_name("FILE");
  command.add_option("--steps", to.steps, "follow the discrete motion through two positions over N steps")
      ->type_name("N");
  command
      .add_option("--variation", to.variation, "values of a variation at the positions (repeatable; all coordinates)")
      ->type_name("BASE=VALUES")
      ->allow_extra_args(false);
  command
      .add_option("--arrows", to.arrows,
                  "values of a fibre coordinate of the arrows exp(eta) of the groupoid of an algebroid, from the base\n"
                  "point of [initial], in place of positions (repeatable; all fibre coordinates)")
      ->type_name("FIBRE=VALUES")
      ->allow_extra_args(false);
  command
      .add_option("--sections", to.sections,
                  "values of a variation at the ends of the arrows, one more than arrows (repeatable; all coordinates)")
      ->type_name("FIBRE=VALUES")
      ->allow_extra_args(false);
  command.add_flag("--exact", to.exact, "by the exact discrete Lagrangian, in place of that of the model");
  command.add_option("--step", to.step, "time between positions (default: that of the model, or of the rows)")
      ->type_name("H");
  command.add_option("--t0", to.t0, "time of the first position")->type_name("T");
  command.add_option("--z0", to.z0, "action at the first position")->type_name("Z");
  add_set(command, to.set);
  command.add_option("--out", to.out, "write positions, actions, momenta and rows; .csv or .h5")->type_name("FILE");
  add_format(command, to.format, {"text", "json"});
  command.add_flag("--force", to.force, force_help);
  command.footer(
      "The discrete action is z_N with z_k+1 = z_k + L_d(q_k, q_k+1, z_k). The rows of the discrete Herglotz\n"
      "equations, sigma_d (p_k^+ - p_k^-), are 0 exactly along the discrete motions. With --steps sigma_d may have\n"
      "either sign; simulate refuses negative ones, which approximate no motion in continuous time.\n\n"
      "Exit status: 0 done, 2 bad input, 3 the action or the motion cannot be followed.\n\n"
      "Examples:\n"
      "  herglotz sequence discrete-oscillator --positions q=1,1.3,1.1,0.7 --variation q=0,0.2,-0.1,0\n"
      "  herglotz sequence discrete-oscillator --step 25 --steps 4\n"
      "  herglotz sequence rigid-body --arrows w1=0.1,0.12 --arrows w2=0.2,0.15 --arrows w3=0.05,0.02 --step 0.1 "
      "--exact\n"
      "  herglotz simulate damped-pendulum --step 0.1 --out run.csv && herglotz sequence damped-pendulum --rows-of "
      "run.csv --exact");
}

void add_import(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("import", "The model of a robot that is described in URDF");
  auto& to = typed.imported;
  command.add_option("FILE.urdf", to.file, "a description in URDF, or - for one on standard input")->required();
  command.add_flag("--floating", to.floating, "the root link moves freely in space (default: it is at rest)");
  command
      .add_option(
          "--rolling", to.rolling,
          "a link that rolls on the plane z = 0 without slipping: a wheel about its joint, or a ball (repeatable)")
      ->type_name("LINK[=RADIUS]");
  command.add_option("--out", to.out, "where to (default: standard output)")->type_name("FILE.toml");
  command.add_flag("--force", to.force, "replace a file that exists");
  command.footer(
      "The model has a coordinate for each revolute, continuous and prismatic joint, inertias and lengths\n"
      "as parameters, gravity, and as forces a torque for each joint, its damping and its dry friction.\n"
      "Links are written in terms of the link before them, so the text grows with their number, and can\n"
      "be read and changed. Joints that mimic others move with them. Limits are comments, meshes are left out.\n"
      "--rolling takes the radius of the link's cylinder or sphere if none is given. The root then floats.\n\n"
      "Examples:\n"
      "  herglotz import arm.urdf --out arm.toml && herglotz simulate arm.toml --report arm.html\n"
      "  herglotz import quadruped.urdf --floating --out quadruped.toml\n"
      "  herglotz import cart.urdf --rolling left_wheel=0.1 --rolling right_wheel=0.1 --out cart.toml");
}

}  // namespace

void add_model_commands(CLI::App& app, Typed& typed) {
  add_check(app, typed);
  add_derive(app, typed);
  add_reduce(app, typed);
  add_flow(app, typed);
  add_extend(app, typed);
  add_path(app, typed);
  add_sequence(app, typed);
  add_import(app, typed);
}

}  // namespace herglotz::app
