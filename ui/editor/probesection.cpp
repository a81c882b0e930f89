#include "ui/editor/probesection.h"

#include "ui/editor/fieldgrid.h"
#include "ui/editor/keyfield.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

ProbeSection::ProbeSection(QWidget *parent)
    : FormSection(tr("Batch-size probe"),
                  tr("Trains briefly with increasing batch sizes until memory runs out, then suggests one."), parent),
      m_make(new QPushButton(tr("Probe batch sizes"), this)),
      m_accept(new QPushButton(this)),
      m_use(new QCheckBox(tr("Run as batch-size probe"), this)),
      m_fields(new QWidget(this))
{
    m_make->setObjectName(u"probe.make"_s);
    m_make->setIcon(symbolIcon(u"findings"_s));
    m_make->setToolTip(tr("Replace the form with a probe of this sweep. Undo restores the sweep."));
    m_accept->setObjectName(u"probe.accept"_s);
    m_accept->setToolTip(tr("Use the suggested batch size in the sweep."));
    m_accept->hide();
    m_use->setObjectName(u"probe"_s);
    m_use->setToolTip(tr("Each trial ends after its measurement. Running out of memory counts as a result."));
    auto *row = new QHBoxLayout;
    row->setSpacing(spacing::large);
    row->addWidget(m_make);
    row->addWidget(m_accept);
    row->addWidget(m_use);
    row->addStretch();
    body()->addLayout(row);
    auto *grid = new FieldGrid(fieldColumnWidth, mostFieldColumns);
    m_fields->setLayout(grid);
    body()->addWidget(m_fields);
    for (const sweep::Key &key : sweep::keysOf("probe"))
        addKey(grid, key.path());
    connect(m_make, &QPushButton::clicked, this, &ProbeSection::probeRequested);
    connect(m_accept, &QPushButton::clicked, this, &ProbeSection::suggestionAccepted);
    connect(m_use, &QCheckBox::toggled, this, [this] {
        followUse();
        Q_EMIT edited(u"probe"_s);
    });
    followUse();
}

void ProbeSection::followUse()
{
    m_fields->setVisible(m_use->isChecked());
    m_make->setVisible(!m_use->isChecked());
}

void ProbeSection::setSuggestion(const std::optional<ProbeSuggestion> &suggestion)
{
    if (suggestion)
        m_accept->setText(tr("Use %1").arg(suggestion->text()));
    m_accept->setVisible(suggestion.has_value());
}

void ProbeSection::display(const SweepDraft &draft)
{
    m_use->setChecked(draft.isProbe);
    FormSection::display(draft);
    followUse();
}

void ProbeSection::readInto(SweepDraft &draft) const
{
    draft.isProbe = m_use->isChecked();
    FormSection::readInto(draft);
}

}  // namespace sweepscope::ui
