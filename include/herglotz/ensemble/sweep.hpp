#pragma once
/// The quantities that vary over an ensemble, and the values that its members have.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace herglotz::ensemble {

enum class Target { parameter, initial };

/// `count` values from one end to the other, both included; equally spaced or, if logarithmic, with equal ratios. If
/// `count` is 1, both ends are equal.
struct Range {
  double from = 0;
  double to = 0;
  std::size_t count = 0;
  bool logarithmic = false;
};

/// Distribution of a random quantity; a value is its inverse distribution function at a number in (0, 1).
struct ProbabilityDistribution {
  enum class Kind {
    uniform,      ///< on [a, b]
    log_uniform,  ///< exp of a uniform quantity, on [a, b] with a > 0
    normal,       ///< mean a, standard deviation b
    log_normal,   ///< exp of a normal quantity: mean a and standard deviation b of the logarithm
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
  std::variant<Range, std::vector<double>, ProbabilityDistribution> values;
};

/// Source of the numbers in (0, 1) for distributions.
enum class Sampling {
  random,  ///< independent of each other, from a counter and the seed
  sobol    ///< a Sobol sequence, digitally shifted by the seed (0: not shifted, and without the origin)
};

/// The members of an ensemble. Ranges and lists are axes of a grid; quantities named together in `zipped` advance
/// together and form one axis. All distributions together are one more axis, of `samples` points. The members are all
/// combinations, and the last axis varies fastest; the values of a member depend only on its number and the sweep.
struct Sweep {
  std::vector<Swept> quantities;
  std::vector<std::vector<std::string>> zipped;
  Sampling sampling = Sampling::random;
  std::size_t samples = 0;
  std::uint64_t seed = 0;

  /// Checks the sweep. Throws Refused with one sentence for an empty axis, a quantity swept twice, zipped
  /// axes of different lengths, distributions without samples, a logarithmic range through 0, and 2^52 members or more.
  void validate() const;
  /// Returns the lengths of the axes, in the order of their first quantity; the axis of distributions, if any, is the
  /// last.
  [[nodiscard]] std::vector<std::size_t> shape() const;
  /// Returns the axis of each quantity.
  [[nodiscard]] std::vector<std::size_t> axis_of() const;
  [[nodiscard]] std::size_t members() const;
  /// Computes the value of every quantity for a member, in the order of `quantities`. For many members, make
  /// SweepValues once.
  void values(std::size_t member, std::span<double> out) const;
};

/// Values of a valid sweep at any member; any thread may ask for them.
class SweepValues {
 public:
  explicit SweepValues(const Sweep& sweep);
  /// Computes the value of every quantity, in the order of `quantities`.
  void operator()(std::size_t member, std::span<double> out) const;
  /// Computes the values of consecutive members with code for registers of `lanes` (1, 4 or 8) numbers: the value of
  /// quantity q for member first + k is at [q * count + k]. The bits are the same.
  void operator()(std::size_t first, std::size_t count, int lanes, std::span<double> out) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace herglotz::ensemble
