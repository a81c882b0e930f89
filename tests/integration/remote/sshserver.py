"""A real sshd on a loopback port, for the user who runs the tests, with throw-away keys. `server.path` goes before PATH: its ssh
reads the client's throw-away configuration, because OpenSSH takes ~ from the password file and not from HOME."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

SSHD = shutil.which("sshd") or "/usr/sbin/sshd"


def is_available():
    return os.access(SSHD, os.X_OK) and shutil.which("ssh") is not None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SshServer:
    def __init__(self, folder, more=""):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(mode=0o700)
        self.port = free_port()
        for key in ("host", "user"):
            self.make_key(key)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized_keys")
        os.makedirs("/run/sshd", exist_ok=True) if os.getuid() == 0 else None
        (self.folder / "sshd_config").write_text(f"""
Port {self.port}
ListenAddress 127.0.0.1
HostKey {self.folder}/host
AuthorizedKeysFile {self.folder}/authorized_keys
PidFile none
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
StrictModes no
AcceptEnv SWEEPSCOPE_*
Subsystem sftp internal-sftp
{more}""")
        self.trust_host()
        (self.folder / "ssh_config").write_text(f"""
Host box
    HostName 127.0.0.1
    Port {self.port}
    SendEnv SWEEPSCOPE_*
Host *
    IdentityFile {self.folder}/user
    IdentitiesOnly yes
    UserKnownHostsFile {self.folder}/known_hosts
    GlobalKnownHostsFile none
""")
        self.path = self.folder / "bin"
        self.path.mkdir()
        wrapper = self.path / "ssh"
        wrapper.write_text(f'#!/bin/sh\necho "$$" >> {self.folder}/calls\nexec {shutil.which("ssh")} -F {self.folder}/ssh_config "$@"\n')
        wrapper.chmod(0o755)
        self.process = None
        self.start()

    def make_key(self, name):
        path = self.folder / name
        for old in (path, path.with_suffix(".pub")):
            old.unlink(missing_ok=True)
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)

    def behind(self, relay):
        """From now on clients connect by way of a SlowRelay."""
        config = self.folder / "ssh_config"
        config.write_text(config.read_text().replace(f"Port {self.port}\n", f"Port {relay.port}\n    HostKeyAlias box\n"))
        self.trust_host("box")

    def trust_host(self, alias=None):
        key = (self.folder / "host.pub").read_text()
        (self.folder / "known_hosts").write_text(f"{alias or f'[127.0.0.1]:{self.port}'} {key}")

    def answers(self):
        """Whether sshd greets. A socket can also connect to itself, if it gets this port as its own."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as probe:
                return probe.recv(4) == b"SSH-"
        except OSError:
            return False

    def start(self):
        self.log = open(self.folder / "sshd.log", "ab")
        self.process = subprocess.Popen([SSHD, "-D", "-e", "-f", str(self.folder / "sshd_config")], stderr=self.log,
                                        start_new_session=True)
        for _ in range(200):
            if self.answers():
                return
            time.sleep(0.05)
        raise RuntimeError((self.folder / "sshd.log").read_text())

    def sessions(self):
        """Processes of sshd that serve a connection."""
        out = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout
        return [int(pid) for pid in out.split()]

    def cut(self):
        """Every connection breaks, as by a cut cable whose reset arrives."""
        for pid in self.sessions():
            subprocess.run(["pkill", "-KILL", "-P", str(pid)])
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def stop(self):
        self.cut()
        self.process.terminate()
        self.process.wait()
        self.log.close()

    def environment(self, **more):
        return {**os.environ, "PATH": f"{self.path}:{os.environ['PATH']}", **more}
