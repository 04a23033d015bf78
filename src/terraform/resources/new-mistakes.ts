import { manifestName } from '../../core/plugin-manifest.ts'
import type { ObjectValue } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import { type DeclarableKind, hasTargeting } from '../../model/kind.ts'
import { checkFilters, isHeld, toleranceOf } from '../../targeting/index.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { ProposedChange } from '../provider.ts'
import { filterDiagnostic } from './check-config.ts'
import { manifestMistakes } from './check-manifest.ts'
import { jsonIn } from './json-text.ts'
import { givenTyped, typedFilters, typedPath } from './typed-filters.ts'

/**
 * The rules that a plan breaks and the state does not, so that nothing live is like it: mistakes, where validation had
 * to leave it at a warning.
 */
export function newMistakes(
  kind: DeclarableKind,
  { prior, config }: ProposedChange,
  planned: ObjectValue,
): readonly Diagnostic[] {
  const manifest = writesManifest(prior, planned) ? manifestMistakes(kind, config) : []
  return hasTargeting(kind) ? [...newFilterMistakes(config, prior, planned), ...manifest] : manifest
}

function newFilterMistakes(
  config: ObjectValue,
  prior: ObjectValue | null,
  planned: ObjectValue,
): Diagnostic[] {
  const becomes = jsonIn(memberOf(planned, 'filters'))
  if (becomes === null) return []
  const was = prior && jsonIn(memberOf(prior, 'filters'))
  const typed = givenTyped(config).length > 0 ? typedFilters(config) : undefined
  // What is wrong with a payload is seen only as it was written.
  return checkFilters(typed ?? becomes).flatMap(problem => {
    const tolerance = toleranceOf(problem)
    const { pointer } = problem
    if (!tolerance || (was !== null && isHeld(becomes, was, { pointer, tolerance }))) return []
    if (!typed) return [filterDiagnostic(problem, ['filters'], pointer)]
    const { path, rest } = typedPath(pointer, typed)
    return [filterDiagnostic(problem, path, rest)]
  })
}

/** A plugin's own file that is live as it is says nothing new. */
function writesManifest(prior: ObjectValue | null, planned: ObjectValue): boolean {
  const textIn = (values: ObjectValue | null) =>
    memberOf(memberOf(values ?? undefined, 'source'), manifestName)
  return textIn(planned) !== textIn(prior)
}
