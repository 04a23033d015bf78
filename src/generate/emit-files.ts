import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { emitFiles } from './emit.ts'
import { emitConstructs } from './emit-constructs.ts'
import { planPicture } from './plan-picture.ts'

const root = join(import.meta.dirname, '../..')
const generated = 'src/constructs/generated'

await writeAll(await emitFiles())
const constructs = await emitConstructs()
await rm(join(root, generated), { recursive: true, force: true })
await writeAll(constructs.map(({ path, text }) => ({ path: join(generated, path), text })))
await writeAll([{ path: 'docs/plan.svg', text: await planPicture() }])

async function writeAll(files: Awaited<ReturnType<typeof emitFiles>>): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}
