#pragma once
/// The parts of a run that is followed backwards, and the rows on which a function of it depends.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sensitivity/adjoint_run.hpp"
#include "sensitivity/pieces/step_record.hpp"

namespace herglotz::simulate {

/// The derivatives of a function by the rows of a run, at the places of the columns among those of the code.
class RowCotangents {
 public:
  /// Throws Refused for a column that the code does not have.
  RowCotangents(const Cotangents& cotangents, const std::vector<std::string>& columns, std::size_t rows);

  [[nodiscard]] const std::vector<std::size_t>& places() const { return places_; }
  /// Returns the derivative by a column, by its number among places().
  [[nodiscard]] double at(std::size_t row, std::size_t k) const { return cotangents_.values[row * places_.size() + k]; }
  /// Returns the derivative by the time of a row.
  [[nodiscard]] double of_time(std::size_t row) const { return row + 1 == rows_ ? cotangents_.by_end : 0.0; }
  /// Returns whether the function depends on a row, whose time moves with the motion or does not.
  [[nodiscard]] bool depends_on(std::size_t row, bool moves) const;
  [[nodiscard]] const InitialState& by_parameters() const { return cotangents_.by_parameters; }

 private:
  const Cotangents& cotangents_;
  std::vector<std::size_t> places_;
  std::size_t rows_;
};

/// A row on which the function depends, strictly inside a piece or where nothing moves.
struct Stop {
  std::size_t row = 0;
  StepRecord::Place place;
};

/// The steps from a boundary whose state is kept to the next one.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t state_size = 0;
  std::size_t kept_size = 0;
  std::vector<double> states{};  ///< at the boundaries
  std::vector<double> kept{};    ///< what the steps keep for their adjoints

  [[nodiscard]] std::span<double> state(std::size_t boundary) {
    return std::span<double>(states).subspan((boundary - first) * state_size, state_size);
  }
  [[nodiscard]] std::span<double> kept_of(std::size_t boundary) {
    return std::span<double>(kept).subspan((boundary - first) * kept_size, kept_size);
  }
};

/// A smooth piece with its code and its steps, and the rows on which the function depends.
struct Part {
  const SmoothPiece& piece;
  AdjointCode& code;
  TangentCode& variation;
  StepRecord record;
  std::vector<Stop> stops{};
  std::vector<std::size_t> at_start{};                ///< rows behind the jump that the piece begins with
  std::vector<std::size_t> at_end{};                  ///< rows that move with the end of the piece
  std::vector<double> adjoints{};                     ///< at the boundaries whose states are kept, or at all in lanes
  std::vector<Stretch> stretches{};                   ///< all of them, if they are kept
  std::unique_ptr<sensitivity::MappedPath> mapped{};  ///< all steps, if they go in lanes

  /// Returns how many adjoints are kept.
  [[nodiscard]] std::size_t places_of_adjoints() const { return mapped ? record.last() + 1 : record.kept().size(); }
  /// Returns where the adjoint is kept at a boundary that is that of the kept state c, or in lanes at any one.
  [[nodiscard]] std::span<double> adjoint(std::size_t c, std::size_t boundary) {
    const std::size_t size = adjoints.size() / places_of_adjoints();
    return std::span<double>(adjoints).subspan((mapped ? boundary : c) * size, size);
  }
};

/// Returns the parts of the run, which refer to the pieces, with the rows in their order. Throws RunFailed if steps
/// cannot be repeated.
std::vector<Part> parts_of(const DifferentiatedRun& of, const std::vector<SmoothPiece>& pieces, const ReverseCode& code,
                           const RowCotangents& rows, std::size_t most_numbers);

}  // namespace herglotz::simulate
