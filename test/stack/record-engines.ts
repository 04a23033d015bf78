import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { binaryOf, engines, titleOf } from '../engines/engines.ts'
import { differencesOf } from './engine-answers.ts'
import recorded from './recorded-engines.json' with { type: 'json' }

// `npm run build && npx tsx test/stack/record-engines.ts` asks the engines of the record anew, which `npm run engines` builds.
const asked = engines.filter(engine => Object.hasOwn(recorded, titleOf(engine)))
const answers: [string, unknown][] = []
for (const engine of asked) answers.push([titleOf(engine), await differencesOf(binaryOf(engine), () => true)])
const file = join(import.meta.dirname, 'recorded-engines.json')
await writeFile(file, `${JSON.stringify(Object.fromEntries(answers), null, 2)}\n`)
