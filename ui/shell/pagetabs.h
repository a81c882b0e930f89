#pragma once

#include <QIcon>
#include <QTabWidget>
#include <QTimer>

#include <vector>

namespace sweepscope::ui {

/// The window's pages. Where the tabs do not fit with their icons, in a narrow window or with large texts, their words are
/// enough, and where these do not fit either, icons, with the word of the page that is shown while there is room for it.
class PageTabs : public QTabWidget {
    Q_OBJECT

public:
    explicit PageTabs(QWidget *parent = nullptr);

    int addPage(QWidget *page, const QIcon &icon, const QString &title);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    enum class Shown { IconsAndWords, Words, IconsAndOneWord, Icons };

    void show(Shown shown);
    bool tabsFit() const;
    void fit();

    struct Tab {
        QIcon icon;
        QString title;
    };
    std::vector<Tab> m_pages;
    QTimer m_fit;
};

}  // namespace sweepscope::ui
