#pragma once
/// Text and numbers as a page carries them.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::report {

std::string_view role_name(analyse::Role role);
/// JSON knows no NaN and no infinities; they travel as strings.
nlohmann::json number(double value);
/// Text that may stand in an element or an attribute.
std::string html(std::string_view text);
/// The whole page: its title and the summary for readers without JavaScript as HTML, and its data.
std::string filled_page(const std::string& title, const std::string& summary, const nlohmann::json& data);

}  // namespace herglotz::report
