#!/bin/sh
# pg-boss 10.4.2: `work` does not wait for its own `complete`. If that query fails, the promise is rejected without a handler,
# which ends a Node process; no error is emitted. The job stays active.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const client = await connect()
let isDown = false
const executeSql = async (text, values) => {
  if (isDown) throw new Error('down')
  return client.query(text, values)
}
const boss = new PgBoss({ db: { executeSql }, schedule: false, supervise: false })
boss.on('error', () => console.log('an error event'))
process.on('unhandledRejection', ({ message }) => console.log('unhandled:', message))
await boss.start()
await boss.createQueue('q')
const id = await boss.send('q', {})
await boss.work('q', async () => void (isDown = true))
await wait(500)
isDown = false
console.log((await boss.getJobById('q', id)).state)
PROGRAM
seen 'the rejection, the job' 'unhandled: down
active' "$(cat out)"
