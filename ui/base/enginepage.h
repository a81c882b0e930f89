#pragma once

#include "protocol/engineclient.h"
#include "ui/base/selectionmodel.h"

#include <QTimer>
#include <QWidget>

#include <chrono>

class QStackedWidget;
class QVBoxLayout;

namespace sweepscope::ui {

class EmptyView;

/// The frame of a page that shows something of what the engine tells, mostly of the selected sweep or trial: the content, or
/// in its place what is missing and what to do. One refresh for many messages. While the page is hidden it does nothing: it
/// reads records and selection when it is shown.
class EnginePage : public QWidget {
    Q_OBJECT

protected:
    /// `iconName`: of the empty view. `gather`: how long messages are gathered before a refresh.
    EnginePage(protocol::EngineClient *client, SelectionModel *selection, const QString &iconName,
               std::chrono::milliseconds gather, QWidget *parent);

    protocol::EngineClient *client() const { return m_client; }
    SelectionModel *selection() const { return m_selection; }
    qint64 sweepId() const { return m_selection->current().sweepId; }
    /// What stands in the page, with the margins that all pages have.
    QVBoxLayout *content() const { return m_content; }
    EmptyView *emptyView() const { return m_empty; }
    void showContent();
    void showEmpty();  ///< with its last words
    void showEmpty(const QString &title, const QString &hint, const QString &action = {});

    void refreshLater();
    /// Brings the page up to date. Called when it is shown, and soon after a message while it is.
    virtual void refresh() = 0;
    /// Likewise, when only the selection has changed.
    virtual void followSelection(bool isOtherSweep);
    /// Whether news of this sweep's trials are shown here.
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
