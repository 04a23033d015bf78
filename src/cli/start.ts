import { readFileSync } from 'node:fs'
import engine from 'node:module'
import { keepCompiled } from './host/keep-compiled.ts'

// What is imported at the top would be compiled before it is known where compiled code is kept.
await keepCompiled({
  // Node 20 has no such function.
  keepIn: (engine as { enableCompileCache?: (folder: string) => unknown }).enableCompileCache,
  env: process.env,
  platform: process.platform,
  engine: process.version,
  userId: process.geteuid?.(),
  program: import.meta.filename,
  programText: () => readFileSync(import.meta.filename, 'utf8'),
})
await import('./main.ts')
