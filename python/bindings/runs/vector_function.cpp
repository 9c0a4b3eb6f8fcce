#include "runs/vector_function.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "herglotz/error.hpp"

namespace herglotz::python {
namespace {

/// The shape with as many dimensions as are asked for, by ones in front.
Shape padded(const Shape& shape, std::size_t dimensions) {
  Shape full(dimensions - shape.size(), 1);
  full.insert(full.end(), shape.begin(), shape.end());
  return full;
}

/// The place in an array of shape `of` of each entry of the array of shape `to` that it is broadcast to.
std::vector<std::size_t> places(const Shape& of, const Shape& to) {
  const Shape own = padded(of, to.size());
  std::vector<std::size_t> found{0};
  for (std::size_t d = 0; d < to.size(); ++d) {
    std::vector<std::size_t> finer;
    finer.reserve(found.size() * to[d]);
    for (const std::size_t place : found)
      for (std::size_t k = 0; k < to[d]; ++k) finer.push_back(place * own[d] + (own[d] == 1 ? 0 : k));
    found = std::move(finer);
  }
  return found;
}

}  // namespace

std::size_t entries_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Shape broadcast(const Shape& one, const Shape& other) {
  const std::size_t dimensions = std::max(one.size(), other.size());
  Shape shape = padded(one, dimensions);
  const Shape with = padded(other, dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (shape[d] != with[d] && shape[d] != 1 && with[d] != 1)
      throw Refused("the leading dimensions of two arrays do not go together", "give equal ones, or 1");
    if (shape[d] == 1) shape[d] = with[d];
  }
  return shape;
}

void along(VectorFunction& f, const Members& u, const Members& du, std::span<double> into, const Attend& attend) {
  const Shape leading = broadcast(u.leading, du.leading);
  const std::size_t size = f.size();
  const std::size_t results = entries_of(f.shape());
  std::vector<double> jacobians(entries_of(u.leading) * results * size);
  f.jacobians(u.numbers, jacobians, attend);
  const auto at = places(u.leading, leading);
  const auto direction = places(du.leading, leading);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double* row = jacobians.data() + at[i] * results * size;
    const double* v = du.numbers.data() + direction[i] * size;
    for (std::size_t r = 0; r < results; ++r, row += size) {
      double sum = 0;
      for (std::size_t k = 0; k < size; ++k)
        if (v[k] != 0) sum += row[k] * v[k];
      into[i * results + r] = sum;
    }
  }
}

void back(VectorFunction& f, const Members& u, const Members& c, std::span<double> into, const Attend& attend) {
  const Shape leading = broadcast(u.leading, c.leading);
  const std::size_t size = f.size();
  const std::size_t results = entries_of(f.shape());
  const auto weight = places(c.leading, leading);
  if (entries_of(u.leading) == weight.size()) {
    std::vector<double> weights(weight.size() * results);
    for (std::size_t i = 0; i < weight.size(); ++i)
      std::copy_n(c.numbers.data() + weight[i] * results, results, weights.data() + i * results);
    f.gradients(u.numbers, weights, into, attend);
    return;
  }
  // One run has many cotangents.
  std::vector<double> jacobians(entries_of(u.leading) * results * size);
  f.jacobians(u.numbers, jacobians, attend);
  const auto at = places(u.leading, leading);
  std::fill(into.begin(), into.end(), 0.0);
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t r = 0; r < results; ++r)
      for (std::size_t k = 0; k < size; ++k)
        into[i * size + k] += c.numbers[weight[i] * results + r] * jacobians[(at[i] * results + r) * size + k];
}

}  // namespace herglotz::python
