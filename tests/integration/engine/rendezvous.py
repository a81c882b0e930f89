"""A rank of two that does what TCPStore does: rank 0 listens on MASTER_PORT, rank 1 connects, they exchange ranks."""
import os
import socket
import sys
import time

address = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
run = os.environ["TORCHELASTIC_RUN_ID"].encode()

if os.environ["RANK"] == "0":
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(address)
    listener.listen()
    listener.settimeout(120)
    line, _ = listener.accept()
else:
    for _ in range(1200):
        try:
            line = socket.create_connection(address, timeout=120)
            break
        except ConnectionRefusedError:
            time.sleep(0.1)
line.sendall(run)
other = line.recv(len(run), socket.MSG_WAITALL)
if other != run:
    sys.exit(f"this is {run}, there came {other}")
time.sleep(0.2)  # as long as a short training: many hold a port at a time
