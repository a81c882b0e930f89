#include "ui/models/trialfilter.h"

#include "expression/expression.h"
#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"
#include "ui/theme/stateappearance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using expression::Comparison;
using Column = TrialTableModel::Column;

constexpr std::pair<QLatin1StringView, Column> columnWords[] = {
    {"trial"_L1, Column::Number},       {"state"_L1, Column::State},      {"best"_L1, Column::ObjectiveBest},
    {"last"_L1, Column::ObjectiveLast}, {"seconds"_L1, Column::Duration}, {"attempts"_L1, Column::Attempts},
    {"device"_L1, Column::Devices},     {"reason"_L1, Column::Cause},     {"star"_L1, Column::Star},
    {"tag"_L1, Column::Tags},           {"note"_L1, Column::Note},        {"step"_L1, Column::Step},
    {"ranks"_L1, Column::Ranks},        {"seed"_L1, Column::Seed},        {"duration"_L1, Column::Duration},
    {"devices"_L1, Column::Devices},    {"tags"_L1, Column::Tags},        {"choice"_L1, Column::Choice},
    {"mean"_L1, Column::Mean},          {"outcome"_L1, Column::Outcome},  {"device_hours"_L1, Column::DeviceTime},
    {"energy_kwh"_L1, Column::Energy},
};

constexpr std::pair<QLatin1StringView, Column> beginnings[] = {
    {"parameter."_L1, Column::Parameter}, {"trial."_L1, Column::Number},   {"metric."_L1, Column::Metric},
    {"min."_L1, Column::MetricLow},       {"max."_L1, Column::MetricHigh}, {"best."_L1, Column::ObjectiveBest},
};

bool isObjective(const TrialTableModel &model, const QString &name)
{
    return name.compare(QString::fromStdString(model.sweep().objective), Qt::CaseInsensitive) == 0;
}

int columnSection(const TrialTableModel &model, const QString &name)
{
    for (const auto &[word, column] : columnWords) {
        if (name.compare(word, Qt::CaseInsensitive) == 0)
            return model.section(column);
    }
    return isObjective(model, name) ? model.section(Column::ObjectiveBest) : -1;
}

/// Returns the section of a name with a prefix for its kind; -1 if it has no prefix, or if there is no such column.
int sectionOfKind(const TrialTableModel &model, const QString &name)
{
    for (const auto &[beginning, column] : beginnings) {
        if (!name.startsWith(beginning, Qt::CaseInsensitive))
            continue;
        const QString rest = name.sliced(beginning.size());
        switch (column) {
        case Column::Parameter:
            return model.parameterSection(rest);
        case Column::Number:
            return columnSection(model, rest);
        case Column::ObjectiveBest:
            return isObjective(model, rest) ? model.section(column) : -1;
        default:
            return model.metricSection(rest, column);
        }
    }
    return -1;
}

int sectionOf(const TrialTableModel &model, const QString &name)
{
    for (const int section : {sectionOfKind(model, name), model.parameterSection(name), columnSection(model, name)}) {
        if (section >= 0)
            return section;
    }
    return model.metricSection(name);
}

/// The columns of a table as names in an expression.
class ColumnNames : public expression::Names {
public:
    explicit ColumnNames(const TrialTableModel *model) : m_model(model) {}

    std::optional<expression::Symbol> find(std::string_view name) const override
    {
        if (m_model == nullptr)
            return std::nullopt;
        const auto [found, isNew] = m_found.try_emplace(std::string(name));
        if (isNew)
            found->second = symbolOf(found->first);
        return found->second;
    }

    std::vector<std::string> all() const override
    {
        std::vector<std::string> names;
        for (const QString &name : m_model ? TrialFilter::names(*m_model) : QStringList())
            names.push_back(name.toStdString());
        return names;
    }

    bool hasValue(const expression::Symbol &symbol, std::string_view value) const override
    {
        const QString text = QString::fromUtf8(value);
        for (int row = 0; row < m_model->rowCount(); ++row) {
            if (m_model->rawValue(row, symbol.slot).toString().compare(text, Qt::CaseInsensitive) == 0)
                return true;
        }
        return m_model->columnKind(symbol.slot) != Column::Parameter;
    }

private:
    std::optional<expression::Symbol> symbolOf(const std::string &name) const
    {
        const int section = sectionOf(*m_model, QString::fromStdString(name));
        if (section < 0)
            return std::nullopt;
        return expression::Symbol{name, section, typeOf(section), {}, {}};
    }

    expression::SymbolType typeOf(int section) const
    {
        const Column kind = m_model->columnKind(section);
        if (TrialTableModel::isWords(kind))
            return expression::SymbolType::String;
        for (int row = 0; kind == Column::Parameter && row < m_model->rowCount(); ++row) {
            const int type = m_model->rawValue(row, section).typeId();
            if (type != QMetaType::UnknownType)
                return type == QMetaType::QString ? expression::SymbolType::String
                       : type == QMetaType::Bool  ? expression::SymbolType::Boolean
                                                  : expression::SymbolType::Number;
        }
        return expression::SymbolType::Number;
    }

    const TrialTableModel *m_model;
    mutable std::unordered_map<std::string, std::optional<expression::Symbol>> m_found;
};

/// A match with its strings in the table's form.
struct ColumnMatch {
    expression::Match match;
    QString value;
    QString searched;  ///< in lower case
};

template <typename Value>
bool holds(Comparison comparison, const Value &left, const Value &right)
{
    switch (comparison) {
    case Comparison::Equal:
    case Comparison::Identical:
        return left == right;
    case Comparison::Unequal:
        return left != right;
    case Comparison::Less:
        return left < right;
    case Comparison::LessOrEqual:
        return left <= right;
    case Comparison::Greater:
        return left > right;
    case Comparison::GreaterOrEqual:
        return left >= right;
    case Comparison::Contains:
        return false;
    }
    return false;
}

bool isEquality(Comparison comparison)
{
    return comparison == Comparison::Equal || comparison == Comparison::Identical;
}

/// Matches one of several words. For notes, devices and causes, which are long, a part of the word is enough.
bool fitsWords(const ColumnMatch &part, const QStringList &words, bool whole)
{
    const Comparison comparison = part.match.comparison;
    const bool found = std::ranges::any_of(words, [&](const QString &word) {
        return whole && comparison != Comparison::Contains ? word.compare(part.value, Qt::CaseInsensitive) == 0
                                                           : word.contains(part.value, Qt::CaseInsensitive);
    });
    return comparison == Comparison::Unequal ? !found
                                             : found && (isEquality(comparison) || comparison == Comparison::Contains);
}

bool fitsValue(const ColumnMatch &part, const QVariant &value)
{
    const expression::Match &match = part.match;
    const Comparison comparison = match.comparison;
    const bool asksForUnset = !match.isQuoted && part.value.compare(TrialFilter::unsetWord(), Qt::CaseInsensitive) == 0;
    if (asksForUnset || !value.isValid())
        return asksForUnset == value.isValid() ? comparison == Comparison::Unequal : isEquality(comparison);
    const bool isText = value.typeId() == QMetaType::QString || value.typeId() == QMetaType::Bool;
    const auto text = [&value] {
        return value.typeId() == QMetaType::Double ? exactText(value.toDouble()) : value.toString();
    };
    if (comparison == Comparison::Contains)
        return text().contains(part.value, Qt::CaseInsensitive);
    if (comparison == Comparison::Identical && (isText || match.isQuoted))
        return part.value == text();
    if (!isText && match.upTo) {
        const double number = value.toDouble();
        const bool within = number >= *match.number && number <= *match.upTo;
        return within == isEquality(comparison);
    }
    if (!isText && match.number && std::isnan(*match.number))
        return std::isnan(value.toDouble()) == isEquality(comparison);
    if (!isText && match.number)
        return holds(comparison, value.toDouble(), *match.number);
    return holds(comparison, value.toString().compare(part.value, Qt::CaseInsensitive), 0);
}

bool fitsColumn(const ColumnMatch &part, const TrialTableModel &model, int row)
{
    const int section = part.match.slot;
    const sweep::TrialRecord &trial = model.trial(row);
    switch (model.columnKind(section)) {
    case Column::State: {
        QStringList words{QString::fromStdString(sweep::toString(trial.state)), stateText(trial)};
        if (model.isDiverged(trial))
            words << TrialFilter::divergedWord();
        return fitsWords(part, words, true);
    }
    case Column::Tags: {
        QStringList tags;
        for (const std::string &tag : trial.mark.tags)
            tags << QString::fromStdString(tag);
        return fitsWords(part, tags, true);
    }
    case Column::Note:
        return fitsWords(part, {QString::fromStdString(trial.mark.note)}, false);
    case Column::Cause:
        return fitsWords(part, {reasonText(trial.reason)}, false);
    case Column::Devices:
        return fitsWords(part, {model.rawValue(row, section).toString()}, false);
    default:
        return fitsValue(part, model.rawValue(row, section));
    }
}

bool fits(const ColumnMatch &part, const TrialTableModel &model, int row)
{
    if (part.match.name.empty() && part.searched == "starred"_L1 && model.trial(row).mark.starred)
        return true;
    if (part.match.slot < 0)
        return model.searchText(row).contains(part.searched);
    if (part.match.otherSlot < 0)
        return fitsColumn(part, model, row);
    ColumnMatch other = part;
    const QVariant value = model.rawValue(row, part.match.otherSlot);
    other.value = value.toString();
    other.match.isQuoted = true;
    return value.isValid() ? fitsColumn(other, model, row) : part.match.comparison == Comparison::Unequal;
}

}  // namespace

struct TrialFilter::Compiled {
    expression::Expression expression;
    std::vector<ColumnMatch> parts;
};

namespace {

class RowMatcher : public expression::Matcher {
public:
    RowMatcher(const std::vector<ColumnMatch> &parts, const TrialTableModel &model, int row)
        : m_parts(parts), m_model(model), m_row(row)
    {}
    bool matches(std::size_t index) const override { return fits(m_parts[index], m_model, m_row); }

private:
    const std::vector<ColumnMatch> &m_parts;
    const TrialTableModel &m_model;
    int m_row;
};

tl::expected<expression::Expression, expression::Error> compiled(const QString &text, const TrialTableModel *model)
{
    expression::StringNumbers strings;
    return expression::Expression::compile(text.toStdString(), expression::Use::Filter, ColumnNames(model), strings);
}

double numberOf(const QVariant &value)
{
    return value.isValid() ? value.toDouble() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

TrialFilter::TrialFilter(const QString &text) : m_text(text)
{
    compile(nullptr);
}

/// Without a model, names are not checked.
void TrialFilter::compile(const TrialTableModel *model)
{
    using expression::Mistake;
    m_compiled.reset();
    m_problem.clear();
    if (m_text.trimmed().isEmpty())
        return;
    auto expression = compiled(m_text, model);
    if (!expression) {
        const Mistake mistake = expression.error().mistake;
        if (model != nullptr || (mistake != Mistake::UnknownName && mistake != Mistake::StringComparison))
            m_problem = QString::fromStdString(describe(expression.error()));
        return;
    }
    std::vector<ColumnMatch> parts;
    for (const expression::Match &match : expression->matches()) {
        const std::string &searched = match.name.empty() ? match.value : match.asWritten;
        parts.push_back({match, QString::fromStdString(match.value), QString::fromStdString(searched).toLower()});
    }
    // clang 14 needs the braces.
    m_compiled = std::make_shared<const Compiled>(Compiled{std::move(*expression), std::move(parts)});
}

QStringList TrialFilter::unknownNames(const TrialTableModel &model) const
{
    QStringList names;
    const auto expression = isEmpty() ? tl::unexpected(expression::Error()) : compiled(m_text, &model);
    for (const expression::Match &match : expression ? expression->matches() : std::vector<expression::Match>()) {
        if (!match.name.empty() && match.slot < 0)
            names << QString::fromStdString(match.name);
    }
    names.removeDuplicates();
    return names;
}

void TrialFilter::bind(const TrialTableModel &model)
{
    compile(&model);
}

QString TrialFilter::quoted(const QString &text)
{
    const bool isPlain = !text.isEmpty() && !text.contains(".."_L1) && std::ranges::all_of(text, [](QChar c) {
        return c.isLetterOrNumber() || c == u'.' || c == u'-' || c == u'+' || c == u'_';
    });
    const auto words = {u"and"_s, u"or"_s, u"not"_s, unsetWord()};
    const bool means = std::ranges::any_of(
        words, [&text](const QString &word) { return word.compare(text, Qt::CaseInsensitive) == 0; });
    return isPlain && !means ? text : quotedAlways(text);
}

QString TrialFilter::quotedAlways(const QString &text)
{
    QString inside = text;
    inside.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    inside.replace(u'\n', u"\\n"_s).replace(u'\t', u"\\t"_s).replace(u'\r', u"\\r"_s);
    return u'"' + inside + u'"';
}

QString TrialFilter::parameterName(const QString &name)
{
    const bool isColumn = std::ranges::any_of(
        columnWords, [&name](const auto &word) { return name.compare(word.first, Qt::CaseInsensitive) == 0; });
    const bool hasKind = std::ranges::any_of(
        beginnings, [&name](const auto &one) { return name.startsWith(one.first, Qt::CaseInsensitive); });
    return quoted(isColumn || hasKind ? u"parameter."_s + name : name);
}

QString TrialFilter::textFor(const QString &text, const std::vector<int> &trials, const TrialTableModel &model)
{
    const TrialFilter filter(text);
    if (filter.problem().isEmpty() && filter.unknownNames(model).isEmpty())
        return text;
    const QString name = model.parameterSection(u"trial"_s) < 0 ? u"trial"_s : u"trial.trial"_s;
    QStringList parts;
    for (std::size_t first = 0, next = 0; first < trials.size(); first = next) {
        for (next = first + 1; next < trials.size() && trials[next] == trials[next - 1] + 1;)
            ++next;
        parts << (next == first + 1 ? u"%1 = %2"_s.arg(name).arg(trials[first])
                                    : u"%1 = %2..%3"_s.arg(name).arg(trials[first]).arg(trials[next - 1]));
    }
    return parts.isEmpty() ? u"%1 < 0"_s.arg(name) : parts.join(u" or "_s);
}

QStringList TrialFilter::names(const TrialTableModel &model)
{
    QStringList names;
    QStringList metrics;
    for (int section = 0; section < model.columnCount(); ++section) {
        const QString title = model.headerData(section, Qt::Horizontal).toString();
        if (model.columnKind(section) == Column::Parameter)
            names << parameterName(title);
        else if (model.columnKind(section) == Column::Metric)
            metrics << title;
    }
    if (!model.sweep().objective.empty())
        names << quoted(QString::fromStdString(model.sweep().objective));
    for (const auto &[word, column] : columnWords)
        names << QString(word);
    for (const QString &metric : metrics) {
        const QString name = quoted(metric);
        const bool isPlain = name == metric;
        names << (isPlain && names.contains(name, Qt::CaseInsensitive) ? u"metric."_s + name : name);
        if (isPlain)
            names << u"min."_s + name << u"max."_s + name;
    }
    names.removeDuplicates();
    return names;
}

QString TrialFilter::divergedWord()
{
    return u"diverged"_s;
}

QString TrialFilter::unsetWord()
{
    return u"unset"_s;
}

bool TrialFilter::accepts(const TrialTableModel &model, int row) const
{
    if (!m_compiled)
        return true;
    const std::vector<int> &slots = m_compiled->expression.slots();
    std::vector<double> values(slots.empty() ? 0 : static_cast<std::size_t>(slots.back()) + 1);
    for (const int slot : slots)
        values[static_cast<std::size_t>(slot)] = numberOf(model.rawValue(row, slot));
    const RowMatcher matcher(m_compiled->parts, model, row);
    return m_compiled->expression.evaluate(values, &matcher) == expression::Truth::True;
}

}  // namespace sweepscope::ui
