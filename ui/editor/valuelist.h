#pragma once

#include "sweep/parameter.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// A whole number or a decimal one ("32", "1e-3"), blanks around it allowed. Empty: it is none.
std::optional<sweep::ParameterValue> numberFromText(const QString &text);
std::optional<double> decimalFromText(const QString &text);
std::optional<std::int64_t> wholeFromText(const QString &text);

/// Shortest decimal text that reads back as the same number; without an exponent where people would not write one.
QString textOfNumber(double value);
/// As a person would type it into a field: strings without quotes.
QString textOfValue(const sweep::ParameterValue &value);
/// For the eye only: three significant digits.
QString shortTextOfValue(const sweep::ParameterValue &value);

/// "a, 'b, c', d" -> a | b, c | d. Quotes (' or ") keep commas and outer blanks; doubled quotes inside are one.
/// A blank last entry is what is left while somebody types the next one, and does not count.
struct ListEntry {
    QString text;
    bool quoted = false;
};
std::vector<ListEntry> splitList(const QString &text);

/// Text that a list cell shows for these values and that reads back as the same ones.
QString textOfValues(const std::vector<sweep::ParameterValue> &values);

}  // namespace sweepscope::ui
