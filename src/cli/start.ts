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

/** The facts of the build about the rest of the program: its first chunk, and a digest of all chunks. */
declare const builtProgram: { readonly main: string; readonly digest: string }

// A command ends before most of what is optimized by then has paid for it: up to a third of the processor time of a plan
// went there. Before anything is loaded, since the engine refuses what it compiled with other flags.
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
  // What begins with an option, as `--version` does, is one command here.
  const command = /^[a-z]\w*$/.exec(process.argv[2] ?? '')?.[0] ?? ''
  const file = join(folder, 'code')
  const kept = isOwnFolder(folder, start) ? readCompiledFile(file) : noCode
  const chunks = new CompiledChunks({ folder: chunkFolder, kept, command, require })
  // The chunk of that module.
  const { main } = chunks.load(builtProgram.main) as typeof import('./main.ts')
  await keepCompiled({ file, chunks, code: await main(), user: start, pid: process.pid })
}
