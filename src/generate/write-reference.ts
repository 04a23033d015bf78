import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxReference } from '../sandbox/behaviour/reference.ts'

await writeFile(join(import.meta.dirname, '../../docs/sandbox.md'), sandboxReference())
