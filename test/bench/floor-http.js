// The floor of reading: the same pages, fetched and parsed by bare undici at the same concurrency, kept by nobody.
import { Pool } from 'undici'

const [url, path, key, pageSize, concurrency] = process.argv.slice(2)
const pool = new Pool(url, { connections: Number(concurrency) })
const headers = { authorization: `Bearer ${key}` }

async function page(offset) {
  const { body } = await pool.request({
    method: 'GET',
    path: `${path}?limit=${pageSize}&offset=${offset}`,
    headers,
  })
  return JSON.parse(await body.text())
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
await pool.close()
