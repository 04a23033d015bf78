// The floor of writing: the same requests, sent bare at the same concurrency, answers parsed. Where a file for it is
// given, each write is on record there before it leaves and once it is answered, as one that may be killed must have it.
import { appendFileSync, openSync, readFileSync } from 'node:fs'
import { bareClient } from './bare-client.js'

const [url, key, concurrency, file, journal] = process.argv.slice(2)
const requests = JSON.parse(readFileSync(file, 'utf8'))
const client = bareClient(url, Number(concurrency))
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const onRecord = journal === undefined ? undefined : openSync(journal, 'a')
const record = what =>
  appendFileSync(onRecord, `${JSON.stringify({ at: new Date().toISOString(), ...what })}\n`)

const startedAt = performance.now()
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    for (let request = requests.shift(); request !== undefined; request = requests.shift()) {
      const { method, path, body } = request
      const isKept = onRecord !== undefined && method !== 'GET'
      if (isKept) record({ method, path })
      const answer = await client.request({ method, path, headers, body: body && JSON.stringify(body) })
      JSON.parse(answer.body)
      if (isKept) record({ method, path, status: answer.status })
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}`)
    }
  }),
)
console.log(performance.now() - startedAt)
client.close()
