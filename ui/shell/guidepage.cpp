#include "ui/shell/guidepage.h"

#include <QFileInfo>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

QUrl guidePage(const QString &page, const std::filesystem::path &share)
{
    const QString file = QString::fromStdString((share / "guide/reference/window.html").string());
    if (!QFileInfo(file).isFile())
        return {};
    QUrl url = QUrl::fromLocalFile(file);
    // Headings are the titles of the pages.
    url.setFragment(page == "sweep"_L1 ? u"definition"_s : page == "trial"_L1 ? u"overview"_s : page);
    return url;
}

}  // namespace sweepscope::ui
