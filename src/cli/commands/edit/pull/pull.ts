import { existsField, type LiveEdit } from '../../../../core/live-edits/live-edit.ts'
import { surplusGrants } from '../../../../core/plan/edits/grant-lists.ts'
import { indexLive } from '../../../../core/plan/live-index.ts'
import { pickMembers } from '../../../../model/json/json.ts'
import { byFileField } from '../../../../model/source-field.ts'
import { shellWord } from '../../../../model/text/shell-word.ts'
import { placeOf } from '../../../../report/object-names.ts'
import { refuseKeyOnRecord } from '../../../apply/key-in-values.ts'
import type { Repository, RepositoryFlags } from '../../../connection/repository-settings.ts'
import { openSession, type Session, type SessionFlags } from '../../../connection/session.ts'
import { CommandError, type ExitCode, exitCode } from '../../../host/exit-code.ts'
import type { Host } from '../../../host/host.ts'
import { type OutputFlags, print } from '../../../host/output/output.ts'
import { type PlanFor, planFor } from '../../../plan/plan-for.ts'
import type { Choice } from '../../../plan/target-filter.ts'
import { openDeclared, openRepository, readsStack } from '../../../repository/repository.ts'
import { environmentOf } from '../environment-of.ts'
import { stepNotes } from '../step-notes.ts'
import { nothingWritten, type WritingFlags, writeFiles, writtenDocument } from '../write-edit.ts'
import { commitPulled } from './commit-pulled.ts'
import { type EditedPull, editPulled, type PullPlace, type TakenField } from './edit-pulled.ts'
import { type WantedEdits, wantedEdits } from './wanted-edits.ts'

export interface PullFlags
  extends RepositoryFlags,
    SessionFlags,
    Pick<Choice, 'owner'>,
    WritingFlags,
    OutputFlags {
  readonly env?: string
  readonly shared?: boolean
  readonly commit?: boolean
}

/**
 * `vexil pull [NAME...]`: declarations say what was changed in the product. It reads the service as a plan does, and
 * writes files. Ends in 3 where something of it cannot be taken into them.
 */
export async function runPull(host: Host, names: readonly string[], flags: PullFlags): Promise<ExitCode> {
  const repository = await openRepository(host, flags)
  const session = await openSession(host, flags, repository, { readOnly: true })
  try {
    const choice = { ...flags, ...(names.length > 0 ? { target: names } : {}) }
    const made = await planFor(host, session, repository, choice)
    const wanted = wantedEdits(made.plan, names)
    if (readsStack(flags)) throw new CommandError(stackText(repository, wanted), exitCode.refused)
    const { taken, notes } = wanted
    const place = await pullPlace(host, flags, { session, repository, made })
    refuseKeyOnRecord(host, 'refusing to write it into files', valuesOf(place, taken))
    const edited = await editPulled(place, fieldsOf(taken))
    return await writePulled(host, flags, { place, edited, wanted: { taken, notes }, repository })
  } finally {
    await session.close()
  }
}

interface Pulling {
  readonly session: Session
  readonly repository: Repository
  readonly made: PlanFor
}

async function pullPlace(host: Host, flags: PullFlags, { repository, made }: Pulling): Promise<PullPlace> {
  const editable = await openDeclared(host, {
    ...(flags.chdir === undefined ? {} : { chdir: flags.chdir }),
    ...(repository.environment === undefined ? {} : { env: repository.environment }),
  })
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

interface Pulled {
  readonly place: PullPlace
  readonly edited: EditedPull
  readonly wanted: WantedEdits
  readonly repository: Repository
}

async function writePulled(
  host: Host,
  flags: PullFlags,
  { place, edited, wanted, repository }: Pulled,
): Promise<ExitCode> {
  const { checked, leftOut } = edited
  const { options, settings, declared } = place.repository
  const committed =
    flags.commit === true && flags.dryRun !== true ? await commitPulled(host, place, edited) : undefined
  if (!committed) await writeFiles(options.directory, checked.files, flags)
  const out = new Set(leftOut.map(({ address }) => address))
  const liveEdits = wanted.taken.filter(({ address }) => !out.has(address))
  const addresses = new Set(liveEdits.map(({ address }) => address))
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
      ...stepNotes(
        { before: declared, after: checked.declared, addresses },
        otherEnvironments(settings.environments, repository),
      ),
    ],
    ...(checked.files.length > 0 && flags.dryRun !== true ? { next: nextPlan(flags, repository) } : {}),
  })
  return code
}

/** There it is live already, so no plan widens anything. */
function otherEnvironments<Named extends { readonly name?: string }>(
  environments: readonly Named[],
  { environment }: Repository,
): Named[] {
  return environments.filter(({ name }) => name !== environment)
}

function nextPlan({ chdir }: PullFlags, { environment }: Repository): string {
  const where = [
    ...(chdir === undefined || chdir === '.' ? [] : ['-C', chdir]),
    ...(environment === undefined ? [] : ['--env', environment]),
  ]
  return ['vexil', 'plan', ...where].map(shellWord).join(' ')
}

function fieldsOf(edits: readonly LiveEdit[]): TakenField[] {
  return edits.flatMap(({ address, fields }) => fields.map(field => ({ address, field })))
}

/** What is declared and live of neither side's doing alone is given up: people have to read that. */
function lostNotes({ address, fields }: LiveEdit): string[] {
  return fields.flatMap(({ field, treatment, summary }) =>
    treatment === 'conflict' || treatment === 'merged'
      ? [
          `${address}: what the repository has changed of ${field} is given up for what is live: ${summary.join('; ')}`,
        ]
      : [],
  )
}

/** What is about to be written, by object. */
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

/** What of a program its author has to change. */
function stackText({ stack = 'the stack' }: Repository, { taken, notes }: WantedEdits): string {
  const lines = taken.flatMap(({ address, source, fields }) =>
    fields.map(({ field, summary }) => {
      const at = placeOf(source)
      return `${address}${at === '' ? '' : ` (${at})`}: ${field}: ${summary.join('; ')}`
    }),
  )
  const told = [...lines, ...notes]
  return told.length === 0
    ? `"${stack}" comes from a program, which is not edited here; nothing of what it declares was changed in the product`
    : `"${stack}" comes from a program, which is not edited here; change there what was changed in the product: ${told.join(' | ')}`
}
