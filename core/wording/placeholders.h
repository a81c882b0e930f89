#pragma once

#include "facts/fact.h"

#include <cstdint>
#include <string>
#include <string_view>

/// English sentences with placeholders for the fields of a fact.
namespace sweepscope::wording {

/// Marks a sentence for translation (lupdate -tr-function-alias translate+=text); none exists yet.
constexpr const char *text(const char *english)
{
    return english;
}

/// Returns `english` with each {field} replaced; {because} is the clause of the first cause.
std::string fill(std::string_view english, const facts::Fact &fact);

/// Returns `one` if the fact's Count is 1, else `many`, with placeholders filled.
std::string plural(const facts::Fact &fact, const char *one, const char *many);

/// "114,820"
std::string grouped(std::int64_t value);

/// "1.5 GiB"
std::string bytes(double count);

}  // namespace sweepscope::wording
