#include "ui/live/noticebanner.h"

#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPushButton>

namespace sweepscope::ui {

NoticeBanner::NoticeBanner(QWidget *parent)
    : QFrame(parent), m_icon(new QLabel), m_text(new QLabel), m_action(new QPushButton)
{
    setObjectName(QStringLiteral("noticeBanner"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(spacing::medium, spacing::small, spacing::medium, spacing::small);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action, 0, Qt::AlignTop);
    connect(m_action, &QPushButton::clicked, this, &NoticeBanner::actionClicked);
    hide();
}

void NoticeBanner::setNotice(Kind kind, const QIcon &icon, const QString &text, const QString &action)
{
    m_kind = kind;
    m_icon->setPixmap(icon.pixmap(spacing::iconSize, spacing::iconSize));
    m_icon->setVisible(!icon.isNull());
    m_text->setText(text);
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    applyColors();
    setVisible(!text.isEmpty());
}

QString NoticeBanner::text() const
{
    return m_text->text();
}

void NoticeBanner::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColors();
}

void NoticeBanner::applyColors()
{
    QColor line = m_kind == Kind::Problem ? problemColor(palette()) : borderColor(palette());
    QColor fill = m_kind == Kind::Problem ? problemColor(palette()) : hoverColor(palette());
    if (m_kind == Kind::Problem) {
        line.setAlpha(120);
        fill.setAlpha(24);
    }
    const QString sheet = QStringLiteral("#noticeBanner { border: 1px solid %1; background: %2; border-radius: %3px; }")
                              .arg(line.name(QColor::HexArgb), fill.name(QColor::HexArgb))
                              .arg(spacing::cornerRadius);
    if (styleSheet() != sheet)
        setStyleSheet(sheet);
}

}  // namespace sweepscope::ui
