import { memberOf, type ObjectValue } from '../../../hcl/values.ts'

import type { Profile } from '../../../model/connection.ts'
import { type DeclarableKind, targetingField } from '../../../model/kind.ts'
import { checkTargeting } from '../../../rules/check-targeting.ts'
import { givenTyped, targetingText, typedFilters } from '../../../schema/terraform/targeting-attributes.ts'
import { isHeld } from '../../../targeting/index.ts'
import type { Diagnostic } from '../../diagnostic.ts'
import type { ProposedChange } from '../../provider.ts'
import { jsonIn } from '../field-value.ts'
import { targetingDiagnostic } from './check-config.ts'
import { manifestProblems } from './manifest-diagnostics.ts'

/**
 * The rules that a plan breaks and the state does not, so that nothing live is like it: problems, where validation had
 * to leave it at a warning.
 */
export function newProblems(
  kind: DeclarableKind,
  { prior, config }: ProposedChange,
  planned: ObjectValue,
  profile: Profile | undefined,
): readonly Diagnostic[] {
  return [
    ...newTargetingProblems(kind, config, prior, planned, profile),
    ...(writesManifest(kind, prior, planned) ? manifestProblems(kind, config) : []),
  ]
}

function newTargetingProblems(
  kind: DeclarableKind,
  config: ObjectValue,
  prior: ObjectValue | null,
  planned: ObjectValue,
  profile: Profile | undefined,
): Diagnostic[] {
  const name = targetingField(kind)
  if (name === undefined) return []
  const [text, before] = [targetingText(name, planned), prior && targetingText(name, prior)]
  // What stays as it is breaks no rule that it did not break before.
  const becomes = text === before ? null : jsonIn(text)
  if (becomes === null) return []
  const was = jsonIn(before)
  const given = givenTyped(config)
  // What is wrong with a payload is seen only as it was written.
  const filters = given.length > 0 ? typedFilters(config) : becomes
  const services = profile && [profile]
  return checkTargeting(name, filters, undefined, services).flatMap(problem => {
    const { requires, code, severity } = problem
    // Which service it is was not known before.
    const isIgnored = code === 'ignored-negation' && severity === 'error'
    if (requires?.is !== 'filters' ? !isIgnored : was !== null && isHeld(becomes, was, requires)) return []
    return [targetingDiagnostic(problem, filters, given)]
  })
}

/** A plugin's own file that is live as it is says nothing new. */
function writesManifest(
  { lifecycle }: DeclarableKind,
  prior: ObjectValue | null,
  planned: ObjectValue,
): boolean {
  const name = lifecycle.files?.manifest?.file ?? ''
  const textIn = (values: ObjectValue | null) => memberOf(memberOf(values ?? undefined, 'source'), name)
  return textIn(planned) !== textIn(prior)
}
