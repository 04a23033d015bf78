import { lstat, open, rm, stat, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { codeOf } from '../../../model/files/error-code.ts'
import { makeFolder } from '../../../model/files/make-folder.ts'
import { readTextFile } from '../../../model/files/read-text-file.ts'
import { largestSaved } from '../../../model/limits.ts'
import type { Host } from '../host.ts'

/** What is going to be written at a place that a command line names. */
export interface OutFile {
  readonly name: string
  /** For messages: `the plan cannot be saved as`. */
  readonly failing: string
  /** For messages: `a plan`. */
  readonly what: string
  /** Whether a text that is there already is an earlier one, which may be replaced. */
  readonly isEarlier: (text: string) => boolean
  /** Writes it at `unfinished` first, then at `path`. */
  readonly write: (path: string, text: string, unfinished: string) => Promise<void>
}

/** Where a file is going to be written, or why it cannot be. What goes wrong is told at once, and kept for a document. */
export type OutPlace = { readonly failure: string } | WritablePlace

export interface WritablePlace {
  readonly failure?: never
  /** Writes it; answers with what went wrong. */
  save(text: string): Promise<string | undefined>
}

/**
 * Looks whether a file can be written at a place before any work goes into it. It replaces an earlier one or an empty
 * file and nothing else: declarations, a device or a folder stay what they are.
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
  // Another one may be on its way to the same place.
  const unfinished = `${path}.${host.runtime.uniqueId().slice(0, 8)}.unfinished`
  const failure = await attempt(() => tryOut(path, unfinished, file))
  if (failure !== undefined) return { failure }
  const save = async (text: string) => {
    try {
      await file.write(path, text, unfinished)
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {})
      throw error
    }
  }
  return { save: text => attempt(() => save(text)) }
}

/** Makes a file beside it and removes it again: no other question tells whether one can be made. */
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
    throw new OtherFileError(`it holds something else than ${what}; remove it first, or choose another name`)
}

/** What is in another encoding was not written here. */
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
  ['ENOTDIR', 'a part of its path is no folder'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOSPC', 'there is no space left'],
  ['EDQUOT', 'there is no space left'],
])
