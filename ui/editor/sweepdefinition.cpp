#include "ui/editor/sweepdefinition.h"

#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "ui/editor/documenttitle.h"
#include "ui/editor/tomlpanel.h"
#include "ui/models/editability.h"
#include "ui/models/valuetext.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

SweepDefinition::SweepDefinition(QWidget *parent)
    : QWidget(parent),
      m_icon(new IconLabel(this)),
      m_title(new DocumentTitle(this)),
      m_when(new QLabel(this)),
      m_edit(new QPushButton(symbolIcon(u"sweep"_s, QPalette::HighlightedText), tr("Edit sweep"), this)),
      m_copy(new QPushButton(symbolIcon(u"duplicate"_s), tr("Clone"), this)),
      m_back(new QPushButton(symbolIcon(u"sweep"_s), tr("Back to editor"), this)),
      m_toml(new TomlPanel(this))
{
    setObjectName(u"sweepDefinition"_s);
    m_title->setObjectName(u"definitionTitle"_s);
    m_when->setObjectName(u"definitionWhen"_s);
    m_when->setTextFormat(Qt::PlainText);
    m_when->setForegroundRole(QPalette::PlaceholderText);
    m_edit->setObjectName(u"definitionEdit"_s);
    markPrimary(m_edit);
    m_copy->setObjectName(u"definitionCopy"_s);
    m_copy->setToolTip(tr("Open a copy of this definition in the editor"));
    m_back->setObjectName(u"definitionBack"_s);
    m_back->setToolTip(tr("Return to the sweep in the editor"));
    connect(m_edit, &QPushButton::clicked, this, [this] { Q_EMIT editRequested(m_sweepId); });
    connect(m_copy, &QPushButton::clicked, this, [this] { Q_EMIT copyRequested(m_sweepId); });
    connect(m_back, &QPushButton::clicked, this, &SweepDefinition::editorRequested);

    auto *head = new QHBoxLayout;
    head->setContentsMargins(spacing::large, spacing::small, spacing::large, 0);
    head->setSpacing(spacing::small);
    head->addWidget(m_icon);
    head->addWidget(m_title, 1);
    head->addWidget(m_when);
    head->addSpacing(spacing::medium);
    head->addWidget(m_back);
    head->addWidget(m_copy);
    head->addWidget(m_edit);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_toml, 1);
}

void SweepDefinition::showSweep(const sweep::SweepRecord &sweep, const QIcon &state, WallNs now, bool readOnly)
{
    m_sweepId = sweep.id;
    m_icon->setIcon(state);
    m_title->showWords(QString::fromStdString(sweep.name), {});
    m_when->setText(tr("#%1, started %2").arg(sweep.id).arg(momentText(sweep.created, now)));
    m_when->setToolTip(dateTimeText(sweep.created));
    const QString whyNot = whyNotEdited(sweep, readOnly);
    m_edit->setEnabled(whyNot.isEmpty());
    m_edit->setToolTip(whyNot.isEmpty() ? tr("Open the definition in the editor. You can also edit running sweeps.")
                                        : whyNot);
    m_toml->setTitle(sweep.edits == 0   ? tr("Definition")
                     : sweep.edits == 1 ? tr("Definition after 1 edit")
                                        : tr("Definition after %1 edits").arg(sweep.edits));
    m_edit->setText(sweep::isRun(sweep::parseSweep(sweep.toml).spec) ? tr("Edit run") : tr("Edit sweep"));
    m_toml->setToml(QString::fromStdString(sweep.toml));
}

}  // namespace sweepscope::ui
