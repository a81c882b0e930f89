#include "ui/editor/dimensionreading.h"

#include "sweep/dimensionvalues.h"
#include "ui/editor/valuelist.h"

#include <QCoreApplication>
#include <QStringList>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

struct DimensionReadingWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::DimensionReading)
};

/// Parses the cells of one row and collects their problems.
class RowReader {
public:
    RowReader(const DimensionDraft &draft, int row, std::vector<PlacedProblem> &problems)
        : m_draft(draft), m_row(row), m_problems(problems)
    {}

    void fail(SpaceColumn column, const QString &message)
    {
        m_problems.push_back({u"space."_s + m_draft.name.trimmed(), message, m_row, static_cast<int>(column)});
    }

    double number(const QString &text, SpaceColumn column, const QString &what)
    {
        if (text.trimmed().isEmpty()) {
            fail(column, DimensionReadingWords::tr("%1 is missing: enter a number.").arg(what));
        } else if (sweep::isWhole(m_draft.kind)) {
            if (const auto value = wholeFromText(text))
                return static_cast<double>(*value);
            fail(column,
                 DimensionReadingWords::tr("“%1” is not an integer. For decimals, choose Uniform or Log-uniform.")
                     .arg(text.trimmed()));
        } else if (const auto value = decimalFromText(text)) {
            return *value;
        } else {
            fail(column, DimensionReadingWords::tr("“%1” is not a number.").arg(text.trimmed()));
        }
        return 0;
    }

    std::int64_t count(const QString &text, std::int64_t empty, std::int64_t largest, const QString &what)
    {
        if (text.trimmed().isEmpty())
            return empty;
        const auto value = wholeFromText(text);
        if (value && *value >= 1 && *value <= largest)
            return *value;
        fail(SpaceColumn::Points,
             DimensionReadingWords::tr("%1 must be an integer of at least 1, not “%2”.").arg(what, text.trimmed()));
        return empty;
    }

    std::vector<sweep::ParameterValue> values()
    {
        std::vector<sweep::ParameterValue> read;
        QStringList words;
        for (const ListEntry &entry : splitList(m_draft.values)) {
            if (m_draft.kind == sweep::DimensionKind::Choice) {
                if (!entry.quoted && (entry.text == "true"_L1 || entry.text == "false"_L1))
                    read.emplace_back(entry.text == "true"_L1);
                else
                    read.emplace_back(entry.text.toStdString());
            } else if (const auto value = numberFromText(entry.text)) {
                read.push_back(*value);
            } else if (entry.text.isEmpty()) {
                fail(SpaceColumn::From,
                     DimensionReadingWords::tr("Empty value between two commas: enter a number or remove a comma."));
            } else {
                words << u'“' + entry.text + u'”';
            }
        }
        if (words.size() == 1)
            fail(SpaceColumn::From,
                 DimensionReadingWords::tr("%1 is not a number. For words, choose Categories.").arg(words.front()));
        else if (words.size() > 1)
            fail(SpaceColumn::From, DimensionReadingWords::tr("%1 are not numbers. For words, choose Categories.")
                                        .arg(words.join(u", "_s)));
        sweep::unifyNumbers(read);
        return read;
    }

private:
    const DimensionDraft &m_draft;
    int m_row;
    std::vector<PlacedProblem> &m_problems;
};

}  // namespace

sweep::Dimension readDimension(const DimensionDraft &draft, int row, std::vector<PlacedProblem> &problems)
{
    RowReader reader(draft, row, problems);
    sweep::Dimension dimension;
    dimension.name = draft.name.trimmed().toStdString();
    dimension.kind = draft.kind;
    dimension.when = draft.when.trimmed().toStdString();
    if (isList(draft.kind)) {
        if (splitList(draft.values).empty())
            reader.fail(SpaceColumn::From, draft.kind == sweep::DimensionKind::Choice
                                               ? DimensionReadingWords::tr("No values: enter some, e.g. sgd, adam.")
                                               : DimensionReadingWords::tr("No values: enter some, e.g. 32, 64, 128."));
        dimension.values = reader.values();
        return dimension;
    }
    if (sweep::isNormal(draft.kind)) {
        const double mean = reader.number(draft.from, SpaceColumn::From, DimensionReadingWords::tr("The mean"));
        const double deviation =
            reader.number(draft.to, SpaceColumn::To, DimensionReadingWords::tr("The standard deviation"));
        sweep::setNormal(dimension, mean, deviation);
    } else {
        dimension.low =
            reader.number(draft.from, SpaceColumn::From, DimensionReadingWords::tr("The start of the range"));
        dimension.high = reader.number(draft.to, SpaceColumn::To, DimensionReadingWords::tr("The end of the range"));
    }
    if (draft.kind == sweep::DimensionKind::Integer)
        dimension.step = reader.count(draft.step, 1, INT64_MAX, DimensionReadingWords::tr("The step"));
    else if (draft.kind == sweep::DimensionKind::Stepped)
        dimension.spacing = reader.number(draft.step, SpaceColumn::Points, DimensionReadingWords::tr("The step"));
    else
        dimension.points = static_cast<int>(
            reader.count(draft.points, 0, INT32_MAX, DimensionReadingWords::tr("The number of points")));
    return dimension;
}

}  // namespace sweepscope::ui
