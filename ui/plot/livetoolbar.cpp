#include "ui/plot/livetoolbar.h"

#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/theme/wraplayout.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

LiveToolBar::LiveToolBar(QWidget *parent)
    : QWidget(parent),
      m_series(new QComboBox),
      m_rankView(new QComboBox),
      m_xScale(new QComboBox),
      m_logarithmic(new QCheckBox),
      m_smoothingLabel(new QLabel(tr("Smoothing"))),
      m_smoothing(new QSlider(Qt::Horizontal)),
      m_smoothingText(new QLabel),
      m_smoothingGroup(new QWidget),
      m_buttons(new QWidget),
      m_allCharts(new QToolButton),
      m_charts(new QToolButton),
      m_picture(new QToolButton),
      m_pictureMenu(new QMenu(this)),
      m_follow(new QToolButton),
      m_row(new WrapLayout(this))
{
    m_series->setObjectName(QStringLiteral("seriesChooser"));
    m_series->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);  // the same for all trials
    m_series->setMinimumContentsLength(14);
    m_series->setAccessibleName(tr("Series"));
    m_series->setToolTip(tr("Metric in the main chart"));
    m_rankView->addItem(tr("Each rank"), QVariant::fromValue(static_cast<int>(RankView::Ranks)));
    m_rankView->addItem(tr("Mean"), QVariant::fromValue(static_cast<int>(RankView::Mean)));
    m_rankView->addItem(tr("Mean and spread"), QVariant::fromValue(static_cast<int>(RankView::Spread)));
    m_rankView->addItem(tr("Median and quartiles"), QVariant::fromValue(static_cast<int>(RankView::Quartiles)));
    m_rankView->setObjectName(QStringLiteral("rankView"));
    m_rankView->setAccessibleName(tr("Ranks"));
    m_rankView->setToolTip(tr("Show each rank or a summary of all ranks (R)"));
    m_xScale->addItem(tr("Clock time"), QVariant::fromValue(static_cast<int>(XScale::WallTime)));
    m_xScale->addItem(tr("Time since start"), QVariant::fromValue(static_cast<int>(XScale::Relative)));
    m_xScale->addItem(tr("Step"), QVariant::fromValue(static_cast<int>(XScale::Step)));
    m_xScale->setObjectName(QStringLiteral("xScale"));
    m_xScale->setAccessibleName(tr("Horizontal axis"));
    m_xScale->setToolTip(tr("Horizontal axis. Device plots always use time."));
    m_logarithmic->setText(tr("Log y"));
    m_logarithmic->setObjectName(QStringLiteral("logarithmic"));
    m_logarithmic->setToolTip(tr("Logarithmic vertical axis (L)"));
    m_smoothing->setObjectName(QStringLiteral("smoothing"));
    m_smoothing->setRange(0, 99);
    m_smoothing->setFixedWidth(90);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(tr("Weight of past values in the exponential moving average. The original curve stays "
                               "visible in the background."));
    m_smoothingText->setText(QStringLiteral("0.00"));
    m_allCharts->setText(tr("All charts"));
    m_allCharts->setIcon(symbolIcon(QStringLiteral("fit")));
    m_allCharts->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_allCharts->setToolTip(tr("Show the other charts again (M, Esc)"));
    m_allCharts->setObjectName(QStringLiteral("allCharts"));
    m_allCharts->hide();
    m_charts->setText(tr("Charts"));
    m_charts->setIcon(symbolIcon(QStringLiteral("live")));
    m_charts->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_charts->setToolTip(
        tr("Add or remove charts of metrics, devices and step times (C). To move a chart, drag its title."));
    m_charts->setPopupMode(QToolButton::InstantPopup);
    m_charts->setObjectName(QStringLiteral("chartsButton"));
    m_picture->setObjectName(QStringLiteral("pictureButton"));
    m_picture->setIcon(symbolIcon(QStringLiteral("image")));
    m_picture->setAccessibleName(tr("Export or copy plots"));
    m_picture->setToolTip(tr("Export or copy the plots as a picture (Ctrl+Shift+E, Ctrl+Shift+C)"));
    m_picture->setPopupMode(QToolButton::InstantPopup);
    m_picture->setMenu(m_pictureMenu);
    m_follow->setText(tr("Follow"));
    m_follow->setObjectName(QStringLiteral("follow"));
    m_follow->setCheckable(true);
    m_follow->setIcon(symbolIcon(QStringLiteral("follow-end")));
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setChecked(true);
    m_follow->setToolTip(tr("Follow new values. Zooming turns this off; double-click a plot to follow again. (F)"));

    m_smoothingLabel->setBuddy(m_smoothing);
    auto *slider = new QHBoxLayout(m_smoothingGroup);
    auto *buttons = new QHBoxLayout(m_buttons);
    for (QHBoxLayout *group : {slider, buttons}) {
        group->setContentsMargins(0, 0, 0, 0);
        group->setSpacing(spacing::small);
    }
    slider->setContentsMargins(spacing::small, 0, 0, 0);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_smoothingLabel, m_smoothing, m_smoothingText})
        slider->addWidget(widget);
    m_smoothingGroup->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    buttons->addStretch(1);
    for (QToolButton *button : {m_allCharts, m_charts, m_picture, m_follow})
        buttons->addWidget(button);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(spacing::small);
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_series, m_rankView, m_xScale, m_logarithmic, m_smoothingGroup, m_buttons})
        m_row->addWidget(widget);

    followTextSize(this, [this] { fit(); });
    connect(m_series, &QComboBox::activated, this, [this](int index) {
        m_seriesName = m_series->itemText(index);
        Q_EMIT changed();
    });
    connect(m_rankView, &QComboBox::currentIndexChanged, this, &LiveToolBar::changed);
    connect(m_xScale, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT xScaleChanged(xScale()); });
    connect(m_logarithmic, &QCheckBox::toggled, this, &LiveToolBar::logarithmicChanged);
    connect(m_smoothing, &QSlider::valueChanged, this, [this] {
        m_smoothingText->setText(QString::number(smoothing(), 'f', 2));
        Q_EMIT changed();
    });
    connect(m_allCharts, &QToolButton::clicked, this, &LiveToolBar::allChartsClicked);
    connect(m_follow, &QToolButton::clicked, this, [this] {
        m_follow->setChecked(true);
        Q_EMIT followClicked();
    });
}

void LiveToolBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())  // its height follows from what it shows
        fit();
}

void LiveToolBar::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    fit();
}

/// Hides text if everything then fits into one row, first that of the slider; tooltips say the same. Else, such as with
/// large text, it wraps. Its width is known only while it is shown, and with the fonts of a visible bar.
void LiveToolBar::fit()
{
    for (const Words words : {Words::All, Words::OfButtons, Words::None}) {
        showWords(words);
        for (QWidget *group : {m_smoothingGroup, m_buttons}) {  // otherwise the row learns of it later
            group->layout()->invalidate();
            group->updateGeometry();
        }
        if (m_row->widthOfOneRow() <= width())
            return;
    }
    showWords(Words::All);
}

void LiveToolBar::showWords(Words words)
{
    if (std::exchange(m_words, words) == words)
        return;
    m_smoothingLabel->setVisible(m_hasSmoothing && words == Words::All);
    for (QToolButton *button : {m_allCharts, m_charts, m_follow}) {
        button->setToolButtonStyle(words == Words::None ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
        style()->unpolish(button);  // the style sheet has rules for buttons with text
        style()->polish(button);
    }
}

void LiveToolBar::setChoices(const PlotFrame &frame)
{
    fillSeries(frame.seriesNames, frame.main.id);
}

void LiveToolBar::fillSeries(const QStringList &names, const QString &shown)
{
    const QSignalBlocker quiet(m_series);
    QStringList present;
    for (int i = 0; i < m_series->count(); ++i)
        present.append(m_series->itemText(i));
    if (present != names) {
        m_series->clear();
        m_series->addItems(names);
    }
    m_series->setCurrentIndex(static_cast<int>(names.indexOf(shown)));
    m_series->setEnabled(!names.isEmpty());
}

void LiveToolBar::setChartsMenu(QMenu *menu)
{
    m_charts->setMenu(menu);
}

void LiveToolBar::openChartsMenu()
{
    if (m_charts->isVisible())
        m_charts->showMenu();
}

void LiveToolBar::setRankView(RankView view)
{
    m_rankView->setCurrentIndex(std::max(0, m_rankView->findData(static_cast<int>(view))));
}

void LiveToolBar::setXScale(XScale scale)
{
    m_xScale->setCurrentIndex(std::max(0, m_xScale->findData(static_cast<int>(scale))));
}

void LiveToolBar::setLogarithmic(bool logarithmic)
{
    m_logarithmic->setChecked(logarithmic);
}

void LiveToolBar::setSmoothing(double weight)
{
    m_smoothing->setValue(qRound(weight * 100));
}

void LiveToolBar::setForTrials()
{
    m_hasRankView = false;
    m_rankView->hide();
    m_charts->hide();
    m_xScale->removeItem(m_xScale->findData(static_cast<int>(XScale::WallTime)));
    m_xScale->setCurrentIndex(m_xScale->findData(static_cast<int>(XScale::Step)));
    m_xScale->setToolTip(tr("Horizontal axis. Time starts at zero for each trial."));
    m_series->setToolTip(tr("Metric shown for each trial, as the mean of its ranks"));
}

void LiveToolBar::setForOneChart()
{
    m_hasSmoothing = false;
    m_hasRankView = false;
    for (QWidget *widget : std::initializer_list<QWidget *>{m_rankView, m_logarithmic, m_smoothingGroup, m_charts})
        widget->hide();
    setXScale(XScale::Step);
}

void LiveToolBar::setFollowing(bool following)
{
    m_follow->setChecked(following);
}

void LiveToolBar::setChartAlone(bool isAlone)
{
    m_allCharts->setVisible(isAlone);
    fit();
}

void LiveToolBar::setSeveralRanks(bool areSeveral)
{
    if (!m_hasRankView || areSeveral == !m_rankView->isHidden())
        return;
    m_rankView->setVisible(areSeveral);
    fit();
}

void LiveToolBar::cycleRankView()
{
    if (m_rankView->isHidden())
        return;
    m_rankView->setCurrentIndex((m_rankView->currentIndex() + 1) % m_rankView->count());
}

void LiveToolBar::toggleLogarithmic()
{
    m_logarithmic->toggle();
}

RankView LiveToolBar::rankView() const
{
    return static_cast<RankView>(m_rankView->currentData().toInt());
}

XScale LiveToolBar::xScale() const
{
    return static_cast<XScale>(m_xScale->currentData().toInt());
}

bool LiveToolBar::isLogarithmic() const
{
    return m_logarithmic->isChecked();
}

double LiveToolBar::smoothing() const
{
    return m_smoothing->value() / 100.0;
}

}  // namespace sweepscope::ui
