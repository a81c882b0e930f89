#include "ui/editor/keydraft.h"

#include "sweep/bytesize.h"
#include "sweep/duration.h"
#include "ui/editor/commandline.h"
#include "ui/editor/valuelist.h"

#include <QCoreApplication>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

using sweep::KeyType;
using sweep::KeyValue;

struct KeyDraftWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::KeyDraft)
};

/// Why the text is invalid, with "%1" for the text.
QString complaint(KeyType type)
{
    switch (type) {
    case KeyType::Integer:
        return KeyDraftWords::tr("“%1” is not an integer.");
    case KeyType::Float:
        return KeyDraftWords::tr("“%1” is not a number.");
    case KeyType::Boolean:
        return KeyDraftWords::tr("“%1” is neither true nor false.");
    case KeyType::Duration:
        return KeyDraftWords::tr("“%1” is not a duration. Examples: 90s, 10m, 2h.");
    default:
        return KeyDraftWords::tr("“%1” is not a size. Examples: 10 GiB, 500 MB.");
    }
}

template <typename Value>
std::optional<KeyValue> asValue(const std::optional<Value> &value)
{
    return value ? std::optional<KeyValue>(*value) : std::nullopt;
}

std::vector<std::string> entriesOf(const QString &text)
{
    std::vector<std::string> entries;
    for (const ListEntry &entry : splitList(text))
        entries.push_back(entry.text.toStdString());
    return entries;
}

KeyValue choiceOf(const sweep::Key &key, const std::string &word)
{
    const auto found = std::ranges::find(key.choices, word);
    const bool isIndex = std::holds_alternative<std::int64_t>(sweep::defaultOf(key));
    return isIndex && found != key.choices.end() ? KeyValue(std::int64_t{found - key.choices.begin()}) : KeyValue(word);
}

std::optional<KeyValue> simpleValue(const sweep::Key &key, const QString &text)
{
    switch (key.type) {
    case KeyType::Integer:
        return asValue(wholeFromText(text));
    case KeyType::Float:
        return asValue(decimalFromText(text));
    case KeyType::Boolean:
        return text == "true"_L1 || text == "false"_L1 ? std::optional<KeyValue>(text == "true"_L1) : std::nullopt;
    case KeyType::Duration:
        return asValue(sweep::parseDuration(text.toStdString()));
    case KeyType::Size:
        if (const auto bytes = sweep::parseBytes(text.toStdString()))
            return static_cast<std::int64_t>(*bytes);
        return std::nullopt;
    case KeyType::Choice:
        return choiceOf(key, text.toStdString());
    default:
        return text.toStdString();
    }
}

}  // namespace

QString typedText(const sweep::Key &key, const KeyValue &value)
{
    if (const auto *list = std::get_if<std::vector<std::string>>(&value))
        return key.type == KeyType::Gpus ? textOfValues(std::vector<sweep::ParameterValue>(list->begin(), list->end()))
                                         : joinCommandLine(*list);
    if (const auto *duration = std::get_if<std::chrono::seconds>(&value))
        return QString::fromStdString(sweep::toText(*duration));
    if (const auto *whole = std::get_if<std::int64_t>(&value)) {
        if (key.type == KeyType::Choice && !key.isSetting())
            return QString::fromStdString(key.choices.at(static_cast<std::size_t>(*whole)));
        if (key.type == KeyType::Size)
            return *whole == 0 ? QString()
                               : QString::fromStdString(sweep::bytesToText(static_cast<std::uint64_t>(*whole)));
        return QString::number(*whole);
    }
    if (const auto *real = std::get_if<double>(&value))
        return textOfNumber(*real);
    if (const auto *boolean = std::get_if<bool>(&value))
        return *boolean ? u"true"_s : u"false"_s;
    const auto *text = std::get_if<std::string>(&value);
    return text ? QString::fromStdString(*text) : QString();
}

tl::expected<KeyValue, QString> readTyped(const sweep::Key &key, const QString &text)
{
    if (key.type == KeyType::Gpus)
        return KeyValue(entriesOf(text));
    if (key.type == KeyType::Strings) {
        auto arguments = splitCommandLine(text);
        if (!arguments)
            return tl::unexpected<QString>(QString::fromStdString(arguments.error().message));
        return KeyValue(std::move(*arguments));
    }
    if (std::optional<KeyValue> value = simpleValue(key, text))
        return std::move(*value);
    return tl::unexpected<QString>(complaint(key.type).arg(text));
}

}  // namespace sweepscope::ui
