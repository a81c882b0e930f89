#pragma once

#include "protocol/engineclient.h"
#include "ui/base/selectionmodel.h"

#include <QList>
#include <QTimer>
#include <QWidget>

#include <chrono>

class QHBoxLayout;
class QStackedWidget;
class QVBoxLayout;

namespace sweepscope::ui {

class EmptyView;

/// The frame of a page that shows data from the engine, usually of the selected sweep or trial: the content, or a
/// message about what is missing and what to do. Coalesces messages into one refresh. A hidden page does nothing; it
/// reads records and selection when shown.
class EnginePage : public QWidget {
    Q_OBJECT

protected:
    /// `iconName`: icon of the empty view. `gather`: time over which messages are coalesced.
    EnginePage(protocol::EngineClient *client, SelectionModel *selection, const QString &iconName,
               std::chrono::milliseconds gather, QWidget *parent);

    protocol::EngineClient *client() const { return m_client; }
    SelectionModel *selection() const { return m_selection; }
    qint64 sweepId() const { return m_selection->current().sweepId; }
    /// The layout of the page, with the margins that all pages have.
    QVBoxLayout *content() const { return m_content; }
    /// Adds a row of controls and texts at the end of content().
    QHBoxLayout *addRow();
    /// Adds two parts with a handle between them at the end of content(). They have these sizes at first, and share more
    /// room in proportion.
    void addParts(Qt::Orientation orientation, QWidget *first, QWidget *second, const QList<int> &sizes);
    void showContent();
    void showEmpty();  ///< with its latest message
    void showEmpty(const QString &title, const QString &hint, const QString &action = {});

    void refreshLater();
    /// Updates the page. Called when it is shown, and soon after a message while visible.
    virtual void refresh() = 0;
    /// Updates the page after a change of the selection only.
    virtual void followSelection(bool isOtherSweep);
    /// Returns whether messages about this sweep affect the page.
    virtual bool concerns(qint64 id) const { return id == sweepId(); }

    void showEvent(QShowEvent *event) override;

private:
    protocol::EngineClient *m_client;
    SelectionModel *m_selection;
    QVBoxLayout *m_content;
    EmptyView *m_empty;
    QStackedWidget *m_stack;
    QTimer m_refresh;
};

}  // namespace sweepscope::ui
