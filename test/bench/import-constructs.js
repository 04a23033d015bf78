// Loads the constructs for one engine as a program would, and prints what the engine and what the constructs take.
import { createRequire } from 'node:module'

const engine = process.argv[2]
const require = createRequire(import.meta.url)

const startedAt = performance.now()
require('constructs')
require(engine)
const hasEngineAt = performance.now()
require(`vexil/${engine}`)
const hasAllAt = performance.now()

console.log(JSON.stringify({ engine: hasEngineAt - startedAt, constructs: hasAllAt - hasEngineAt }))
