import { chmod, lstat, open, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { codeOf, makeFolder, readTextFile } from '../../model/files.ts'
import { largestSaved } from '../../model/limits.ts'
import type { Host } from './host.ts'

/** An output file that the command line names. */
export interface OutFile {
  readonly name: string
  /** For messages: `the plan cannot be saved as`. */
  readonly failing: string
  /** For messages: `a plan`. */
  readonly what: string
  /** Whether an existing text is an earlier output, and may be replaced. */
  readonly isEarlier: (text: string) => boolean
  /** The permissions of the file, if they are not the usual ones. */
  readonly mode?: number
}

/** A writable place for a file, or the reason why it is not. The reason has already been reported. */
export type OutPlace = { readonly failure: string } | WritablePlace

interface WritablePlace {
  readonly failure?: never
  /** Writes the file without keys; returns the error if this fails. */
  save(text: string): Promise<string | undefined>
}

/**
 * Checks early whether a file can be written. It may replace only an earlier output or an empty file; never
 * declarations, a device or a folder.
 */
export async function openOutFile(host: Host, file: OutFile): Promise<OutPlace> {
  const path = resolve(host.directory, file.name)
  const attempt = async (run: () => Promise<unknown>) => {
    try {
      await run()
      return undefined
    } catch (error) {
      const failure = `${file.failing} ${JSON.stringify(file.name)}: ${whyNot(error)}`
      host.log.error(`vexil: ${failure}`)
      return failure
    }
  }
  // Another process may be writing the same file.
  const unfinished = `${path}.${host.runtime.uniqueId().slice(0, 8)}.unfinished`
  const failure = await attempt(() => tryOut(path, unfinished, file))
  if (failure !== undefined) return { failure }
  const save = async (text: string) => {
    try {
      await writeFile(unfinished, host.secrets.hide(text), file.mode === undefined ? {} : { mode: 0o600 })
      // Set separately, since the umask reduces the mode of a new file.
      if (file.mode !== undefined) await chmod(unfinished, file.mode)
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {})
      throw error
    }
  }
  return { save: text => attempt(() => save(text)) }
}

/** Creates and removes a probe file next to the output file. Only this proves that the folder is writable. */
async function tryOut(path: string, probe: string, file: OutFile): Promise<void> {
  await refuseOther(path, file)
  await makeFolder(dirname(path))
  await (await open(probe, 'wx', 0o600)).close()
  await unlink(probe)
}

async function refuseOther(path: string, { what, isEarlier }: OutFile): Promise<void> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  const found = await stat(path)
  if (found.isDirectory()) throw new OtherFileError('it is a folder')
  if (!found.isFile()) throw new OtherFileError('it is a device or a pipe, not a file')
  if (found.size > 0 && !isEarlier(await readTextFile(path, largestSaved).catch(otherText)))
    throw new OtherFileError(
      `it contains something other than ${what}; remove it first, or choose another name`,
    )
}

/** Throws for a file in another encoding, which Vexil did not write. */
function otherText(error: unknown): string {
  if (codeOf(error, '') === 'not_utf8') return ''
  throw error
}

class OtherFileError extends Error {}

function whyNot(error: unknown): string {
  if (error instanceof OtherFileError) return error.message
  const code = codeOf(error, 'unknown reason')
  const words = reasons.get(code)
  return words === undefined ? code : `${words} (${code})`
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'it may not be written'],
  ['EPERM', 'it may not be written'],
  ['EROFS', 'nothing can be written there'],
  ['ENOENT', 'no folder or file can be made there'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOSPC', 'there is no space left'],
  ['EDQUOT', 'there is no space left'],
])
