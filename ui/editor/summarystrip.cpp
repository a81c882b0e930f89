#include "ui/editor/summarystrip.h"

#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/theme/wraplayout.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr int mostVisibleProblems = 3;

}  // namespace

QString trialsText(std::uint64_t trials)
{
    if (trials == 0)
        return SummaryStrip::tr("Unlimited search");
    return trials == 1 ? SummaryStrip::tr("1 trial")
                       : SummaryStrip::tr("%1 trials").arg(QLocale().toString(static_cast<qulonglong>(trials)));
}

QString detailsText(const sweep::SweepSpec &spec, std::optional<int> atOnce)
{
    const bool varied = std::any_of(spec.space.begin(), spec.space.end(),
                                    [](const sweep::Dimension &dimension) { return dimension.name == "ranks"; });
    const int ranks = spec.run.ranks;
    const QString each = varied       ? SummaryStrip::tr("ranks vary")
                         : ranks == 1 ? SummaryStrip::tr("1 rank each")
                                      : SummaryStrip::tr("%1 ranks each").arg(ranks);
    return (atOnce ? SummaryStrip::tr("%1 · %2 at once") : SummaryStrip::tr("%1 · at most %2 at once"))
        .arg(each)
        .arg(atOnce.value_or(spec.devices.concurrent));
}

SummaryStrip::SummaryStrip(QWidget *parent)
    : QFrame(parent),
      m_list(new QListWidget(this)),
      m_trials(new QLabel(this)),
      m_details(new QLabel(this)),
      m_reason(new QLabel(this)),
      m_allocation(new QToolButton(this)),
      m_start(new QPushButton(this)),
      m_apply(new QPushButton(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_end(new QWidget(this))
{
    setObjectName(u"summaryStrip"_s);
    m_list->setObjectName(u"problems"_s);
    m_list->setAccessibleName(tr("Problems"));
    m_list->setFrameShape(NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setSpacing(2);
    m_list->setContentsMargins(0, 0, 0, 0);
    m_list->hide();
    m_trials->setObjectName(u"summary.trials"_s);
    setTextRole(m_trials, TextRole::Heading);
    m_details->setObjectName(u"summary.details"_s);
    m_details->setForegroundRole(QPalette::PlaceholderText);
    m_reason->setObjectName(u"summary.reason"_s);
    m_reason->setForegroundRole(QPalette::PlaceholderText);
    m_reason->setWordWrap(true);
    m_reason->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_allocation->setObjectName(u"summary.allocation"_s);
    m_allocation->setText(tr("Preview schedule"));
    m_allocation->setIcon(symbolIcon(u"timeline"_s));
    m_allocation->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_allocation->setToolTip(tr("Show the devices and start order of trials"));
    m_allocation->setFocusPolicy(Qt::StrongFocus);
    m_allocation->hide();
    m_start->setObjectName(u"start"_s);
    m_apply->setObjectName(u"apply"_s);
    markPrimary(m_apply);
    m_cancel->setObjectName(u"cancelEdit"_s);
    m_cancel->setToolTip(tr("Discard the changes and close the editor"));
    connect(m_cancel, &QPushButton::clicked, this, &SummaryStrip::cancelRequested);

    auto *line = new QFrame(this);
    line->setFixedHeight(1);
    line->setAutoFillBackground(true);
    line->setBackgroundRole(QPalette::Mid);
    auto *end = new QHBoxLayout(m_end);
    end->setContentsMargins(0, 0, 0, 0);
    end->setSpacing(spacing::medium);
    end->addWidget(m_reason, 1);
    end->addWidget(m_cancel);
    end->addWidget(m_start);
    end->addWidget(m_apply);
    auto *row = new WrapLayout;
    row->setContentsMargins(spacing::large, spacing::small, spacing::large, spacing::small);
    row->setSpacing(spacing::medium);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_trials, m_details, m_allocation, m_end})
        row->addWidget(widget);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(line);
    auto *problems = new QHBoxLayout;
    problems->setContentsMargins(spacing::medium, spacing::tiny, spacing::medium, 0);
    problems->addWidget(m_list);
    layout->addLayout(problems);
    layout->addLayout(row);

    connect(m_allocation, &QToolButton::clicked, this, &SummaryStrip::allocationRequested);
    const auto go = [this](QListWidgetItem *item) {
        const auto place = static_cast<std::size_t>(m_list->row(item));
        if (place < m_problems.size())
            Q_EMIT problemActivated(m_problems[place].problem);
    };
    connect(m_list, &QListWidget::itemClicked, this, go);
    connect(m_list, &QListWidget::itemActivated, this, go);
    followTarget();
}

QString SummaryStrip::summary() const
{
    return m_details->text().isEmpty() ? m_trials->text() : m_trials->text() + u" · "_s + m_details->text();
}

void SummaryStrip::setHindrance(const QString &reason)
{
    m_hindrance = reason;
    followState();
}

void SummaryStrip::showResult(const CheckResult &result, const std::vector<Entry> &problems)
{
    m_checked = true;
    m_problems = problems;
    m_trials->setText(result.trials ? trialsText(*result.trials) : tr("Number of trials unknown"));
    m_spec = result.trials ? std::optional(result.spec) : std::nullopt;
    followDetails();
    const int current = m_list->currentRow();
    m_list->clear();
    for (const Entry &entry : problems) {
        auto *item = new QListWidgetItem(symbolIcon(u"warning"_s, QPalette::Text),
                                         tr("%1: %2").arg(entry.title, entry.problem.message), m_list);
        item->setToolTip(entry.problem.message);
    }
    m_list->setCurrentRow(std::min(current, m_list->count() - 1));
    m_list->setVisible(!problems.empty());
    if (!problems.empty())
        m_list->setFixedHeight(std::min(m_list->count(), mostVisibleProblems)
                                   * (m_list->sizeHintForRow(0) + 2 * m_list->spacing())
                               + 2 * m_list->frameWidth() + spacing::tiny);
    followState();
}

void SummaryStrip::setPlan(std::optional<int> atOnce, const QString &time)
{
    m_atOnce = atOnce;
    m_time = time;
    followDetails();
}

void SummaryStrip::followDetails()
{
    const QString plain = m_spec ? detailsText(*m_spec, m_atOnce) : QString();
    m_details->setText(plain.isEmpty() || m_time.isEmpty() ? plain : plain + u" · "_s + m_time);
    followRoom();
}

void SummaryStrip::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    followRoom();
}

/// The button of the preview shrinks to make room for the other text.
void SummaryStrip::followRoom()
{
    int others = 2 * spacing::large;
    for (const QWidget *widget :
         std::initializer_list<const QWidget *>{m_trials, m_details, m_cancel, m_start, m_apply})
        others += widget->isHidden() ? 0 : widget->sizeHint().width() + spacing::medium;
    const auto fits = [this, others](Qt::ToolButtonStyle style) {
        m_allocation->setToolButtonStyle(style);
        return others + m_allocation->sizeHint().width() + spacing::medium <= width();
    };
    const bool hasPlan = m_atOnce.has_value() || !m_time.isEmpty();
    m_allocation->setVisible(hasPlan && (fits(Qt::ToolButtonTextBesideIcon) || fits(Qt::ToolButtonIconOnly)));
}

QString SummaryStrip::whyNotHandedOver(bool isStart) const
{
    if (!m_checked)
        return tr("Checking…");
    const auto problems =
        std::ranges::count_if(m_problems, [=](const Entry &entry) { return entry.hindersStart || !isStart; });
    if (problems == 0)
        return m_hindrance;
    if (isStart)
        return problems == 1 ? tr("Fix 1 problem to start") : tr("Fix %1 problems to start").arg(problems);
    return problems == 1 ? tr("Fix 1 problem to apply") : tr("Fix %1 problems to apply").arg(problems);
}

void SummaryStrip::setTarget(const std::optional<Target> &target)
{
    if (target == m_target)
        return;
    m_target = target;
    followTarget();
}

void SummaryStrip::followTarget()
{
    m_apply->setVisible(m_target.has_value());
    m_cancel->setVisible(m_target.has_value());
    m_apply->setText(tr("A&pply to %1").arg(m_target ? m_target->number : QString()));
    m_start->setText(!m_target         ? tr("&Start sweep")
                     : m_target->isRun ? tr("&Start as new run")
                                       : tr("&Start as new sweep"));
    markPrimary(m_start, !m_target);
    m_start->setIcon(symbolIcon(u"start"_s, m_target ? QPalette::ButtonText : QPalette::HighlightedText));
    followState();
    followRoom();
}

QString SummaryStrip::whyNotApplied() const
{
    return m_apply->isEnabled() ? QString() : m_apply->toolTip();
}

QString SummaryStrip::submit()
{
    QPushButton *primary = m_target ? m_apply : m_start;
    if (!primary->isEnabled())
        return primary->toolTip();
    primary->click();
    return {};
}

/// Holds the focus while a focused button is briefly disabled: otherwise keys would go to another widget.
void SummaryStrip::enable(QPushButton *button, bool on)
{
    const QWidget *holder = window()->focusWidget();
    if (!on && holder == button) {
        m_hadKeys = button;
        setFocus();
    }
    button->setEnabled(on);
    if (on && holder == this && m_hadKeys == button)
        button->setFocus();
}

void SummaryStrip::followState()
{
    const QString whyNotStarted = whyNotHandedOver(true);
    enable(m_start, whyNotStarted.isEmpty());
    m_start->setToolTip(whyNotStarted);
    m_reason->setText(whyNotStarted);
    if (!m_target)
        return;
    QString whyNotApplied = whyNotHandedOver(false);
    if (whyNotApplied.isEmpty())
        whyNotApplied = m_target->hindrance;
    m_reason->setText(whyNotApplied);
    if (whyNotApplied.isEmpty() && !m_target->isChanged)
        whyNotApplied = tr("No changes yet");
    enable(m_apply, whyNotApplied.isEmpty());
    m_apply->setToolTip(whyNotApplied.isEmpty() ? tr("Preview the effect on trials, then confirm") : whyNotApplied);
}

}  // namespace sweepscope::ui
