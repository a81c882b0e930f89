#include "ui/editor/valuelist.h"

#include <QLocale>

#include <charconv>
#include <cmath>
#include <type_traits>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

template <typename Number>
std::optional<Number> parseAll(const QString &text)
{
    const std::string trimmed = text.trimmed().toStdString();
    const char *first = trimmed.data();
    const char *last = first + trimmed.size();
    if (first != last && *first == '+') {
        ++first;
    }
    Number value{};
    const auto [end, status] = std::from_chars(first, last, value);
    if (status != std::errc{} || end != last || first == last) {
        return std::nullopt;
    }
    return value;
}

QString quotedIfNeeded(const QString &text)
{
    const bool plain = !text.isEmpty() && text == text.trimmed() && !text.contains(QLatin1Char(','))
                       && !text.contains(QLatin1Char('\'')) && !text.contains(QLatin1Char('"'))
                       && text != QLatin1String("true") && text != QLatin1String("false");
    if (plain) {
        return text;
    }
    QString inside = text;
    inside.replace(QLatin1Char('"'), QLatin1String("\"\""));
    return QLatin1Char('"') + inside + QLatin1Char('"');
}

}  // namespace

std::optional<std::int64_t> wholeFromText(const QString &text)
{
    return parseAll<std::int64_t>(text);
}

std::optional<double> decimalFromText(const QString &text)
{
    const auto value = parseAll<double>(text);
    if (!value || !std::isfinite(*value)) {
        return std::nullopt;
    }
    return value;
}

std::optional<sweep::ParameterValue> numberFromText(const QString &text)
{
    if (const auto whole = wholeFromText(text)) {
        return *whole;
    }
    if (const auto decimal = decimalFromText(text)) {
        return *decimal;
    }
    return std::nullopt;
}

QString textOfNumber(double value)
{
    const double magnitude = std::abs(value);
    if (magnitude == 0 || (magnitude >= 1e-5 && magnitude < 1e9))
        return QString::number(value, 'f', QLocale::FloatingPointShortest);
    QString text = QString::number(value, 'g', QLocale::FloatingPointShortest);
    text.replace(u"e-0"_s, u"e-"_s).replace(u"e+0"_s, u"e+"_s);
    return text;
}

QString textOfValue(const sweep::ParameterValue &value)
{
    return std::visit(
        [](const auto &held) {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::string>) {
                return QString::fromStdString(held);
            } else if constexpr (std::is_same_v<Held, bool>) {
                return held ? QStringLiteral("true") : QStringLiteral("false");
            } else if constexpr (std::is_same_v<Held, double>) {
                const QString text = textOfNumber(held);
                return wholeFromText(text) ? text + QLatin1String(".0") : text;
            } else {
                return QString::number(held);
            }
        },
        value);
}

QString shortTextOfValue(const sweep::ParameterValue &value)
{
    if (const double *number = std::get_if<double>(&value)) {
        return QString::number(*number, 'g', 3);
    }
    return textOfValue(value);
}

std::vector<ListEntry> splitList(const QString &text)
{
    std::vector<ListEntry> entries;
    ListEntry entry;
    QChar quote;
    const auto finish = [&] {
        if (!entry.quoted) {
            entry.text = entry.text.trimmed();
        }
        entries.push_back(entry);
        entry = {};
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar character = text[i];
        if (!quote.isNull()) {
            if (character != quote) {
                entry.text += character;
            } else if (i + 1 < text.size() && text[i + 1] == quote) {
                entry.text += character;
                ++i;
            } else {
                quote = QChar();
            }
        } else if (character == QLatin1Char(',')) {
            finish();
        } else if ((character == QLatin1Char('"') || character == QLatin1Char('\'')) && entry.text.trimmed().isEmpty()
                   && !entry.quoted) {
            quote = character;
            entry.text.clear();
            entry.quoted = true;
        } else if (!entry.quoted || !character.isSpace()) {
            entry.text += character;
        }
    }
    finish();
    if (entries.back().text.isEmpty() && !entries.back().quoted) {
        entries.pop_back();
    }
    return entries;
}

QString textOfValues(const std::vector<sweep::ParameterValue> &values)
{
    QStringList texts;
    for (const sweep::ParameterValue &value : values) {
        const bool isText = std::holds_alternative<std::string>(value);
        texts += isText ? quotedIfNeeded(textOfValue(value)) : textOfValue(value);
    }
    return texts.join(QLatin1String(", "));
}

}  // namespace sweepscope::ui
