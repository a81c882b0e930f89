#include "ui/models/trialfilter.h"

#include "ui/models/trialfilterparser.h"
#include "ui/models/valuetext.h"
#include "ui/theme/stateappearance.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using Node = TrialFilter::Node;
using Operator = Node::Operator;
using Column = TrialTableModel::Column;

constexpr std::pair<QLatin1StringView, Column> columnWords[] = {
    {"trial"_L1, Column::Number},       {"state"_L1, Column::State},      {"best"_L1, Column::ObjectiveBest},
    {"last"_L1, Column::ObjectiveLast}, {"seconds"_L1, Column::Duration}, {"attempts"_L1, Column::Attempts},
    {"device"_L1, Column::Devices},     {"why"_L1, Column::Cause},        {"star"_L1, Column::Star},
    {"tag"_L1, Column::Tags},           {"note"_L1, Column::Note},        {"step"_L1, Column::Step},
    {"ranks"_L1, Column::Ranks},        {"seed"_L1, Column::Seed},        {"duration"_L1, Column::Duration},
    {"devices"_L1, Column::Devices},    {"tags"_L1, Column::Tags},
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

/// Of a name that tells its kind; -1: it has no kind before it, or there is none of that kind.
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

template <typename Value>
bool holds(Operator op, const Value &left, const Value &right)
{
    switch (op) {
    case Operator::Equal:
        return left == right;
    case Operator::Unequal:
        return left != right;
    case Operator::Less:
        return left < right;
    case Operator::LessOrEqual:
        return left <= right;
    case Operator::Greater:
        return left > right;
    case Operator::GreaterOrEqual:
        return left >= right;
    }
    return false;
}

bool fitsState(const Node &node, sweep::TrialState state)
{
    const bool same = node.text.compare(QString::fromStdString(sweep::toString(state)), Qt::CaseInsensitive) == 0
                      || node.text.compare(stateText(state), Qt::CaseInsensitive) == 0;
    return node.op == Operator::Unequal ? !same : node.op == Operator::Equal && same;
}

/// One of several words; a part of one is enough for a note, a device and a cause, which nobody types whole.
bool fitsWords(const Node &node, const QStringList &words, bool whole)
{
    const bool found = std::ranges::any_of(words, [&](const QString &word) {
        return whole ? word.compare(node.text, Qt::CaseInsensitive) == 0
                     : word.contains(node.text, Qt::CaseInsensitive);
    });
    return node.op == Operator::Unequal ? !found : node.op == Operator::Equal && found;
}

bool fitsValue(const Node &node, const QVariant &value)
{
    const bool asksForUnset = !node.isQuoted && node.text.compare(TrialFilter::unsetWord(), Qt::CaseInsensitive) == 0;
    if (asksForUnset || !value.isValid())
        return node.op == (asksForUnset == value.isValid() ? Operator::Unequal : Operator::Equal);
    const bool isText = value.typeId() == QMetaType::QString || value.typeId() == QMetaType::Bool;
    if (node.isExact && (isText || node.isQuoted))
        return node.text == (value.typeId() == QMetaType::Double ? exactText(value.toDouble()) : value.toString());
    if (!isText && node.upTo) {
        const double number = value.toDouble();
        const bool within = number >= *node.number && number <= *node.upTo;
        return within == (node.op == Operator::Equal);
    }
    if (!isText && node.number)
        return holds(node.op, value.toDouble(), *node.number);
    return holds(node.op, value.toString().compare(node.text, Qt::CaseInsensitive), 0);
}

bool fits(const Node &node, const TrialTableModel &model, int row);

bool fitsComparison(const Node &node, const TrialTableModel &model, int row)
{
    if (node.section < 0)
        return model.searchText(row).contains(node.asTyped);
    const sweep::TrialRecord &trial = model.trial(row);
    switch (model.columnKind(node.section)) {
    case Column::State:
        return fitsState(node, trial.state);
    case Column::Tags: {
        QStringList tags;
        for (const std::string &tag : trial.mark.tags)
            tags << QString::fromStdString(tag);
        return fitsWords(node, tags, true);
    }
    case Column::Note:
        return fitsWords(node, {QString::fromStdString(trial.mark.note)}, false);
    case Column::Cause:
        return fitsWords(node, {QString::fromStdString(trial.cause)}, false);
    case Column::Devices:
        return fitsWords(node, {model.rawValue(row, node.section).toString()}, false);
    default:
        return fitsValue(node, model.rawValue(row, node.section));
    }
}

bool fits(const Node &node, const TrialTableModel &model, int row)
{
    const auto part = [&](const std::shared_ptr<Node> &one) { return fits(*one, model, row); };
    switch (node.kind) {
    case Node::Kind::Text:
        return node.text == "starred"_L1 ? model.trial(row).mark.starred || model.searchText(row).contains(node.text)
                                         : model.searchText(row).contains(node.text);
    case Node::Kind::Comparison:
        return fitsComparison(node, model, row);
    case Node::Kind::And:
        return std::ranges::all_of(node.parts, part);
    case Node::Kind::Or:
        return std::ranges::any_of(node.parts, part);
    case Node::Kind::Not:
        return !part(node.parts.front());
    }
    return false;
}

template <typename Visit>
void visitComparisons(Node &node, Visit &&visit)
{
    if (node.kind == Node::Kind::Comparison)
        visit(node);
    for (const std::shared_ptr<Node> &part : node.parts)
        visitComparisons(*part, visit);
}

}  // namespace

TrialFilter::TrialFilter(const QString &text)
{
    ParsedFilter parsed = parseFilter(text);
    m_root = std::move(parsed.root);
    m_problem = std::move(parsed.problem);
}

QStringList TrialFilter::unknownNames(const TrialTableModel &model) const
{
    QStringList names;
    if (m_root)
        visitComparisons(*m_root, [&](const Node &node) {
            if (sectionOf(model, node.name) < 0)
                names << node.name;
        });
    names.removeDuplicates();
    return names;
}

void TrialFilter::bind(const TrialTableModel &model)
{
    if (m_root)
        visitComparisons(*m_root, [&](Node &node) { node.section = sectionOf(model, node.name); });
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

QString TrialFilter::sayable(const QString &text, const std::vector<int> &trials, const TrialTableModel &model)
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

QString TrialFilter::unsetWord()
{
    return u"unset"_s;
}

bool TrialFilter::accepts(const TrialTableModel &model, int row) const
{
    return !m_root || fits(*m_root, model, row);
}

}  // namespace sweepscope::ui
