#pragma once
/// A model that a page studies: it is read and compiled once, and run for many values.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/families/run.hpp"
#include "herglotz/io/family_view.hpp"
#include "herglotz/report/live.hpp"

namespace herglotz::studio {

using Names = std::vector<std::string>;

/// Request of a page besides the text.
struct Wishes {
  std::vector<std::pair<std::string, double>> changes{};  ///< values that differ from those of the text
  Names newest{};                                         ///< the names among them that changed last
  std::string method{};                                   ///< another one than that of the text, or empty
  Names columns{};  ///< of a model with an index: those that are curves, such as q[5] or q[::10]; empty: some
};

/// A run as a page shows it.
struct Studied {
  analyse::Trajectory shown;                    ///< with the columns that are drawn
  std::optional<families::FieldRun> indexed{};  ///< the whole run of a model with an index
  std::shared_ptr<io::FamilyView> view{};       ///< and its view, with the values of the run
  double part = 1;                              ///< share of the duration of the text for which it was run
};

class Model {
 public:
  /// Asked during a run with the fraction that is done; false ends it.
  using GoOn = std::function<bool(double fraction)>;

  Model() = default;
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// Sets values and method for the next run, and returns the names of changes that are left out since the model has no
  /// such names, as after the text was changed. Throws Refused and io::InputError for what cannot be set.
  virtual Names set(const Wishes& wishes) = 0;
  /// Returns how often the model was read with other numbers in its equations, such as numbers of sites.
  [[nodiscard]] virtual std::size_t readings() const { return 1; }
  /// Runs as far as it comes. Throws Refused for what cannot be run.
  virtual Studied run(const GoOn& go_on) = 0;
  /// Runs the first `share` of the duration, with the steps that the whole run has if their size is given: whole ones,
  /// and at least one, so that `part` of what was run may be another share. Returns nothing if the run ends before, and
  /// for a model whose runs do not end earlier. Throws Refused for what cannot be run.
  virtual std::optional<Studied> beginning(double share, const GoOn& go_on) = 0;
  /// Returns what a page shows of a run, with about `rows` rows.
  virtual report::LiveRun page_of(const Studied& studied, std::size_t rows) const = 0;
  /// Returns the report of a run.
  [[nodiscard]] virtual std::string report_of(const Studied& studied) const = 0;
  /// Returns a function that derives the equations in LaTeX. It has a copy of the model, and may be called from another
  /// thread.
  [[nodiscard]] virtual std::function<std::string()> equations() const = 0;
};

/// Reads a model of coordinates with or without an index. Throws io::InputError for a text that states none.
std::unique_ptr<Model> read_model(const std::string& text, const std::string& file);
/// The parts of read_model.
std::unique_ptr<Model> single_model(const std::string& text, const std::string& file);
std::unique_ptr<Model> indexed_model(const std::string& text, const std::string& file);

}  // namespace herglotz::studio
