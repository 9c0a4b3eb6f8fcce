#include "exchange.hpp"

namespace herglotz::io {
namespace {

TEST(ModelError, SaysWhereTheTextIsNoToml) {
  expect_errors(
      kTangent,
      {
          {R"(name = "m")", R"(name = "m)",
           "2:10: a string is not closed on its line; end it with the quote it began with"},
          {"[model]", "[model",
           R"(1:7: TOML: in a table header: expected ']', saw '\n'; write tables as [name] and entries as key = value, with text in double quotes)"},
          {R"(name = "m")", R"(name "m")",
           R"(2:6: TOML: in a key-value pair: expected '=', saw '"'; write tables as [name] and entries as key = value, with text in double quotes)"},
          {"mass = 2.0", "mass = 2.0\nmass = 3.0",
           "11:8: TOML: in a key-value pair: cannot redefine existing floating-point 'mass'; keep one of them"},
          {"mass = 2.0", "mass = 2.0.1",
           "10:11: TOML: in a floating-point: expected decimal digit or exponent, saw '.'; write tables as [name] and "
           "entries as key = value, with text in double quotes"},
          {"x = 0.5", "x = ",
           R"(27:5: TOML: in a key-value pair: expected value, saw '\n'; write tables as [name] and entries as key = value, with text in double quotes)"},
          {R"(name = "m")", R"(name = "\q")",
           R"(2:10: TOML: in a string: unknown escape sequence '\q'; write tables as [name] and entries as key = value, with text in double quotes)"},
          {"[initial]", "[initial]\na.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r = 1",
           "27:32: a key has more than 16 dotted parts; tables of a model file are at most a few levels deep"},
      });
}

TEST(ModelError, NamesUnknownAndMissingTables) {
  expect_errors(
      kTangent,
      {
          {"[initial]", "[intial]", "26:2: unknown table 'intial'; did you mean initial?"},
          {"[initial]", "[forces]", "26:2: unknown table 'forces'; it is a key of [dynamics]"},
          {"[model]", "t_end = 3\n[model]", "1:1: unknown key 't_end'; it is a key of [simulation]"},
          {"[model]", "colour = 1\n[model]",
           "1:1: unknown key 'colour'; known are model, algebroid, parameters, definitions, dynamics, constraints, "
           "symmetries, dissipated, invariants, observables, initial, simulation, discrete, events, sweep, latex, "
           "gauge, control, "
           "cost, boundary, guess, mesh, view, inputs, ..."},
          {"[model]", "[[model]]",
           "1:1: expected a table, got an array; write [model] as [name] with entries below, or as { key = value }"},
          {R"(name = "m")", R"(nam = "m")", "2:1: unknown key 'nam'; did you mean name?"},
          {R"(name = "m")", "name = 3", "2:8: expected a string, got a number; write 'name' as text in double quotes"},
          {R"(name = "m")", R"(name = "")", "2:8: 'name' is empty; give the model a name, or leave the key out"},
          {R"(name = "m")", R"(title = ["a"])",
           "2:9: expected a string, got an array; write 'title' as text in double quotes"},
          {R"([algebroid]
kind = "tangent"
base = ["x", "q"]
fibre = ["vx", "vq"]
)",
           "", "1:1: the model has no [algebroid] table; say what the configuration space is: kind, base and fibre"},
          {R"([dynamics]
lagrangian = "kinetic - x^2/2 - gamma*z"
forces = { vx = "-0.1*vx" }
)",
           "", "1:1: the model has no [dynamics] table; give a lagrangian or a hamiltonian there"},
          {"[parameters]\nmass = 2.0\ngamma = 0.1\n", "parameters = 3\n",
           "9:1: unknown key 'parameters'; known are kind, base, fibre, general"},
      });
}

TEST(ModelError, ChecksParametersAndDefinitions) {
  expect_errors(
      kTangent,
      {
          {"mass = 2.0", R"(mass = "heavy")", "10:9: unknown name 'heavy'; known names are pi"},
          {"mass = 2.0", "mass = nan", "10:8: the parameter 'mass' is not a number; give a finite number"},
          {"mass = 2.0", "mass = inf", "10:8: the parameter 'mass' is infinite; give a finite number"},
          {"mass = 2.0", "mass = [2.0]",
           R"(10:8: expected a number, got an array; the parameter 'mass' is a number, or a constant in quotes such as "pi/3")"},
          {"mass = 2.0", "mass = 1979-05-27",
           R"(10:8: expected a number, got a date or time; the parameter 'mass' is a number, or a constant in quotes such as "pi/3")"},
          {"mass = 2.0", "cos = 2.0", "10:1: 'cos' is a function of expressions; give the parameter another name"},
          {"mass = 2.0", "vx = 2.0",
           "10:1: the name 'vx' is taken: it is a fibre coordinate; give the parameter another name"},
          {"mass = 2.0", R"(mass = "1/0")", "10:10: division by zero; write a divisor that is not exactly 0"},
          {"mass = 2.0", R"("my mass" = 2.0)",
           "10:1: 'my mass' cannot name a parameter; names start with a letter and go on with letters, digits and _"},
          {"gamma = 0.1", R"(gamma = "mass/20")",
           "11:10: the parameter 'gamma' may not depend on the parameter 'mass'; write a number, or a constant such as "
           "pi/3"},
          {R"(kinetic = "mass*(vx^2 + vq^2)/2")", R"(kinetic = "mass*(vx^2 + v^2)/2")",
           "14:25: unknown name 'v'; known names are pi, gamma, mass, q, t, vq, vx, x, z"},
          {R"(kinetic = "mass*(vx^2 + vq^2)/2")", R"(kinetic = "mas*(vx^2 + vq^2)/2")",
           "14:12: unknown name 'mas'; did you mean mass?"},
          {R"(kinetic = "mass*(vx^2 + vq^2)/2")", R"(kinetic = "later"
later = "vx")",
           "14:12: unknown name 'later'; known names are pi, gamma, mass, q, t, vq, vx, x, z"},
          {R"(kinetic = "mass*(vx^2 + vq^2)/2")", R"(mass = "1")",
           "14:1: the name 'mass' is taken: it is a parameter; give the definition another name"},
          {R"(kinetic = "mass*(vx^2 + vq^2)/2")", R"(kinetic = "")",
           "14:12: the expression is empty; write a number, a name or a formula"},
          {R"(kinetic = "mass*(vx^2 + vq^2)/2")", R"(kinetic = "energy")",
           "14:12: the definition 'kinetic' may not depend on the output column 'energy'; use base and fibre "
           "coordinates, the action, time, parameters and definitions"},
          {R"(kinetic = "mass*(vx^2 + vq^2)/2")", R"(kinetic = """
mass*(vx^2 +
  vQQ^2)/2""")",
           "16:3: unknown name 'vQQ'; known names are pi, gamma, mass, q, t, vq, vx, x, z"},
          {R"(kinetic = "mass*(vx^2 + vq^2)/2")", R"(kinetic = "mass\u002A(vx^2 + vQQ^2)/2")",
           "14:11: unknown name 'vQQ'; known names are pi, gamma, mass, q, t, vq, vx, x, z"},
          {"mass = 2.0", R"(nu1 = 1
mass = 2.0
[constraints]
rule = "vakonomic"
equations = ["vx"])",
           "10:1: the name 'nu1' is taken: it is a multiplier; give the parameter another name"},
      });
}

TEST(ModelError, ChecksTheDynamics) {
  expect_errors(
      kTangent,
      {
          {R"(lagrangian = "kinetic - x^2/2 - gamma*z"
)",
           "", "16:1: [dynamics] has neither 'lagrangian' nor 'hamiltonian'; give one of them"},
          {"forces = {", R"(hamiltonian = "z"
forces = {)",
           "18:1: both 'lagrangian' and 'hamiltonian' are given; keep one of them"},
          {R"(lagrangian = "kinetic)", R"(lagrangian = "kinetc)",
           "17:15: unknown name 'kinetc'; did you mean kinetic?"},
          {R"(lagrangian = "kinetic)", R"(lagrangian = "(kinetic)",
           "17:15: this '(' is never closed; add the missing ')'"},
          {R"(lagrangian = "kinetic)", R"(lagrangian = "2 kinetic)",
           "17:17: 'kinetic' follows '2' without an operator; write a product with *: 2*kinetic"},
          {R"(lagrangian = "kinetic)", R"(lagrangian = "p_vx + kinetic)",
           "17:15: the Lagrangian may not depend on the momentum 'p_vx'; use base and fibre coordinates, the action, "
           "time, parameters and definitions"},
          {R"(lagrangian = "kinetic - x^2/2 - gamma*z")", R"(lagrangian = ["kinetic"])",
           "17:14: expected an expression, got an array; the Lagrangian is a number or an expression in quotes"},
          {R"(lagrangian = "kinetic)", R"(lagrange = "kinetic)",
           "17:1: unknown key 'lagrange'; known are lagrangian, hamiltonian, action, time, forces"},
          {"forces = {", "action = 3\nforces = {",
           "18:10: expected a string, got a number; write 'action' as text in double quotes"},
          {"forces = {", R"(action = "x"
forces = {)",
           "18:10: the name 'x' is taken: it is a base coordinate; give the action variable another name"},
          {"forces = {", R"(time = "z"
forces = {)",
           "18:8: the name 'z' is taken: it is an action variable; give the time variable another name"},
          {"forces = { vx", "forces = { x", "18:12: unknown fibre coordinate 'x'; known are vx, vq"},
          {R"(forces = { vx = "-0.1*vx" })", R"(forces = "-0.1*vx")",
           "18:10: expected a table, got a string; write 'forces' as [name] with entries below, or as { key = value }"},
          {R"("-0.1*vx")", R"("-0.1*vx*sin")", "18:26: 'sin' is a function; write its argument in parentheses: sin(x)"},
          {R"("-0.1*vx")", R"("sqrt(-1)*vx")",
           "18:18: sqrt of this constant is not a real number; its argument must be at least 0"},
      });
}

TEST(ModelError, ChecksHamiltonianModels) {
  expect_errors(kHamilton,
                {
                    {R"(hamiltonian = "p_v^2/2)", R"(hamiltonian = "v^2/2)",
                     "7:16: the Hamiltonian may not depend on the fibre coordinate 'v'; use base coordinates, momenta "
                     "p_<fibre>, the action, time, parameters and definitions"},
                    {"p_v = 1.0", "v = 1.0", "10:1: a Hamiltonian model starts from momenta, not from 'v'; give p_v"},
                    {"p_v = 1.0", "q = 1.0", "10:1: unknown initial value 'q'; known are x, p_v, z, t"},
                });
}

TEST(ModelError, ChecksSymmetriesAndObservables) {
  expect_errors(
      kTangent,
      {
          {R"(shift = ["0", "1"])", R"(shift = ["0"])",
           "21:9: expected 2 components, got 1; one component of the section for each fibre coordinate"},
          {R"(shift = ["0", "1"])", R"(shift = "1")",
           "21:9: expected an array, got a string; one component of the section for each fibre coordinate"},
          {R"(shift = ["0", "1"])", R"(shift = ["0", "vx"])",
           "21:16: a section may not depend on the fibre coordinate 'vx'; use base coordinates, parameters and "
           "definitions of these"},
          {R"(shift = ["0", "1"])", R"(shift = ["0", "kinetic"])",
           "21:16: a section may not depend on the definition 'kinetic'; use base coordinates, parameters and "
           "definitions of these"},
          {R"(shift = ["0", "1"])", R"("my shift" = ["0", "1"])",
           "21:1: 'my shift' cannot name a symmetry; names of columns start with a letter and go on with letters, "
           "digits, _ - and ."},
          {"speed = ", "energy = ", "24:1: there is a column 'energy' already; give the observable another name"},
          {"speed = ", "x = ", "24:1: there is a column 'x' already; give the observable another name"},
          {"speed = ", R"("a/b" = )",
           "24:1: 'a/b' cannot name an observable; names of columns start with a letter and go on with letters, "
           "digits, _ - and ."},
          {"speed = ", R"("momentum.shift" = )",
           "24:1: there is a column 'momentum.shift' already; give the observable another name"},
          {R"("sqrt(vx^2)", R"("sqr(vx^2)", "24:10: unknown function 'sqr'; did you mean sqrt?"},
      });
}

TEST(ModelError, ChecksInitialValues) {
  expect_errors(
      kTangent,
      {
          {"x = 0.5", "y = 0.5", "27:1: unknown initial value 'y'; known are x, q, vx, vq, z, t, p_vx, p_vq"},
          {"x = 0.5", "gama = 0.5", "27:1: unknown initial value 'gama'; known are x, q, vx, vq, z, t, p_vx, p_vq"},
          {"x = 0.5", R"(x = "energy")",
           "27:6: the initial value of 'x' may not depend on the output column 'energy'; use parameters, other initial "
           "values, and definitions of these"},
          {"x = 0.5", "x = true",
           R"(27:5: expected a number, got a boolean; the initial value of 'x' is a number, or a constant in quotes such as "pi/3")"},
          {"x = 0.5", "x = inf", "27:5: the initial value of 'x' is infinite; give a finite number"},
          {"x = 0.5", "nu1 = 0.5", "27:1: unknown initial value 'nu1'; known are x, q, vx, vq, z, t, p_vx, p_vq"},
          {"x = 0.5", R"~(x = "log(0)")~",
           "27:6: log of this constant is not a real number; its argument must be greater than 0"},
      });
}

TEST(ModelError, ChecksTheSimulationTable) {
  expect_errors(
      kTangent,
      {
          {"t_end = 5", R"(t_end = "5")",
           "31:9: expected a number, got a string; 't_end' is a number, written without quotes"},
          {"t_end = 5", "t_end = nan", "31:9: 't_end' is not a number; give a finite number"},
          {"step = 0.01", "step = 0", "32:8: 'step' is not positive; give a number above 0"},
          {"step = 0.01", "step = -0.01", "32:8: 'step' is not positive; give a number above 0"},
          {"step = 0.01", "step = 0.01\ntolerance = 1e-9",
           "33:1: both 'step' and 'tolerance' are given with method auto; keep step for a fixed-step method, or "
           "tolerance for an adaptive one"},
          {"step = 0.01", "stepsize = 0.01",
           "32:1: unknown key 'stepsize'; known are method, t_end, step, tolerance, output_every, "
           "output_step, columns, time_scale"},
          {"step = 0.01", "output_every = 0",
           "32:16: 'output_every' is not a whole number of steps; give an integer of at least 1"},
          {"step = 0.01", "output_every = 2.5",
           "32:16: 'output_every' is not a whole number of steps; give an integer of at least 1"},
          {"step = 0.01", "output_every = 2\noutput_step = 0.1",
           "33:1: both 'output_every' and 'output_step' are given; keep one of them"},
          {"step = 0.01", R"(method = "contact-gaus-4")",
           "32:10: unknown method 'contact-gaus-4'; did you mean contact-gauss-4, contact-gauss-2 or contact-gauss-6?"},
          {"step = 0.01", "method = 4",
           "32:10: expected a string, got a number; write 'method' as text in double quotes"},
          {"step = 0.01", "tolerance = inf", "32:13: 'tolerance' is infinite; give a finite number"},
      });
}

}  // namespace
}  // namespace herglotz::io
