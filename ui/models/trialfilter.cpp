#include "ui/models/trialfilter.h"

#include "ui/models/trialfilterparser.h"
#include "ui/theme/stateappearance.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using Node = TrialFilter::Node;
using Operator = Node::Operator;
using Column = TrialTableModel::Column;

int sectionOf(const TrialTableModel &model, const QString &name)
{
    if (const int parameter = model.parameterSection(name); parameter >= 0)
        return parameter;
    const std::pair<QString, Column> names[] = {
        {u"trial"_s, Column::Number},
        {u"state"_s, Column::State},
        {u"best"_s, Column::ObjectiveBest},
        {u"last"_s, Column::ObjectiveLast},
        {u"seconds"_s, Column::Duration},
        {u"attempts"_s, Column::Attempts},
        {u"device"_s, Column::Devices},
        {u"why"_s, Column::Cause},
        {u"star"_s, Column::Star},
        {u"tag"_s, Column::Tags},
        {u"note"_s, Column::Note},
        {u"step"_s, Column::Step},
        {u"ranks"_s, Column::Ranks},
        {u"seed"_s, Column::Seed},
        {QString::fromStdString(model.sweep().objective), Column::ObjectiveBest},
    };
    for (const auto &[word, column] : names) {
        if (name.compare(word, Qt::CaseInsensitive) == 0)
            return model.section(column);
    }
    if (const int metric = model.metricSection(name); metric >= 0)
        return metric;
    // A metric may be called like something else.
    const std::pair<QLatin1StringView, Column> beginnings[] = {
        {"metric."_L1, Column::Metric}, {"min."_L1, Column::MetricLow}, {"max."_L1, Column::MetricHigh}};
    for (const auto &[beginning, column] : beginnings) {
        if (name.startsWith(beginning, Qt::CaseInsensitive))
            return model.metricSection(name.sliced(beginning.size()), column);
    }
    return -1;
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
    if (!value.isValid()) {
        const bool asksForIt = node.text.compare(TrialFilter::unsetWord(), Qt::CaseInsensitive) == 0;
        return asksForIt ? node.op == Operator::Equal : node.op == Operator::Unequal;
    }
    const bool isText = value.typeId() == QMetaType::QString || value.typeId() == QMetaType::Bool;
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
    const bool isPlain = !text.isEmpty() && std::ranges::all_of(text, [](QChar c) {
        return c.isLetterOrNumber() || c == u'.' || c == u'-' || c == u'+' || c == u'_';
    });
    const QChar mark = text.contains(u'"') ? u'\'' : u'"';
    return isPlain ? text : mark + text + mark;
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
