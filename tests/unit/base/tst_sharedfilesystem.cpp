#include "base/sharedfilesystem.h"

#include <doctest/doctest.h>

#include <linux/magic.h>

using namespace sweepscope;

TEST_CASE("file systems that other machines may write to are recognised by their type")
{
    CHECK(sharedFileSystem(NFS_SUPER_MAGIC) == "NFS");
    CHECK(sharedFileSystem(SMB2_SUPER_MAGIC) == "SMB");
    CHECK(sharedFileSystem(FUSE_SUPER_MAGIC) == "FUSE");
    CHECK(sharedFileSystem(V9FS_MAGIC) == "9P");
    // statfs's f_type has 64 bits; a magic number above 2^31 arrives with its sign in some architectures.
    CHECK(sharedFileSystem(static_cast<int>(SMB2_SUPER_MAGIC)) == "SMB");
}

TEST_CASE("local file systems are not shared")
{
    CHECK_FALSE(sharedFileSystem(EXT4_SUPER_MAGIC));
    CHECK_FALSE(sharedFileSystem(OVERLAYFS_SUPER_MAGIC));
    CHECK_FALSE(sharedFileSystem(TMPFS_MAGIC));
    CHECK_FALSE(sharedFileSystemOf("/dev/shm"));
    CHECK_FALSE(sharedFileSystemOf("/no/such/folder"));
}
