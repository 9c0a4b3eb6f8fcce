#include "present/tensor_sections.hpp"

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::mechanics {

void TensorSections::section(std::string title, std::vector<PrintedEquation> equations) {
  if (!equations.empty()) result_.sections.push_back({std::move(title), std::move(equations), {}});
}

std::vector<PrintedEquation> TensorSections::rows(const Name& tensor, const geometry::Chart& u,
                                                  const std::vector<Expr>& components, const char* place) {
  std::vector<PrintedEquation> result;
  for (std::size_t A = 0; A < u.size(); ++A) {
    const Expr value = read(components[A]);
    if (value.is_zero()) continue;
    const Name name = name_of(u[A]);
    result.push_back({plain({tensor.text + "(" + name.text + ")", tensor.latex + place + ("{" + name.latex + "}"),
                             tensor.sympy + "_" + name.sympy}),
                      value});
  }
  return result;
}

void TensorSections::brackets(std::string title, const geometry::JacobiStructure& jacobi, bool on_constraint,
                              bool skew) {
  std::vector<PrintedEquation> found;
  const auto& u = jacobi.u();
  const auto add = [&](const Name& f, const Name& g, const Expr& given) {
    const Expr value = read(given);
    if (value.is_zero()) return;
    found.push_back({plain({"{" + f.text + ", " + g.text + "}" + (on_constraint ? "_D" : ""),
                            "\\{" + f.latex + ", " + g.latex + "\\}" + (on_constraint ? "_{\\Delta}" : ""),
                            (on_constraint ? "nonholonomic_" : "bracket_") + f.sympy + "_" + g.sympy}),
                     value});
  };
  for (std::size_t A = 0; A < u.size(); ++A) add({"1", "1", "1"}, name_of(u[A]), jacobi.E.components[A]);
  for (std::size_t A = 0; A < u.size(); ++A)
    for (std::size_t B = skew ? A + 1 : 0; B < u.size(); ++B)
      add(name_of(u[A]), name_of(u[B]), jacobi.bracket(u[A], u[B]));
  section(std::move(title), found);
}

void TensorSections::reactions(const geometry::ConstrainedStructure& s) {
  std::vector<PrintedEquation> fields;
  std::vector<PrintedEquation> matrix;
  for (std::size_t a = 0; a < s.Z.size(); ++a) {
    const std::string i = std::to_string(a + 1);
    for (const PrintedEquation& row : rows({"Z" + i, "Z_{" + i + "}", "Z_" + i}, s.Z[a])) fields.push_back(row);
    for (std::size_t b = 0; b < s.Z.size(); ++b) {
      const std::string j = std::to_string(b + 1);
      matrix.push_back({plain({"C(" + i + ", " + j + ")", "C_{" + i + j + "}", "C_" + i + "_" + j}), read(s.C(a, b))});
    }
  }
  section("Constraint fields", fields);
  section("Constraint matrix", matrix);
}

void TensorSections::projector(const geometry::ConstrainedStructure& s) {
  std::vector<PrintedEquation> found;
  const auto& u = s.jacobi.u();
  for (std::size_t A = 0; A < s.P.rows; ++A)
    for (std::size_t B = 0; B < s.P.cols; ++B) {
      const Expr entry = read(s.P(A, B));
      if (A == B ? entry.is_one() : entry.is_zero()) continue;
      const Name a = name_of(u[A]);
      const Name b = name_of(u[B]);
      found.push_back({plain({"P(" + a.text + ", " + b.text + ")", "P^{" + a.latex + "}_{" + b.latex + "}",
                              "P_" + a.sympy + "_" + b.sympy}),
                       entry});
    }
  section("Projector, beside the identity", found);
}

void TensorSections::jacobiators(const geometry::ConstrainedStructure& s, const OnConstraint& on_constraint) {
  std::vector<PrintedEquation> found;
  const auto& u = s.jacobi.u();
  Matrix brackets(u.size(), u.size(), u.front().graph().number(std::int64_t{0}));
  for (std::size_t A = 0; A < u.size(); ++A)
    for (std::size_t B = A + 1; B < u.size(); ++B) {
      brackets(A, B) = on_constraint(s.bracket(u[A], u[B]));
      brackets(B, A) = -brackets(A, B);
    }
  // Each of the jacobiators goes through all that the brackets are made of, and would be as long.
  constexpr std::size_t most_work = 2'000'000;
  const std::size_t triples = u.size() * (u.size() - 1) * (u.size() - 2) / 6;
  if (triples * u.front().graph().reachable(brackets.entries).size() > most_work) {
    result_.sections.push_back({"Jacobiators of the nonholonomic bracket: too long to be written", {}, {}});
    return;
  }
  for (std::size_t A = 0; A < u.size(); ++A)
    for (std::size_t B = A + 1; B < u.size(); ++B)
      for (std::size_t D = B + 1; D < u.size(); ++D) {
        const Expr value =
            read(s.bracket(u[A], brackets(B, D)) + s.bracket(u[B], brackets(D, A)) + s.bracket(u[D], brackets(A, B)));
        if (value.is_zero()) continue;
        const Name a = name_of(u[A]);
        const Name b = name_of(u[B]);
        const Name d = name_of(u[D]);
        found.push_back({plain({"{" + a.text + ", {" + b.text + ", " + d.text + "}}_D + cyclic",
                                "J(" + a.latex + ", " + b.latex + ", " + d.latex + ")",
                                "jacobiator_" + a.sympy + "_" + b.sympy + "_" + d.sympy}),
                         value});
      }
  section("Jacobiators of the nonholonomic bracket", found);
}

}  // namespace herglotz::mechanics
