#pragma once

#include <filesystem>
#include <fstream>
#include <string>

/// A fake /proc.
struct ProcFolder {
    std::filesystem::path path;
    ProcFolder()
    {
        char name[] = "/tmp/sweepscope-proc-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~ProcFolder() { std::filesystem::remove_all(path); }
    ProcFolder(const ProcFolder &) = delete;
    ProcFolder &operator=(const ProcFolder &) = delete;

    void write(const std::string &name, const std::string &content) const
    {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name) << content;
    }

    struct Process {
        int pid = 0;
        int parent = 1;
        long ticks = 0;
        long reaped = 0;
        long pages = 0;
        std::string name = "python3";
    };
    void writeStat(const Process &p) const
    {
        write(std::to_string(p.pid) + "/stat", std::to_string(p.pid) + " (" + p.name + ") S " + std::to_string(p.parent)
                                                   + " 77 77 0 -1 4194304 1 2 3 4 " + std::to_string(p.ticks) + " 0 "
                                                   + std::to_string(p.reaped) + " 0 20 0 1 0 5000 1000000 "
                                                   + std::to_string(p.pages) + " 18446744073709551615 0 0\n");
    }
};
