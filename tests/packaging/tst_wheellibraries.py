"""Which packages the wheel's programs ask for when the system lacks libraries of Qt. Without a display, without installing anything."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging/wheel"))
from sweepscope_app import libraries  # noqa: E402


def lacking(*names):
    return lambda library: library not in names


class Libraries(unittest.TestCase):
    def test_a_complete_system_lacks_nothing(self):
        self.assertEqual(libraries.missing("sweepscope", {"DISPLAY": ":0"}, lacking()), {})

    def test_the_window_on_x11_needs_xcb(self):
        lacks = libraries.missing("sweepscope", {"DISPLAY": ":0"}, lacking("libxcb-cursor.so.0"))
        self.assertEqual(libraries.advice("sweepscope", lacks),
                         "sweepscope: missing from this system: libxcb-cursor.so.0. To install:\n"
                         "  Debian, Ubuntu: sudo apt install libxcb-cursor0\n"
                         "  Fedora, RHEL:   sudo dnf install xcb-util-cursor")

    def test_one_platform_is_enough(self):
        both = {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}
        self.assertEqual(libraries.missing("sweepscope", both, lacking("libxcb-cursor.so.0")), {})
        self.assertEqual(libraries.missing("sweepscope", both, lacking("libwayland-client.so.0")), {})
        self.assertEqual(list(libraries.missing("sweepscope", both, lacking("libwayland-client.so.0", "libxcb-cursor.so.0"))),
                         ["libwayland-client.so.0"])

    def test_the_user_chooses_the_platform(self):
        self.assertEqual(libraries.platforms({"QT_QPA_PLATFORM": "wayland;xcb:software"}), ["wayland", "xcb"])
        self.assertEqual(libraries.missing("sweepscope", {"QT_QPA_PLATFORM": "offscreen"}, lacking("libxcb-cursor.so.0")), {})

    def test_without_a_display_no_platform_is_needed(self):
        self.assertEqual(libraries.missing("sweepscope", {}, lacking("libxcb-cursor.so.0")), {})

    def test_the_command_line_needs_no_window(self):
        everything = libraries.missing("sweepctl", {"DISPLAY": ":0"}, lambda library: False)
        self.assertEqual(everything, libraries.CORE)

    def test_a_package_is_named_once(self):
        lacks = libraries.missing("sweepscope", {"DISPLAY": ":0"}, lacking("libxcb-shape.so.0", "libxcb-sync.so.1"))
        self.assertIn("dnf install libxcb", libraries.advice("sweepscope", lacks).splitlines()[-1])
        self.assertEqual(libraries.advice("sweepscope", lacks).splitlines()[-1].count("libxcb"), 1)


if __name__ == "__main__":
    unittest.main()
