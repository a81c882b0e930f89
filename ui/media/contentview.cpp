#include "ui/media/contentview.h"

#include "ui/media/contentmodel.h"
#include "ui/media/histogramsview.h"
#include "ui/media/imagewipe.h"
#include "ui/media/medialoader.h"
#include "ui/media/mediawords.h"
#include "ui/models/valuetext.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int mostHistograms = 150;  // the loader keeps a few more waiting
constexpr int columnWidth = 90;
constexpr int mostHeaderWidth = 200;

}  // namespace

ContentView::ContentView(MediaLoader *loader, QWidget *parent)
    : QWidget(parent),
      m_loader(loader),
      m_title(new QLabel),
      m_stack(new QStackedWidget),
      m_message(new QLabel),
      m_images(new ImageWipe),
      m_histograms(new HistogramsView),
      m_text(new QPlainTextEdit),
      m_table(new QTableView),
      m_model(new ContentModel(this))
{
    m_title->setObjectName(u"mediaTitle"_s);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->setObjectName(u"mediaMessage"_s);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setForegroundRole(QPalette::PlaceholderText);
    m_images->setObjectName(u"mediaImages"_s);
    m_images->setAccessibleName(tr("Image"));
    m_histograms->setObjectName(u"mediaHistograms"_s);
    m_text->setObjectName(u"mediaText"_s);
    m_text->setAccessibleName(tr("Text"));
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    setTextRole(m_text, TextRole::Monospace);
    m_table->setObjectName(u"mediaTable"_s);
    m_table->setAccessibleName(tr("Table"));
    m_table->setModel(m_model);
    m_table->setTabKeyNavigation(false);
    followTextSize(m_table, [this] { m_table->horizontalHeader()->setDefaultSectionSize(textScaled(columnWidth)); });
    m_table->setMinimumSize(120, 120);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->verticalHeader()->setMaximumWidth(mostHeaderWidth);
    // The padding of a column header would cut the letters of a row.
    m_table->verticalHeader()->setStyleSheet(u"QHeaderView::section { padding: 0 8px; }"_s);
    for (QHeaderView *header : {m_table->horizontalHeader(), m_table->verticalHeader()})
        header->setTextElideMode(Qt::ElideMiddle);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::small, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_title);
    layout->addWidget(m_stack, 1);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_message, m_images, m_histograms, m_text, m_table})
        m_stack->addWidget(widget);
    showItem({}, {}, {});
}

void ContentView::showItem(const PlacedItem &item, const PlacedItem &other, std::vector<PlacedItem> row)
{
    m_item = item;
    m_other = other;
    m_row = std::move(row);
    refresh();
}

void ContentView::refresh()
{
    m_title->setVisible(static_cast<bool>(m_item));
    if (!m_item)
        return showText(tr("Select an item to see it here."));
    m_title->setText(m_other ? tr("Left: %1\nRight: %2").arg(mediaItemText(m_item), mediaItemText(m_other))
                             : mediaItemText(m_item));
    const media::MediaKind kind = m_item.item->kind;
    if (kind == media::MediaKind::Artifact)
        return showText(tr("%1, %2").arg(QString::fromStdString(m_item.item->name),
                                         fileSizeText(static_cast<qint64>(m_item.item->size))));
    if (kind == media::MediaKind::Image)
        return showImages();
    const auto content = m_loader->get(m_item, MediaDetail::Full);
    if (!content || !content->problem.isEmpty())
        return showText(content ? content->problem : tr("Reading…"));
    if (kind == media::MediaKind::Histogram)
        return showHistograms();
    if (content->table) {
        m_model->setContent(content, kind == media::MediaKind::ConfusionMatrix);
        m_table->setShowGrid(!m_model->isMatrix());
        if (m_model->isMatrix())
            m_title->setText(tr("%1\nRows: actual. Columns: predicted.").arg(mediaItemText(m_item)));
        m_stack->setCurrentWidget(m_table);
        return;
    }
    if (m_text->toPlainText() != content->text)
        m_text->setPlainText(content->text);
    m_stack->setCurrentWidget(m_text);
}

void ContentView::showText(const QString &text)
{
    m_message->setText(text);
    m_stack->setCurrentWidget(m_message);
}

/// The thumbnail, until the image itself is decoded.
void ContentView::showImages()
{
    const auto best = [this](const PlacedItem &item) {
        auto full = m_loader->get(item, MediaDetail::Full);
        return full ? full : m_loader->get(item);
    };
    const auto left = best(m_item);
    const auto right = m_other ? best(m_other) : nullptr;
    if (!left || left->image.isNull())
        return showText(left ? left->problem : tr("Reading…"));
    m_images->setImages(left->image, right ? right->image : QImage());
    m_stack->setCurrentWidget(m_images);
}

void ContentView::showHistograms()
{
    std::vector<StepHistogram> histograms;
    std::vector<PlacedItem> items;
    for (const int place : evenlyChosen(static_cast<int>(m_row.size()), mostHistograms))
        items.push_back(m_row[static_cast<std::size_t>(place)]);
    const bool hasCurrent =
        std::ranges::any_of(items, [this](const PlacedItem &each) { return each.item == m_item.item; });
    if (!hasCurrent)
        items.push_back(m_item);
    for (const PlacedItem &item : items) {
        const auto content = m_loader->get(item);
        if (content && content->histogram)
            histograms.push_back({item.item->step, *content->histogram});
    }
    std::ranges::sort(histograms, {}, &StepHistogram::step);
    m_histograms->setHistograms(std::move(histograms), m_item.item->step);
    m_stack->setCurrentWidget(m_histograms);
}

}  // namespace sweepscope::ui
