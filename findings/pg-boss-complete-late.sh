#!/bin/sh
# pg-boss 10.4.2: `complete` of a job that expired, and that another worker has fetched again, ends the job of that worker, and
# stores the first result. The second `complete`, as one of a job that was cancelled, reports no error, only `affected: 0`.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
await boss.createQueue('q')
const id = await boss.send('q', {}, { expireInSeconds: 1 })
await boss.fetch('q')
await wait(1100)
console.log((await boss.fetch('q')).length)
await boss.maintain()
console.log((await boss.fetch('q')).length)
const complete = async (id, by) => (await boss.complete('q', id, { by })).affected
console.log(await complete(id, 'first'), await complete(id, 'second'), JSON.stringify((await boss.getJobById('q', id)).output))
const other = await boss.send('q', {})
await boss.fetch('q')
await boss.cancel('q', other)
console.log(await complete(other), (await boss.getJobById('q', other)).state)
PROGRAM
seen 'expired; maintained; first, second, output; cancelled' '0
1
1 0 {"by":"first"}
0 cancelled' "$(cat out)"
