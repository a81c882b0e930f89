#include "testprogram.h"

#include "base/files.h"
#include "engine/scriptimports.h"

#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::engine;

namespace {

/// A folder with a script, and the sweep that runs it.
struct ScriptFolder {
    QTemporaryDir folder;
    std::filesystem::path path{folder.path().toStdString()};
    sweep::SweepSpec spec;

    explicit ScriptFolder(const std::string &source, std::vector<std::string> command = {"python3", "train.py", "{lr}"})
    {
        spec.run.worker = sweep::WorkerKind::Command;
        spec.run.command = std::move(command);
        write("train.py", source);
    }
    void write(const std::string &name, const std::string &content) const
    {
        std::filesystem::create_directories((path / name).parent_path());
        QVERIFY(writeFileAtomically(path / name, content));
    }
    std::string problem() const
    {
        const auto found = missingImport(spec, path, path / "ours");
        return found ? found->field + ": " + found->message : std::string();
    }
};

const std::string missing = "import json\nfrom no_such_module.nn import Linear\n";

}  // namespace

class TestScriptImports : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void missingModuleIsNamedWithInterpreterAndScript()
    {
        const ScriptFolder script(missing);
        const std::string text = script.problem();
        QVERIFY2(text.starts_with("run.command: /"), text.c_str());
        QVERIFY2(text.find("has no module named 'no_such_module', which train.py imports") != std::string::npos,
                 text.c_str());
    }

    void scriptIsNotRun()
    {
        const ScriptFolder script("import json\nopen('ran', 'w')\n");
        QCOMPARE(script.problem(), std::string());
        QVERIFY(!std::filesystem::exists(script.path / "ran"));
    }

    void modulesOfTheScriptsFolderAndOfSweepscopeAreFound()
    {
        const ScriptFolder script("import model\nimport recorder\n");
        script.write("model.py", "");
        script.write("ours/recorder.py", "");
        QCOMPARE(script.problem(), std::string());
    }

    void modulesAreFoundWithTheVariablesOfTheSweep()
    {
        ScriptFolder script(missing);
        script.write("more/no_such_module/__init__.py", "");
        QVERIFY(!script.problem().empty());
        script.write("more.env", "PYTHONPATH=" + (script.path / "more").string() + "\n");
        script.spec.run.environmentFile = "more.env";
        QCOMPARE(script.problem(), std::string());
        script.spec.run.environment["PYTHONPATH"] = "/nowhere";
        QVERIFY(!script.problem().empty());
    }

    void importsThatMayBeHandledAreIgnored_data()
    {
        QTest::addColumn<QString>("source");
        QTest::newRow("caught") << QStringLiteral("try:\n    import no_such_module\nexcept ImportError:\n    pass\n");
        QTest::newRow("own path") << QStringLiteral("import sys\nsys.path.append('lib')\nimport no_such_module\n");
        QTest::newRow("text") << QStringLiteral("'''\nimport no_such_module\n'''\n");
        QTest::newRow("relative") << QStringLiteral("from . import no_such_module\n");
        QTest::newRow("mistake") << QStringLiteral("import no_such_module\ndef (\n");
    }
    void importsThatMayBeHandledAreIgnored()
    {
        QFETCH(QString, source);
        QCOMPARE(ScriptFolder(source.toStdString()).problem(), std::string());
    }

    void onlyScriptsOfPythonAreRead()
    {
        QVERIFY(!ScriptFolder(missing, {"python3", "-u", "train.py"}).problem().empty());
        QCOMPARE(ScriptFolder(missing, {"python3", "-m", "train.py"}).problem(), std::string());
        QCOMPARE(ScriptFolder(missing, {"python3", "-c", "pass", "train.py"}).problem(), std::string());
        QCOMPARE(ScriptFolder(missing, {"sh", "train.py"}).problem(), std::string());
        QCOMPARE(ScriptFolder(missing, {"python3", "{script}", "train.py"}).problem(), std::string());
        QCOMPARE(ScriptFolder(missing, {}).problem(), std::string());
    }
};

SWEEPSCOPE_TEST(TestScriptImports)
#include "tst_scriptimports.moc"
