import { isPendingApproval, isServiceError } from '../../api/index.ts'
import type { Performed } from '../../core/apply/perform.ts'
import type { Change } from '../../core/change.ts'
import { askedDigest } from '../../core/diff.ts'
import { renamedLive } from '../../core/flag-links.ts'
import { canonicalField, canonicalIdentity, type Live, toLive } from '../../core/live.ts'
import type { Shadowed } from '../../core/read/find-soft-deleted.ts'
import { readById, readFiles } from '../../core/read/read-record.ts'
import { isObjectValue, memberOf, type ObjectValue } from '../../hcl/values.ts'
import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, hasTargeting, identityField, isTargeting } from '../../model/kind.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { sentence } from '../../model/text/text-layout.ts'
import { givenTyped } from '../../schema/terraform/terraform-attribute.ts'
import { typedImportId } from '../../schema/terraform/terraform-identity.ts'
import { typeName } from '../../schema/terraform/terraform-names.ts'
import { refusalOf } from '../../services/refusals.ts'
import {
  type ApplyAnswer,
  type Diagnostic,
  DiagnosticError,
  type Diagnostics,
  errorDiagnostic,
  type Private,
} from '../provider.ts'
import { alsoSaying, carryOut, explain } from './explain.ts'
import { appliedBase } from './live-edits.ts'
import { changesShadowed, differenceFrom, proposeChange, proposeFields, proposeRemoval } from './propose.ts'
import { remembering, settled } from './refresh.ts'
import {
  type Digests,
  findBefore,
  nothingRemembered,
  type Remembered,
  recall,
  remember,
} from './remembered.ts'
import {
  findShadowed,
  isAdopting,
  isMarkedDeleted,
  liveAfter,
  nameIn,
  nameOf,
  ownerAttribute,
  parentValue,
  type ResourceContext,
  readState,
  removalOf,
  shortFingerprint,
  textOf,
  type Wanted,
  whereParentIdsAre,
} from './resource-context.ts'

/**
 * Creates the configured object.
 *
 * | there is         | flag, grant, plugin                       | event definition         |
 * |------------------|-------------------------------------------|--------------------------|
 * | nothing          | created                                   | refused: it was not seen |
 * | soft-deleted     | restored with its id, then changed        |                          |
 * | one, as wanted   | adopted with `adopt = true`, else refused | adopted                  |
 * | one that differs | refused, with how to import it            | adopted and changed      |
 */
export async function create(wanted: Wanted): Promise<ApplyAnswer> {
  const { context, planned } = wanted
  const { kind } = context
  const identity = textOf(memberOf(planned, identityField(kind))) ?? ''
  const adopts = isAdopting(planned)
  const before = await findBefore(context, identity, adopts)
  if (before.is === 'living' && kind.lifecycle.create !== undefined)
    return takeOver(wanted, before.all, adopts)
  const live = before.is === 'living' ? before.all[0] : before.is === 'soft_deleted' ? before.live : undefined
  const seen = live && (await withFiles(context, live, memberOf(planned, 'source')))
  const shadowed = before.is === 'nothing' ? before.shadowed : undefined
  const change = await proposeChange({ ...wanted, shadowed }, seen)
  const origin = kind.lifecycle.create === undefined && live ? originOf(context, live) : undefined
  if (!change) {
    return live ? made(wanted, live, origin) : failed(context, identity, 'there is nothing to create')
  }
  // The object was read just now, so it is not read again before the write.
  const outcome =
    before.is === 'living'
      ? await carryOut(context, change)
      : await carryOut(context, change, seen, async () => shadowed)
  return answerTo(wanted, identity, change, outcome, origin)
}

async function answerTo(
  wanted: Wanted,
  identity: string,
  change: Change,
  outcome: Performed,
  origin: JsonObject | undefined,
): Promise<ApplyAnswer> {
  const { context, planned } = wanted
  const { kind } = context
  if (outcome.is === 'stale' && (await isParentGone(context))) throw parentGone(context)
  if (outcome.is === 'stale') {
    const there = change.action === 'create' ? await findBefore(context, identity, true) : undefined
    if (there?.is === 'living') return takeOver(wanted, there.all, false)
    return failed(context, identity, outcome.reason)
  }
  if (outcome.is === 'failed') {
    const diagnostics = explain(outcome.error, `create ${nameOf(kind, identity)}`, kind, wanted.config)
    const live = outcome.record && toLive(kind, outcome.record)
    // The object existed before. A replacement would destroy an object that this resource did not create.
    if (kind.lifecycle.create === undefined) return { state: null, diagnostics }
    if (!live || live.isSoftDeleted) {
      const isLost = outcome.isOpen && change.action === 'create'
      return {
        state: null,
        diagnostics: isLost ? alsoSaying(diagnostics, mayExist(wanted, identity)) : diagnostics,
      }
    }
    // The object exists, but differs from the plan. Terraform must store it, and will replace it.
    const isWhole = change.files === undefined
    const state = settled(context, isWhole ? planned : { ...planned, source: null }, live)
    const before: Remembered = { ...nothingRemembered, ...(origin ? { origin } : {}) }
    return { state, private: remember(remembering(kind, live, before)), diagnostics }
  }
  // The creation was refused at first, so the object belongs to somebody else.
  if (outcome.already && change.action === 'create' && !isAdopting(planned)) {
    throw exists(wanted, identity, [outcome.id], [])
  }
  const live = await liveAfter(context, outcome)
  if (!live) return failed(context, identity, 'it was created and is gone again')
  const answer = made(wanted, live, origin, outcome.notKept)
  return { ...answer, diagnostics: notKeptWarning(context, outcome.notKept) }
}

/** Warns once of fields that were sent but not stored. They are not planned again. */
function notKeptWarning({ kind }: ResourceContext, notKept: readonly string[]): Diagnostics {
  return notKept.map((name): Diagnostic => {
    const detail =
      'The service reported success, but stored another value. Its plan may lack the feature. Remove the attribute, or keep it: it is not planned again.'
    return {
      severity: 'warning',
      summary: `the service did not store \`${name}\` of this ${kind.title}`,
      detail,
      attribute: [name],
    }
  })
}

/** A live object with its source files, if the configuration names some. */
async function withFiles(
  { run, signal }: ResourceContext,
  live: Live,
  source: ObjectValue[string] | undefined,
): Promise<Live> {
  if (!isObjectValue(source)) return live
  return { ...live, ...(await readFiles(live, { client: run.client, signal })) }
}

async function takeOver(wanted: Wanted, all: readonly Live[], adopts: boolean): Promise<ApplyAnswer> {
  const { context, planned } = wanted
  const [live] = all
  const identity = textOf(memberOf(planned, identityField(context.kind))) ?? ''
  const ids = all.map(({ id }) => id)
  if (!live || ids.length > 1) throw exists(wanted, identity, ids, undefined)
  const change = await differenceFrom(wanted, await withFiles(context, live, memberOf(planned, 'source')))
  if (adopts && !change) return made(wanted, live, undefined)
  throw exists(wanted, identity, ids, differingFields(change))
}

/** For a live object that equals the wanted state, except for fields that the service did not store. */
function made(
  wanted: Wanted,
  live: Live,
  origin: JsonObject | undefined,
  notKept: readonly string[] = [],
): ApplyAnswer {
  const { context, planned } = wanted
  const state = settled(context, planned, live)
  const before: Remembered = {
    ...nothingRemembered,
    ...(origin ? { origin } : {}),
    base: appliedBase(wanted, state, notKept),
  }
  return { state, private: remember(remembering(context.kind, live, before)) }
}

/** The earlier values of an adopted object, for a removal with `on_destroy = "restore"`. */
function originOf({ kind }: ResourceContext, { record }: Live): JsonObject {
  const names = Object.keys(kind.fields).filter(
    name => kind.fields[name]?.access === 'managed' && name !== identityField(kind) && name in record,
  )
  return Object.fromEntries(names.map(name => [name, canonicalField(kind, name, record[name])]))
}

/** The flag of a grant may have been deleted, or may never have existed. */
async function isParentGone({ kind, run, signal, parentId }: ResourceContext): Promise<boolean> {
  const { parent } = kind.lifecycle
  if (!parent || parentId === undefined) return false
  const flag = await readById(declarableKind(parent.kind), parentId, { client: run.client, signal })
  return flag === undefined || flag.isSoftDeleted
}

function parentGone({ kind, parentId, run }: ResourceContext): DiagnosticError {
  const { title } = declarableKind(kind.lifecycle.parent?.kind ?? '')
  const summary = `there is no ${title} with the id "${parentId}" in project ${run.client.target.projectId}`
  const detail = `${whereParentIdsAre(kind)} If the ${title} is in another project, set the same \`provider\` or \`project_id\` here.`
  return new DiagnosticError(errorDiagnostic(summary, detail, Object.keys(parentValue({ kind, parentId }))))
}

function failed({ kind }: ResourceContext, identity: string, reason: string): ApplyAnswer {
  const detail = `${sentence(reason)} Plan again to see the current state.`
  return { state: null, diagnostics: [errorDiagnostic(`cannot create ${nameOf(kind, identity)}`, detail)] }
}

/**
 * Refuses to create an object that already exists, once or several times, and shows how to import it.
 * `differing` lists the fields that differ from the configuration; several objects are not compared.
 */
function exists(
  wanted: Wanted,
  identity: string,
  ids: readonly string[],
  differing: readonly string[] | undefined,
): DiagnosticError {
  const field = identityField(wanted.context.kind)
  // Terraform does not show a provider that a creation is one half of a replacement.
  const replacing = `If the plan shows a replacement (\`+/-\`), import nothing: remove \`create_before_destroy\`, here and from resources that depend on this one. The service allows only one with that ${field}, and the old one stays unchanged.`
  const detail = [...waysIn(wanted, identity, ids, differing), ...(ids.length > 1 ? [] : [replacing])]
  return new DiagnosticError(
    errorDiagnostic(`${nameOf(wanted.context.kind, identity)} already exists`, detail.join('\n\n'), [field]),
  )
}

/** The same message as a warning of a plan. */
export function existsWarning(
  wanted: Wanted,
  identity: string,
  ids: readonly string[],
  differing: readonly string[] | undefined,
): Diagnostic {
  const { kind } = wanted.context
  const otherwise = [
    'If the state contains it under another address, import nothing: write a `moved` block.',
    'If another resource gives the name up, add a dependency on it here; if the plan shows a replacement (`+/-`), remove `create_before_destroy`.',
  ]
  return {
    severity: 'warning',
    summary: `${nameOf(kind, identity)} already exists, so an apply will not create it`,
    detail: [...waysIn(wanted, identity, ids, differing), otherwise.join(' ')].join('\n\n'),
    attribute: [identityField(kind)],
  }
}

/** The fields that a change would change, as `exists` lists them. */
export function differingFields(change: Change | undefined): readonly string[] {
  return change ? [...Object.keys(change.after), ...(change.files ? ['source'] : [])] : []
}

function waysIn(
  wanted: Wanted,
  identity: string,
  ids: readonly string[],
  differing: readonly string[] | undefined,
): string[] {
  const { context, planned } = wanted
  const [id = 'ID', ...others] = ids
  const isOne = others.length === 0
  const importId = importIdOf(wanted, context.parentId === undefined ? (isOne ? id : 'ID') : identity)
  // Terraform shows indented lines unchanged, and wraps all others.
  const block = `  import {\n    to = ${addressOf(context)}\n    id = "${importId}"\n  }`
  const which = isOne ? 'it' : 'the right one'
  const isAsConfigured = isOne && differing?.length === 0 && !isAdopting(planned)
  return [
    `The service has it with the ${isOne ? 'id' : 'ids'} ${ids.join(', ')}.${differenceText(wanted, differing)}`,
    `Import ${which} with ${commandOf(context, importId)}, or with`,
    block,
    ...(isAsConfigured ? ['It equals the configuration, so `adopt = true` adopts it too.'] : []),
  ]
}

function differenceText(
  { context: { kind }, planned, config }: Wanted,
  differing: readonly string[] = [],
): string {
  if (differing.length === 0) return ''
  const [typed] = givenTyped(config)
  const names = differing.map(name => `\`${isTargeting(kind, name) ? (typed ?? name) : name}\``)
  const why = isAdopting(planned) ? ', so `adopt` does not adopt it' : ''
  return ` It differs in ${names.join(', ')}${why}.`
}

/** What to do if a creation was sent and its result is unknown. */
function mayExist(wanted: Wanted, identity: string): string {
  return `The service may have created it, and then the state lacks it. If the next run reports that it already exists, import it with ${commandOf(wanted.context, importIdOf(wanted, identity))}.`
}

function commandOf(context: ResourceContext, importId: string): string {
  return `\`terraform import ${addressOf(context)} ${importId}\``
}

function addressOf({ kind }: ResourceContext): string {
  return `vexil_${kind.name}.NAME`
}

/** The import id in the configuration's form (typed or not), so that the next plan compares equal forms. */
function importIdOf({ context: { kind, run, parentId }, config }: Wanted, path: string): string {
  const { projectId, organizationId } = run.client.target
  const owner = ownerAttribute(kind) === 'project_id' ? projectId : organizationId
  const id = [owner, parentId, path].filter(part => part !== undefined).join('/')
  return hasTargeting(kind) && givenTyped(config).length > 0 ? typedImportId(id) : id
}

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
    // An unplanned change is not stored as planned, so the next plan shows it.
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

/** Warns that somebody else changed the object just before the write. */
function besideWarning({ kind }: ResourceContext, names: readonly string[]): Diagnostics {
  return names.map((name): Diagnostic => {
    const summary = `another user changed \`${name}\` of this ${kind.title} just before the write`
    const detail =
      'No plan has shown the result of both changes together. Plan again to see the current state.'
    return { severity: 'warning', summary, detail, attribute: [name] }
  })
}

/** Remembers a change that waits for approval, so that the next apply does not request it again. */
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

/** The object that already has the new name. */
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

/** Removes an object, or stops managing it. An object that is already gone counts as removed. */
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

/** Terraform destroys an object before it changes its former dependents, so that change is never made. */
function dependentsFirst(kind: DeclarableKind): string {
  return `If the same configuration removes it from their conditions, Terraform changes them only after this. First apply each of them alone with \`terraform apply -target=${typeName(kind.name)}.NAME\`, then apply everything.`
}

/** The state cannot show these tags yet, so they are not stored: the next read then reports them. */
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

/** Why a live object differs from the planned one. Undefined if it does not, or if nothing is remembered. */
function staleness(
  { kind, run }: ResourceContext,
  live: Live | undefined,
  fingerprint: string | undefined,
): string | undefined {
  if (!live) return 'it is gone'
  if (live.isSoftDeleted) return 'it was deleted after the plan was made'
  if (fingerprint === undefined || shortFingerprint(kind, live) === fingerprint) return undefined
  // Its conditions refer to other flags, which this run may have renamed in the meantime.
  const before = renamedLive(kind, live, (of, name) => run.renamed.get(`${of}/${name}`) ?? name)
  if (before !== live && shortFingerprint(kind, before) === fingerprint) return undefined
  return 'it was changed after the plan was made'
}

/** Nothing is known of an imported object, and for a tainted object Terraform passes no data on. */
function nothingToRestore(kind: DeclarableKind, prior: ObjectValue): Diagnostics {
  return [
    {
      severity: 'warning',
      summary: `${nameIn(kind, prior)} was not changed`,
      detail:
        'There is nothing to restore: it was imported or is tainted, so its earlier values are unknown.',
    },
  ]
}

function staleDiagnostics(tried: string, reason: string, isWritten = false): Diagnostics {
  const remedy = isWritten ? 'Plan again' : 'Nothing was written; plan again'
  const detail = `${sentence(reason)} ${remedy} to see the current state.`
  return [errorDiagnostic(`cannot ${tried}`, detail)]
}
