"""A TCP port in front of another one, as over a line with a delay and a limited rate. Counts the bytes that come back."""
import asyncio
import threading


class SlowRelay:
    def __init__(self, port, delay=0.025, rate=20e6):
        """`delay`: seconds in each direction; `rate`: bytes per second in each direction."""
        self.target, self.delay, self.rate = port, delay, rate
        self.bytes = 0
        self.silent = False  # nothing comes through, as over a line that was cut
        self.writers = set()
        self.loop = asyncio.new_event_loop()
        self.server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0))
        self.port = self.server.sockets[0].getsockname()[1]
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    async def serve(self, reader, writer):
        try:
            there = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        self.writers |= {writer, there[1]}
        await asyncio.gather(self.carry(reader, there[1], False), self.carry(there[0], writer, True))

    def cut(self):
        """Every connection breaks, and what is on its way is lost."""
        def abort():
            for writer in self.writers:
                writer.transport.abort()
            self.writers.clear()

        self.loop.call_soon_threadsafe(abort)

    async def carry(self, reader, writer, counts):
        queue = asyncio.Queue(maxsize=int(2 + self.rate * 2 * self.delay / 65536))  # what the line holds

        async def deliver():
            while (item := await queue.get())[1]:
                await asyncio.sleep(max(0, item[0] - self.loop.time()))
                while self.silent:
                    await asyncio.sleep(0.05)
                if not writer.is_closing():
                    writer.write(item[1])
                    await asyncio.gather(writer.drain(), return_exceptions=True)
            writer.close()

        delivery = asyncio.ensure_future(deliver())
        free = self.loop.time()  # when the line can take the next byte
        try:
            while data := await reader.read(65536):
                self.bytes += len(data) if counts else 0
                free = max(free, self.loop.time()) + len(data) / self.rate
                await queue.put((free + self.delay, data))
        except OSError:
            pass
        await queue.put((0, b""))
        try:
            await delivery
        except OSError:
            pass
