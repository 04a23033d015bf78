import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { emitFiles } from './emit.ts'

const root = join(import.meta.dirname, '../..')

for (const { path, text } of await emitFiles()) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
