#!/bin/sh
# pg-boss 10.4.2: `fetch` gives no jobs if its query fails, and `work` emits no error. So a worker that has lost its database
# looks like one without jobs. `send` and `getQueueSize` reject.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const client = await connect()
let isDown = false
let asked = 0
let errors = 0
const executeSql = async (text, values) => {
  if (!isDown) return client.query(text, values)
  asked += 1
  throw new Error('down')
}
const boss = new PgBoss({ db: { executeSql }, schedule: false, supervise: false })
boss.on('error', () => (errors += 1))
await boss.start()
await boss.createQueue('q')
await boss.send('q', {})
isDown = true
console.log(JSON.stringify(await boss.fetch('q')))
let handled = 0
await boss.work('q', { pollingIntervalSeconds: 0.5 }, async () => (handled += 1))
await wait(1200)
console.log(asked > 2, errors, handled)
console.log(await boss.send('q', {}).catch(({ message }) => message), await boss.getQueueSize('q').catch(({ message }) => message))
isDown = false
await wait(1000)
console.log(handled)
PROGRAM
seen 'jobs; asked again, errors, handled; send, size; handled later' '[]
true 0 0
down down
1' "$(cat out)"
