#pragma once

#include "ui/base/enginepage.h"
#include "ui/media/mediacatalog.h"
#include "ui/media/mediagrid.h"

#include <QThreadPool>
#include <QTimer>

#include <memory>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QSlider;
class QTableView;
class QToolButton;

namespace sweepscope::ui {

class ContentView;
class MediaDelegate;
class MediaLoader;
class MediaModel;
class NewestJob;
class NoticeBanner;

/// Shows images, histograms, texts, tables and artifacts that the sweep's trials have recorded: a row for each trial and a
/// column for each step, and the selected item next to them.
class MediaPage : public EnginePage {
    Q_OBJECT

public:
    MediaPage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent = nullptr);
    ~MediaPage() override;

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);
    void reported(const QString &sentence);

protected:
    void hideEvent(QHideEvent *event) override;

private:
    void buildHead();
    void buildTable();
    void refresh() override;
    void followSelection(bool isOtherSweep) override;
    void readLater();
    void showListing(qint64 sweepId, const MediaListing &listing);
    void showNames();
    void showGrid();
    void showSummary();
    void chooseFirst();
    void showRowSizes();
    void showSelected();
    void goToStep(int column);
    void showNothing();
    void saveSelected();
    void openFolder() const;
    MediaName chosenName() const;

    std::shared_ptr<MediaCatalog> m_catalog;  ///< used by one job at a time
    NewestJob *m_job;
    MediaLoader *m_loader;
    MediaModel *m_model;
    QTableView *m_table;
    MediaDelegate *m_delegate = nullptr;
    ContentView *m_content;
    QComboBox *m_names;
    QSlider *m_step;
    QLabel *m_stepText;
    QLabel *m_summary;
    QToolButton *m_save;
    QToolButton *m_folder;
    NoticeBanner *m_notice;
    QTimer m_poll;  ///< while a trial runs
    QThreadPool m_saving;
    MediaListing m_listing;
    std::vector<MediaName> m_shownNames;
    qint64 m_sweepId = 0;  ///< the shown sweep
    std::pair<qint64, MediaName> m_gridName;
    bool m_isRead = false;
    bool m_isFilling = false;
};

}  // namespace sweepscope::ui
