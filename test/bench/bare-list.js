// All rows of a list, fetched and parsed by a bare client, the pages after the first at the same time.
import { bareClient } from './bare-client.js'

export async function bareList({ url, path, key, pageSize, concurrency }, onRows) {
  const client = bareClient(url, concurrency)
  const headers = { authorization: `Bearer ${key}` }
  const page = async offset => {
    const asked = `${path}?limit=${pageSize}&offset=${offset}`
    const { body } = await client.request({ method: 'GET', path: asked, headers })
    const { count, results } = JSON.parse(body)
    onRows(results)
    return count
  }
  const count = await page(0)
  const offsets = []
  for (let offset = pageSize; offset < count; offset += pageSize) offsets.push(offset)
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let offset = offsets.shift(); offset !== undefined; offset = offsets.shift()) await page(offset)
    }),
  )
  client.close()
}
