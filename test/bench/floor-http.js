// The floor of reading: the same pages, fetched and parsed by a bare client at the same concurrency, kept by nobody.
import { bareClient } from './bare-client.js'

const [url, path, key, pageSize, concurrency] = process.argv.slice(2)
const client = bareClient(url, Number(concurrency))
const headers = { authorization: `Bearer ${key}` }

async function page(offset) {
  const asked = `${path}?limit=${pageSize}&offset=${offset}`
  const { body } = await client.request({ method: 'GET', path: asked, headers })
  return JSON.parse(body)
}

const startedAt = performance.now()
const { count } = await page(0)
const offsets = []
for (let offset = Number(pageSize); offset < count; offset += Number(pageSize)) offsets.push(offset)
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    for (let offset = offsets.shift(); offset !== undefined; offset = offsets.shift()) await page(offset)
  }),
)
console.log(performance.now() - startedAt)
client.close()
