#include "exchange.hpp"

namespace herglotz::io {
namespace {

TEST(AlgebroidError, ChecksKindsKeysAndNames) {
  expect_errors(
      kTangent,
      {
          {R"(kind = "tangent"
)",
           "",
           "4:1: [algebroid] has no 'kind'; choose one of action, adjoint, atiyah, constrained, custom, hamel, "
           "lie-algebra, lie-group, opposite, product, tangent"},
          {R"(kind = "tangent")", R"(kind = "tangnt")",
           "5:8: unknown kind of algebroid 'tangnt'; did you mean tangent?"},
          {R"(kind = "tangent")", "kind = 1",
           "5:8: expected a string, got a number; write 'kind' as text in double quotes"},
          {R"(kind = "tangent")", R"(kind = "tangent"
group = "so3")",
           "6:1: the kind 'tangent' has no key 'group', which belongs to action, atiyah, lie-algebra and lie-group; "
           "remove it or "
           "choose that kind"},
          {R"(kind = "tangent")", R"(kind = "tangent"
baze = [])",
           "6:1: unknown key 'baze'; did you mean base?"},
          {R"(base = ["x", "q"]
)",
           "", R"(4:1: [algebroid] has no 'base'; name the coordinates, e.g. base = ["a", "b"])"},
          {R"(base = ["x", "q"])", R"(base = "x, q")",
           R"(6:8: expected an array, got a string; 'base' is an array of strings such as ["a", "b"])"},
          {R"(base = ["x", "q"])", R"(base = ["x", 2])",
           R"(6:14: expected a string, got a number; 'base' is an array of strings such as ["a", "b"])"},
          {R"(base = ["x", "q"])", R"(base = ["x"])",
           "7:9: a tangent algebroid has as many fibre as base coordinates, but base has 1 name, fibre has 2; name one "
           "velocity for each base coordinate"},
          {R"(base = ["x", "q"])", R"(base = ["x", "x"])",
           "6:14: the name 'x' is taken: it is a base coordinate; give the base coordinate another name"},
          {R"(base = ["x", "q"])", R"(base = ["x", "2q"])",
           "6:14: '2q' cannot name a base coordinate; names start with a letter and go on with letters, digits and _"},
          {R"(base = ["x", "q"])", R"(base = ["x", "sin"])",
           "6:14: 'sin' is a function of expressions; give the base coordinate another name"},
          {R"(base = ["x", "q"])", R"(base = ["x", "pi"])",
           "6:14: 'pi' is a constant of expressions; give the base coordinate another name"},
          {R"(base = ["x", "q"])", R"(base = ["x", "z"])",
           R"(16:1: the name 'z' is taken: it is a base coordinate, and the default name of the action variable; name the action variable in [dynamics], e.g. action = "S")"},
          {R"(base = ["x", "q"])", R"(base = ["x", "t"])",
           R"(16:1: the name 't' is taken: it is a base coordinate, and the default name of the time variable; name the time variable in [dynamics], e.g. time = "tau")"},
          {R"(base = ["x", "q"])", R"(base = ["x", "vx"])",
           "7:10: the name 'vx' is taken: it is a base coordinate; give the fibre coordinate another name"},
          {R"(base = ["x", "q"])", R"(base = ["x", "p_vx"])",
           "6:14: the name 'p_vx' is taken: it is a momentum; give the base coordinate another name"},
          {R"(base = ["x", "q"])", R"(base = ["x", "energy"])",
           "6:14: the name 'energy' is taken: it is an output column; give the base coordinate another name"},
          {R"(base = ["x", "q"])", R"(base = ["x", "integrating_factor"])",
           "6:14: the name 'integrating_factor' is taken: it is an output column; give the base coordinate another "
           "name"},
          {R"(base = ["x", "q"]
fibre = ["vx", "vq"])",
           "base = []\nfibre = []", "7:9: 'fibre' is empty; name at least one fibre coordinate"},
          {R"(fibre = ["vx", "vq"])", R"(fibre = ["vx", "v\nq"])",
           "7:16: 'v q' cannot name a fibre coordinate; names start with a letter and go on with letters, digits and "
           "_"},
          {R"(fibre = ["vx", "vq"])", R"(fibre = ["vx", "v q"])",
           "7:16: 'v q' cannot name a fibre coordinate; names start with a letter and go on with letters, digits and "
           "_"},
      });
}

TEST(AlgebroidError, ChecksGroupsAndBrackets) {
  expect_errors(
      kBody,
      {
          {R"(group = "so3")", R"(group = "so4")", "3:9: unknown group 'so4'; did you mean so3?"},
          {R"(group = "so3")", R"(group = "se3")", "3:9: se3 has dimension 6, fibre names 3; name 6 coordinates"},
          {R"(group = "so3"
)",
           "",
           R"(1:1: [algebroid] has neither 'group' nor 'brackets'; name a group such as group = "so3", or give brackets)"},
          {R"(group = "so3")", R"(group = "so3"
brackets = {})",
           "4:1: both 'group' and 'brackets' are given; keep one of them"},
          {R"(group = "so3")", R"(group = ["so3"])",
           "3:9: expected a string, got an array; write 'group' as text in double quotes"},
          {"base = []", R"(base = ["x"])",
           "4:8: a lie-algebra has no base coordinates, got 1; write base = [], or choose the kind action"},
          {R"(group = "so3")", R"(group = "so3"
anchor = [])",
           "4:1: the kind 'lie-algebra' has no key 'anchor', which belongs to custom; its own keys are group, brackets "
           "and skew"},
          {R"(group = "so3")", R"(brackets = { "w1,w2" = { w3 = "w1" } })",
           "3:32: a structure constant may not depend on the fibre coordinate 'w1'; use numbers and parameters"},
          {R"(group = "so3")", R"(brackets = { "w1,w9" = { w3 = "1" } })",
           "3:14: unknown fibre coordinate 'w9'; did you mean w1, w2 or w3?"},
          {R"(group = "so3")", R"(brackets = { "w1" = { w3 = "1" } })",
           R"(3:14: 'w1' is not a pair of fibre coordinates; brackets are written "a,b" = { c = "1" })"},
          {R"(group = "so3")", R"(brackets = { "w1,w2" = { w4 = "1" } })",
           "3:26: unknown fibre coordinate 'w4'; did you mean w1, w2 or w3?"},
          {R"(group = "so3")", R"(brackets = { "w1,w2" = 1 })",
           "3:24: expected a table, got a number; write a bracket as [name] with entries below, or as { key = value }"},
          {R"(group = "so3")", R"(brackets = { "w1,w2" = { w3 = "1" }, "w2,w1" = { w3 = "1" } })",
           "3:38: 'w2,w1' and 'w1,w2' are not opposite in the component 'w3'; leave one of them out: skew brackets "
           "imply the opposite entry"},
          {R"(group = "so3")", R"(brackets = { "w1,w2" = { w3 = "1" }, "w2,w1" = {} })",
           "3:38: 'w2,w1' and 'w1,w2' are not opposite in the component 'w3'; leave one of them out: skew brackets "
           "imply the opposite entry"},
          {R"(group = "so3")", R"(brackets = { "w1,w1" = { w3 = "1" } })",
           "3:14: the bracket of 'w1' with itself is not zero; a skew bracket vanishes there; for a bracket that is "
           "not skew say skew = false"},
          {R"(group = "so3")", R"(brackets = { "w1,w2" = { w3 = "1" }, "w1, w2" = { w3 = "1" } })",
           "3:38: the bracket 'w1, w2' is given twice; keep one of them"},
      });
}

TEST(AlgebroidError, ChecksMatrices) {
  expect_errors(kCustom,
                {
                    {R"(anchor = [["1"], ["x"]]
)",
                     "", "1:1: [algebroid] has no 'anchor'; 'anchor' is 2 x 1: row a is the anchor of e_a"},
                    {R"(anchor = [["1"], ["x"]])", R"(anchor = [["1", "x"]])",
                     "5:10: expected 2 x 1, got 1 x 2; 'anchor' is 2 x 1: row a is the anchor of e_a"},
                    {R"(anchor = [["1"], ["x"]])", R"(anchor = [["1"], ["x", "1"]])",
                     "5:18: the rows of 'anchor' differ in length; 'anchor' is 2 x 1: row a is the anchor of e_a"},
                    {R"(anchor = [["1"], ["x"]])", R"(anchor = ["1", "x"])",
                     "5:11: expected a row (an array), got a string; 'anchor' is 2 x 1: row a is the anchor of e_a"},
                    {R"(anchor = [["1"], ["x"]])", R"(anchor = "1")",
                     "5:10: expected an array of rows, got a string; 'anchor' is 2 x 1: row a is the anchor of e_a"},
                    {R"(anchor = [["1"], ["x"]])", R"(anchor = [["1"], ["x + a"]])",
                     "5:24: an entry of the algebroid's matrices may not depend on the fibre coordinate 'a'; use base "
                     "coordinates, parameters and definitions of these"},
                    {R"(anchor = [["1"], ["x"]])", R"(anchor = [["1"], ["x*"]])",
                     "5:22: the expression ends where a value is expected; complete it, or drop the operator"},
                    {R"(anchor = [["1"], ["x"]])", R"(anchor = [["1"], [true]])",
                     "5:19: expected an expression, got a boolean; an entry of the algebroid's matrices is a number or "
                     "an expression in quotes"},
                    {"brackets = {", R"(skew = "no"
brackets = {)",
                     "6:8: expected a boolean, got a string; write 'skew' as true or false"},
                    {"brackets = {", R"(right_anchor = [["1"]]
brackets = {)",
                     "6:16: expected 2 x 1, got 1 x 1; 'right_anchor' is 2 x 1: row a is the right anchor of e_a"},
                    {R"(anchor = [["1"], ["x"]])", R"(anchor = [["1"], ["x + nan"]])",
                     "5:24: unknown name 'nan'; known names are pi, k, x"},
                });
}

TEST(AlgebroidError, ChecksProducts) {
  expect_errors(
      kProduct,
      {
          {R"([[algebroid.factors]]
kind = "tangent"
base = ["x"]
fibre = ["v"]

[[algebroid.factors]]
kind = "lie-algebra"
group = "so3"
fibre = ["w1", "w2", "w3"]
)",
           "",
           "1:1: [algebroid] has no 'factors'; give them as [[algebroid.factors]] tables with kind, base and fibre"},
          {R"(kind = "product")", R"(kind = "product"
base = ["q"])",
           "3:8: 'base' of the product differs from its factors'; leave it out, or write x"},
          {R"(fibre = ["w1", "w2", "w3"])", R"(fibre = ["w1", "v", "w3"])",
           "12:16: the name 'v' is taken: it is a fibre coordinate; give the fibre coordinate another name"},
          {R"(kind = "tangent")", R"(kind = "tangent"
frame = [["1"]])",
           "6:1: the kind 'tangent' has no key 'frame', which belongs to hamel; remove it or choose that kind"},
          {R"(kind = "lie-algebra")", R"(kind = "lie_algebra")",
           "10:8: unknown kind of algebroid 'lie_algebra'; did you mean lie-algebra?"},
          {R"(kind = "tangent"
base = ["x"]
fibre = ["v"])",
           R"(kind = "custom"
base = ["x"]
fibre = ["v"]
anchor = [["y"]]
brackets = {}

[[algebroid.factors]]
kind = "tangent"
base = ["y"]
fibre = ["vy"])",
           "4:1: factor 1 of [algebroid] depends on 'y' of another factor; a factor may use its own base coordinates "
           "and parameters"},
      });
}

TEST(AlgebroidError, ChecksAtiyahAlgebroids) {
  expect_errors(
      kAtiyah,
      {
          {R"(fibre = ["u", "v", "w1", "w2", "w3"])", R"(fibre = ["u", "v", "w1", "w2"])",
           "3:9: so3 has dimension 3, the vertical fibre names 2; name 3 coordinates after the base velocities"},
          {R"(fibre = ["u", "v", "w1", "w2", "w3"])", R"(fibre = ["u", "v"])",
           "5:9: an atiyah algebroid has more fibre than base coordinates, but base has 2 names, fibre has 2; name the "
           "n base velocities, then the vertical ones"},
          {R"(connection = [["0", "x", "0"], ["q", "0", "1"]])", R"(connection = [["0", "x"], ["q", "0"]])",
           "6:14: expected 2 x 3, got 2 x 2; 'connection' is 2 x 3: row i has the components A_i^B"},
          {R"(group = "so3"
)",
           R"(brackets = { "u,w1" = { w2 = "1" } }
)",
           "3:14: unknown fibre coordinate 'u'; known are w1, w2, w3"},
      });
}

}  // namespace
}  // namespace herglotz::io
