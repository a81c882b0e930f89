#include "ui/base/noticebanner.h"

#include "ui/models/valuetext.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace sweepscope::ui {

NoticeBanner::NoticeBanner(QWidget *parent)
    : QWidget(parent), m_icon(new IconLabel), m_text(new QLabel), m_action(new QPushButton)
{
    m_action->setObjectName(QStringLiteral("noticeAction"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(spacing::medium, spacing::small, spacing::medium, spacing::small);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_icon, 0, Qt::AlignVCenter);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action, 0, Qt::AlignVCenter);
    connect(m_action, &QPushButton::clicked, this, &NoticeBanner::actionClicked);
    hide();
}

void NoticeBanner::setNotice(Kind kind, const QIcon &icon, const QString &text, const QString &action)
{
    m_kind = kind;
    m_icon->setIcon(icon);
    m_icon->setVisible(!icon.isNull());
    m_text->setText(sentenceText(text));
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    update();
    setVisible(!text.isEmpty());
}

QString NoticeBanner::text() const
{
    return m_text->text();
}

void NoticeBanner::paintEvent(QPaintEvent *)
{
    const bool problem = m_kind == Kind::Problem;
    QColor line = problem ? problemColor(palette()) : borderColor(palette());
    QColor fill = problem ? problemColor(palette()) : hoverColor(palette());
    if (problem) {
        line.setAlpha(120);
        fill.setAlpha(24);
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(line);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), spacing::cornerRadius,
                            spacing::cornerRadius);
}

}  // namespace sweepscope::ui
