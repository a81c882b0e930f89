"""A real Slurm cluster on loopback ports: munged, slurmctld and a slurmd for each node, run by the user who runs the tests, without
/etc/slurm, systemd or slurmdbd.

All daemons, and what their jobs leave behind, descend from a supervisor. It kills them and removes the folder when the pipe to it closes:
after stop(), and after a test that failed or was killed."""
import ctypes
import json
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue")
PARTITIONS = """
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00 PriorityTier=5 PreemptMode=OFF
PartitionName=short Nodes=ALL MaxTime=1 PriorityTier=5 PreemptMode=OFF
PartitionName=scavenge Nodes=ALL MaxTime=1:00:00 PriorityTier=1 PreemptMode=REQUEUE GraceTime=20
PartitionName=closed Nodes=ALL MaxTime=1:00:00 State=DOWN PreemptMode=OFF
"""


def missing():
    """What keeps a cluster from starting here; empty if nothing. With SWEEPSCOPE_SLURM=required, as in CI, that is an error."""
    absent = [name for name in NEEDED if not shutil.which(name, path=PATH)]
    if absent and os.environ.get("SWEEPSCOPE_SLURM") == "required":
        raise RuntimeError(f"not installed: {', '.join(absent)}")
    return f"Slurm is not installed: {', '.join(absent)} (Debian: slurmctld slurmd slurm-client munge)" if absent else ""


def until(condition, seconds=30):
    """Waits for a condition, and returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


class SlurmCluster:
    def __init__(self, nodes=2, gpus=2, extra=""):
        self.nodes = [f"n{i + 1}" for i in range(nodes)]
        self.gpus = gpus
        self.extra = extra
        # Sockets have short names, and munge wants no parent folder that others may write.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="slurm-", dir="/tmp"))
        self.conf = self.folder / "slurm.conf"
        self.supervisor = subprocess.Popen([sys.executable, __file__, str(self.folder)], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, start_new_session=True, text=True)
        try:
            for attempt in range(3):  # another program may take a port meanwhile
                self.write_configuration()
                if self.is_started():
                    return
            raise RuntimeError(self.logs())
        except BaseException:
            self.stop()
            raise

    def is_started(self):
        self.run("munged", "munged", "-F", "-S", f"{self.folder}/munge/sock", f"--key-file={self.folder}/munge/key",
                 f"--log-file={self.folder}/log/munged", f"--pid-file={self.folder}/munge/pid",
                 f"--seed-file={self.folder}/munge/seed", "--num-threads=2")
        until((self.folder / "munge/sock").exists)
        try:
            self.start_controller(10)
            for node in self.nodes:
                self.start_node(node)
            self.wait_for_nodes(15)
            return True
        except AssertionError:
            self.request("kill")
            return False

    def write_configuration(self):
        base = self.free_ports(len(self.nodes) + 1)
        user = pwd.getpwuid(os.getuid()).pw_name
        for name in ("munge", "state", "log", "spool"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir(mode=0o755)
        self.folder.chmod(0o755)
        (self.folder / "munge/key").touch(0o600)
        (self.folder / "munge/key").write_bytes(os.urandom(1024))
        gres = f" Gres=gpu:{self.gpus}" if self.gpus else ""
        nodes = "\n".join(f"NodeName={node} NodeHostname=localhost NodeAddr=127.0.0.1 Port={base + 1 + i} CPUs=4 RealMemory=4000{gres}"
                          for i, node in enumerate(self.nodes))
        self.conf.write_text(f"""
ClusterName=throwaway
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={base}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge/sock,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool/%n
SlurmctldPidFile={self.folder}/spool/slurmctld.pid
SlurmdPidFile={self.folder}/spool/slurmd.%n.pid
SlurmctldLogFile={self.folder}/log/slurmctld
SlurmdLogFile={self.folder}/log/slurmd.%n
DebugFlags=NO_CONF_HASH
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={self.folder}/log/jobcomp
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmctldParameters=preempt_send_user_signal
ReturnToService=2
SlurmdTimeout=5
SlurmctldTimeout=10
MessageTimeout=3
TCPTimeout=2
KillWait=5
MinJobAge=300
InactiveLimit=0
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
{self.extra}
{nodes}
{PARTITIONS}""")
        # A GPU has to be a character device; any will do, as long as nothing opens it.
        devices = [f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom")][:self.gpus]
        (self.folder / "gres.conf").write_text("AutoDetect=off\n" + "".join(f"Name=gpu File={device}\n" for device in devices))
        # A name, because by default slurmd wants a cgroup hierarchy.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")

    @staticmethod
    def free_ports(count):
        """The first of `count` free ones, below those that connections get."""
        while True:
            base = random.randrange(20000, 32000)
            try:
                for port in range(base, base + count):
                    with socket.socket() as probe:
                        probe.bind(("127.0.0.1", port))
                return base
            except OSError:
                pass

    def request(self, *words):
        self.supervisor.stdin.write(json.dumps(words) + "\n")
        self.supervisor.stdin.flush()
        return json.loads(self.supervisor.stdout.readline())

    def run(self, name, *argv):
        return self.request("run", name, *argv)

    def start_controller(self, seconds=30):
        self.run("slurmctld", "slurmctld", "-D", "-i", "-f", str(self.conf))
        until(lambda: "is UP" in self.output("scontrol", "ping"), seconds)

    def start_node(self, node):
        self.run(node, "slurmd", "-D", "-N", node, "-f", str(self.conf))

    def wait_for_nodes(self, seconds=30):
        """Until all are idle; a controller that begins again refuses jobs until they have registered."""
        until(lambda: set(self.output("sinfo", "-hN", "-t", "idle", "-o", "%N").split()) == set(self.nodes), seconds)

    def signal(self, name, number):
        """To the daemon "slurmctld" or of a node: SIGKILL, SIGSTOP, SIGCONT."""
        self.request("signal", name, int(number))

    def crash_node(self, node):
        """Power off: the daemon and all of its jobs' processes die at once."""
        self.request("crash", node)
        shutil.rmtree(self.folder / "spool" / node, ignore_errors=True)

    def processes(self):
        """Pids of all daemons and of what their jobs have started."""
        return self.request("list")

    def environment(self, **more):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_", "SQUEUE_"))}
        return {**clean, "PATH": PATH, "SLURM_CONF": str(self.conf), **more}

    def command(self, *argv):
        return subprocess.run(argv, env=self.environment(), capture_output=True, text=True, timeout=60)

    def output(self, *argv):
        return self.command(*argv).stdout

    def logs(self):
        return "\n".join(f"== {file.name}\n{file.read_text(errors='replace')[-2000:]}" for file in sorted((self.folder / "log").iterdir()))

    def stop(self):
        self.supervisor.stdin.close()
        self.supervisor.wait()
        self.supervisor.stdout.close()


class Supervisor:
    def __init__(self, folder):
        self.folder = folder
        self.daemons = {}
        # What daemons and jobs leave behind becomes a child of this process.
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER

    def serve(self):
        try:
            for line in sys.stdin:
                self.reap()
                print(json.dumps(self.answer(*json.loads(line))), flush=True)
        finally:
            self.kill_all()
            shutil.rmtree(self.folder, ignore_errors=True)

    def answer(self, verb, name="", *arguments):
        if verb == "run":
            with open(f"{self.folder}/log/{name}.out", "ab") as out:
                environment = {**os.environ, "PATH": PATH, "SLURM_CONF": f"{self.folder}/slurm.conf"}
                self.daemons[name] = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                                      start_new_session=True, env=environment)
        elif verb == "signal":
            self.daemons[name].send_signal(arguments[0])
            if arguments[0] == signal.SIGKILL:
                self.daemons[name].wait()
        elif verb == "crash":
            self.crash(name)
        elif verb == "kill":
            self.kill_all()
        return self.descendants(os.getpid()) if verb == "list" else "done"

    def crash(self, node):
        """Jobs leave slurmd's tree, but know their node."""
        mark = f"SLURMD_NODENAME={node}".encode()
        self.daemons[node].send_signal(signal.SIGSTOP)  # it reports nothing
        victims = [self.daemons[node].pid]
        for pid in self.descendants(os.getpid()):
            try:
                words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
                title = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            except OSError:
                continue
            if mark in words or title.startswith(b"slurmstepd") and self.serves(pid, mark):
                victims += [pid, *self.descendants(pid)]
        for pid in victims:
            self.send(pid, signal.SIGKILL)
        self.daemons[node].wait()

    def serves(self, pid, mark):
        for child in self.descendants(pid):
            try:
                if mark in pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0"):
                    return True
            except OSError:
                pass
        return False

    def descendants(self, pid):
        found = []
        try:
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                for child in map(int, (task / "children").read_text().split()):
                    found += [child, *self.descendants(child)]
        except OSError:
            pass
        return found

    @staticmethod
    def send(pid, number):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass

    def reap(self):
        for daemon in self.daemons.values():
            daemon.poll()
        try:
            while os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG):
                pass
        except ChildProcessError:
            pass

    def kill_all(self):
        """Again and again, because what dies may have been about to fork."""
        while self.descendants(os.getpid()):
            for pid in self.descendants(os.getpid()):
                self.send(pid, signal.SIGKILL)
            time.sleep(0.01)
            self.reap()
        self.daemons.clear()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Supervisor(sys.argv[1]).serve()
