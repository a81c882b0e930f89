#pragma once

#include "node/filemirror.h"
#include "remote/nodelink.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::remote {

/// Copies followed files of a machine into a folder with the same layout, as its node process sends them, and grants the
/// credit for that.
class FileStream {
public:
    /// `host`: the name of the folder in hosts/ for what the machine says about itself.
    FileStream(NodeLink &link, std::filesystem::path root, std::string host = "localhost");

    /// `thin`: as node::Follow.
    void follow(const std::string &folder, const std::optional<node::Process> &agent = {}, bool thin = false);
    void unfollow(const std::string &folder);
    /// The machine's own files.
    void followMachine();
    void prefer(std::vector<std::string> paths) { m_link.send(node::Prefer{std::move(paths)}); }

    /// Writes what the message carries. Returns the folder of the file that has changed; empty if it is about none.
    Expected<std::string> apply(const node::Parcel &parcel);
    /// The same without writing it.
    void drop(const node::Parcel &parcel);

private:
    std::string pathHere(const std::string &path) const;

    NodeLink &m_link;
    std::filesystem::path m_root;
    std::string m_host;
    node::FileMirror m_mirror;
    std::int64_t m_used = 0;  ///< bytes since credit was last granted
};

}  // namespace sweepscope::remote
