import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { binaryOf, engines, titleOf } from '../engines/engines.ts'
import { recordText } from '../hcl/language/recorded-answers.ts'
import type { Answer } from '../hcl/language/terraform-answers.ts'
import { differencesOf } from './engine-answers.ts'
import recorded from './recorded-engines.json' with { type: 'json' }

// `npm run build && npx tsx test/stack/record-engines.ts` asks the engines of the record anew, which `npm run engines` builds.
const asked = engines.filter(engine => Object.hasOwn(recorded, titleOf(engine)))
const texts: string[] = []
for (const engine of asked) {
  // What differs are answers to expressions.
  const differences = (await differencesOf(binaryOf(engine), () => true)) as Readonly<Record<string, Answer>>
  texts.push(`${JSON.stringify(titleOf(engine))}: ${recordText(differences)}`)
}
await writeFile(join(import.meta.dirname, 'recorded-engines.json'), `{\n${texts.join(',\n')}}\n`)
