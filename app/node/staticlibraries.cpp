// What a program that is linked statically cannot have from the system's libraries.

#include <cerrno>
#include <cstdio>
#include <pwd.h>

extern "C" {

/// Names of users without the name service switch, which would load the machine's modules and with them its C library, of
/// another version. Users that only a directory service knows have no name.
int getpwuid_r(uid_t user, passwd *entry, char *buffer, size_t size, passwd **found)
{
    *found = nullptr;
    FILE *file = std::fopen("/etc/passwd", "re");
    if (file == nullptr)
        return errno;
    int error = 0;
    while ((error = ::fgetpwent_r(file, entry, buffer, size, found)) == 0 && entry->pw_uid != user)
        *found = nullptr;
    std::fclose(file);
    return error == ENOENT ? 0 : error;
}

// libudev has no static library. hwloc asks it for the names of disks, which we do not use, and goes on without it when
// udev_new() returns null.
struct udev;
struct udev_device;

udev *udev_new();
udev *udev_unref(udev *);
udev_device *udev_device_new_from_subsystem_sysname(udev *, const char *, const char *);
udev_device *udev_device_unref(udev_device *);
const char *udev_device_get_property_value(udev_device *, const char *);

udev *udev_new()
{
    return nullptr;
}

udev *udev_unref(udev * /*context*/)
{
    return nullptr;
}

udev_device *udev_device_new_from_subsystem_sysname(udev * /*context*/, const char * /*subsystem*/,
                                                    const char * /*name*/)
{
    return nullptr;
}

udev_device *udev_device_unref(udev_device * /*device*/)
{
    return nullptr;
}

const char *udev_device_get_property_value(udev_device * /*device*/, const char * /*name*/)
{
    return nullptr;
}
}
