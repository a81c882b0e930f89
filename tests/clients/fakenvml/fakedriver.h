#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

/// Sets one environment variable for the duration of a test.
struct Variable {
    const char *name;
    Variable(const char *n, const std::string &value) : name(n) { ::setenv(name, value.c_str(), 1); }
    ~Variable() { ::unsetenv(name); }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;
};

/// A fake driver that follows its script (tests/clients/fakenvml/README.md). `@` in the script stands for a folder with
/// files that, while they exist, make it hang or lose a GPU.
class FakeDriver {
public:
    explicit FakeDriver(std::string script, const std::string &library = "fakenvml")
        : m_folder(makeFolder()),
          m_library(std::string(SWEEPSCOPE_TEST_BIN_DIR) + "/clients/lib" + library + ".so"),
          m_script("FAKE_NVML_SCRIPT", m_folder / "script.json"),
          m_use("SWEEPSCOPE_NVML", m_library)
    {
        for (std::size_t at = 0; (at = script.find('@', at)) != std::string::npos;)
            script.replace(at, 1, m_folder.string() + "/");
        setScript(script);
    }
    ~FakeDriver() { std::filesystem::remove_all(m_folder); }
    FakeDriver(const FakeDriver &) = delete;
    FakeDriver &operator=(const FakeDriver &) = delete;

    /// Sets the script for programs that open the driver from now on.
    void setScript(const std::string &script) const { std::ofstream(m_folder / "script.json") << script; }
    const std::string &library() const { return m_library; }
    void put(const std::string &file) const { std::ofstream(m_folder / file) << ' '; }
    void remove(const std::string &file) const { std::filesystem::remove(m_folder / file); }

private:
    static std::filesystem::path makeFolder()
    {
        char name[] = "/tmp/sweepscope-nvml-XXXXXX";
        return ::mkdtemp(name);
    }

    std::filesystem::path m_folder;
    std::string m_library;
    Variable m_script;
    Variable m_use;
};
