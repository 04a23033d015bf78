import type { Declarations, Desired, LiveOnly } from '../core/desired.ts'
import { nameWithoutId } from '../core/name-with-id.ts'
import { compareManifest, type ManifestConflict, manifestName } from '../core/plugin-manifest.ts'
import { declarableKind } from '../kinds/index.ts'
import { identityField } from '../model/kind.ts'
import type { Problem } from '../model/problem.ts'
import { unlessLive } from '../model/unless-live.ts'
import type { FileDeclarations } from './declaration.ts'
import { resolveDeclarations, type TextOfFile } from './resolve.ts'
import { environmentsOf, type Settings } from './settings.ts'

/** What plugins are declared with and their own files say otherwise, in any environment. */
export function checkManifests(
  declared: readonly FileDeclarations[],
  settings: Settings,
  textOfFile: TextOfFile,
): readonly Problem[] {
  const described = declared.map(({ objects }) => ({
    objects: objects.filter(({ base, environments }) =>
      [base, ...environments.values()].some(({ files }) => files?.[manifestName] !== undefined),
    ),
    grants: [],
  }))
  if (described.every(({ objects }) => objects.length === 0)) return []
  const problems = environmentsOf(settings).flatMap(environment =>
    resolveDeclarations(described, environment, textOfFile).desired.flatMap(one =>
      manifestMistakes(one).map(unlessLive),
    ),
  )
  // What holds in several environments is one mistake.
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()]
}

/** The same mistakes beside the objects that have them: a file that is live already says nothing new. */
export function withManifestRules({ desired, ...others }: Declarations): Declarations {
  return {
    ...others,
    desired: desired.map(one => {
      const found = manifestMistakes(one).map(
        (problem): LiveOnly => ({ problem, requires: { is: 'file', name: manifestName } }),
      )
      return found.length === 0 ? one : { ...one, liveOnly: [...(one.liveOnly ?? []), ...found] }
    }),
  }
}

function manifestMistakes(desired: Desired): Problem[] {
  const { address, kind, fields, files, source, ensure } = desired
  const text = files?.[manifestName]
  if (ensure === 'absent' || typeof text !== 'string') return []
  const problem = (message: string, hint?: string): Problem => ({
    code: 'manifest',
    severity: 'error',
    address,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(source ? { source } : {}),
  })
  const said = { ...fields, [identityField(declarableKind(kind))]: nameWithoutId(desired) }
  const { unreadable, conflicts } = compareManifest(text, said)
  return [
    ...(unreadable === undefined ? [] : [problem(`${manifestName} cannot be read: ${unreadable}`)]),
    ...conflicts.map(conflict =>
      problem(conflictText(conflict), 'the service takes that of the file: say the same in both'),
    ),
  ]
}

function conflictText({ field, member, taken }: ManifestConflict): string {
  return `its ${field} is not the "${member}" of ${manifestName}, ${JSON.stringify(taken)}`
}
