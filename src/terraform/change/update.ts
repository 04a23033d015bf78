import { isPendingApproval, isServiceError } from '../../api/index.ts'
import type { Change } from '../../core/change.ts'
import { askedDigest } from '../../core/diff.ts'
import { renamedLive } from '../../core/flag-links.ts'
import { canonicalIdentity, type Live } from '../../core/live.ts'
import type { Shadowed } from '../../core/read/shadowed.ts'
import { memberOf, type ObjectValue } from '../../hcl/values.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { sentence } from '../../model/text/sentence.ts'
import { typeName } from '../../schema/terraform/terraform-names.ts'
import { refusalOf } from '../../services/refusals.ts'
import {
  type ApplyAnswer,
  type Diagnostic,
  type Diagnostics,
  errorDiagnostic,
  type Private,
} from '../provider.ts'
import { remembering, settled } from '../resources/refresh.ts'
import {
  findShadowed,
  isMarkedDeleted,
  liveAfter,
  nameIn,
  type ResourceContext,
  readState,
  removalOf,
  shortFingerprint,
  textOf,
  type Wanted,
} from '../resources/resource-context.ts'
import { notKeptWarning, withFiles } from './create.ts'
import { alsoSaying, carryOut, explain } from './explain.ts'
import { appliedBase } from './live-edits.ts'
import { proposeChange, proposeFields, proposeRemoval } from './propose.ts'
import { type Digests, type Remembered, recall, remember } from './remembered.ts'
import { changesShadowed } from './tags.ts'

/** Changes an existing object, unless it has changed since it was planned. */
export async function update(
  wanted: Wanted & { readonly prior: ObjectValue },
  kept: Private,
): Promise<ApplyAnswer> {
  const { context, planned, prior } = wanted
  const { kind } = context
  const tried = `change ${nameIn(kind, prior)}`
  const remembered = recall(kept)
  const unchanged = (diagnostics: Diagnostics): ApplyAnswer => ({ state: prior, private: kept, diagnostics })
  const live = await readState(context, prior)
  const isRestored =
    isMarkedDeleted(kind, prior) && !isMarkedDeleted(kind, planned) && live?.isSoftDeleted === true
  const stale = isRestored ? undefined : staleness(context, live, remembered.fingerprint)
  if (!live || stale !== undefined) return unchanged(staleDiagnostics(tried, stale ?? 'it is gone'))
  const seen = await withFiles(context, live, memberOf(planned, 'source'))
  const shadowed = isRestored ? undefined : await behindNewName(context, live, planned)
  const { pending } = remembered
  const change = await proposeChange(
    { ...wanted, ...(shadowed ? { shadowed } : {}), ...(pending ? { pending } : {}) },
    seen,
  )
  const done = (
    after: Live,
    notKept: readonly string[] = [],
    beside: readonly string[] = [],
  ): ApplyAnswer => {
    const state = settled(context, planned, after)
    const base = appliedBase(wanted, state, notKept)
    const known = rememberedOf(wanted, after, { ...remembered, base })
    // A change that nobody planned is not remembered as planned, so the next plan shows it.
    const fields = without(known.fields, beside)
    return {
      state,
      private: remember({ ...known, fields }),
      diagnostics: [...notKeptWarning(context, notKept), ...besideWarning(context, beside)],
    }
  }
  if (!change) return done(live)
  const outcome = await carryOut(context, change, seen)
  if (outcome.is === 'failed') {
    const failed = unchanged(explain(outcome.error, tried, kind, wanted.config))
    return { ...failed, private: askedOf(kind, change, outcome.error, remembered) ?? kept }
  }
  if (outcome.is === 'stale') return unchanged(staleDiagnostics(tried, outcome.reason, outcome.written))
  const after = await liveAfter(context, outcome)
  if (after && after.identity !== live.identity)
    context.run.renamed.set(`${kind.name}/${after.identity}`, live.identity)
  return after
    ? done(after, outcome.notKept, outcome.changedBeside)
    : unchanged(staleDiagnostics(tried, 'it is gone'))
}

/** The object was changed by somebody else just before the write. */
function besideWarning({ kind }: ResourceContext, names: readonly string[]): Diagnostics {
  return names.map((name): Diagnostic => {
    const summary = `somebody else has changed \`${name}\` of this ${kind.title} just before`
    const detail =
      'No plan has shown what the two changes come to together. Plan again to see how things stand.'
    return { severity: 'warning', summary, detail, attribute: [name] }
  })
}

/** The remembered data for a change that waits for approval, so that the next apply does not ask again. */
function askedOf(
  kind: DeclarableKind,
  change: Change,
  error: unknown,
  remembered: Remembered,
): Private | undefined {
  if (!isPendingApproval(error)) return undefined
  const { changeRequest } = error
  return remember({ ...remembered, pending: { changeRequest, askedFor: askedDigest(kind, change) } })
}

/** What is behind the new name of an object. */
async function behindNewName(
  context: ResourceContext,
  { identity }: Live,
  planned: ObjectValue,
): Promise<Shadowed | undefined> {
  const { kind } = context
  const name = textOf(memberOf(planned, identityField(kind)))
  if (name === undefined || canonicalIdentity(kind, name) === identity) return undefined
  return findShadowed(context)(kind, name)
}

/** Removes an object, or stops managing it; one that is gone already counts as removed. */
export async function remove(
  context: ResourceContext,
  prior: ObjectValue,
  kept: Private,
): Promise<ApplyAnswer> {
  const { kind } = context
  const tried = `destroy ${nameIn(kind, prior)}`
  const { fingerprint, origin } = recall(kept)
  const way = removalOf(kind, prior)
  if (way === 'forget') return { state: null }
  if (way === 'restore' && !origin) return { state: null, diagnostics: nothingToRestore(kind, prior) }
  const live = await readState(context, prior)
  if (!live || live.isSoftDeleted) return { state: null }
  const failed = (diagnostics: Diagnostics): ApplyAnswer => ({ state: prior, private: kept, diagnostics })
  const stale = staleness(context, live, fingerprint)
  if (stale !== undefined) return failed(staleDiagnostics(tried, stale))
  const change =
    way === 'restore'
      ? await proposeFields(context, live, origin ?? {})
      : await proposeRemoval(context, live, prior)
  if (!change) return { state: null }
  const outcome = await carryOut(context, change, live)
  if (outcome.is === 'failed') {
    const diagnostics = explain(outcome.error, tried, kind)
    return failed(isDependedOn(outcome.error) ? alsoSaying(diagnostics, dependentsFirst(kind)) : diagnostics)
  }
  return outcome.is === 'stale'
    ? failed(staleDiagnostics(tried, outcome.reason, outcome.written))
    : { state: null }
}

function isDependedOn(error: unknown): boolean {
  return isServiceError(error) && refusalOf(error) === 'dependents'
}

/** Terraform destroys an object before it changes its former dependents, so that change never happens. */
function dependentsFirst(kind: DeclarableKind): string {
  return `Where the same configuration takes it out of their conditions, Terraform would change them only after this: apply each of them alone first, with \`terraform apply -target=${typeName(kind.name)}.NAME\`, and then everything.`
}

/** The state cannot show shadowed tags yet, so they are not remembered: the next read then reports them. */
function rememberedOf(wanted: Wanted, live: Live, before: Remembered): Remembered {
  const { kind } = wanted.context
  const after = remembering(kind, live, before)
  if (!changesShadowed(wanted)) return after
  const { base } = after
  const tags = [kind.lifecycle.ownedBy ?? '']
  return {
    ...after,
    fields: without(after.fields, tags),
    ...(base ? { base: { ...base, fields: without(base.fields, tags) } } : {}),
  }
}

function without(fields: Digests, names: readonly string[]): Digests {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

/** Why a live object is not the one of the plan; undefined also if nothing is remembered. */
function staleness(
  { kind, run }: ResourceContext,
  live: Live | undefined,
  fingerprint: string | undefined,
): string | undefined {
  if (!live) return 'it is gone'
  if (live.isSoftDeleted) return 'it was deleted after the plan was made'
  if (fingerprint === undefined || shortFingerprint(kind, live) === fingerprint) return undefined
  // Its conditions name other flags, which this run may have renamed in the meantime.
  const before = renamedLive(kind, live, (of, name) => run.renamed.get(`${of}/${name}`) ?? name)
  if (before !== live && shortFingerprint(kind, before) === fingerprint) return undefined
  return 'it was changed after the plan was made'
}

/** Nothing is known of an imported object, and Terraform passes nothing on for a tainted one. */
function nothingToRestore(kind: DeclarableKind, prior: ObjectValue): Diagnostics {
  return [
    {
      severity: 'warning',
      summary: `${nameIn(kind, prior)} was left as it is`,
      detail:
        'There is nothing to restore: it was imported or is tainted, so nobody knows what it was like before.',
    },
  ]
}

function staleDiagnostics(tried: string, reason: string, isWritten = false): Diagnostics {
  const remedy = isWritten ? 'Plan again' : 'Nothing was written; plan again'
  const detail = `${sentence(reason)} ${remedy} to see how things stand.`
  return [errorDiagnostic(`cannot ${tried}`, detail)]
}
