#include "testprogram.h"

#include "protocol/engineclient.h"
#include "ui/shell/connectionnotice.h"

#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;

/// The first thing that a window on another machine's workspace shows.
class ConnectionNoticeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWorkspaceHereNeedsNoNotice()
    {
        show({});
        QTest::qWait(50);
        QVERIFY(m_notice->isHidden());
    }

    void theReasonIsShownWhileThereIsNoConnection()
    {
        show(u"ssh://ann@gpu1"_s);
        QTRY_VERIFY(m_notice->text().startsWith(u"Not connected. No engine runs"_s));
        QVERIFY(m_notice->text().endsWith(u". Sweepscope keeps trying."_s));
        QVERIFY(!m_notice->isHidden());
        QVERIFY2(!m_notice->text().contains(u".."_s), qUtf8Printable(m_notice->text()));
    }

private:
    void show(const QString &address)
    {
        m_notice = std::make_unique<ui::ConnectionNotice>(&m_client, &m_pages);
        m_client.connectToWorkspace(m_folder.path(), false, address);
    }

    QTemporaryDir m_folder;
    protocol::EngineClient m_client;
    QWidget m_pages;
    std::unique_ptr<ui::ConnectionNotice> m_notice;
};

SWEEPSCOPE_TEST(ConnectionNoticeTest)
#include "tst_connectionnotice.moc"
