/* SPDX-License-Identifier: MIT */
/* A rank in plain C: reports a loss and its learning rate over 1000 steps, or until it is asked to stop. Runs anywhere;
 * outside Sweepscope it reports nothing and says why. */
#include "sweepscope_feed.h"

#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    char why[512];
    sweepscope_feed *feed = sweepscope_feed_open(why, sizeof why);
    if (feed == NULL)
        fprintf(stderr, "%s\n", why);

    const uint16_t loss = sweepscope_feed_declare(feed, "loss", "nats");
    const uint16_t rate = sweepscope_feed_declare(feed, "lr", NULL);
    int64_t step = 0;
    for (; step < 1000 && !sweepscope_feed_stop_requested(feed); ++step) {
        sweepscope_feed_write(feed, loss, step, 1.0 / (double)(step + 1));
        sweepscope_feed_write(feed, rate, step, 0.001);
    }
    sweepscope_feed_event(feed, SWEEPSCOPE_FEED_CHECKPOINT, step, "saved");

    printf("%" PRId64 " steps, %" PRIu64 " records dropped\n", step, sweepscope_feed_dropped(feed));
    sweepscope_feed_close(feed);
    return 0;
}
