// The floor of reading: the same pages, kept by nobody.
import { bareList } from './bare-list.js'

const [url, path, key, pageSize, concurrency] = process.argv.slice(2)
const startedAt = performance.now()
await bareList({ url, path, key, pageSize: Number(pageSize), concurrency: Number(concurrency) }, () => {})
console.log(performance.now() - startedAt)
