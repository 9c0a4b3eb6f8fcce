#include "shapes.hpp"

#include <string>

#include "herglotz/error.hpp"

namespace herglotz::geometry {

void expect_count(std::string_view what, std::size_t expected, std::size_t got) {
  if (expected == got) return;
  throw Refused(std::string(what) + ": expected " + std::to_string(expected) + ", got " + std::to_string(got));
}

void expect_shape(std::string_view what, const Matrix& m, std::size_t rows, std::size_t cols) {
  // An empty matrix has no rows or no columns, depending on which one the caller could count.
  if (rows * cols == 0 && m.entries.empty()) return;
  if (m.rows == rows && m.cols == cols) return;
  throw Refused(std::string(what) + ": expected a " + std::to_string(rows) + " x " + std::to_string(cols) +
                " matrix, got " + std::to_string(m.rows) + " x " + std::to_string(m.cols));
}

void expect_rank(std::string_view what, const StructureFunctions& c, std::size_t rank) {
  expect_count(std::string("rank of the ") + std::string(what), rank, c.rank());
}

Algebroid empty_algebroid(std::string_view kind, std::shared_ptr<Graph> graph, Coordinates coordinates) {
  if (graph == nullptr) throw Refused(std::string(kind) + " algebroid: expected a graph, got none");
  const Expr zero = graph->number(std::int64_t{0});
  const std::size_t n = coordinates.x.size();
  const std::size_t r = coordinates.y.size();
  Algebroid a;
  a.kind = kind;
  a.graph = std::move(graph);
  a.x = std::move(coordinates.x);
  a.y = std::move(coordinates.y);
  a.rho = Matrix(n, r, zero);
  a.sigma = a.rho;
  a.c = StructureFunctions(r, zero);
  return a;
}

void promise_lie(Algebroid& algebroid) {
  algebroid.promises = {{algebroid.kind, 0, algebroid.n(), 0, algebroid.r()}};
}

}  // namespace herglotz::geometry
