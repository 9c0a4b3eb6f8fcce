#pragma once
/// What varies over an ensemble, and how the values of its members come about.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace herglotz::ensemble {

enum class Target { parameter, initial };

/// `count` values from one end to the other, both included; equally spaced, or with equal ratios. One value has both
/// ends equal.
struct Range {
  double from = 0;
  double to = 0;
  std::size_t count = 0;
  bool logarithmic = false;
};

/// A random quantity: the inverse of its distribution function at a number in (0, 1).
struct Distribution {
  enum class Kind {
    uniform,      ///< on [a, b]
    log_uniform,  ///< exp of a uniform one, on [a, b] with a > 0
    normal,       ///< mean a, standard deviation b
    log_normal,   ///< exp of a normal one: mean a and standard deviation b of the logarithm
    exponential   ///< mean a
  };
  Kind kind = Kind::uniform;
  double a = 0;
  double b = 1;
};

/// One quantity and its values: a range, a list, or a distribution.
struct Swept {
  Target target = Target::parameter;
  std::string name;
  std::variant<Range, std::vector<double>, Distribution> values;
};

/// Where the numbers in (0, 1) for distributions come from.
enum class Sampling {
  random,  ///< independent of each other, from a counter and the seed
  sobol    ///< a Sobol sequence, digitally shifted by the seed (0: not shifted, and without the origin)
};

/// The members of an ensemble. Ranges and lists are axes of a grid; those named together in `zipped` run in step and
/// form one axis. All distributions together are one more axis, of `samples` points. Members are all combinations, the
/// last axis running fastest; the values of a member depend on its number and the sweep alone.
struct Sweep {
  std::vector<Swept> quantities;
  std::vector<std::vector<std::string>> zipped;
  Sampling sampling = Sampling::random;
  std::size_t samples = 0;
  std::uint64_t seed = 0;

  /// Throws std::invalid_argument with one sentence: an empty axis, a quantity swept twice, zipped axes of different
  /// lengths, distributions without samples, a logarithmic range through 0, 2^52 members or more.
  void validate() const;
  /// The lengths of the axes, in the order of their first quantity; the axis of distributions, if any, is the last.
  [[nodiscard]] std::vector<std::size_t> shape() const;
  /// For each quantity, the axis it belongs to.
  [[nodiscard]] std::vector<std::size_t> axis_of() const;
  [[nodiscard]] std::size_t members() const;
  /// The value of every quantity for a member, in the order of `quantities`. For many members, make SweepValues once.
  void values(std::size_t member, std::span<double> out) const;
};

/// The values of a sweep that is valid, at any member, from any thread.
class SweepValues {
 public:
  explicit SweepValues(const Sweep& sweep);
  /// The value of every quantity, in the order of `quantities`.
  void operator()(std::size_t member, std::span<double> out) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace herglotz::ensemble
