/* SPDX-License-Identifier: MIT */
#ifndef SWEEPSCOPE_FEED_H
#define SWEEPSCOPE_FEED_H

#include <stddef.h>
#include <stdint.h>

/* Report the figures of a training run to Sweepscope, from C and from whatever can call C (libsweepscope_feed.so); and,
 * below, the specification of the bytes, for programs that read or write them without this library.
 *
 *     sweepscope_feed *feed = sweepscope_feed_open(NULL, 0);       // NULL outside Sweepscope: then nothing happens
 *     uint16_t loss = sweepscope_feed_declare(feed, "loss", "");
 *     for (int64_t step = 0; step < steps && !sweepscope_feed_stop_requested(feed); ++step)
 *         sweepscope_feed_write(feed, loss, step, train());
 *     sweepscope_feed_close(feed);
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sweepscope_feed sweepscope_feed;

/* What sweepscope_feed_declare() answers when it has no id left; points of it are dropped and counted. */
#define SWEEPSCOPE_FEED_NO_SERIES 0xffff

enum sweepscope_feed_event_kind {
    SWEEPSCOPE_FEED_MESSAGE = 1,
    SWEEPSCOPE_FEED_EPOCH = 2,
    SWEEPSCOPE_FEED_CHECKPOINT = 3,
    SWEEPSCOPE_FEED_WARNING = 4,
    SWEEPSCOPE_FEED_ERROR = 5
};

/* The feed of this rank: the ring that the environment variable SWEEPSCOPE_RING names. NULL if there is none, because
 * the program was not started by Sweepscope, or if it cannot be used; `error` (may be NULL) then gets a sentence that
 * says why, cut to `error_bytes` with its final NUL. Every function takes NULL for a feed and does nothing, so a
 * program need not ask. One process of a rank reports at a time; a forked child is not the one. */
sweepscope_feed *sweepscope_feed_open(char *error, size_t error_bytes);
/* The same for the ring at `path`. */
sweepscope_feed *sweepscope_feed_open_ring(const char *path, char *error, size_t error_bytes);
/* Says what was dropped, and lets go. No other thread may be using the feed. */
void sweepscope_feed_close(sweepscope_feed *feed);

/* The id of a series; the same name gives the same id again. `unit` may be NULL or empty ("s", "%", "samples/s").
 * Texts are UTF-8, cut to 1024 and 64 bytes. Takes a lock: declare before the loop. */
uint16_t sweepscope_feed_declare(sweepscope_feed *feed, const char *name, const char *unit);

/* A point, stamped with the wall clock, and a mark on the time axis (UTF-8, cut to 16384 bytes). Any thread, also in a
 * signal handler: no lock, no allocation, no system call but the clock's, no waiting. What does not fit is dropped and
 * counted. (The first point of another thread than before makes one system call, a few times at most.) */
void sweepscope_feed_write(sweepscope_feed *feed, uint16_t series, int64_t step, double value);
void sweepscope_feed_event(sweepscope_feed *feed, enum sweepscope_feed_event_kind kind, int64_t step, const char *text);

/* Not 0 when Sweepscope asks this rank to save a checkpoint and end. */
int sweepscope_feed_stop_requested(const sweepscope_feed *feed);
/* Records dropped so far because the ring was full. */
uint64_t sweepscope_feed_dropped(const sweepscope_feed *feed);

#ifdef __cplusplus
}
#endif

/* ------------------------------------------------------------------------------------------------------------------
 * The telemetry format, version 1. This is the specification; core/feed/format.h holds the compiler to it.
 *
 * A *feed* is what one rank (or one sampler) says over its life: a stream of records, a multiple of 8 bytes
 * each, little-endian. The stream is kept in two places that share one coordinate, the byte offset from its start:
 *
 *      log file  rank-N.feed        offset 0 ............... drained
 *      ring      in shared memory                drained ...... committed      (the tail, at offset modulo capacity)
 *
 *   - The *agent* creates the ring before it spawns the rank: it writes the preamble, stores `committed` behind it, and
 *     `version` last. It appends what was committed to the log file with plain write(). It alone advances `drained`,
 *     after the bytes are in the file. A full disk may leave `drained` in the middle of a record; the stream continues
 *     in the ring at exactly that offset.
 *   - The *rank* alone writes ring data and advances `committed`, with one release store after whole records: no
 *     reader sees part of one. The library never waits: if a record does not fit between `drained` and `committed`, it
 *     is dropped and counted, and the next record that fits together with a gap record comes behind one that
 *     says how many were lost. (A writer of one's own may wait until `drained` has advanced.) It never touches bytes
 *     from `drained` on, and writes nothing when it ends. There is one writing process at a time: it holds a POSIX
 *     record lock (F_SETLK, exclusive) on the ring's first byte. A later process of the same rank continues where the
 *     one before it ended: at `committed`, with the next series ids, and writes a step base before its first point.
 *     What the one before had not committed never was.
 *   - A rank *opens* its ring by mapping the whole file shared: 4096 + `capacity` bytes. Where magic, version,
 *     headerBytes or the file's size are others, or the lock is taken, it reports nothing. It keeps the descriptor open
 *     and opens that file only once: closing any descriptor of it gives the lock up.
 *   - *Readers* (engine, window) map the ring read-only. Bytes below `drained` they read from the file. Bytes copied
 *     from the ring are valid if, after copying, `drained` is still at most the offset of the first byte copied; else
 *     the writer may have overwritten them, and they are in the file by then. So: the length L of the file, then
 *     `drained`, then `committed`; the file's bytes; the ring's from L to `committed`; and `drained` again. Where there
 *     is no ring (any more), everything is in the file.
 *
 *   ring file        byte 0     header (4096 bytes, below)
 *                    byte 4096  data, `capacity` bytes, a power of two, 64 KiB at least. The word at stream offset o
 *                               lies at 4096 + o modulo capacity: a record may be split at the end
 *
 * Finding them: in an attempt's folder lie rank-N.feed and, while the rank runs, rank-N.ring, a link to the ring. The
 * rank finds its ring by the environment variable SWEEPSCOPE_RING.
 *
 * The header of a ring. Each side's counters have a cache line of their own. Bytes not named are 0 and reserved.
 *
 *   byte  type  name           stored by
 *      0  8 B   magic          creator   "SWSCFEED"
 *      8  u32   version        creator   1; stored last, with release. 0: not published yet
 *     12  u32   headerBytes    creator   4096
 *     16  u64   capacity       creator   bytes of data
 *     24  u64   streamId       creator   64-bit FNV-1a of the preamble record's bytes. A reader compares it with the
 *                                        log's preamble, so that it never joins two streams
 *     64  u64   committed      rank      stream offset up to which records are whole (release; readers acquire)
 *     72  u64   dropped        rank      records dropped since the start
 *     80  u64   reported       rank      of those, how many the gap records before `gapAt` have told
 *     88  u32   seriesCount    rank      series ids given; ids count from 0, and this is stored before the declaration
 *                                        of id seriesCount - 1; a later writer continues from it. 65534 is the maximum
 *     92  u32   stopSeen       rank      not 0: it has read a stopRequested that was not 0. A rank that exits with code 0
 *                                        without this has completed, although it was asked to stop
 *     96  u64   gapAt          rank      stream offset of the latest gap record
 *    104  u64   gapTotal       rank      drops told by all gap records up to and with that one
 *    128  u64   drained        agent     stream offset up to which the log file has it (release; the rank acquires)
 *    136  u32   fenced         agent     not 0: the attempt is over, the rank stops writing
 *    140  u32   stopRequested  agent     not 0: please checkpoint and end (should_stop)
 *
 * Order of stores. A rank stores data words with release (or: a release fence before each of them that follows an
 * acquire load of `drained`), then `committed` with release, as one aligned 8-byte store. On x86-64 plain stores are
 * that already; elsewhere it takes a fence or a store-release.
 *
 * Drops. Told are `gapTotal` records if gapAt < committed, else `reported`. Before it commits a gap record a rank
 * stores reported = gapTotal, gapAt = the record's offset, gapTotal += its count, in this order, so the sum is right
 * whenever it is killed. What no gap record has told when the rank is gone, the agent adds to the stream as a last one.
 *
 * The stream starts with a preamble record, so the log file alone tells what it is. All-zero memory is a valid
 * empty ring (version 0: not yet published). A log file may end with part of a record (its writer was killed, or the
 * disk is full): that part is not read, and a writer that continues first completes it (a ring still has the rest)
 * or cuts it off.
 *
 * Damage. Every field is untrusted by the reader. Records of unknown kinds are skipped by their length, events of
 * unknown kinds are kept. Damage is: kind 0; a length that is none; a first record that is no preamble, and a preamble
 * that is not the first; a series or event whose texts do not fit its record; a point of a series that nothing before
 * has declared, or of id 65535; a step base whose low 32 bits are not 0. Reading continues behind damage at the next
 * word at which three records follow each other that can be such (at the end of a finished log fewer will do): zero
 * where the format requires it, a point, event or gap within a year of the times before, texts that fill their
 * record. From then on points of an unknown id belong to a series "series N", and tables are believed. Texts are UTF-8,
 * but any bytes may occur: replace invalid ones for display. A name may be up to a record long; an empty one is a
 * name, too. An id that is declared again under another name is that series from there on.
 *
 * Records have no checksum: a bit that flips in a point's step, time or value, or in a text, is not noticed (a checksum
 * would cost a rank more than the point). In a compressed log it is.
 *
 * A log may be truncated while it is written: then it is shorter than `drained` says. The agent cuts off a partial
 * record at the log's end and continues at `drained`: zeros, which count as damage, replace the lost bytes. A reader of
 * log and ring continues at `drained` too. A ring that its rank has truncated is no longer valid: a process that
 * accesses the missing part gets SIGBUS, and should be prepared for it.
 *
 *   every record but a point                       a point (24 bytes)
 *   +----+----+---------+-------------------+      +----+----+---------+-------------------+
 *   |kind| 0  | series  | length in bytes   |      |kind| 0  | series  | step, low 32 bits |
 *   +----+----+---------+-------------------+      +----+----+---------+-------------------+
 *   | payload, zero-padded to 8             |      | wall time, ns since 1970, int64       |
 *   +---------------------------------------+      | value, IEEE 754 double                |
 *     u8   u8     u16        u32                   +---------------------------------------+
 *
 *   length counts the header word and the padding, is a multiple of 8 and at most 65536. The kind is the byte at the
 *   lowest address, the series id a u16 at byte 2 and the length or step a u32 at byte 4. A payload may grow at its end
 *   in later versions; readers take what they know.
 *
 * kind        payload
 * 1 preamble  "SWSCFEED" | u32 version | i32 rank | i32 world size | u32 0 | i64 created (ns) | attempt id, UTF-8
 *             (the id holds no NUL: it ends at the padding). First record, and only there; at most 4096 bytes.
 * 2 series    u16 name bytes | u16 unit bytes | u32 0 | name | unit            (series id in the header)
 *             Comes before the series' first point. The same name may get a second id from a later writer. The same
 *             declaration may come again.
 * 3 point     see above
 * 4 event     i64 wall time | i64 step | u16 event kind (see above) | u16 text bytes | u32 0 | text
 * 5 gap       i64 wall time | u64 records dropped
 * 6 stepbase  i64: the value whose low 32 bits are zero and that is added to the step of the points that follow.
 *             0 at the start; written whenever the high half of the step changes (negative steps too).
 * 7 table     i64 step base | u32 series | u32 0 | that many times: u16 series id | u16 name bytes | u16 unit bytes |
 *             u16 0 | name | unit. All that was declared before, and the step base, for who wants to read or write on
 *             from here without reading what is before, or cannot, because it is damaged. It declares nothing to who
 *             has read everything before it. A log that never had a
 *             ring has one at every multiple of 1 MiB of the stream, unless it would be too long for a record.
 * 8 padding   nothing, of any length: so that the next record starts where it should
 *
 * A finished log may be compressed: the same stream of bytes in another file, which is renamed over the log. Who has
 * the log open reads it on. Blocks are cut without regard to records: one may go over into the next block. What of a
 * block is not taken for points (other records, damage, parts of records) is among the other things. Differences are
 * modulo 2^32 and 2^64.
 *
 *   "SWSCPACK" | u32 version, 1 | u32 0 | blocks, one after the other
 *   block: u32 method | u32 content bytes | u32 stream bytes, at most 512 KiB | u32 0 | content
 *   method 0: the end; a file without it was cut. Its content may be empty; else it is the end of the file, from which
 *       all blocks are found though one of their headers, or the first bytes of the file, should be damaged:
 *       the headers of all blocks before this one | u32 version, 1 | u32 how many | u64 FNV-1a (64 bit) of the content
 *       so far | "SWSCPEND"
 *   method 1, 2: a zstd frame (RFC 8878, with checksum) that holds
 *       u32 runs | u32 points | runs times (u32 points, u32 bytes of other things that follow them)
 *       the other things' bytes
 *       four columns over all points, each as byte planes (all lowest bytes, then all second ones, …):
 *           u32 kind, 0, series | u32 step minus the step before of the same series in this block, or minus 0
 *           u64 time minus the time of the point before in this block | u64 value; with method 2 XOR the value
 *           before of the same series in this block
 */

#endif
