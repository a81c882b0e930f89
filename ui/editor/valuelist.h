#pragma once

#include "sweep/parameter.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// Parses an integer or decimal number ("32", "1e-3"), with optional blanks around it. nullopt if it is no number.
std::optional<sweep::ParameterValue> numberFromText(const QString &text);
std::optional<double> decimalFromText(const QString &text);
std::optional<std::int64_t> wholeFromText(const QString &text);

/// The shortest decimal text that reads back as the same number; without an exponent if that is unusual.
QString textOfNumber(double value);
/// The value as typed into a field: strings without quotes.
QString textOfValue(const sweep::ParameterValue &value);
/// For display only: three significant digits.
QString shortTextOfValue(const sweep::ParameterValue &value);

/// "a, 'b, c', d" -> a | b, c | d. Quotes (' or ") keep commas and outer blanks; a doubled quote inside is one. A blank
/// last entry does not count: the user may be typing it.
struct ListEntry {
    QString text;
    bool quoted = false;
};
std::vector<ListEntry> splitList(const QString &text);

/// Returns the text of a list cell that reads back as these values.
QString textOfValues(const std::vector<sweep::ParameterValue> &values);

}  // namespace sweepscope::ui
