#include "remote/filestream.h"

#include <algorithm>
#include <utility>

namespace sweepscope::remote {

namespace {

constexpr std::int64_t creditAtFirst = std::int64_t{8} << 20U;
constexpr std::int64_t creditAtOnce = std::int64_t{1} << 20U;
constexpr std::string_view folderOfMachine = "hosts/localhost";  ///< there

}  // namespace

FileStream::FileStream(NodeLink &link, std::filesystem::path root, std::string host)
    : m_link(link), m_root(root), m_host("hosts/" + std::move(host)), m_mirror(std::move(root))
{
    m_link.send(node::Credit{creditAtFirst});
}

std::string FileStream::pathHere(const std::string &path) const
{
    const bool isOfMachine = path.starts_with(std::string(folderOfMachine) + "/");
    return isOfMachine ? m_host + path.substr(folderOfMachine.size()) : path;
}

void FileStream::follow(const std::string &folder, const std::optional<node::Process> &agent, bool thin)
{
    std::error_code error;
    std::filesystem::create_directories(m_root / folder, error);
    m_link.send(node::Follow{folder, m_mirror.begin(folder, thin), agent, thin});
}

void FileStream::unfollow(const std::string &folder)
{
    m_link.send(node::Unfollow{folder});
}

void FileStream::followMachine()
{
    std::error_code error;
    std::filesystem::create_directories(m_root / m_host, error);
    m_link.send(node::Follow{std::string(folderOfMachine), m_mirror.begin(m_host), {}});
}

void FileStream::drop(const node::Parcel &parcel)
{
    m_used += static_cast<std::int64_t>(parcel.payload.size());
    if (m_used >= creditAtOnce)
        m_link.send(node::Credit{std::exchange(m_used, 0)});
}

Expected<std::string> FileStream::apply(const node::Parcel &parcel)
{
    drop(parcel);
    std::string path;
    Expected<void> applied;
    if (const auto *chunk = std::get_if<node::Chunk>(&parcel.message)) {
        node::Chunk here = *chunk;
        path = here.path = pathHere(chunk->path);
        applied = m_mirror.apply(here, parcel.payload);
    } else if (const auto *gone = std::get_if<node::Gone>(&parcel.message)) {
        path = pathHere(gone->path);
        applied = m_mirror.apply(node::Gone{path});
    }
    if (!applied)
        return tl::unexpected(applied.error());
    return path.substr(0, std::max<std::size_t>(path.rfind('/') + 1, 1) - 1);
}

}  // namespace sweepscope::remote
