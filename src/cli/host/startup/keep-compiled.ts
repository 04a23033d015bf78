import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ExitCode, exitCode } from '../exit-code.ts'
import type { CompiledChunks } from './compiled-chunks.ts'
import { isOwnFolder, type Start } from './compiled-folder.ts'
import { makeCompiledFolder } from './make-compiled-folder.ts'

/** A command that ended so may have run little of what is its own, or was never one. */
const cutShort: readonly ExitCode[] = [
  exitCode.error,
  exitCode.usage,
  exitCode.interrupted,
  exitCode.terminated,
]

/** Leaves for later commands what one that has ended compiled, where it is worth it and only this user can write. */
export async function keepCompiled(given: {
  readonly chunks: Pick<CompiledChunks, 'hasMore' | 'toKeep'>
  readonly file: string
  readonly code: ExitCode
  readonly user: Pick<Start, 'userId'>
  readonly pid: number
}): Promise<void> {
  const { chunks, file, code, user, pid } = given
  if (cutShort.includes(code)) return
  const written = `${file}.${pid}`
  try {
    if (!chunks.hasMore()) return
    const folder = dirname(file)
    if (!isOwnFolder(folder, user)) await makeCompiledFolder(folder)
    if (!isOwnFolder(folder, user)) return
    // Commands that run at the same time read the one file or the other, whole.
    await writeFile(written, chunks.toKeep(), { flag: 'wx', mode: 0o600 })
    await rename(written, file)
  } catch {
    // A home that cannot be written, a full disk: later commands compile what they need.
    await rm(written, { force: true }).catch(() => undefined)
  }
}
