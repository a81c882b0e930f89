#include "ui/trials/colorkeyrow.h"

#include "ui/theme/textsize.h"
#include "ui/theme/trialcolors.h"

#include <QFontMetrics>
#include <QLabel>
#include <QLayout>
#include <QStringList>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int widestName = 140;

}  // namespace

ColorKeyRow::ColorKeyRow(QLayout *layout, QWidget *parent) : QObject(parent), m_text(new QLabel(parent))
{
    m_text->setObjectName(u"comparisonKey"_s);
    setTextRole(m_text, TextRole::Small);
    m_text->setTextFormat(Qt::RichText);
    m_text->hide();
    layout->addWidget(m_text);
    for (std::size_t i = 0; i < mostButtons; ++i) {
        auto *button = new QToolButton(parent);
        button->setObjectName(u"colorKey%1"_s.arg(i));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setFocusPolicy(Qt::StrongFocus);
        button->hide();
        connect(button, &QToolButton::clicked, this, [this, i](bool on) { isolate(i, on); });
        layout->addWidget(button);
        m_buttons.push_back(button);
    }
}

void ColorKeyRow::setKey(const ColorKey &key)
{
    if (key == m_key)
        return;
    m_key = key;
    const bool hasButtons = !key.isGradient && key.entries.size() <= m_buttons.size();
    const bool isKept =
        hasButtons && std::ranges::any_of(key.entries, [this](const auto &entry) { return entry.first == m_isolated; });
    if (!isKept)
        m_isolated.clear();
    QStringList words;
    for (const auto &[text, color] : key.entries)
        words << u"<span style='color:%1'>■</span> %2"_s.arg(color.name(), text.toHtmlEscaped());
    m_text->setText(hasButtons ? QString() : words.join(u" … "_s));
    m_text->setVisible(!hasButtons && !words.isEmpty());
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        QToolButton *button = m_buttons[i];
        button->setVisible(hasButtons && i < key.entries.size());
        if (button->isHidden())
            continue;
        const auto &[text, color] = key.entries[i];
        button->setIcon(colorSwatch(color));
        button->setText(
            button->fontMetrics().elidedText(text, Qt::ElideMiddle, textScaled(widestName)).replace(u'&', u"&&"_s));
        button->setAccessibleName(text);
    }
    describe();
}

std::optional<QRgb> ColorKeyRow::isolated() const
{
    const auto found = std::ranges::find(m_key.entries, m_isolated, &std::pair<QString, QColor>::first);
    return m_isolated.isEmpty() || found == m_key.entries.end() ? std::nullopt : std::optional(found->second.rgb());
}

void ColorKeyRow::isolate(std::size_t entry, bool on)
{
    m_isolated = on ? m_key.entries[entry].first : QString();
    describe();
    Q_EMIT isolatedChanged();
}

void ColorKeyRow::describe()
{
    for (std::size_t i = 0; i < m_buttons.size() && i < m_key.entries.size(); ++i) {
        const QString &text = m_key.entries[i].first;
        m_buttons[i]->setChecked(!m_isolated.isEmpty() && text == m_isolated);
        m_buttons[i]->setToolTip(m_buttons[i]->isChecked() ? tr("Show all curves alike")
                                                           : tr("Fade all curves except those of %1").arg(text));
    }
}

}  // namespace sweepscope::ui
