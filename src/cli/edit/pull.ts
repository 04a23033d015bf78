import type { Plan } from '../../core/change.ts'
import type { Desired } from '../../core/desired.ts'
import { diffFields, fileChanges } from '../../core/diff.ts'
import { canonicalIdentity, findLive, indexLive, type Live, type LiveIndex } from '../../core/live.ts'
import {
  existsField,
  type LiveEdit,
  type LiveEditField,
  type Treatment,
} from '../../core/live-edits/live-edit.ts'
import { surplusGrants } from '../../core/live-edits/records.ts'
import { commitFiles, commitObstacle } from '../../git/commits.ts'
import { declarableKind } from '../../kinds/index.ts'
import { byFileField } from '../../model/field.ts'
import { objectAddress } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { pickMembers } from '../../model/text/json.ts'
import { escapeText } from '../../model/text/printable.ts'
import { counted } from '../../report/line-text.ts'
import type { FileDeclarations, ObjectDeclaration } from '../../yaml/declaration.ts'
import { placeDesired } from '../../yaml/resolve/resolve.ts'
import {
  type DeclarationChange,
  type EditedFile,
  editDeclarations,
} from '../../yaml/write/edit-declarations.ts'
import { type Pulled, type Pulling, pulledDeclaration } from '../../yaml/write/pulled-declaration.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { type PlanFor, planFor } from '../plan/make-plan.ts'
import { refuseKeyOnRecord } from '../plan/run-record.ts'
import { openDeclared, openRepository, readsStack } from '../repository/repository.ts'
import type { Repository } from '../repository/repository-settings.ts'
import { usingSession } from '../repository/session.ts'
import {
  type CheckedChanges,
  checkChanges,
  type EditableRepository,
  environmentOf,
  nextAfter,
  nothingWritten,
  placeFiles,
  writtenDocument,
} from './write-edit.ts'

/**
 * `vexil pull [NAME...]`: writes changes from the product into the declarations. Ends in 3 if some changes
 * cannot be declared.
 */
export async function runPull(host: Host, names: readonly string[], flags: Flags): Promise<ExitCode> {
  if (readsStack(flags))
    throw new CommandError(
      'a stack comes from a program, which Vexil does not edit; `vexil drift` lists what was changed in the product',
      exitCode.refused,
    )
  const repository = await openRepository(host, flags)
  return usingSession(host, flags, repository, { readOnly: true }, async session => {
    const choice = { ...flags, ...(names.length > 0 ? { target: names } : {}) }
    const made = await planFor(host, session, repository, choice)
    const wanted = wantedEdits(made.plan, names)
    const { taken } = wanted
    const place = await pullPlace(host, flags, repository, made)
    refuseKeyOnRecord(host, 'refusing to write it into files', valuesOf(place, taken))
    const edited = await editPulled(place, fieldsOf(taken))
    return writePulled(host, flags, place, edited, wanted)
  })
}

async function pullPlace(
  host: Host,
  flags: Flags,
  repository: Repository,
  made: PlanFor,
): Promise<PullPlace> {
  const editable = await openDeclared(host, { chdir: flags.chdir, env: repository.environment })
  const environment = environmentOf(editable, repository.environment)
  const declared = repository.declarations
  return {
    repository: editable,
    desired: [...declared.desired, ...surplusGrants(declared, made.snapshot.live)],
    live: indexLive(made.snapshot.live),
    pulling: {
      environment,
      context: editable.contextIn(environment.name),
      variables: host.env,
      ownershipTag: environment.policy.ownership.tag,
      isShared: flags.shared === true || editable.settings.environments.length < 2,
    },
    refuse: (problems, texts) => {
      throw nothingWritten(host, problems, { directory: editable.options.directory, texts })
    },
  }
}

async function writePulled(
  host: Host,
  flags: Flags,
  place: PullPlace,
  edited: EditedPull,
  wanted: WantedEdits,
): Promise<ExitCode> {
  const { checked, leftOut } = edited
  const { options } = place.repository
  const committed =
    flags.commit === true && flags.dryRun !== true ? await commitPulled(host, place, edited) : undefined
  if (!committed && !flags.dryRun) await placeFiles(options.directory, checked.files)
  const out = new Set(leftOut.map(({ address }) => address))
  const liveEdits = wanted.taken.filter(({ address }) => !out.has(address))
  const code = leftOut.length > 0 ? exitCode.refused : exitCode.done
  await print(host, flags, {
    ...writtenDocument(host, options.directory, checked, flags),
    exitCode: code,
    pull: { liveEdits, leftOut },
    notes: [
      ...(committed ?? []),
      ...wanted.notes,
      ...liveEdits.flatMap(lostNotes),
      ...checked.changes.flatMap(({ declaration: { address }, note }) =>
        note === undefined ? [] : [`${address}: ${note}`],
      ),
      ...leftOut.map(({ address, reason }) => `skipped: ${address}: ${reason}`),
    ],
    next: nextAfter(checked.files, { ...flags, env: place.pulling.environment.name }),
  })
  return code
}

function fieldsOf(edits: readonly LiveEdit[]): TakenField[] {
  return edits.flatMap(({ address, fields }) => fields.map(field => ({ address, field })))
}

/** Notes about changes in the repository that live values replace. */
function lostNotes({ address, fields }: LiveEdit): string[] {
  return fields.flatMap(({ field, treatment, summary }) =>
    treatment === 'conflict' || treatment === 'merged'
      ? [
          `${address}: the change of ${field} in the repository is replaced by the live value: ${summary.join('; ')}`,
        ]
      : [],
  )
}

/** The values that will be written into files, by object. */
function valuesOf({ desired, live }: PullPlace, edits: readonly LiveEdit[]) {
  return edits.flatMap(({ address, kind, fields }) => {
    const declared = desired.find(each => each.address === address)
    const names = new Set(fields.map(({ field }) => field))
    const found = live.all.filter(each => each.kind === kind && each.identity === declared?.identity)
    return found.map(({ record, files = {} }) => ({
      address,
      values: names.has(existsField)
        ? record
        : pickMembers({ ...record, ...byFileField(files) }, (_, name) => names.has(name)),
    }))
  })
}

/** The live edits to write into the files, and those to skip. */
export interface WantedEdits {
  readonly taken: readonly LiveEdit[]
  /** A line each. */
  readonly notes: readonly string[]
}

/**
 * Decides which live edits are written into the files.
 *
 * | a field is         | it is written                                                      |
 * |--------------------|--------------------------------------------------------------------|
 * | `held`, `reverted` | yes                                                                |
 * | `conflict`         | yes: the declared value is replaced, and a note reports it         |
 * | `merged`           | only if the object is named: the next apply sends the merged value |
 * | `behind`           | no: another commit declares it; merge that commit                  |
 */
export function wantedEdits({ liveEdits, blocked }: Plan, names: readonly string[]): WantedEdits {
  const changeLines = liveEdits.map(edit => {
    const isNamed = names.some(name => name === edit.address || edit.address.endsWith(`.${name}`))
    const isTaken = ({ treatment }: LiveEditField) => take(treatment, isNamed)
    return { edit, fields: edit.fields.filter(isTaken), left: edit.fields.filter(each => !isTaken(each)) }
  })
  const renamed = blocked.filter(({ rule }) => rule === 'renamed_in_product')
  return {
    taken: changeLines.flatMap(({ edit, fields }) => (fields.length === 0 ? [] : [{ ...edit, fields }])),
    notes: [
      ...changeLines.flatMap(({ edit, left }) => left.map(field => leftNote(edit.address, field))),
      ...renamed.map(({ address, reason, remedy }) => `${address}: ${reason}; ${remedy}`),
    ],
  }
}

function take(treatment: Treatment, isNamed: boolean): boolean {
  switch (treatment) {
    case 'held':
    case 'reverted':
    case 'conflict':
      return true
    case 'merged':
      return isNamed
    case 'behind':
      return false
  }
}

function leftNote(address: string, { field, treatment, commit }: LiveEditField): string {
  if (treatment === 'merged')
    return `${address}: ${field} is merged by the next apply; name ${address} to write only the live value`
  const name = commit?.slice(0, 12)
  return name === undefined
    ? `${address}: ${field} is as another commit declares it`
    : `${address}: ${field} is as commit ${name} declares it; merge that commit into this branch: \`git merge ${name}\``
}

interface Step {
  readonly files: readonly EditedFile[]
  readonly fields: readonly TakenField[]
  readonly author: string | undefined
}

/**
 * Writes edits and commits them, one commit for each author. Nothing is written if anything is staged, or if
 * one of the files has other changes. If git refuses a commit, its files are restored; earlier commits stay.
 * Returns one line for each commit.
 */
export async function commitPulled(host: Host, place: PullPlace, edited: EditedPull): Promise<string[]> {
  const { directory } = place.repository.options
  const git = { directory, env: withoutKeys(host) }
  const all = edited.checked.files.map(({ file }) => file)
  if (all.length === 0) return []
  const obstacle = await commitObstacle(git, all)
  if (obstacle !== undefined)
    throw new CommandError(`nothing was written: ${escapeText(obstacle)}`, exitCode.refused)
  const changeLines: string[] = []
  for (const step of await stepsOf(place, edited)) {
    await placeFiles(directory, step.files)
    const subject = subjectOf(step.fields)
    const message = host.secrets.hide(`${subject}\n\n${bodyOf(place, step)}\n`)
    const files = step.files.map(({ file }) => file)
    const made = await commitFiles(git, files, message)
    if (made.is === 'refused') {
      const back = step.files.map(({ file, before, after }) => ({ file, before: after, after: before }))
      await placeFiles(directory, back)
      const before =
        changeLines.length === 0 ? '' : `; ${counted(changeLines.length, 'commit')} before it stayed`
      throw new CommandError(
        `git refused to commit ${files.map(file => `"${file}"`).join(', ')}, which was restored: ${escapeText(made.words)}${before}`,
      )
    }
    changeLines.push(`committed: ${subject}`)
  }
  return changeLines
}

/** The edits in steps, one for each author. */
async function stepsOf(place: PullPlace, { taken, checked }: EditedPull): Promise<Step[]> {
  const nameOf = ({ field }: TakenField) => field.author?.name
  const names = [...new Set(taken.map(nameOf))]
  const texts = new Map(checked.files.map(({ file, before }) => [file, before]))
  const steps: Step[] = []
  for (const [index, author] of names.entries()) {
    const done = names.slice(0, index + 1)
    const isLast = index === names.length - 1
    const so = isLast
      ? checked
      : (
          await editPulled(
            place,
            taken.filter(each => done.includes(nameOf(each))),
          )
        ).checked
    const files = so.files.flatMap(({ file, after }): EditedFile[] => {
      const before = texts.get(file)
      return before === undefined || before === after ? [] : [{ file, before, after }]
    })
    for (const { file, after } of files) texts.set(file, after)
    if (files.length > 0) steps.push({ files, author, fields: taken.filter(each => nameOf(each) === author) })
  }
  return steps
}

function subjectOf(fields: readonly TakenField[]): string {
  const addresses = [...new Set(fields.map(({ address }) => address))]
  const [only = ''] = addresses
  const short = `Take over ${escapeText(only)} from the product`
  return addresses.length === 1 && short.length <= 72
    ? short
    : `Take over ${counted(addresses.length, 'object')} from the product`
}

function bodyOf({ pulling }: PullPlace, { author, fields }: Step): string {
  const { name } = pulling.environment
  const where = name === undefined ? '' : ` in ${name}`
  const who = author === undefined ? 'unknown author (not in the activity trail)' : escapeText(author)
  const lines = fields.map(({ address, field }) => {
    const at = field.author?.at
    const when = at === undefined ? '' : `, ${new Date(at).toISOString()}`
    const why = field.author?.reason === undefined ? '' : ` (${escapeText(field.author.reason)})`
    return `- ${escapeText(address)}: ${escapeText(field.field)}${when}${why}`
  })
  return [`Changed${where} by ${who}:`, '', ...lines].join('\n')
}

/** The environment for git hooks, without keys. */
function withoutKeys({ env, secrets }: Host): Host['env'] {
  return Object.fromEntries(
    Object.entries(env).filter(([, value]) => value === undefined || !secrets.isIn(value)),
  )
}

export interface TakenField {
  readonly address: string
  readonly field: LiveEditField
}

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
  /** Throws because of problems that are not about the pulled fields. */
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
 * object is skipped. The result is compared with the live objects before anything is written.
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
        'edit the separate declaration of this grant by hand',
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
      else
        drop(
          [address],
          `${differing.join(', ')}: no edit of its declaration alone can declare the live value`,
        )
    }
  }
}

/** The fields to pull, grouped by declaration. */
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

/** The first possible edit of a declaration, the best form first. */
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
  /** Whether the object is newly declared, so that all its fields differ. */
  readonly isNew: boolean
}

/** Fields whose declaration would still differ from the live value. */
function stillOff(
  place: PullPlace,
  declared: readonly FileDeclarations[],
  taken: readonly TakenField[],
): Off[] {
  const { environment, ownershipTag } = place.pulling
  // By object, since a role may have different names in declarations and in the service.
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
    // A grant that is not in the list is not declared.
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
