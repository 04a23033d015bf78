import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { emitConstructs } from './emit-constructs.ts'

const generated = join(import.meta.dirname, '../../constructs/generated')

const constructs = await emitConstructs()
await rm(generated, { recursive: true, force: true })
for (const { path, text } of constructs) {
  await mkdir(dirname(join(generated, path)), { recursive: true })
  await writeFile(join(generated, path), text)
}
