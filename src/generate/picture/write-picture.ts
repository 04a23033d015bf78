import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { planPicture } from './plan-picture.ts'

await writeFile(join(import.meta.dirname, '../../../docs/plan.svg'), await planPicture())
