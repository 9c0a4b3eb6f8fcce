#include "sensitivity/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "herglotz/error.hpp"

namespace herglotz::simulate {

RowCotangents::RowCotangents(const Cotangents& cotangents, const std::vector<std::string>& columns, std::size_t rows)
    : cotangents_(cotangents), rows_(rows) {
  for (const auto& name : cotangents.columns) {
    const auto place = std::find(columns.begin(), columns.end(), name);
    if (place == columns.end())
      throw Refused(fmt::format("the column {} is not differentiated", name),
                    "use coordinates, velocities, the action, multipliers, the energy, momenta and observables");
    places_.push_back(static_cast<std::size_t>(place - columns.begin()));
  }
}

bool RowCotangents::depends_on(std::size_t row, bool moves) const {
  if (moves && of_time(row) != 0) return true;
  for (std::size_t k = 0; k < places_.size(); ++k)
    if (at(row, k) != 0) return true;
  return false;
}

std::vector<Part> parts_of(const DifferentiatedRun& of, const std::vector<SmoothPiece>& pieces, const ReverseCode& code,
                           const RowCotangents& rows, std::size_t most_numbers) {
  const std::vector<double> moving = moving_times(pieces);
  std::vector<Part> parts;
  for (const SmoothPiece& piece : pieces)
    parts.push_back({piece, code.adjoint(piece.holds), code.variation(piece.holds),
                     StepRecord(of, piece, moving, most_numbers / pieces.size())});
  const auto& t = of.run.columns.front().values;
  const bool backwards = of.run.facts.t_end < pieces.front().t0;
  std::size_t p = 0;
  for (std::size_t row = 0; row < t.size(); ++row) {
    const bool after_jump = row > 0 && t[row] == t[row - 1];
    const auto is_behind = [&](const PieceEnd& end) {
      return after_jump ? t[row] == end.t : backwards ? t[row] < end.t : t[row] > end.t;
    };
    while (parts[p].piece.end && p + 1 < parts.size() && is_behind(*parts[p].piece.end)) ++p;
    Part& part = parts[p];
    const bool ends = part.piece.end && part.piece.end->has_rows && part.piece.end->t == t[row];
    if (!rows.depends_on(row, ends || after_jump)) continue;
    if (after_jump)
      part.at_start.push_back(row);
    else if (ends)
      part.at_end.push_back(row);
    else
      part.stops.push_back({row, part.record.place(t[row])});
  }
  return parts;
}

}  // namespace herglotz::simulate
