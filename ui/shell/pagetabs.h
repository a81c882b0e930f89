#pragma once

#include <QIcon>
#include <QTabWidget>
#include <QTimer>

#include <vector>

namespace sweepscope::ui {

/// The window's pages. If the tabs do not fit with their icons, because the window is narrow or the text large, they
/// show text alone; if that does not fit either, icons, and the text of the current page if there is room.
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
