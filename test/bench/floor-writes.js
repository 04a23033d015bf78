// The floor of writing: the same requests, sent bare at the same concurrency, answers parsed.
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

const [url, key, concurrency, file] = process.argv.slice(2)
const requests = JSON.parse(readFileSync(file, 'utf8'))
const pool = new Pool(url, { connections: Number(concurrency) })
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const startedAt = performance.now()
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    for (let request = requests.shift(); request !== undefined; request = requests.shift()) {
      const { method, path, body } = request
      const answer = await pool.request({ method, path, headers, body: body && JSON.stringify(body) })
      JSON.parse(await answer.body.text())
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode}`)
    }
  }),
)
console.log(performance.now() - startedAt)
await pool.close()
