import type { Live } from '../../../core/live.ts'
import { isWhollyKnown, memberOf, type ObjectValue, Unknown } from '../../../hcl/values.ts'
import { type DeclarableKind, identityField } from '../../../model/kind.ts'
import { sentence } from '../../../model/text/sentence.ts'
import { type Diagnostic, DiagnosticError, type Diagnostics } from '../../diagnostic.ts'
import type { ProposedChange } from '../../provider.ts'
import type { Session } from '../../session/session.ts'
import { differingFields, existsWarning } from '../apply/existing.ts'
import { differenceFrom } from '../apply/propose.ts'
import { byKeys } from '../named-flags.ts'
import {
  contextOf,
  isAdopting,
  nameIn,
  nameOf,
  ownerAttribute,
  type ResourceContext,
  textOf,
  type Wanted,
} from '../resource-context.ts'
import { newName } from './plan-shadow.ts'

/**
 * What an apply will refuse of a name that an object is given, by the list that a plan reads at most once.
 *
 * | given to                  | of that name there is         | said                                    |
 * |---------------------------|-------------------------------|-----------------------------------------|
 * | a new flag or plugin      | one of a state of this run    | nothing: it may be gone by then         |
 * |                           | one as configured, `adopt`    | nothing: it is taken over               |
 * |                           | any other, one or several     | that it exists already                  |
 * | a flag of the state       | one that was renamed before   | nothing: it gives the name up           |
 * |                           | any other                     | what it takes for the name to be free   |
 * | a new event definition    | nothing                       | that the service has not seen it        |
 *
 * These are warnings: Terraform plans a resource before it has shown all states, so that nobody can tell whether another
 * one gives up the name in the same run, and a refusal would also stop `terraform destroy`, which plans all that is
 * configured first. Nor does anything tell the flag of another resource, of which Terraform may show the state later, from
 * one of nobody's, so a rename says the same of both. The grants of a flag have a list for each flag, which is not read for this.
 */
export async function planExisting(
  kind: DeclarableKind,
  session: Session,
  change: ProposedChange,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<Diagnostics> {
  const name = newName(kind, change.prior, planned)
  if (name === undefined || kind.lifecycle.parent) return []
  const found = await refusalsOf(kind, session, name, change, planned, signal)
  // Only now: of two that change names at once, neither has given its own up before.
  if (change.prior) session.noteRenamed(kind, textOf(memberOf(change.prior, 'id')) ?? '')
  return found
}

async function refusalsOf(
  kind: DeclarableKind,
  session: Session,
  name: string,
  { prior, config }: ProposedChange,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<Diagnostics> {
  if (!session.isKnown(kind, memberOf(planned, ownerAttribute(kind)))) return []
  const context = opened(() => contextOf(kind, session, planned, signal))
  if (!context) return []
  const there = await context.run.shared.livingIfListed(kind, name, signal)
  if (!there) return []
  const { cannotCreate } = kind.lifecycle
  if (kind.lifecycle.create === undefined)
    return there.length > 0 || cannotCreate === undefined ? [] : [unseenWarning(kind, name, cannotCreate)]
  if (there.length === 0) return []
  if (prior !== null) {
    if (kind.identity.by !== 'field' || !kind.identity.unique) return []
    const isGivenUp = there.every(({ id }) => session.isRenamed(kind, id))
    return isGivenUp ? [] : [renameWarning(kind, prior, name, there)]
  }
  if (there.some(({ id }) => session.isInState(kind, id))) return []
  const wanted = { context, planned, config, prior }
  const [live, ...others] = there
  const differing = live && others.length === 0 ? await differingFrom(wanted, live) : undefined
  if (isAdopting(planned) && others.length === 0 && !differing?.length) return []
  return [
    existsWarning(
      wanted,
      name,
      there.map(({ id }) => id),
      differing,
    ),
  ]
}

/** What cannot be asked, for want of a key, is for the apply to tell. */
function opened(open: () => ResourceContext): ResourceContext | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined
    throw error
  }
}

/** In what a live object is not as configured; undefined where nobody can tell by now. */
async function differingFrom(wanted: Wanted, live: Live): Promise<readonly string[] | undefined> {
  const { context, config } = wanted
  const isOpen = context.session.defaultTags instanceof Unknown || !Object.values(config).every(isWhollyKnown)
  // The files of a plugin are read for an apply alone.
  if (isOpen || memberOf(config, 'source') !== null) return undefined
  try {
    return differingFields(await differenceFrom(wanted, await byKeys(context, live)))
  } catch {
    return undefined
  }
}

function renameWarning(
  kind: DeclarableKind,
  prior: ObjectValue,
  name: string,
  there: readonly Live[],
): Diagnostic {
  const field = identityField(kind)
  const { title } = kind
  return {
    severity: 'warning',
    summary: `${nameOf(kind, name)} exists already, and an apply renames ${nameIn(kind, prior)} to it only once that one has given the ${field} up`,
    detail: [
      `The service holds it under the id ${there.map(({ id }) => id).join(', ')}, and one of that ${field} at a time.`,
      `Where another resource gives it another ${field}, let this one depend on that one.`,
      `Where it is destroyed, the service keeps its ${field} for it: \`allow = ["soft_deleted"]\` lets this one destroy what is kept, once that is done.`,
      `Where \`count\` gives each ${title} the ${field} of the next, \`for_each\` by ${field} leaves them as they are. Otherwise give this one another ${field}.`,
    ].join(' '),
    attribute: [field],
  }
}

function unseenWarning(kind: DeclarableKind, name: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    summary: `there is no ${nameOf(kind, name)} yet, so an apply will fail for it`,
    detail: `${sentence(why)} Send one such event before the apply; everything else is applied all the same.`,
    attribute: [identityField(kind)],
  }
}
