#include "ui/base/emptyview.h"

#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int pictureSize = 44;
constexpr int textWidth = 420;

}  // namespace

EmptyView::EmptyView(const QString &iconName, QWidget *parent)
    : QWidget(parent),
      m_iconName(iconName),
      m_icon(new QLabel(this)),
      m_title(new QLabel(this)),
      m_hint(new QLabel(this)),
      m_action(new QPushButton(this))
{
    setTextRole(m_title, TextRole::Heading);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setObjectName(u"emptyTitle"_s);
    m_hint->setObjectName(u"emptyHint"_s);
    m_hint->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_hint->setWordWrap(true);
    followTextSize(m_hint, [hint = m_hint] { hint->setFixedWidth(textScaled(textWidth)); });
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_icon->setAlignment(Qt::AlignCenter);
    m_action->setObjectName(u"emptyAction"_s);
    m_action->hide();
    connect(m_action, &QPushButton::clicked, this, &EmptyView::actionTriggered);

    // In its own layout, the label gets the height for its own width; with an alignment, for the width of the page.
    auto *hint = new QHBoxLayout;
    hint->addStretch();
    hint->addWidget(m_hint);
    hint->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(spacing::small);
    layout->addStretch(2);
    layout->addWidget(m_icon);
    layout->addWidget(m_title);
    layout->addLayout(hint);
    layout->addSpacing(spacing::small);
    layout->addWidget(m_action, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    updateIcon();
}

void EmptyView::setMessage(const QString &title, const QString &hint, const QString &action)
{
    m_title->setText(title);
    m_hint->setText(hint);
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
}

void EmptyView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
    QWidget::changeEvent(event);
}

void EmptyView::updateIcon()
{
    m_icon->setPixmap(symbolIcon(m_iconName, QPalette::PlaceholderText).pixmap(pictureSize));
}

}  // namespace sweepscope::ui
