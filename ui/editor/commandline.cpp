#include "ui/editor/commandline.h"

#include <QCoreApplication>

namespace sweepscope::ui {
namespace {

constexpr QLatin1Char backslash('\\');
constexpr QLatin1Char doubleQuote('"');
constexpr QLatin1Char singleQuote('\'');

QString quoted(const QString &argument)
{
    static const QString safePunctuation = QStringLiteral("-_./:=,@%+{}~^");
    bool plain = !argument.isEmpty();
    for (const QChar character : argument) {
        plain = plain && (character.isLetterOrNumber() || safePunctuation.contains(character));
    }
    if (plain) {
        return argument;
    }
    if (!argument.contains(singleQuote)) {
        return singleQuote + argument + singleQuote;
    }
    QString inside;
    for (const QChar character : argument) {
        if (character == backslash || character == doubleQuote) {
            inside += backslash;
        }
        inside += character;
    }
    return doubleQuote + inside + doubleQuote;
}

}  // namespace

Expected<std::vector<std::string>> splitCommandLine(const QString &line)
{
    std::vector<std::string> arguments;
    QString argument;
    bool inside = false;
    QChar quote;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar character = line[i];
        const bool escapes = character == backslash && quote != singleQuote && i + 1 < line.size();
        if (escapes && (quote.isNull() || line[i + 1] == doubleQuote || line[i + 1] == backslash)) {
            argument += line[++i];
            inside = true;
        } else if (!quote.isNull()) {
            if (character == quote) {
                quote = QChar();
            } else {
                argument += character;
            }
        } else if (character == singleQuote || character == doubleQuote) {
            quote = character;
            inside = true;
        } else if (!character.isSpace()) {
            argument += character;
            inside = true;
        } else if (inside) {
            arguments.push_back(argument.toStdString());
            argument.clear();
            inside = false;
        }
    }
    if (!quote.isNull()) {
        return makeError(ErrorCode::BadInput,
                         QCoreApplication::translate("CommandLine", "Unterminated quote (%1): add the closing quote.")
                             .arg(quote)
                             .toStdString());
    }
    if (inside) {
        arguments.push_back(argument.toStdString());
    }
    return arguments;
}

QString joinCommandLine(const std::vector<std::string> &arguments)
{
    QStringList parts;
    for (const std::string &argument : arguments) {
        parts += quoted(QString::fromStdString(argument));
    }
    return parts.join(QLatin1Char(' '));
}

}  // namespace sweepscope::ui
