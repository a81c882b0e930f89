#include "ui/editor/noticebar.h"

#include "ui/theme/iconlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

NoticeBar::NoticeBar(QWidget *parent)
    : QFrame(parent),
      m_icon(new IconLabel(this)),
      m_text(new QLabel(this)),
      m_buttons(new QHBoxLayout),
      m_close(new QPushButton(symbolIcon(u"close"_s), QString(), this))
{
    setObjectName(u"notice"_s);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    m_text->setObjectName(u"notice.text"_s);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setFocusPolicy(Qt::NoFocus);
    m_close->setObjectName(u"notice.close"_s);
    m_close->setAccessibleName(tr("Close"));
    m_close->setToolTip(tr("Close"));
    m_close->setFlat(true);
    m_buttons->setSpacing(spacing::small);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::small, spacing::large, spacing::small);
    layout->setSpacing(spacing::medium);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addLayout(m_buttons);
    layout->addWidget(m_close);
    connect(m_close, &QPushButton::clicked, this, &NoticeBar::dismiss);
    hide();
}

QString NoticeBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

void NoticeBar::inform(const QString &text)
{
    open(u"about"_s, text, {});
}

void NoticeBar::complain(const QString &text)
{
    open(u"warning"_s, text, {});
    m_isComplaint = true;
}

void NoticeBar::withdrawComplaint()
{
    if (m_isComplaint)
        dismiss();
}

void NoticeBar::prompt(const QString &text, const std::vector<Choice> &choices)
{
    open(u"warning"_s, text, choices);
    if (!m_choices.empty())
        m_choices.front()->setFocus();
}

void NoticeBar::offer(const QString &text, const std::vector<Choice> &choices)
{
    open(u"about"_s, text, choices);
}

void NoticeBar::dismiss()
{
    // Otherwise the focus would move to the next widget of the window.
    if (m_heir && isAncestorOf(window()->focusWidget()))
        m_heir->setFocus(Qt::OtherFocusReason);
    hide();
    m_isComplaint = false;
    for (QPushButton *button : std::exchange(m_choices, {}))
        button->deleteLater();
}

void NoticeBar::open(const QString &icon, const QString &text, const std::vector<Choice> &choices)
{
    dismiss();
    m_icon->setIcon(symbolIcon(icon, QPalette::WindowText));
    m_text->setText(text);
    for (const Choice &choice : choices) {
        auto *button = new QPushButton(choice.text, this);
        button->setObjectName(choice.name);
        m_buttons->addWidget(button);
        m_choices.push_back(button);
        connect(button, &QPushButton::clicked, this, [this, action = choice.action] {
            dismiss();
            action();
        });
    }
    show();
}

void NoticeBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

}  // namespace sweepscope::ui
