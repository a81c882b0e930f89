#pragma once

#include "protocol/engineclient.h"

#include <QTimer>
#include <QWidget>

#include <chrono>

class QStackedWidget;
class QVBoxLayout;

namespace sweepscope::ui {

class EmptyView;

/// The frame of a page that shows something of what the engine tells: the content, or in its place what is missing and
/// what to do; and one refresh for many messages, while somebody looks.
class EnginePage : public QWidget {
    Q_OBJECT

protected:
    /// `iconName`: of the empty view. `gather`: how long messages are gathered before a refresh.
    EnginePage(protocol::EngineClient *client, const QString &iconName, std::chrono::milliseconds gather,
               QWidget *parent);

    protocol::EngineClient *client() const { return m_client; }
    /// What stands in the page, with the margins that all pages have.
    QVBoxLayout *content() const { return m_content; }
    EmptyView *emptyView() const { return m_empty; }
    void showContent();
    void showEmpty();  ///< with its last words
    void showEmpty(const QString &title, const QString &hint, const QString &action = {});

    void refreshLater();
    /// Brings the page up to date. Called when it is shown, and soon after a message while it is.
    virtual void refresh() = 0;
    /// Whether news of this sweep's trials are shown here.
    virtual bool concerns(qint64 sweepId) const;

    void showEvent(QShowEvent *event) override;

private:
    protocol::EngineClient *m_client;
    QVBoxLayout *m_content;
    EmptyView *m_empty;
    QStackedWidget *m_stack;
    QTimer m_refresh;
};

}  // namespace sweepscope::ui
