#include "ui/base/trialstepper.h"

#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace sweepscope::ui {

TrialStepper::TrialStepper(QWidget *parent)
    : QWidget(parent), m_previous(new QToolButton), m_number(new QSpinBox), m_next(new QToolButton)
{
    m_previous->setIcon(symbolIcon(QStringLiteral("left")));
    m_previous->setToolTip(tr("Previous trial"));
    m_previous->setAccessibleName(tr("Previous trial"));
    m_next->setIcon(symbolIcon(QStringLiteral("right")));
    m_next->setToolTip(tr("Next trial"));
    m_next->setAccessibleName(tr("Next trial"));
    m_number->setObjectName(QStringLiteral("trialNumber"));
    m_number->setPrefix(tr("Trial "));
    m_number->setKeyboardTracking(false);
    m_number->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_number->setAccessibleName(tr("Trial"));
    m_number->setToolTip(tr("Enter a trial number"));
    setTextRole(m_number, TextRole::Emphasis);
    m_number->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);  // a cut number would be another one
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_previous, m_number, m_next})
        layout->addWidget(widget);
    connect(m_previous, &QToolButton::clicked, this, [this] { Q_EMIT trialChosen(m_before); });
    connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT trialChosen(m_after); });
    connect(m_number, &QSpinBox::valueChanged, this, &TrialStepper::trialChosen);
}

QWidget *TrialStepper::numberField() const
{
    return m_number;
}

void TrialStepper::setTrial(int number, int all, const std::vector<sweep::TrialRecord> &trials)
{
    const int last = std::max(all, trials.empty() ? number : trials.back().number);
    int count = last;
    int highest = number;
    m_before = m_after = 0;
    for (const sweep::TrialRecord &trial : trials) {
        if (sweep::isRemoved(trial)) {
            --count;
            continue;
        }
        highest = std::max(highest, trial.number);
        if (trial.number < number)
            m_before = trial.number;
        else if (trial.number > number && m_after == 0)
            m_after = trial.number;
    }
    m_previous->setEnabled(m_before > 0);
    m_next->setEnabled(m_after > 0);
    // A running trial changes ten times a second, and each change would replace the typed text.
    const auto *text = m_number->findChild<QLineEdit *>();
    if (m_number->hasFocus() && text && text->isModified())
        return;
    const QSignalBlocker quiet(m_number);
    m_number->setRange(1, std::max(1, last));
    // Numbers stay when an edit removes trials, so "Trial 30 of 25" must not appear.
    m_number->setSuffix((highest <= count ? tr(" of %L1") : tr(" · %L1 in total")).arg(count));
    m_number->setValue(number);
}

}  // namespace sweepscope::ui
