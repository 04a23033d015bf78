#!/bin/sh
# pg-boss 10.4.2: `singletonSeconds` means slots of the clock, not a distance. Two jobs two seconds apart are both accepted on two
# sides of a border. In the new slot the next is refused, though the others are completed, and also if one has failed for good.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
await boss.createQueue('q')
const send = (singletonKey = null) => boss.send('q', {}, { singletonSeconds: 10, singletonKey, retryLimit: 0 })
// A second and a half before the next border.
await wait(10_000 - ((Date.now() + 1500) % 10_000))
const before = await send()
await wait(2000)
const after = await send()
const failing = await send('f')
await boss.fetch('q', { batchSize: 3 })
await boss.complete('q', [before, after])
await boss.fail('q', failing)
console.log(before !== null, after !== null, await send(), (await boss.getJobById('q', failing)).state, await send('f'))
PROGRAM
seen 'before, after, again, a failed one, again' 'true true null failed null' "$(cat out)"
