#include "ui/editor/dimensionpreview.h"

#include "sweep/dimensionvalues.h"
#include "ui/editor/valuelist.h"

#include <QCoreApplication>
#include <QStringList>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr std::uint64_t mostInCell = 6;
constexpr std::uint64_t mostInTip = 40;

struct DimensionPreviewWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::DimensionPreview)
};

QString rangeInWords(const sweep::Dimension &dimension)
{
    const QString low = textOfNumber(dimension.low);
    const QString high = textOfNumber(dimension.high);
    if (sweep::isNormal(dimension.kind))
        return DimensionPreviewWords::tr("mostly from %1 to %2, around %3")
            .arg(shortTextOfValue(sweep::DimensionValues(dimension).sample(0.025)),
                 shortTextOfValue(sweep::DimensionValues(dimension).sample(0.975)),
                 shortTextOfValue(sweep::DimensionValues(dimension).sample(0.5)));
    return dimension.kind == sweep::DimensionKind::Log
               ? DimensionPreviewWords::tr("log-uniform from %1 to %2").arg(low, high)
               : DimensionPreviewWords::tr("uniform from %1 to %2").arg(low, high);
}

}  // namespace

QString previewOf(const sweep::Dimension &dimension, sweep::SearchMethod method, bool shortForm)
{
    const bool grid = method == sweep::SearchMethod::Grid;
    if (!sweep::checkDimension(dimension, grid).empty())
        return {};
    const sweep::DimensionValues values(dimension);
    if (!grid && values.isContinuous())
        return rangeInWords(dimension);
    const std::uint64_t most = shortForm ? mostInCell : mostInTip;
    const auto text = [&](std::uint64_t i) {
        return shortForm ? shortTextOfValue(values.at(i)) : textOfValue(values.at(i));
    };
    const bool all = values.size() <= most;
    QStringList texts;
    for (std::uint64_t i = 0; i < (all ? values.size() : most - 2); ++i)
        texts += text(i);
    if (all)
        return texts.join(u", "_s);
    if (shortForm)
        return DimensionPreviewWords::tr("%1, … %2").arg(texts.join(u", "_s), text(values.size() - 1));
    return DimensionPreviewWords::tr("%1, … %2 (%3 values)")
        .arg(texts.join(u", "_s), text(values.size() - 1))
        .arg(values.size());
}

}  // namespace sweepscope::ui
