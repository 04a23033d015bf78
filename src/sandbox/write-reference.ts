import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxReference } from './reference.ts'

await writeFile(join(import.meta.dirname, '../../docs/sandbox.md'), sandboxReference())
