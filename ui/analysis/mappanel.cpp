#include "ui/analysis/mappanel.h"

#include "ui/analysis/mapcontent.h"
#include "ui/models/newestjob.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <chrono>
#include <functional>
#include <memory>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

MapPanel::MapPanel(QWidget *parent)
    : QWidget(parent),
      m_x(new QComboBox),
      m_y(new QComboBox),
      m_value(new QComboBox),
      m_stack(new QStackedWidget),
      m_plot(new MapPlot),
      m_message(new QLabel),
      m_others(new ElidedLabel),
      m_job(new NewestJob(0ms, this))
{
    m_x->setObjectName(u"mapX"_s);
    m_x->setAccessibleName(tr("Horizontal parameter"));
    m_x->setToolTip(tr("Horizontal parameter"));
    m_y->setObjectName(u"mapY"_s);
    m_y->setAccessibleName(tr("Vertical parameter"));
    m_y->setToolTip(tr("Vertical parameter"));
    m_value->setObjectName(u"mapValue"_s);
    m_value->setAccessibleName(tr("Colors"));
    m_value->setToolTip(tr("Value shown by the colors. Ranks are robust against outliers. Predictions come from a "
                           "Gaussian process fitted to the results."));
    m_value->addItem(tr("Measured mean"), QVariant::fromValue(MapValue::MeasuredMean));
    m_value->addItem(tr("Measured best"), QVariant::fromValue(MapValue::MeasuredBest));
    m_value->addItem(tr("Measured rank"), QVariant::fromValue(MapValue::MeasuredRank));
    m_value->addItem(tr("Predicted mean"), QVariant::fromValue(MapValue::PredictedMean));
    m_value->addItem(tr("Uncertainty"), QVariant::fromValue(MapValue::PredictedDeviation));
    m_value->setItemData(m_value->count() - 1, tr("Standard deviation of the prediction"), Qt::ToolTipRole);
    m_plot->setAccessibleName(tr("Values over two parameters"));
    m_message->setObjectName(u"mapMessage"_s);
    m_message->setWordWrap(true);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setForegroundRole(QPalette::PlaceholderText);
    m_message->setMargin(spacing::medium);
    m_others->setObjectName(u"mapOthers"_s);
    m_others->setForegroundRole(QPalette::PlaceholderText);
    setTextRole(m_others, TextRole::Small);
    buildLayout();
    connect(m_x, &QComboBox::currentIndexChanged, this, [this] { chooseParameter(m_x, m_y); });
    connect(m_y, &QComboBox::currentIndexChanged, this, [this] { chooseParameter(m_y, m_x); });
    connect(m_value, &QComboBox::currentIndexChanged, this, &MapPanel::chooseValue);
    setData(nullptr, nullptr, {});
}

MapPanel::~MapPanel() = default;

void MapPanel::buildLayout()
{
    auto *choosers = new QHBoxLayout;
    choosers->setContentsMargins(spacing::small, spacing::tiny, spacing::small, 0);
    choosers->setSpacing(spacing::tiny);
    choosers->addWidget(m_x);
    choosers->addWidget(new QLabel(u"×"_s));
    choosers->addWidget(m_y);
    choosers->addStretch(1);
    choosers->addWidget(m_value);
    for (QComboBox *chooser : {m_x, m_y})
        chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto *plot = new QWidget;
    auto *plotLayout = new QVBoxLayout(plot);
    plotLayout->setContentsMargins(0, 0, 0, 0);
    plotLayout->setSpacing(0);
    plotLayout->addWidget(m_plot, 1);
    plotLayout->addWidget(m_others);
    m_others->setContentsMargins(spacing::small, 0, spacing::small, spacing::tiny);
    m_stack->addWidget(plot);
    m_stack->addWidget(m_message);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(choosers);
    layout->addWidget(m_stack, 1);
}

bool MapPanel::isBusy() const
{
    return m_job->isPending();
}

bool MapPanel::hasPlot() const
{
    return m_stack->currentIndex() == 0;
}

void MapPanel::resetParameters()
{
    m_hasChosen = false;
}

MapValue MapPanel::value() const
{
    return m_value->currentData().value<MapValue>();
}

bool MapPanel::needsSurrogate() const
{
    return isPredicted(value());
}

void MapPanel::setData(FigurePtr figure, analysis::SurrogatePtr surrogate, std::vector<char> within)
{
    if (m_surrogate != surrogate)
        m_surface.reset();
    m_figure = std::move(figure);
    m_surrogate = std::move(surrogate);
    m_within = std::move(within);
    follow();
}

/// Shows the map of the present data, or why there is none.
void MapPanel::follow()
{
    const QStringList names = offered();
    offerParameters(names);
    m_stack->setCurrentIndex(names.size() >= 2 ? 0 : 1);
    m_message->setText(messageText());
    if (hasPlot()) {
        requestMap();
        return;
    }
    m_job->drop();
    m_surface.reset();
    m_plot->setMap({}, {});
}

QString MapPanel::messageText() const
{
    if (!m_figure)
        return {};
    if (isPredicted(value()) && !m_surrogate)
        return tr("A prediction needs at least %1 trials with a value.").arg(analysis::fewestResults);
    return isPredicted(value()) ? tr("A prediction needs two parameters that vary.")
                                : tr("A map needs two parameters that vary.");
}

/// The parameters that the chosen value is known of.
QStringList MapPanel::offered() const
{
    QStringList names;
    if (m_figure && isPredicted(value()) && m_surrogate) {
        for (const std::string &name : analysis::surfaceParameters(*m_surrogate))
            names << QString::fromStdString(name);
    } else if (m_figure && !isPredicted(value())) {
        for (const analysis::Parameter &parameter : m_figure->values.parameters)
            names << QString::fromStdString(parameter.name);
    }
    return names;
}

/// Keeps the parameters that the user chose, if there are still both.
void MapPanel::offerParameters(const QStringList &names)
{
    if (names.size() < 2)
        return;
    const QScopedValueRollback filling(m_filling, true);
    const std::pair<QString, QString> before = m_shown;
    const bool isKept = m_hasChosen && names.contains(m_shown.first) && names.contains(m_shown.second);
    if (!isKept) {
        const QStringList first = firstParameters(*m_figure, names);
        m_shown = {first[0], first[1]};
    }
    for (const auto &[chooser, name] : {std::pair(m_x, m_shown.first), std::pair(m_y, m_shown.second)}) {
        QStringList had;
        for (int i = 0; i < chooser->count(); ++i)
            had << chooser->itemText(i);
        if (had != names) {
            chooser->clear();
            chooser->addItems(names);
        }
        chooser->setCurrentText(name);
    }
    if (m_shown != before)
        m_surface.reset();
}

/// If the user chooses the parameter of the other axis, the axes are exchanged.
void MapPanel::chooseParameter(QComboBox *changed, QComboBox *other)
{
    if (m_filling)
        return;
    const QScopedValueRollback filling(m_filling, true);
    m_hasChosen = true;
    if (changed->currentText() == other->currentText())
        other->setCurrentText(changed == m_x ? m_shown.first : m_shown.second);
    m_shown = {m_x->currentText(), m_y->currentText()};
    m_surface.reset();
    requestMap();
}

void MapPanel::chooseValue()
{
    if (!needsSurrogate() || m_surrogate || !m_figure) {
        follow();
        return;
    }
    m_job->drop();
    m_message->setText(tr("Fitting the model…"));
    m_stack->setCurrentIndex(1);
    Q_EMIT surrogateWanted();
}

void MapPanel::requestMap()
{
    if (!isPredicted(value())) {
        const auto indexOf = [this](const QString &name) {
            return static_cast<std::size_t>(m_figure->axis(name) - m_figure->axes.data());
        };
        m_job->request([this, figure = m_figure, within = m_within, value = value(), x = indexOf(m_shown.first),
                        y = indexOf(m_shown.second)] {
            return std::function<void()>(
                [this, shown = measuredData(*figure, x, y, value, within)] { showMap(shown, {}); });
        });
        return;
    }
    m_job->request([this, figure = m_figure, within = m_within, value = value(), surrogate = m_surrogate,
                    known = m_surface, x = m_shown.first.toStdString(),
                    y = m_shown.second.toStdString()]() -> std::function<void()> {
        std::shared_ptr<const analysis::ModelSurface> surface = known;
        if (!surface) {
            auto computed = analysis::modelSurface(*surrogate, x, y);
            if (!computed)
                return [] {};
            surface = std::make_shared<const analysis::ModelSurface>(std::move(*computed));
        }
        return [this, surface, shown = predictedData(*figure, *surface, value, within)] {
            m_surface = surface;
            showMap(shown, othersText(*surface));
        };
    });
}

void MapPanel::showMap(const MapData &shown, const QString &others)
{
    m_plot->setMap(shown.map, shown.content);
    m_others->setText(others);
    m_others->setVisible(!others.isEmpty());
}

PictureSheet MapPanel::sheet(const QString &title) const
{
    const QString others = m_others->text();
    return titledSheet(*m_plot, others.isEmpty() ? title : title + u" · "_s + others, m_plot->size(),
                       [plot = m_plot](QCPPainter &painter) { plot->paintPicture(&painter); });
}

}  // namespace sweepscope::ui
