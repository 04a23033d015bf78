import type { Declarations, Desired, LiveOnly } from '../../core/desired.ts'
import { nameWithoutId } from '../../core/live.ts'
import { declarableKind } from '../../kinds/index.ts'
import { identityField } from '../../model/kind.ts'
import { type Problem, unlessLive } from '../../model/problem.ts'
import { checkManifest } from '../../rules/check-object.ts'
import type { FileDeclarations } from '../declaration.ts'
import { resolveDeclarations, type TextOfFile } from '../resolve/resolve.ts'
import { environmentsOf, type Settings } from '../settings.ts'

/** What plugins are declared with and their own files say otherwise, in any environment. */
export function checkManifests(
  declared: readonly FileDeclarations[],
  settings: Settings,
  textOfFile: TextOfFile,
): readonly Problem[] {
  const described = declared.map(({ objects }) => ({
    objects: objects.filter(({ kind, base, environments }) => {
      const file = kind.lifecycle.files?.manifest?.file
      return (
        file !== undefined &&
        [base, ...environments.values()].some(({ files }) => files?.[file] !== undefined)
      )
    }),
    grants: [],
  }))
  if (described.every(({ objects }) => objects.length === 0)) return []
  const problems = environmentsOf(settings).flatMap(environment =>
    resolveDeclarations(described, environment, textOfFile).desired.flatMap(one =>
      manifestProblems(one).map(({ problem }) => unlessLive(problem)),
    ),
  )
  // What holds in several environments is one problem.
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()]
}

/** The same problems beside the objects that have them: a file that is live already says nothing new. */
export function withManifestRules({ desired, ...others }: Declarations): Declarations {
  return {
    ...others,
    desired: desired.map(one => {
      const found = manifestProblems(one)
      return found.length === 0 ? one : { ...one, liveOnly: [...(one.liveOnly ?? []), ...found] }
    }),
  }
}

function manifestProblems({ address, source, ...desired }: Desired): LiveOnly[] {
  // Only what has files is described by one of them.
  if (desired.ensure === 'absent' || !desired.files) return []
  const kind = declarableKind(desired.kind)
  const said = { ...desired.fields, [identityField(kind)]: nameWithoutId(desired) }
  return checkManifest(kind, said, desired.files).map(({ code, severity, message, hint, requires }) => {
    const problem: Problem = {
      code,
      severity,
      address,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(source ? { source } : {}),
    }
    return { problem, requires }
  })
}
