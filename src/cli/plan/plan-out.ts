import { lstat, open, stat, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isPlanText } from '../../core/record/plan-file.ts'
import { writePrivately } from '../../core/record/run-folder.ts'
import { codeOf } from '../../model/error-code.ts'
import { makeFolder } from '../../model/files/make-folder.ts'
import { readRegularFile } from '../../model/files/read-regular-file.ts'
import { largestAnswer } from '../../model/limits.ts'
import type { Host } from '../host/host.ts'

/** Where a plan is going to be saved, or why it cannot be. What goes wrong is told at once, and kept for a document. */
export type PlanOut =
  | { readonly failure: string }
  /** Writes it; answers with what went wrong. */
  | { readonly failure?: never; save(text: string): Promise<string | undefined> }

/**
 * Looks whether a plan can be saved at a place before any work goes into it. A plan replaces an earlier plan or an empty
 * file and nothing else: declarations, a device or a folder stay what they are.
 */
export async function openPlanOut(host: Host, out: string): Promise<PlanOut> {
  const path = resolve(host.directory, out)
  const attempt = async (run: () => Promise<unknown>) => {
    try {
      await run()
      return undefined
    } catch (error) {
      const failure = `the plan cannot be saved as ${JSON.stringify(out)}: ${whyNot(error)}`
      host.stderr.write(`vexil: ${failure}\n`)
      return failure
    }
  }
  // Another plan may be on its way to the same place.
  const unfinished = `${path}.${host.runtime.uniqueId().slice(0, 8)}.unfinished`
  const failure = await attempt(() => tryOut(path, unfinished))
  if (failure !== undefined) return { failure }
  const { hide } = host.secrets
  return { save: text => attempt(() => writePrivately(path, text, { hide, unfinished })) }
}

/** Makes a file beside it and removes it again: no other question tells whether one can be made. */
async function tryOut(path: string, probe: string): Promise<void> {
  await refuseOther(path)
  await makeFolder(dirname(path))
  await (await open(probe, 'wx', 0o600)).close()
  await unlink(probe)
}

async function refuseOther(path: string): Promise<void> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  const found = await stat(path)
  if (found.isDirectory()) throw new OtherFileError('it is a folder')
  if (!found.isFile()) throw new OtherFileError('it is a device or a pipe, not a file')
  if (found.size > 0 && !isPlanText(String(await readRegularFile(path, largestAnswer))))
    throw new OtherFileError('it holds something else than a plan; remove it first, or choose another name')
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
