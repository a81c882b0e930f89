#pragma once

#include "ui/media/mediagrid.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QTableView;

namespace sweepscope::ui {

class ContentModel;
class HistogramsView;
class ImageWipe;
class MediaLoader;

/// An item in full: an image, or two with a divider between them, a histogram with those of the other steps, a text, a table,
/// a confusion matrix, or what is known of an artifact.
class ContentView : public QWidget {
    Q_OBJECT

public:
    explicit ContentView(MediaLoader *loader, QWidget *parent = nullptr);

    /// `other`: a second image, or nothing. `row`: all items of the trial, for histograms.
    void showItem(const PlacedItem &item, const PlacedItem &other, std::vector<PlacedItem> row);
    /// After MediaLoader::loaded().
    void refresh();

private:
    void showText(const QString &text);
    void showImages();
    void showHistograms();

    MediaLoader *m_loader;
    PlacedItem m_item;
    PlacedItem m_other;
    std::vector<PlacedItem> m_row;
    QLabel *m_title;
    QStackedWidget *m_stack;
    QLabel *m_message;
    ImageWipe *m_images;
    HistogramsView *m_histograms;
    QPlainTextEdit *m_text;
    QTableView *m_table;
    ContentModel *m_model;
};

}  // namespace sweepscope::ui
