import type { Plan } from '../../core/change.ts'
import {
  existsField,
  type LiveEdit,
  type LiveEditField,
  type Treatment,
} from '../../core/live-edits/live-edit.ts'
import { surplusGrants } from '../../core/live-edits/records.ts'
import { indexLive } from '../../core/plan/live-index.ts'
import { commitFiles, commitObstacle } from '../../git/commits.ts'
import { byFileField } from '../../model/field.ts'
import { pickMembers } from '../../model/json/json.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { counted } from '../../report/object-names.ts'
import type { EditedFile } from '../../yaml/edit/edit-declarations.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { refuseKeyOnRecord } from '../plan/key-in-values.ts'
import { type PlanFor, planFor } from '../plan/make-plan.ts'
import { openDeclared, openRepository, readsStack } from '../repository/repository.ts'
import type { Repository } from '../repository/repository-settings.ts'
import { usingSession } from '../repository/session.ts'
import { type EditedPull, editPulled, type PullPlace, type TakenField } from './edit-pulled.ts'
import { environmentOf, nextAfter, nothingWritten, writeFiles, writtenDocument } from './write-edit.ts'

/**
 * `vexil pull [NAME...]`: writes changes that were made in the product into the declarations. It reads the
 * service as a plan does. Ends in 3 if part of it cannot be declared.
 */
export async function runPull(host: Host, names: readonly string[], flags: Flags): Promise<ExitCode> {
  if (readsStack(flags))
    throw new CommandError(
      'a stack comes from a program, which is not edited here; `vexil drift` lists what was changed in the product',
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
  if (!committed) await writeFiles(options.directory, checked.files, flags)
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
      ...leftOut.map(({ address, reason }) => `left out: ${address}: ${reason}`),
    ],
    next: nextAfter(checked.files, { ...flags, env: place.pulling.environment.name }),
  })
  return code
}

function fieldsOf(edits: readonly LiveEdit[]): TakenField[] {
  return edits.flatMap(({ address, fields }) => fields.map(field => ({ address, field })))
}

/** Declared changes that live values replace: people have to see them. */
function lostNotes({ address, fields }: LiveEdit): string[] {
  return fields.flatMap(({ field, treatment, summary }) =>
    treatment === 'conflict' || treatment === 'merged'
      ? [
          `${address}: what the repository has changed of ${field} is given up for what is live: ${summary.join('; ')}`,
        ]
      : [],
  )
}

/** The values that will be written, by object. */
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

/** The changes of the product to write into the files, and those to skip. */
export interface WantedEdits {
  readonly taken: readonly LiveEdit[]
  /** A line each. */
  readonly notes: readonly string[]
}

/**
 * Decides which live edits are written into the files.
 *
 * | a field is             | it is taken                                                                          |
 * |------------------------|--------------------------------------------------------------------------------------|
 * | `held`, `reverted`     | yes                                                                                  |
 * | `conflict`             | yes: the declared value is replaced, and a note reports it                           |
 * | `merged`               | only if the object is named: the next apply sends the merge of both sides            |
 * | `behind`               | no: another commit declares it, which has to be merged into this branch              |
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
    return `${address}: ${field} is merged by the next apply; name ${address} to take what is live alone`
  const name = commit?.slice(0, 12)
  return name === undefined
    ? `${address}: ${field} is as another commit declares it`
    : `${address}: ${field} is as commit ${name} declares it; take that into this line: \`git merge ${name}\``
}

interface Step {
  readonly files: readonly EditedFile[]
  readonly fields: readonly TakenField[]
  readonly author: string | undefined
}

/**
 * Writes these edits and commits them: one commit for each author, and one for changes of unknown
 * authors. Nothing is written if anything is staged, or if one of the files has other changes. If git refuses
 * a commit, its files are restored; earlier commits stay. Returns one line for each commit.
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
    await writeFiles(directory, step.files, {})
    const subject = subjectOf(step.fields)
    const message = host.secrets.hide(`${subject}\n\n${bodyOf(place, step)}\n`)
    const files = step.files.map(({ file }) => file)
    const made = await commitFiles(git, files, message)
    if (made.is === 'refused') {
      const back = step.files.map(({ file, before, after }) => ({ file, before: after, after: before }))
      await writeFiles(directory, back, {})
      const before =
        changeLines.length === 0 ? '' : `; ${counted(changeLines.length, 'commit')} before it stayed`
      throw new CommandError(
        `git refused to commit ${files.map(file => `"${file}"`).join(', ')}, which is as it was: ${escapeText(made.words)}${before}`,
      )
    }
    changeLines.push(`committed: ${subject}`)
  }
  return changeLines
}

/** The same files in steps, each with the changes of one person. */
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
  const who = author === undefined ? 'somebody whom the activity trail does not name' : escapeText(author)
  const lines = fields.map(({ address, field }) => {
    const at = field.author?.at
    const when = at === undefined ? '' : `, ${new Date(at).toISOString()}`
    const why = field.author?.reason === undefined ? '' : ` (${escapeText(field.author.reason)})`
    return `- ${escapeText(address)}: ${escapeText(field.field)}${when}${why}`
  })
  return [`Changed${where} by ${who}:`, '', ...lines].join('\n')
}

/** Hooks need no key of the service. */
function withoutKeys({ env, secrets }: Host): Host['env'] {
  return Object.fromEntries(
    Object.entries(env).filter(([, value]) => value === undefined || !secrets.isIn(value)),
  )
}
