#include "ui/findings/failurespanel.h"

#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"
#include "wording/failuretitle.h"

#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostGroups = 5;
constexpr std::size_t mostNamedTrials = 12;

bool isSame(const std::vector<sweep::FailureGroup> &a, const std::vector<sweep::FailureGroup> &b)
{
    return std::ranges::equal(a, b, [](const sweep::FailureGroup &one, const sweep::FailureGroup &other) {
        return one.cause == other.cause && one.trials == other.trials;
    });
}

/// "Trials 2, 5, 8–12", at most a dozen numbers, which are links.
QString namesOf(const std::vector<int> &trials)
{
    QStringList parts;
    std::size_t named = 0;
    for (std::size_t i = 0; i < trials.size() && named < mostNamedTrials; ++named) {
        std::size_t last = i;
        while (last + 1 < trials.size() && trials[last + 1] == trials[last] + 1)
            ++last;
        const auto link = [](int trial) { return u"<a href=\"%1\">%1</a>"_s.arg(trial); };
        parts << (last == i ? link(trials[i]) : link(trials[i]) + u'–' + link(trials[last]));
        i = last + 1;
        if (named + 1 == mostNamedTrials && i < trials.size())
            parts << u"…"_s;
    }
    return trials.size() == 1 ? FailuresPanel::tr("Trial %1").arg(parts.front())
                              : FailuresPanel::tr("Trials %1").arg(parts.join(u", "_s));
}

}  // namespace

FailuresPanel::FailuresPanel(QWidget *parent) : QWidget(parent), m_scroll(new QScrollArea)
{
    setObjectName(u"failuresPanel"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->installEventFilter(this);
    layout->addWidget(m_scroll);
    hide();
}

void FailuresPanel::showFailures(const std::vector<sweep::FailureGroup> &groups, bool mayRetry, const QString &whyNot)
{
    setVisible(!groups.empty());
    if (isSame(groups, m_groups) && mayRetry == m_mayRetry && whyNot == m_whyNot)
        return;
    m_groups = groups;
    m_mayRetry = mayRetry;
    m_whyNot = whyNot;
    auto *card = new QFrame;
    card->setProperty("card", true);
    m_rows = card;
    m_rows->installEventFilter(this);
    m_grid = new QGridLayout(card);
    m_grid->setHorizontalSpacing(spacing::small);
    m_grid->setVerticalSpacing(spacing::tiny);
    m_grid->setColumnStretch(1, 1);
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i < mostGroups)
            addGroup(groups[i]);
        else
            hidden += groups[i].trials.size();
    }
    if (hidden > 0)
        m_grid->addWidget(new QLabel(hidden == 1 ? tr("1 more trial failed for another reason.")
                                                 : tr("%L1 more trials failed for other reasons.").arg(hidden)),
                          m_grid->rowCount(), 1, 1, 3);
    m_scroll->setWidget(card);  // deletes the one before
    fitRows();
}

void FailuresPanel::setRoom(int height)
{
    m_room = height;
    fitRows();
}

bool FailuresPanel::eventFilter(QObject *object, QEvent *event)
{
    if (event->type() == (object == m_scroll ? QEvent::Resize : QEvent::LayoutRequest))
        fitRows();
    return QWidget::eventFilter(object, event);
}

/// Gives wrapped texts the height of all their lines, which a layout does not reserve.
void FailuresPanel::fitRows()
{
    if (!m_rows)
        return;
    const int height =
        m_rows->hasHeightForWidth() ? m_rows->heightForWidth(m_scroll->width()) : m_rows->sizeHint().height();
    m_scroll->setFixedHeight(std::clamp(height, 0, std::max(0, m_room)));
}

void FailuresPanel::addGroup(const sweep::FailureGroup &group)
{
    const int row = m_grid->rowCount();
    auto *icon = new QLabel;
    icon->setPixmap(stateIcon(sweep::TrialState::Failed).pixmap(textScaled(spacing::iconSize)));
    const QString name = QString::fromStdString(wording::failureTitle(group.cause));
    auto *title = new ElidedLabel;
    title->setText(tr("%L1 × %2").arg(group.trials.size()).arg(name));
    title->setObjectName(u"failureTitle"_s);
    setTextRole(title, TextRole::Emphasis);
    const QString reason = reasonText(group.cause);
    const bool isInTitle = reason.compare(name, Qt::CaseInsensitive) == 0;
    auto *cause = new QLabel(namesOf(group.trials) + (isInTitle ? QString() : u" · "_s + reason.toHtmlEscaped()));
    cause->setObjectName(u"failureCause"_s);
    cause->setTextFormat(Qt::RichText);
    cause->setWordWrap(true);
    cause->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse
                                   | Qt::LinksAccessibleByKeyboard);
    connect(cause, &QLabel::linkActivated, this,
            [this](const QString &trial) { Q_EMIT trialRequested(trial.toInt()); });
    cause->setForegroundRole(QPalette::PlaceholderText);
    const int first = group.trials.front();
    auto *log = new QPushButton(tr("Show log"));
    log->setObjectName(u"failureLog"_s);
    log->setToolTip(tr("Log of trial %1").arg(first));
    connect(log, &QPushButton::clicked, this, [this, first] { Q_EMIT logRequested(first); });
    auto *retry = new QPushButton(symbolIcon(u"retry"_s), group.trials.size() == 1 ? tr("Retry") : tr("Retry all"));
    retry->setObjectName(u"failureRetry"_s);
    retry->setToolTip(!m_whyNot.isEmpty()        ? m_whyNot
                      : group.trials.size() == 1 ? tr("Retry trial %1").arg(first)
                                                 : tr("Retry these %L1 trials").arg(group.trials.size()));
    retry->setEnabled(m_mayRetry && m_whyNot.isEmpty());
    connect(retry, &QPushButton::clicked, this, [this, trials = group.trials] { Q_EMIT retryRequested(trials); });
    m_grid->addWidget(icon, row, 0, Qt::AlignTop);
    m_grid->addWidget(title, row, 1);
    m_grid->addWidget(log, row, 2, 2, 1, Qt::AlignVCenter);
    m_grid->addWidget(retry, row, 3, 2, 1, Qt::AlignVCenter);
    m_grid->addWidget(cause, row + 1, 1);
}

}  // namespace sweepscope::ui
