import { isPlanText } from '../../core/record/plan-file.ts'
import { type Revision, readRevision } from '../../git/commits.ts'
import { readRegularFile } from '../../model/files/read-regular-file.ts'
import { largestSaved } from '../../model/limits.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { Host } from '../host/host.ts'

/** The commit of a folder as git tells it; what git says against it is told. A saved plan is no local change. */
export async function revisionOf(host: Host, directory: string): Promise<Omit<Revision, 'note'>> {
  const { note, ...revision } = await readRevision({ directory, env: host.env }, isSavedPlan)
  if (note !== undefined) host.log.warn(escapeText(note))
  return revision
}

async function isSavedPlan(path: string): Promise<boolean> {
  // Declarations are mostly YAML, and a plan is never saved where it would be read as one.
  if (/\.ya?ml$/i.test(path)) return false
  const bytes = await readRegularFile(path, largestSaved).catch(() => undefined)
  return bytes !== undefined && isPlanText(bytes.toString('utf8'))
}
