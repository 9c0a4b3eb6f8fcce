// The printed equations of the gallery are programs and documents that other tools accept.

#include <dlfcn.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "gallery.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/mechanics/geometry_presentation.hpp"
#include "herglotz/mechanics/legendre.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::test {
namespace {

using symbolic::Format;

mechanics::Presentation presented(const mechanics::System& system) {
  return mechanics::equations_of_motion(system, mechanics::derive(system));
}

/// A fresh folder that goes when the object goes.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "herglotz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder could be made");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& file, const std::string& text) const { std::ofstream(path_ / file) << text; }
  [[nodiscard]] std::string read(const std::string& file) const {
    std::ifstream stream(path_ / file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  /// Runs a command in the folder; what it says goes to `said`.
  [[nodiscard]] bool run(const std::string& command) const {
    const std::string line = "cd '" + path_.string() + "' && " + command + " > said 2>&1";
    return std::system(line.c_str()) == 0;
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

::testing::AssertionResult installed(const std::string& program) {
  if (std::system(("command -v " + program + " > /dev/null").c_str()) == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << program << " is not installed; scripts/bootstrap test installs it";
}

std::string tail_of(const std::string& text) {
  constexpr std::size_t much = 2000;
  return text.size() > much ? text.substr(text.size() - much) : text;
}

}  // namespace

TEST(PrintedEquations, OfAllModelsAreOneLatexDocumentWithoutOverfullLines) {
  ASSERT_TRUE(installed("pdflatex"));
  const Folder folder;
  std::string document =
      "\\documentclass{article}\n\\usepackage{amsmath}\n"
      "\\usepackage[margin=2cm]{geometry}\n\\allowdisplaybreaks\n\\begin{document}\n";
  const auto add = [&](const std::string& name, const mechanics::System& system) {
    document += "\n\\section*{" + name + "}\n" + mechanics::render(presented(system), Format::latex);
  };
  for (const auto& model : smooth_gallery_names()) add(model.name, gallery_problem(model.name).system);
  add("five links", io::parse_model(io::n_link_pendulum(5), "five-links.toml").system);
  folder.write("all.tex", document + "\\end{document}\n");
  ASSERT_TRUE(folder.run("pdflatex -interaction=nonstopmode -halt-on-error all.tex")) << tail_of(folder.read("said"));
  const std::string log = folder.read("all.log");
  const std::size_t overfull = log.find("Overfull \\hbox");
  EXPECT_EQ(overfull, std::string::npos) << log.substr(std::min(overfull, log.size()), 400);
}

TEST(PrintedEquations, OfAllModelsAreValidPython) {
  ASSERT_TRUE(installed("python3"));
  const Folder folder;
  for (const auto& model : smooth_gallery_names())
    folder.write(model.name + ".py", mechanics::render(presented(gallery_problem(model.name).system), Format::sympy));
  EXPECT_TRUE(folder.run("python3 -m py_compile *.py")) << tail_of(folder.read("said"));
}

TEST(PrintedEquations, OfTenLinksShareTheirCosines) {
  const auto given = io::parse_model(io::n_link_pendulum(10), "ten-links.toml");
  const std::string text = mechanics::render(presented(given.system), Format::text);
  EXPECT_NE(text.find("  t1 = cos(q1 - q2)\n"), std::string::npos);
  EXPECT_LT(text.size(), 12'000U);
}

namespace {

/// Random values of (x, w, z, t, l) and of the parameters, on the constraints and with the lambda of the flow.
class RandomPoints {
 public:
  RandomPoints(const mechanics::System& system, const mechanics::Equations& q)
      : system_(system), q_(q), simulator_(system), flow_(mechanics::flow_program(system, q)) {}

  [[nodiscard]] std::vector<symbolic::Expr> symbols() const {
    std::vector<symbolic::Expr> all = flow_.variables;
    all.insert(all.end(), flow_.parameters.begin(), flow_.parameters.end());
    return all;
  }
  std::vector<double> operator()(std::mt19937_64& random) {
    std::uniform_real_distribution<double> positive(0.3, 1.7);
    const std::size_t size = q_.u.size() - 1;
    for (int attempt = 0; attempt < 200; ++attempt) {
      std::vector<double> state(simulator_.dynamics().dimension());
      std::vector<double> parameters(system_.parameters.size());
      for (double& value : state) value = positive(random);
      for (double& value : parameters) value = positive(random);
      const double t = positive(random);
      const auto projected = integrate::project(simulator_.dynamics(), parameters, t, state);
      if (projected.status != integrate::Status::success) continue;
      std::vector<double> point(projected.state.begin(), projected.state.begin() + static_cast<std::ptrdiff_t>(size));
      point.push_back(t);
      point.insert(point.end(), projected.state.begin() + static_cast<std::ptrdiff_t>(size), projected.state.end());
      point.resize(flow_.variables.size());
      point.insert(point.end(), parameters.begin(), parameters.end());
      if (q_.rule != mechanics::Rule::nonholonomic) return point;
      const auto rates = symbolic::evaluate(flow_.outputs, symbols(), point);
      std::copy(rates.end() - static_cast<std::ptrdiff_t>(q_.m()), rates.end(),
                point.begin() + static_cast<std::ptrdiff_t>(q_.u.size()));
      return point;
    }
    throw std::runtime_error("no random point could be moved onto the constraints");
  }

 private:
  const mechanics::System& system_;
  const mechanics::Equations& q_;
  simulate::Simulator simulator_;
  symbolic::Program flow_;
};

/// Every printed equation holds at random points of the flow that runs follow.
void expect_equations_hold(const mechanics::System& system, const mechanics::Presentation& shown) {
  const auto q = mechanics::derive(system);
  RandomPoints points(system, q);
  std::mt19937_64 random(20251217);
  for (int sample = 0; sample < 5; ++sample) {
    std::vector<symbolic::Expr> symbols = points.symbols();
    std::vector<double> values = points(random);
    const auto at = [&](symbolic::Expr f) { return symbolic::evaluate(f, symbols, values); };
    std::vector<std::pair<symbolic::Expr, double>> known;
    const auto knows = [&](symbolic::Expr symbol, double value) { known.emplace_back(symbol, value); };
    const auto named = [&](const std::string& name) { return system.graph().symbol(name); };

    const auto flow = mechanics::flow_program(system, q).outputs;
    const bool vakonomic = q.rule == mechanics::Rule::vakonomic;
    std::vector<symbolic::Expr> state(q.u.begin(), q.u.end() - 1);
    if (vakonomic) state.insert(state.end(), q.l.begin(), q.l.end());
    std::vector<symbolic::Expr> along(flow.begin(), flow.begin() + static_cast<std::ptrdiff_t>(state.size()));
    for (std::size_t i = 0; i < state.size(); ++i) {
      const std::string name(state[i].name());
      knows(named("d(" + name + ")/dt"), at(flow[i]));
      if (i >= system.n()) continue;
      knows(named("dot(" + name + ")"), at(flow[i]));
      if (system.n() == system.r()) knows(named("d2(" + name + ")/dt2"), at(flow[system.n() + i]));
    }
    state.push_back(system.t);
    along.push_back(system.graph().number(1));
    const bool hamiltonian = system.formulation == mechanics::Formulation::hamiltonian;
    for (std::size_t a = 0; a < system.r(); ++a)
      knows(hamiltonian ? system.algebroid.y[a] : system.p[a], at(hamiltonian ? q.y[a] : q.p[a]));
    knows(named("dL/d" + std::string(system.z.name())), at(q.L_z));
    for (const auto& law : mechanics::balance_laws(system, q)) {
      const std::string name = law.name == "energy" ? law.name : "J(" + law.name + ")";
      const std::vector<symbolic::Expr> quantity{law.quantity};
      knows(named(name), at(law.quantity));
      knows(named("d(" + name + ")/dt"), at(symbolic::directional_derivative(quantity, state, along).front()));
    }
    for (const auto& [symbol, value] : known) {
      symbols.push_back(symbol);
      values.push_back(value);
    }
    for (const auto& section : shown.sections) {
      auto equations = section.equations;
      equations.insert(equations.end(), section.typeset.begin(), section.typeset.end());
      for (const auto& e : equations) {
        const double right = at(e.right);
        EXPECT_NEAR(at(e.left), right, 1e-10 * std::max(1.0, std::abs(right)))
            << section.title << ": " << symbolic::print(e.left) << " = " << symbolic::print(e.right);
      }
    }
  }
}

}  // namespace

using Printed = Gallery;

TEST_P(Printed, EquationsHoldAlongTheFlow) {
  const auto system = problem().system;
  expect_equations_hold(system, presented(system));
}

namespace {

/// A skate whose rotor is coupled to its velocity, in momenta.
constexpr const char* coupled_skate = R"toml(
[model]
name = "coupled-skate"
[algebroid]
kind = "tangent"
base = ["x", "y", "th"]
fibre = ["vx", "vy", "w"]
[parameters]
J = 0.5
gamma = 0.1
[dynamics]
hamiltonian = "(p_vx^2 + p_vy^2 + (p_w + p_vx*sin(th))^2/J)/2 - x/2 + gamma*z"
[constraints]
rule = "nonholonomic"
equations = ["(p_vx + sin(th)*(p_w + p_vx*sin(th))/J)*sin(th) - p_vy*cos(th)"]
)toml";

}  // namespace

// Coupled masses, whose inverse is needed for the directions of the constraint forces: formulas, and no pivots that are
// chosen at run time.
TEST(PrintedEquations, OfConstrainedHamiltoniansAreFormulas) {
  const auto skate = io::parse_model(coupled_skate, "coupled-skate.toml").system;
  const auto suslov = mechanics::legendre_transform(gallery_problem("suslov").system).value();
  for (const auto& system : {skate, suslov}) {
    const auto shown = presented(system);
    std::string printed;
    for (const Format format : {Format::text, Format::latex, Format::sympy})
      printed += mechanics::render(shown, format);
    for (const char* choice : {"if(", "Piecewise(", "\\begin{cases}"})
      EXPECT_EQ(printed.find(choice), std::string::npos) << system.name;
    expect_equations_hold(system, shown);
  }
  const std::string geometry = mechanics::render(mechanics::geometry_of(skate), Format::text);
  EXPECT_EQ(geometry.find("if("), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Models, Printed, testing::ValuesIn(gallery_names()), test_name);

using PrintedC = Gallery;

TEST_P(PrintedC, IsTheRightHandSide) {
  ASSERT_TRUE(installed("cc"));
  const auto shown = presented(problem().system);
  const Folder folder;
  folder.write("flow.c", mechanics::render(shown, Format::c));
  ASSERT_TRUE(folder.run("cc -std=c99 -Wall -Wextra -Werror -O1 -ffp-contract=off -shared -fPIC -o flow.so flow.c -lm"))
      << tail_of(folder.read("said"));
  void* library = dlopen(folder.file("flow.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  using Function = void (*)(const double*, const double*, double*);
  const auto printed = reinterpret_cast<Function>(dlsym(library, shown.program.name.c_str()));
  ASSERT_NE(printed, nullptr) << dlerror();

  const auto kernel = compile::compile(shown.program, {compile::Backend::interpreter});
  std::mt19937_64 random(20251217);
  std::uniform_real_distribution<double> positive(0.3, 1.7);
  std::vector<double> u(kernel.variables());
  std::vector<double> p(kernel.parameters());
  std::vector<double> expected(kernel.outputs());
  std::vector<double> out(kernel.outputs());
  std::vector<double> work(kernel.work_size());
  for (int sample = 0; sample < 20; ++sample) {
    for (double& value : u) value = positive(random);
    for (double& value : p) value = positive(random);
    kernel(u.data(), p.data(), expected.data(), work.data());
    printed(u.data(), p.data(), out.data());
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_NEAR(out[i], expected[i], 1e-12 * std::max(1.0, std::abs(expected[i]))) << "output " << i;
  }
  dlclose(library);
}

INSTANTIATE_TEST_SUITE_P(Models, PrintedC, testing::ValuesIn(gallery_names()), test_name);

}  // namespace herglotz::test
