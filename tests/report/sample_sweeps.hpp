#pragma once
/// Files of ensembles with closed forms, without a run.

#include <filesystem>
#include <string>

#include "herglotz/ensemble/ensemble.hpp"

namespace herglotz::report::samples {

/// q of a member with parameter a and start q at time t: q cos(a t).
double swept_q(double a, double q, double t);

/// 11 x 7 members over gamma in [0, 1] and the start q in [-3, 3], with `samples` draws of z each where it is not 0.
/// Columns q and energy_residual (1e-12 of the member's number); the members with gamma = 0.5 and q < 0 fail.
void write_grid(const std::filesystem::path& file, ensemble::Keep keep, std::size_t samples = 0);

/// `members` members over one range of gamma, which fail nowhere. `text` is that of their model.
void write_line(const std::filesystem::path& file, std::size_t members, ensemble::Keep keep = ensemble::Keep::final,
                const std::string& text = {});

/// 2 x 3 members over lists of gamma and of q that say one value again and again.
void write_constant(const std::filesystem::path& file);

/// 4 x 3 members over gamma and q, all of which fail at once.
void write_failed(const std::filesystem::path& file);

/// `members` random draws of gamma and q.
void write_samples(const std::filesystem::path& file, ensemble::Keep keep, std::size_t members);

}  // namespace herglotz::report::samples
