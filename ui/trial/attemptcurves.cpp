#include "ui/trial/attemptcurves.h"

#include "ui/plot/liveplot.h"
#include "ui/plot/livetoolbar.h"
#include "ui/plot/picturesaver.h"
#include "ui/plot/plotgestures.h"
#include "ui/plot/trialplots.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int leastHeight = 155;  ///< of the plot, so that nothing in it scrolls

}  // namespace

AttemptCurves::AttemptCurves(QWidget *parent) : QWidget(parent), m_plots(new TrialPlots(this)), m_word(new QLabel(this))
{
    setObjectName(u"trialCurves"_s);
    m_plots->setForOneChart();
    m_plots->plot()->findChild<PlotGestures *>()->setWheelScrollsPage();
    m_plots->setEmptyText(tr("Waiting for the first values…"));
    m_word->setObjectName(u"trialCurvesWord"_s);
    m_word->setForegroundRole(QPalette::PlaceholderText);
    auto *title = new QLabel(tr("Curves"), this);
    setTextRole(title, TextRole::Emphasis);
    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::medium);
    head->addWidget(title);
    head->addWidget(m_word, 1);
    head->addWidget(m_plots->toolBar(), 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addLayout(head);
    layout->addWidget(m_plots, 1);
    followTextSize(this, [this] { m_plots->setMinimumHeight(textScaled(leastHeight)); });
    m_arrange.setSingleShot(true);
    m_arrange.setInterval(300ms);
    connect(&m_arrange, &QTimer::timeout, this, &AttemptCurves::arrange);
    arrange();
}

void AttemptCurves::showSource(const TrialSource &source, const QString &title)
{
    if (source.attempt == 0) {
        m_plots->clear();
        return;
    }
    m_plots->showSource(source);
    m_plots->pictures()->setTitle(title, title);
}

void AttemptCurves::setReported(bool reported, const QString &otherwise)
{
    m_word->setText(otherwise);
    if (reported == m_isReported)
        return;
    m_isReported = reported;
    if (reported)
        arrange();
    else
        m_arrange.start();
}

void AttemptCurves::arrange()
{
    m_plots->setVisible(m_isReported);
    m_plots->toolBar()->setVisible(m_isReported);
    m_word->setVisible(!m_isReported);
    setMaximumHeight(m_isReported ? QWIDGETSIZE_MAX : sizeHint().height());
}

PictureSaver *AttemptCurves::pictures() const
{
    return m_plots->pictures();
}

}  // namespace sweepscope::ui
