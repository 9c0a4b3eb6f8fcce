#pragma once
/// Reading of the [sampled] table: values that are taken at equal times and held in between, as by a digital
/// controller. Each is a base coordinate that does not move, beside the count of its samples; one event takes all
/// samples.

#include <string>
#include <vector>

#include "model/algebroid_table.hpp"

namespace herglotz::io {

/// Returns the product of the algebroid and the coordinates <name> and samples_<name> of each sampled value, whose
/// anchor vanishes; the algebroid itself if nothing is sampled.
AlgebroidTable with_sampled(const Source& source, const Value& document, AlgebroidTable algebroid);

/// Adds the event `sampled`: at the earliest time every*(samples_<name> + 1) that has come, the values that are due
/// there are taken, all at the state before. `role` says what a value may use. Throws InputError.
void read_sampled(const Vocabulary& vocabulary, const Value& document, const ExpressionRole& role,
                  mechanics::System& system);

/// [initial] with the first samples.
struct Starts {
  Value values;
  std::vector<std::string> first_samples;  ///< names of the sampled values that [initial] does not give
};

/// Returns [initial] with the first sample of each value that it does not give, and the counts of samples.
Starts with_first_samples(const Value& document, const std::string& time);

}  // namespace herglotz::io
