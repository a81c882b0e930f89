#include "ui/home/sweepdefinition.h"

#include "ui/editor/tomlpanel.h"
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

SweepDefinition::SweepDefinition(QWidget *parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_title(new QLabel(this)),
      m_when(new QLabel(this)),
      m_copy(new QPushButton(symbolIcon(u"duplicate"_s, QPalette::HighlightedText), tr("Use as a new sweep"), this)),
      m_back(new QPushButton(symbolIcon(u"sweep"_s), tr("Back to the editor"), this)),
      m_toml(new TomlPanel(this))
{
    setObjectName(u"sweepDefinition"_s);
    m_title->setObjectName(u"definitionTitle"_s);
    setTextRole(m_title, TextRole::Emphasis);
    m_title->setTextFormat(Qt::PlainText);
    m_when->setObjectName(u"definitionWhen"_s);
    m_when->setTextFormat(Qt::PlainText);
    m_when->setForegroundRole(QPalette::PlaceholderText);
    m_copy->setObjectName(u"definitionCopy"_s);
    m_copy->setProperty("primary", true);
    m_copy->setToolTip(tr("Put this sweep into the editor, to change it and to start it again"));
    m_back->setObjectName(u"definitionBack"_s);
    m_back->setToolTip(tr("To the sweep that you write at present"));
    m_toml->setTitle(tr("As it was started"));
    connect(m_copy, &QPushButton::clicked, this, [this] { Q_EMIT copyRequested(m_sweepId); });
    connect(m_back, &QPushButton::clicked, this, &SweepDefinition::editorRequested);

    auto *head = new QHBoxLayout;
    head->setContentsMargins(spacing::large, spacing::small, spacing::large, 0);
    head->setSpacing(spacing::small);
    head->addWidget(m_icon);
    head->addWidget(m_title);
    head->addWidget(m_when, 1);
    head->addWidget(m_back);
    head->addWidget(m_copy);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_toml, 1);
}

void SweepDefinition::showSweep(const sweep::SweepRecord &sweep, WallNs now)
{
    m_sweepId = sweep.id;
    m_icon->setPixmap(stateIcon(sweep.state).pixmap(spacing::iconSize));
    m_title->setText(QString::fromStdString(sweep.name));
    m_when->setText(tr("#%1, started %2").arg(sweep.id).arg(momentText(sweep.created, now)));
    m_when->setToolTip(dateTimeText(sweep.created));
    m_toml->setToml(QString::fromStdString(sweep.toml));
}

}  // namespace sweepscope::ui
