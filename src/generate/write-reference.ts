import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxReference } from '../sandbox/behaviour/sandbox-page.ts'
import { servicesReference } from '../schema/reference/reference-services.ts'

const docs = join(import.meta.dirname, '../../docs')

await writeFile(join(docs, 'sandbox.md'), sandboxReference())
await writeFile(join(docs, 'services.md'), servicesReference())
