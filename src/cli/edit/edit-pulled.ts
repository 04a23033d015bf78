import type { Desired } from '../../core/desired.ts'
import { diffFields, fileChanges } from '../../core/diff.ts'
import { canonicalIdentity, type Live } from '../../core/live.ts'
import { existsField, type LiveEditField } from '../../core/live-edits/live-edit.ts'
import { findLive, type LiveIndex } from '../../core/plan/live-index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { objectAddress } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import type { FileDeclarations, ObjectDeclaration } from '../../yaml/declaration.ts'
import { type DeclarationChange, editDeclarations } from '../../yaml/edit/edit-declarations.ts'
import { type Pulled, type Pulling, pulledDeclaration } from '../../yaml/edit/pulled-declaration.ts'
import { placeDesired } from '../../yaml/resolve/resolve.ts'
import { type CheckedChanges, checkChanges, type EditableRepository } from './write-edit.ts'

/** One field to write into the files. */
export interface TakenField {
  readonly address: string
  readonly field: LiveEditField
}

/** Why an edit is not written. */
export interface LeftOut {
  readonly address: string
  readonly reason: string
}

export interface PullPlace {
  readonly repository: EditableRepository
  /** The objects as the plan used them. */
  readonly desired: readonly Desired[]
  readonly live: LiveIndex
  readonly pulling: Pulling
  /** Ends the command because of problems that are not about the pulled fields. */
  refuse(problems: readonly Problem[], texts: ReadonlyMap<string, string>): never
}

export interface EditedPull {
  readonly checked: CheckedChanges
  /** The fields that the checked texts contain. */
  readonly taken: readonly TakenField[]
  readonly leftOut: readonly LeftOut[]
}

/**
 * The texts of files that declare the live values of these fields. If a value cannot be declared, its whole
 * object is skipped. The other objects are compared with the live ones before anything is written.
 */
export async function editPulled(place: PullPlace, fields: readonly TakenField[]): Promise<EditedPull> {
  const leftOut: LeftOut[] = []
  let taken = fields
  const more = new Map<string, readonly string[]>()
  const drop = (addresses: readonly string[], reason: string) => {
    for (const address of addresses) leftOut.push({ address, reason })
    taken = taken.filter(each => !addresses.includes(each.address))
  }
  for (;;) {
    const changes: DeclarationChange[] = []
    for (const [declaration, pulled] of pulledIn(place, taken, more)) {
      const change = changeFor(declaration, pulled, place.pulling)
      if ('reason' in change)
        drop(
          pulled.map(({ desired }) => desired.address),
          change.reason,
        )
      else changes.push(change)
    }
    const alone = taken.filter(({ address }) => !ownerOf(place, address))
    if (alone.length > 0) {
      drop(
        alone.map(({ address }) => address),
        'a grant with a declaration of its own is changed by hand',
      )
      continue
    }
    const checked = await checkChanges(place.repository, changes)
    if ('problems' in checked) {
      const [known] = checked.problems.filter(({ address }) => taken.some(each => each.address === address))
      if (known?.address === undefined) return place.refuse(checked.problems, checked.texts)
      drop([known.address], known.message)
      continue
    }
    const off = stillOff(place, checked.declared, taken)
    if (off.length === 0) return { checked, taken, leftOut }
    for (const { address, fields: differing, isNew } of off) {
      if (isNew && !more.has(address)) more.set(address, differing)
      else drop([address], `${differing.join(', ')}: no edit of its declaration alone says what is live`)
    }
  }
}

/** The pulled fields, grouped by the declarations to edit. */
function pulledIn(
  place: PullPlace,
  taken: readonly TakenField[],
  more: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<ObjectDeclaration, readonly Pulled[]> {
  const byDeclaration = new Map<ObjectDeclaration, Pulled[]>()
  for (const address of new Set(taken.map(each => each.address))) {
    const desired = place.desired.find(each => each.address === address)
    const declaration = ownerOf(place, address)
    if (!desired || !declaration) continue
    const own = taken.filter(each => each.address === address).map(({ field }) => field.field)
    const fields = [...own, ...(more.get(address) ?? [])]
    const pulled = { desired, live: liveOf(place, desired), fields }
    byDeclaration.set(declaration, [...(byDeclaration.get(declaration) ?? []), pulled])
  }
  return byDeclaration
}

/** The declaration of an object; for a grant it is the declaration of its flag. */
function ownerOf({ repository, desired }: PullPlace, address: string): ObjectDeclaration | undefined {
  const objects = repository.declared.flatMap(file => file.objects)
  const own = objects.find(each => each.address === address)
  if (own) return own
  const grant = desired.find(each => each.address === address)
  const key = grant?.parent && 'key' in grant.parent ? grant.parent.key : undefined
  const parent = grant && declarableKind(grant.kind).lifecycle.parent?.kind
  if (key === undefined || parent === undefined) return undefined
  const alone = repository.declared.flatMap(file => file.grants)
  const flag = objects.find(each => each.address === objectAddress(parent, key))
  const isAlone = alone.some(each => each.flag === key && each.kind.name === grant?.kind)
  return flag && isAlone && !flag.base.roleAccess ? undefined : flag
}

function liveOf({ live }: PullPlace, desired: Desired): Live | undefined {
  const [found] = findLive(live, declarableKind(desired.kind), desired)
  return found?.isSoftDeleted ? undefined : found
}

/** The first change of a declaration that can be written. The best one comes first. */
function changeFor(
  declaration: ObjectDeclaration,
  pulled: readonly Pulled[],
  pulling: Pulling,
): DeclarationChange | { readonly reason: string } {
  const found = pulledDeclaration(declaration, pulled, pulling)
  if ('reason' in found) return found
  const tried = found.changes.map(change => ({ change, edited: editDeclarations([change]) }))
  const [fitting] = tried.filter(({ edited }) => !('problems' in edited))
  if (fitting) return fitting.change
  const [problem] = tried.flatMap(({ edited }) => ('problems' in edited ? edited.problems : []))
  return { reason: [problem?.message ?? '', problem?.hint ?? ''].filter(text => text !== '').join('; ') }
}

interface Off {
  readonly address: string
  readonly fields: readonly string[]
  /** Newly declared: all of its fields are compared now, and none was before. */
  readonly isNew: boolean
}

/** Pulled fields whose declaration would still differ from the live value. */
function stillOff(
  place: PullPlace,
  declared: readonly FileDeclarations[],
  taken: readonly TakenField[],
): Off[] {
  const { environment, ownershipTag } = place.pulling
  // Keyed by the object: a role may have another name in declarations than in the service.
  const after = new Map(
    placeDesired(declared, environment, () => undefined).map(({ declared: one }) => [meantBy(one), one]),
  )
  return [...new Set(taken.map(({ address }) => address))].flatMap((address): Off[] => {
    const before = place.desired.find(each => each.address === address)
    if (!before) return []
    const desired = after.get(meantBy(before))
    const live = liveOf(place, before)
    const fields = taken.filter(each => each.address === address).map(({ field }) => field.field)
    const isThere = desired?.ensure === 'present'
    // A grant that is missing in the list is not declared at all.
    if (isThere !== (live !== undefined)) return [{ address, fields: [existsField], isNew: false }]
    if (!desired || !live) return []
    const isNew = fields.includes(existsField)
    const differing = [
      ...diffFields(declarableKind(desired.kind), desired, live, ownershipTag),
      ...fileChanges(desired, live),
    ]
      .map(({ field }) => field)
      .filter(field => isNew || fields.includes(field))
    return differing.length === 0 ? [] : [{ address, fields: differing, isNew }]
  })
}

function meantBy({ address, kind, identity, parent }: Desired): string {
  return parent ? JSON.stringify([parent, canonicalIdentity(declarableKind(kind), identity)]) : address
}
