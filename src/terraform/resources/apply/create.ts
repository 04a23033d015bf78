import type { Performed } from '../../../core/apply/perform.ts'
import type { Change } from '../../../core/change.ts'
import { canonicalField, type Live, toLive } from '../../../core/live.ts'
import { readFiles } from '../../../core/read/locate.ts'
import { readById } from '../../../core/read/read-record.ts'
import { isObjectValue, memberOf, type ObjectValue } from '../../../hcl/values.ts'
import { declarableKind } from '../../../kinds/index.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { identityField } from '../../../model/kind.ts'
import { sentence } from '../../../model/text/sentence.ts'
import { type Diagnostic, DiagnosticError, type Diagnostics, errorDiagnostic } from '../../diagnostic.ts'
import type { ApplyAnswer } from '../../provider.ts'
import { appliedBase } from '../live-edits/state-base.ts'
import { remembering, settled } from '../refresh.ts'
import {
  isAdopting,
  liveAfter,
  nameOf,
  parentValue,
  type ResourceContext,
  textOf,
  type Wanted,
  whereParentIdsAre,
} from '../resource-context.ts'
import { carryOut } from './carry-out.ts'
import { differingFields, exists, mayExist } from './existing.ts'
import { alsoSaying, explain } from './explain.ts'
import { findBefore } from './find-before.ts'
import { differenceFrom, proposeChange } from './propose.ts'
import { nothingRemembered, type Remembered, remember } from './remembered.ts'

/**
 * Makes what a configuration wants.
 *
 * | there is             | flag, grant, plugin                                   | event definition        |
 * |----------------------|-------------------------------------------------------|-------------------------|
 * | nothing              | created                                               | refused: it was not seen |
 * | soft-deleted         | brought back with its id, then changed                |                         |
 * | one, as wanted       | taken over with `adopt = true`, else refused          | taken over              |
 * | one, otherwise       | refused, with how to import it                        | taken over and changed  |
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
  // What was looked at just now is not looked at once more before the write.
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
    // What was only to be adopted was there before: a replacement of it would destroy what nobody made here.
    if (kind.lifecycle.create === undefined) return { state: null, diagnostics }
    if (!live || live.isSoftDeleted) {
      const isLost = outcome.isOpen && change.action === 'create'
      return {
        state: null,
        diagnostics: isLost ? alsoSaying(diagnostics, mayExist(wanted, identity)) : diagnostics,
      }
    }
    // It is there, if not as planned: Terraform must know of it, and will replace it.
    const isWhole = change.files === undefined
    const state = settled(context, isWhole ? planned : { ...planned, source: null }, live)
    const before: Remembered = { ...nothingRemembered, ...(origin ? { origin } : {}) }
    return { state, private: remember(remembering(kind, live, before)), diagnostics }
  }
  // Refused at first, or taken back: it is somebody else's.
  const wasThere = outcome.already || outcome.tookBack !== undefined
  if (wasThere && change.action === 'create' && !isAdopting(planned)) {
    throw exists(wanted, identity, [outcome.id], [])
  }
  const live = await liveAfter(context, outcome)
  if (!live) return failed(context, identity, 'it was created and is gone again')
  const answer = made(wanted, live, origin, outcome.notKept)
  return { ...answer, diagnostics: notKeptWarning(context, outcome.notKept) }
}

/** What was taken and not kept is told once; it will not be planned again. */
export function notKeptWarning({ kind }: ResourceContext, notKept: readonly string[]): Diagnostics {
  return notKept.map((name): Diagnostic => {
    const detail =
      'It answered as if all were well, and holds another value. Its plan may lack the feature; take the attribute out, or leave it: it is not planned again.'
    return {
      severity: 'warning',
      summary: `the service did not keep \`${name}\` of this ${kind.title}`,
      detail,
      attribute: [name],
    }
  })
}

/** A live object with its source files, when the configuration names some. */
export async function withFiles(
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

/** What is live as wanted, but for what the service did not keep. */
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

/** What an adopted object was like, for when it is let go with `on_destroy = "restore"`. */
function originOf({ kind }: ResourceContext, { record }: Live): JsonObject {
  const names = Object.keys(kind.fields).filter(
    name => kind.fields[name]?.access === 'managed' && name !== identityField(kind) && name in record,
  )
  return Object.fromEntries(names.map(name => [name, canonicalField(kind, name, record[name])]))
}

/** What is configured as the flag of a grant may never have been one. */
async function isParentGone({ kind, run, signal, parentId }: ResourceContext): Promise<boolean> {
  const { parent } = kind.lifecycle
  if (!parent || parentId === undefined) return false
  const flag = await readById(declarableKind(parent.kind), parentId, { client: run.client, signal })
  return flag === undefined || flag.isSoftDeleted
}

function parentGone({ kind, parentId, run }: ResourceContext): DiagnosticError {
  const { title } = declarableKind(kind.lifecycle.parent?.kind ?? '')
  const summary = `there is no ${title} with the id "${parentId}" in project ${run.client.target.projectId}`
  const detail = `${whereParentIdsAre(kind)} Where the ${title} lives in another project, give this the same \`provider\` or \`project_id\`.`
  return new DiagnosticError(errorDiagnostic(summary, detail, Object.keys(parentValue({ kind, parentId }))))
}

function failed({ kind }: ResourceContext, identity: string, reason: string): ApplyAnswer {
  const detail = `${sentence(reason)} Plan again to see how things stand.`
  return { state: null, diagnostics: [errorDiagnostic(`cannot create ${nameOf(kind, identity)}`, detail)] }
}
