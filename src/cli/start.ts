import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import {
  CompiledChunks,
  compiledFolder,
  isOwnFolder,
  keepCompiled,
  lateOptimizing,
  noCode,
  readCompiledFile,
} from './host/compiled-code.ts'

/** Set by the build: the first chunk, and a digest of all chunks. */
declare const builtProgram: { readonly main: string; readonly digest: string }

// Optimizing costs up to a third of a plan's processor time. Set before any code is loaded: the engine
// refuses code that was compiled with other flags.
for (const flag of lateOptimizing(process.versions.v8)) setFlagsFromString(flag)

const start = {
  env: process.env,
  platform: process.platform,
  engine: `${process.version}-${process.arch}`,
  userId: process.geteuid?.(),
  program: import.meta.filename,
  digest: builtProgram.digest,
}
const chunkFolder = join(dirname(import.meta.filename), 'chunks')
const require = createRequire(join(chunkFolder, builtProgram.main))
const folder = compiledFolder(start)

void (folder === undefined ? runPlainly() : runCompiled(folder))

async function runPlainly(): Promise<void> {
  const { main }: typeof import('./main.ts') = require(`./${builtProgram.main}`)
  await main()
}

async function runCompiled(folder: string): Promise<void> {
  // All command lines that begin with an option, such as `--version`, count as one command.
  const command = /^[a-z]\w*$/.exec(process.argv[2] ?? '')?.[0] ?? ''
  const file = join(folder, 'code')
  const kept = isOwnFolder(folder, start) ? readCompiledFile(file) : noCode
  const chunks = new CompiledChunks({ folder: chunkFolder, kept, command, require })
  // The chunk of `main.ts`.
  const { main } = chunks.load(builtProgram.main) as typeof import('./main.ts')
  await keepCompiled({ file, chunks, code: await main(), user: start, pid: process.pid })
}
