// Reduction by symmetry: point symmetries of models, reduced runs, and their reconstruction beside full runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/program.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/model_text.hpp"
#include "herglotz/simulate/reduce.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::app::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A system on TQ with one line for each part of its model.
std::string tangent(const std::string& base, const std::string& fibre, const std::string& dynamics,
                    const std::string& initial, const std::string& parameters = "gamma = 0.1\n") {
  return "[algebroid]\nkind = \"tangent\"\nbase = [" + base + "]\nfibre = [" + fibre + "]\n[parameters]\n" +
         parameters + "[dynamics]\n" + dynamics + "[initial]\n" + initial +
         "[simulation]\nt_end = 2\ntolerance = 1e-13\n";
}

struct Case {
  std::string name;
  std::string model;
  std::vector<std::string> base;   ///< of the reduced system
  std::vector<std::string> fibre;  ///< likewise
};

const std::string euler_angles =
    "I1*(vphi*sin(th)*sin(psi) + vth*cos(psi))^2/2 + I2*(vphi*sin(th)*cos(psi) - vth*sin(psi))^2/2 + "
    "I3*(vphi*cos(th) + vpsi)^2/2";

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      // The Kepler problem with the drag -gamma z: polar coordinates come out of themselves.
      {"Kepler",
       tangent(R"("x", "y")", R"("vx", "vy")", "lagrangian = \"(vx^2 + vy^2)/2 + 1/sqrt(x^2 + y^2) - gamma*z\"\n",
               "x = 0.8\ny = 0.3\nvx = 0.1\nvy = 1.1\n"),
       {"x_bar"},
       {"vx_bar", "eta"}},
      // A drag along the velocity is invariant as well, and z enters nonlinearly.
      {"KeplerWithForces",
       tangent(R"("x", "y")", R"("vx", "vy")",
               "lagrangian = \"(vx^2 + vy^2)/2 + 1/sqrt(x^2 + y^2) - gamma*z - z^2/20\"\n"
               "forces = { vx = \"-vx*(vx^2 + vy^2)/5\", vy = \"-vy*(vx^2 + vy^2)/5\" }\n",
               "x = 0.8\ny = 0.3\nvx = 0.1\nvy = 1.1\nz = 0.2\n"),
       {"x_bar"},
       {"vx_bar", "eta"}},
      // Rotations of space leave fixed points on every sphere: one rotation acts freely.
      {"KeplerInSpace",
       tangent(R"("x", "y", "h")", R"("vx", "vy", "vh")",
               "lagrangian = \"(vx^2 + vy^2 + vh^2)/2 + 1/sqrt(x^2 + y^2 + h^2) - gamma*z\"\n",
               "x = 0.8\ny = 0.3\nh = 0.2\nvx = 0.1\nvy = 1.1\nvh = -0.2\n"),
       {"x", "y_bar"},
       {"vx", "vy_bar", "eta"}},
      {"SphericalPendulum",
       tangent(R"("th", "phi")", R"("vth", "vphi")",
               "lagrangian = \"(vth^2 + sin(th)^2*vphi^2)/2 + 9.81*cos(th) - gamma*z\"\n",
               "th = 1.0\nphi = 0.3\nvth = 0.2\nvphi = 1.5\n"),
       {"th"},
       {"vth", "vphi"}},
      // The rigid body in Euler angles: TSO(3)/SO(3) = so(3).
      {"RigidBody",
       tangent(R"("phi", "th", "psi")", R"("vphi", "vth", "vpsi")", "lagrangian = \"" + euler_angles + " - gamma*z\"\n",
               "phi = 0.3\nth = 1.0\npsi = 0.4\nvphi = 0.5\nvth = 0.3\nvpsi = 0.2\n",
               "gamma = 0.1\nI1 = 1\nI2 = 2\nI3 = 3.5\n"),
       {},
       {"eta1", "eta2", "eta3"}},
      // Two masses and a spring on a line: the translation leaves their distance.
      {"Spring",
       tangent(R"("q1", "q2")", R"("v1", "v2")", "lagrangian = \"v1^2/2 + m*v2^2/2 - (q2 - q1 - 1)^2/2 - gamma*z\"\n",
               "q1 = 0.3\nq2 = 1.9\nv1 = 0.4\nv2 = -0.1\n", "gamma = 0.1\nm = 2\n"),
       {"q2_bar"},
       {"v1", "v2"}},
      // A free particle in polar coordinates: its translations are cos(phi) d/dr - sin(phi)/r d/dphi and its like.
      {"PolarFreeParticle",
       tangent(R"("r", "phi")", R"("vr", "vphi")", "lagrangian = \"(vr^2 + r^2*vphi^2)/2 - gamma*z\"\n",
               "r = 1.3\nphi = 0.2\nvr = 0.3\nvphi = 0.4\n"),
       {},
       {"eta1", "eta2"}},
      // Poincare's half plane is that of ax + b: translations and scalings take every point to (0, 1).
      {"HyperbolicPlane",
       tangent(R"("x", "y")", R"("vx", "vy")", "lagrangian = \"(vx^2 + vy^2)/(2*y^2) - gamma*z\"\n",
               "x = 0.3\ny = 1.2\nvx = 0.5\nvy = -0.3\n"),
       {},
       {"eta1", "eta2"}},
      // Scalings of lengths whose ratio is inside a cosine, with a force that they keep.
      {"Scaling",
       tangent(R"("x", "y")", R"("vx", "vy")",
               "lagrangian = \"(vx^2/x^2 + vy^2/y^2 + vx*vy/(3*x*y))/2 + cos(x/y) - gamma*z\"\n"
               "forces = { vx = \"-vy/(5*x*y)\" }\n",
               "x = -1.3\ny = 1.2\nvx = 0.5\nvy = -0.3\n"),
       {"y_bar"},
       {"vy_bar", "eta"}},
      // A rotation whose invariant is inside a cosine, of a mass that depends on time and action.
      {"RotationInsideACosine",
       tangent(R"("x", "y")", R"("vx", "vy")",
               "lagrangian = \"exp(z/8)*(vx^2 + vy^2)*(1 + sin(t)/4)/2 - cos(sqrt(x^2 + y^2)) - gamma*z\"\n",
               "x = 0.9\ny = 0.2\nvx = 0.1\nvy = 0.6\n"),
       {"x_bar"},
       {"vx_bar", "eta"}},
      // A snakeboard's joints and a vertical disk, with constraints: SE(2) moves the frame, and multipliers stay.
      {"VerticalDisk",
       tangent(R"("x", "y", "phi", "th")", R"("vx", "vy", "w", "s")",
               "lagrangian = \"(vx^2 + vy^2)/2 + w^2 + 3*s^2/2 - gamma*z\"\n",
               "x = 0.2\ny = 0.1\nphi = 0.4\nth = 0\nvx = 0.6\nvy = 0.3\nw = 0.5\ns = 0.7\nproject = true\n",
               "gamma = 0.1\n") +
           "[constraints]\nrule = \"nonholonomic\"\nequations = [\"vx - s*cos(phi)\", \"vy - s*sin(phi)\"]\n",
       {},
       {"eta1", "eta2", "eta3", "eta4"}},
      // A frame of the plane: TQ in another form.
      {"Frame",
       "[algebroid]\nkind = \"hamel\"\nbase = [\"x\", \"y\"]\nfibre = [\"u\", \"v\"]\nframe = [[\"1\", \"0\"], [\"x\", "
       "\"1\"]]\n[parameters]\ngamma = 0.1\n[dynamics]\nlagrangian = \"(u + x*v)^2/2 + v^2/2 - gamma*z\"\n[initial]\nx "
       "= "
       "0.3\ny = 0.1\nu = 0.4\nv = 0.2\n[simulation]\nt_end = 2\ntolerance = 1e-13\n",
       {},
       {"eta1", "eta2"}},
      // The sleigh on the algebroid of its constraint: SE(2) leaves the skew frame as it is.
      {"Sleigh",
       "[algebroid]\nkind = \"custom\"\nbase = [\"x\", \"y\", \"phi\"]\nfibre = [\"u\", \"w\"]\nanchor = "
       "[[\"cos(phi)\", "
       "\"sin(phi)\", \"0\"], [\"0\", \"0\", \"1\"]]\nbrackets = { \"u,w\" = { w = \"-a\" } }\n[parameters]\na = 0.3\n"
       "gamma = 0.1\n[dynamics]\nlagrangian = \"u^2/2 + w^2 - gamma*z\"\n[initial]\nx = 0.3\ny = 0.1\nphi = 0.5\nu = "
       "1\nw "
       "= 0.7\n[simulation]\nt_end = 2\ntolerance = 1e-13\n",
       {},
       {"u", "w"}}};
  return all;
}

std::vector<std::string> names_of(const std::vector<symbolic::Expr>& symbols) {
  std::vector<std::string> names;
  for (const auto& symbol : symbols) names.emplace_back(symbol.name());
  return names;
}

double end(const analyse::Trajectory& run, const std::string& name) {
  return run[name].back();
}

class SymmetryReduction : public testing::TestWithParam<Case> {};

// [ASC25, Ex. 3.8, Eq. 7]: the reduced motion with its reconstruction is the full one.
TEST_P(SymmetryReduction, AgreesWithTheFullRun) {
  const auto problem = io::parse_model(GetParam().model);
  const auto with_group = simulate::reduce_by_symmetry(problem, {{}, true});
  auto base = GetParam().base;
  base.insert(base.end(), with_group.reduction.coordinates.begin(), with_group.reduction.coordinates.end());
  EXPECT_EQ(names_of(with_group.problem.system.algebroid.x), base);
  EXPECT_EQ(names_of(with_group.problem.system.algebroid.y), GetParam().fibre);
  const simulate::Reconstruction reconstruction(problem.system, with_group);
  const auto full = simulate::simulate(problem);
  const auto lifted = simulate::simulate(with_group.problem);
  for (const auto& [name, residual] : lifted.facts.largest_momentum_residuals) EXPECT_LT(residual, 1e-12) << name;
  for (const char* name : {"z", "energy", "integrating_factor"})
    EXPECT_NEAR(end(lifted, name), end(full, name), 1e-12 * (1 + std::abs(end(full, name)))) << name;
  std::vector<double> state;
  for (const auto& list : {with_group.problem.system.algebroid.x, with_group.problem.system.algebroid.y})
    for (const auto& symbol : list) state.push_back(end(lifted, std::string(symbol.name())));
  const auto found = reconstruction(state);
  std::size_t k = 0;
  for (const auto& list : {problem.system.algebroid.x, problem.system.algebroid.y})
    for (const auto& symbol : list) {
      const double expected = end(full, std::string(symbol.name()));
      EXPECT_NEAR(found[k++], expected, 1e-12 * (1 + std::abs(expected))) << symbol.name();
    }
}

INSTANTIATE_TEST_SUITE_P(Models, SymmetryReduction, testing::ValuesIn(cases()),
                         [](const auto& given) { return given.param.name; });

// The text of a reduced model, without coordinates of the group, is a model with the action and energy of the full run.
TEST(ReduceBySymmetry, WritesModelsThatRun) {
  for (const char* name : {"Kepler", "RigidBody", "Sleigh"}) {
    const auto given = std::find_if(cases().begin(), cases().end(), [&](const Case& one) { return one.name == name; });
    const auto problem = io::parse_model(given->model);
    const auto reduced = simulate::reduce_by_symmetry(problem);
    EXPECT_EQ(names_of(reduced.problem.system.algebroid.x), given->base);
    const auto run = simulate::simulate(io::parse_model(io::text_of(reduced.problem)));
    const auto full = simulate::simulate(problem);
    for (const char* column : {"z", "energy"}) EXPECT_NEAR(end(run, column), end(full, column), 1e-12) << name;
  }
}

/// The names of the point symmetries of a model, and how many more its Lagrangian alone has.
struct Found {
  std::vector<std::string> names;
  std::size_t of_lagrangian_only = 0;
};

Found symmetries_of(const std::string& model) {
  const auto problem = io::parse_model(model);
  const auto found = mechanics::point_symmetries(problem.system, problem.initial);
  return {found.names, found.of_lagrangian_only};
}

// The equations of the rigid body are those of Euler, Poincare and Herglotz: dp/dt = p x eta - gamma p [ASC25,
// Ex. 3.6].
TEST(PointSymmetries, OfTheRigidBodySpanSo3) {
  const auto problem = io::parse_model(cases()[4].model);
  const auto found = mechanics::point_symmetries(problem.system, problem.initial);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.names.front(), "phi");
  // Killing's form of so(3) is -2 times a definite form.
  for (std::size_t A = 0; A < 3; ++A) {
    double form = 0;
    for (std::size_t B = 0; B < 3; ++B)
      for (std::size_t C = 0; C < 3; ++C) form += found.c(C, A, B).value() * found.c(B, A, C).value();
    EXPECT_EQ(form, -2);
  }
}

TEST(PointSymmetries, OfAFreeParticleAreTheEuclideanGroup) {
  const auto plane = tangent(R"("x", "y")", R"("vx", "vy")", "lagrangian = \"(vx^2 + vy^2)/2 - gamma*z\"\n", "x = 1\n");
  const auto found = symmetries_of(plane);
  EXPECT_THAT(found.names, ElementsAre("y", "x", "symmetry3"));
  const auto space = tangent(R"("x", "y", "h")", R"("vx", "vy", "vh")",
                             "lagrangian = \"(vx^2 + vy^2 + vh^2)/2 - gamma*z\"\n", "x = 1\n");
  EXPECT_EQ(symmetries_of(space).names.size(), 6U);
  const auto polar =
      tangent(R"("r", "phi")", R"("vr", "vphi")", "lagrangian = \"(vr^2 + r^2*vphi^2)/2 - gamma*z\"\n", "r = 1\n");
  EXPECT_EQ(symmetries_of(polar).names.size(), 3U);
}

TEST(PointSymmetries, AreThoseOfForcesAndConstraintsToo) {
  const auto forced = tangent(R"("x", "y")", R"("vx", "vy")",
                              "lagrangian = \"(vx^2 + vy^2)/2 - gamma*z\"\nforces = { vx = \"-x\" }\n", "x = 1\n");
  const auto found = symmetries_of(forced);
  EXPECT_THAT(found.names, ElementsAre("y"));
  EXPECT_EQ(found.of_lagrangian_only, 2U);
  const auto none =
      tangent(R"("x", "y")", R"("vx", "vy")", "lagrangian = \"(vx^2 + vy^2)/2 - x^2 - 2*y^4 - gamma*z\"\n", "x = 1\n");
  EXPECT_THAT(symmetries_of(none).names, IsEmpty());
}

// The motions of hyperbolic space are so(2, 1) and so(3, 1), of degree 2 in the half space.
TEST(PointSymmetries, AreQuadraticOfHyperbolicSpace) {
  const auto plane = tangent(R"("x", "y")", R"("vx", "vy")", "lagrangian = \"(vx^2 + vy^2)/(2*y^2) - gamma*z\"\n",
                             "x = 0.3\ny = 1.2\n");
  const auto problem = io::parse_model(plane);
  const auto found = mechanics::point_symmetries(problem.system, problem.initial);
  ASSERT_EQ(found.size(), 3U);
  const auto& x = problem.system.algebroid.x;
  EXPECT_TRUE(symbolic::simplify(found.fields[2][0] - (x[0] * x[0] - x[1] * x[1])).is_zero());
  EXPECT_TRUE(symbolic::simplify(found.fields[2][1] - 2 * x[0] * x[1]).is_zero());
  const auto space =
      tangent(R"("x", "y", "h")", R"("vx", "vy", "vh")", "lagrangian = \"(vx^2 + vy^2 + vh^2)/(2*h^2) - gamma*z\"\n",
              "x = 0.3\ny = 0.2\nh = 1.1\n");
  EXPECT_EQ(symmetries_of(space).names.size(), 6U);
}

// Far from the origin the functions of the ansatz differ by many orders; each condition is judged by its own terms.
TEST(PointSymmetries, AreNoMoreWhereCoordinatesAreLarge) {
  for (const char* x : {"1", "3e4", "3e6", "3e9"}) {
    const auto wave = tangent(R"("x", "y")", R"("vx", "vy")", "lagrangian = \"(vx^2 + vy^2)/2 - cos(y) - gamma*z\"\n",
                              "x = " + std::string(x) + "\ny = 1\n");
    EXPECT_THAT(symmetries_of(wave).names, ElementsAre("x")) << x;
  }
}

// On the section an angle is 0, a right angle or that of the start, and a length 0, 1 or -1 or that of the start.
TEST(ReduceBySymmetry, TakesRoundNumbersOnTheSection) {
  const auto given =
      std::find_if(cases().begin(), cases().end(), [](const Case& one) { return one.name == "HyperbolicPlane"; });
  const auto reduced = simulate::reduce_by_symmetry(io::parse_model(given->model));
  EXPECT_THAT(io::text_of(reduced.problem), HasSubstr("lagrangian = \"(eta1^2 + eta2^2)/2 - gamma*z\""));
}

// A dissipated momentum [ASC25, Prop. 4.4]: the reduced system keeps it as a symmetry.
TEST(ReduceBySymmetry, WritesAModelWithItsMomentum) {
  const auto reduced = run_herglotz({"reduce", "kepler-drag", "--by", "symmetry"});
  ASSERT_EQ(reduced.status, 0) << reduced.err;
  EXPECT_THAT(reduced.out, AllOf(HasSubstr("rotation, on y = 0"), HasSubstr("rotation = [\"0\", \"1\"]"),
                                 HasSubstr("distance = \"abs(x_bar)\"")));
  EXPECT_THAT(reduced.err, HasSubstr("left out: the symmetry translation_x is not invariant"));
}

TEST(ReduceBySymmetry, TakesTheGroupThatIsNamed) {
  const auto problem = io::parse_model(cases()[6].model);
  const auto one = simulate::reduce_by_symmetry(problem, {{"phi"}, false});
  EXPECT_EQ(names_of(one.problem.system.algebroid.x), std::vector<std::string>{"r"});
  EXPECT_THAT([&] { (void)simulate::reduce_by_symmetry(problem, {{"luck"}, false}); },
              ::testing::ThrowsMessage<std::invalid_argument>(HasSubstr("there is no point symmetry 'luck'; found: ")));
}

// All rotations about a centre, of which those about the start leave it where it is [ASC25, Ex. 3.8].
TEST(ReduceBySymmetry, TakesGroupsWithIsotropy) {
  const auto problem = io::parse_model(cases()[2].model);
  const auto whole = simulate::reduce_by_symmetry(problem, {{"symmetry1", "symmetry2", "symmetry3"}, false});
  const auto& algebroid = whole.problem.system.algebroid;
  EXPECT_EQ(names_of(algebroid.x), std::vector<std::string>{"x_bar"});
  EXPECT_EQ(names_of(algebroid.y), (std::vector<std::string>{"vx_bar", "eta1", "eta2"}));
  EXPECT_TRUE(algebroid.c.nonzero().empty());
  EXPECT_THAT([&] { (void)simulate::reduce_by_symmetry(problem, {{"symmetry1", "symmetry2"}, false}); },
              ::testing::ThrowsMessage<std::invalid_argument>(HasSubstr("these symmetries span no algebra")));
}

TEST(ReduceBySymmetry, RefusesOtherModelsInOneLine) {
  const auto none = run_herglotz({"reduce", "damped-pendulum", "--by", "symmetry"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("no point symmetry was found"));
  const auto misplaced = run_herglotz({"reduce", "damped-pendulum", "--group", "x"});
  EXPECT_EQ(misplaced.status, 2);
  EXPECT_EQ(misplaced.err, "--group goes with --by symmetry\n");
}

}  // namespace
