#include "ui/models/trialfilter.h"

#include <QRegularExpression>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

TrialFilter::TrialFilter(const QString &text)
{
    static const QRegularExpression blanks(u"\\s+"_s);
    static const QRegularExpression blanksAroundOperator(u"\\s*(!=|<=|>=|=|<|>)\\s*"_s);
    QString tight = text;
    tight.replace(blanksAroundOperator, u"\\1"_s);
    for (const QString &word : tight.split(blanks, Qt::SkipEmptyParts)) {
        if (std::optional<Comparison> found = comparison(word))
            m_comparisons.push_back(std::move(*found));
        else
            m_words << word;
    }
}

std::optional<TrialFilter::Comparison> TrialFilter::comparison(const QString &word)
{
    static const QRegularExpression pattern(u"^([^!<>=]+)(!=|<=|>=|=|<|>)([^!<>=]+)$"_s);
    const QRegularExpressionMatch match = pattern.match(word);
    if (!match.hasMatch())
        return std::nullopt;
    const QString sign = match.captured(2);
    const Operator op = sign == "="_L1    ? Operator::Equal
                        : sign == "!="_L1 ? Operator::Unequal
                        : sign == "<"_L1  ? Operator::Less
                        : sign == "<="_L1 ? Operator::LessOrEqual
                        : sign == ">"_L1  ? Operator::Greater
                                          : Operator::GreaterOrEqual;
    bool isNumber = false;
    const double number = match.captured(3).toDouble(&isNumber);
    return Comparison{match.captured(1), op, match.captured(3), isNumber ? std::optional(number) : std::nullopt, word};
}

int TrialFilter::sectionOf(const TrialTableModel &model, const QString &name)
{
    using Column = TrialTableModel::Column;
    if (const int parameter = model.parameterSection(name); parameter >= 0)
        return parameter;
    const std::pair<QString, Column> names[] = {
        {u"trial"_s, Column::Number},       {u"best"_s, Column::ObjectiveBest},
        {u"last"_s, Column::ObjectiveLast}, {u"seconds"_s, Column::Duration},
        {u"attempts"_s, Column::Attempts},  {QString::fromStdString(model.sweep().objective), Column::ObjectiveBest},
    };
    for (const auto &[word, column] : names) {
        if (name.compare(word, Qt::CaseInsensitive) == 0)
            return model.section(column);
    }
    return -1;
}

bool TrialFilter::fits(const QVariant &value, const Comparison &comparison)
{
    const auto holds = [&comparison](auto left, auto right) {
        switch (comparison.op) {
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
    };
    if (!value.isValid())
        return comparison.op == Operator::Unequal;
    const bool isText = value.typeId() == QMetaType::QString || value.typeId() == QMetaType::Bool;
    if (!isText && comparison.number)
        return holds(value.toDouble(), *comparison.number);
    return holds(value.toString().compare(comparison.text, Qt::CaseInsensitive), 0);
}

bool TrialFilter::contains(const TrialTableModel &model, int row, const QString &word)
{
    for (int section = 0; section < model.columnCount(); ++section) {
        if (model.index(row, section).data().toString().contains(word, Qt::CaseInsensitive))
            return true;
    }
    return false;
}

bool TrialFilter::accepts(const TrialTableModel &model, int row) const
{
    for (const Comparison &comparison : m_comparisons) {
        const int section = sectionOf(model, comparison.name);
        const bool accepted = section >= 0 ? fits(model.index(row, section).data(TrialTableModel::RawRole), comparison)
                                           : contains(model, row, comparison.word);
        if (!accepted)
            return false;
    }
    return std::ranges::all_of(m_words, [&](const QString &word) { return contains(model, row, word); });
}

}  // namespace sweepscope::ui
