#!/bin/sh
# graphile-worker 0.16.6: `addJob` with the jobKey of a job that runs adds a second job, and sets the attempts of the first to their
# limit: if it fails, it is not tried again. Two payloads that are lists are joined; a list and an object are not.
. "$(dirname "$0")/lib.sh"
in_postgres graphile-worker@0.16.6 <<'PROGRAM'
import { Logger, makeWorkerUtils, runOnce } from 'graphile-worker'
const options = { connectionString: address, logger: new Logger(() => () => {}) }
const utils = await makeWorkerUtils(options)
await utils.migrate()
const client = await connect()
const jobs = async () => {
  const { rows } = await client.query('select key, attempts, max_attempts, last_error from graphile_worker.jobs order by id')
  return rows.map(job => Object.values(job).map(String).join(' ')).join(', ')
}
const failing = async ({ n }) => {
  if (n > 1) return
  await utils.addJob('failing', { n: 2 }, { jobKey: 'k' })
  throw new Error('first')
}
await utils.addJob('failing', { n: 1 }, { jobKey: 'k' })
await runOnce({ ...options, taskList: { failing } })
console.log(await jobs())
const replace = async payload => JSON.stringify((await utils.addJob('later', payload, { jobKey: 'l' })).payload)
console.log(await replace([1, 2]), await replace([3]), await replace({ n: 4 }), await replace([5]))
await utils.release()
PROGRAM
seen 'key, attempts, limit, error; payloads' 'null 25 25 first
[1,2] [1,2,3] {"n":4} [5]' "$(cat out)"
