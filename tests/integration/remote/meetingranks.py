"""A script whose ranks need each other. Arguments: learning rate, steps. FAULT="raise 3": rank 3 fails at step 10."""
NAMES = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_RANK", "GROUP_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
         "GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME")

# Sums a value over all ranks at each step, through rank 0, as a collective would.
SCRIPT = """
import json, os, pathlib, socket, struct, sys, time
rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
port = int(os.environ["MASTER_PORT"])
lr, steps, fault = float(sys.argv[1]), int(sys.argv[2]), os.environ.get("FAULT", "").split()
if rank == 0:
    with open(os.environ["STARTS"], "a") as file:
        file.write(f"{os.environ['SWEEPSCOPE_TRIAL']} {os.getcwd()}\\n")
print("environment", json.dumps({name: os.environ.get(name) for name in NAMES}), flush=True)
if rank == 0:
    server = socket.create_server(("", port))
    peers = [server.accept()[0] for _ in range(size - 1)]
else:
    while True:
        try:
            peers = [socket.create_connection((os.environ["MASTER_ADDR"], port))]
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
def receive(peer):
    data = b""
    while len(data) < 8:
        part = peer.recv(8 - len(data))
        if not part:
            raise ConnectionResetError("Connection closed by peer")
        data += part
    return struct.unpack("d", data)[0]
def all_reduce(value):
    if rank == 0:
        total = value + sum(receive(peer) for peer in peers)
        for peer in peers:
            peer.sendall(struct.pack("d", total))
        return total
    peers[0].sendall(struct.pack("d", value))
    return receive(peers[0])
for step in range(steps):
    if fault == ["raise", str(rank)] and step == 10:
        raise ValueError("the data of this rank is broken")
    total = all_reduce(lr * (rank + 1))
    print(f"step {step} loss={total / (step + 1):g}", flush=True)
    time.sleep(0.02)
""".replace("in NAMES", f"in {NAMES}")
