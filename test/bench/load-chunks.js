// All of our bundle that some commands load before they do anything, with what was compiled of it before.
import { readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

export function loadChunks(dist, loader, file, commands) {
  const { CompiledChunks, readCompiledFile, lateOptimizing } = require(loader)
  for (const flag of lateOptimizing(process.versions.v8)) require('node:v8').setFlagsFromString(flag)
  const folder = join(dist, 'chunks')
  const wanted = readdirSync(folder).filter(name => commands.some(command => name.startsWith(`${command}-`)))
  if (wanted.length < commands.length) throw new Error(`no chunk for each of ${commands.join(', ')}`)
  const chunks = new CompiledChunks({ folder, kept: readCompiledFile(file), command: 'floor', require })
  for (const name of wanted) chunks.load(name)
  if (chunks.hasMore()) writeFileSync(file, chunks.toKeep())
}
