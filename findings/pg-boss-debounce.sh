#!/bin/sh
# pg-boss 10.4.2: `sendDebounced` does not keep the last call: of several calls in one interval the first two are kept, the first
# to run at once, the second in the next interval. All later ones give null, and their data is lost.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
await boss.createQueue('q')
const sent = []
const interval = 3600
// Not over the border of two intervals.
const leftMs = 3_600_000 - (Date.now() % 3_600_000)
if (leftMs < 5_000) await wait(leftMs)
for (const n of [1, 2, 3, 4]) sent.push(await boss.sendDebounced('q', { n }, {}, interval, 'key'))
console.log(sent.map(id => id !== null).join(' '))
for (const id of sent.slice(0, 2)) {
  const { data, startAfter } = await boss.getJobById('q', id)
  console.log(data.n, startAfter > new Date() ? 'later' : 'now')
}
PROGRAM
seen 'accepted; when' 'true true false false
1 now
2 later' "$(cat out)"
