import { join } from 'node:path'
import type { Plan } from '../../core/change.ts'
import type { Desired } from '../../core/desired.ts'
import type { Live } from '../../core/live.ts'
import { isSwitched, planSwitch } from '../../core/plan/plan-switch.ts'
import { commandAt } from '../../core/policy.ts'
import { lookUp } from '../../core/read/read-record.ts'
import { stateFolder } from '../../core/record/run-folder.ts'
import { targetText } from '../../core/target.ts'
import { featureFlag } from '../../kinds/feature-flag.ts'
import { objectAddress, switchField } from '../../model/kind.ts'
import type { Json } from '../../model/text/json.ts'
import { didYouMean, isNameGlob } from '../../model/text/names.ts'
import { escapeText, shellWord } from '../../model/text/printable.ts'
import { counted, placeOf } from '../../report/line-text.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, isThere } from '../host/host.ts'
import { withProgress } from '../host/output.ts'
import { fetchRuns } from '../past/recorded-runs.ts'
import { presentDeed, runChanges } from '../plan/run-changes.ts'
import { currentRevision, requireApproval } from '../plan/run-record.ts'
import { resolvePolicy, withAddresses } from '../plan/target-filter.ts'
import { openSettings, openWritten } from '../repository/repository.ts'
import { placeOptions, type RepositorySettings } from '../repository/repository-settings.ts'
import { type Session, usingSession } from '../repository/session.ts'

export type SwitchVerb = 'disable' | 'enable'

const kind = featureFlag

/**
 * `vexil disable FLAG` and `vexil enable FLAG`: turn one live flag off or on, regardless of its declaration.
 *
 * | obstacle                                      | disable                  | enable              |
 * |-----------------------------------------------|--------------------------|---------------------|
 * | `protect`, an experiment, a survey, a feature | warns, and continues     |                     |
 * | `can_edit`                                    | warns, and continues     | blocked, or allowed |
 * | `rollback`                                    |                          | blocked, or allowed |
 * | the service refuses it                        | fails                    | fails               |
 * | it needs approval in the service              | waits, shows the request | the same            |
 * | the flag is changed in the meantime           | reads the flag again     | does nothing        |
 * | another command holds the lock                | continues without a lock | the same            |
 * | the flag is already off or on                 | is recorded              | the same            |
 *
 * A switch takes no lock: an incident must not wait for a long apply. An apply reads each flag again before
 * it turns it on or off.
 */
export async function runSwitch(
  host: Host,
  verb: SwitchVerb,
  named: string,
  flags: Flags,
): Promise<ExitCode> {
  const key = keyIn(named)
  const reason = reasonIn(flags.reason)
  if (verb === 'disable' && reason === undefined) throw new CommandError(reasonMissing, exitCode.usage)
  const settings = await openSettings(host, flags)
  return usingSession(host, flags, settings, { readOnly: false }, async session => {
    refuseKeyInReason(host, reason)
    return switchFlag(host, { verb, key, reason, settings, session, flags })
  })
}

const reasonMissing =
  'give the reason with --reason TEXT: it is recorded, and plans show it until the flag is declared off'

interface Switching {
  readonly verb: SwitchVerb
  readonly key: string
  readonly reason: string | undefined
  readonly settings: RepositorySettings
  readonly session: Session
  readonly flags: Flags
}

/** How often a flag is read again if it was changed in the meantime. */
const mostLooks = 3

async function switchFlag(host: Host, switching: Switching): Promise<ExitCode> {
  const { verb, key, reason, settings, session, flags } = switching
  const { directory, environment } = settings
  // In an incident, do not wait for a remote.
  const knows = verb === 'enable' ? fetchRuns(host, settings, session.target) : Promise.resolve(undefined)
  const [first, declared, isRecorded, revision, unshared] = await Promise.all([
    findFlag(host, session, key),
    readDeclaredFlag(host, flags, settings, key),
    keepsRecords(settings),
    currentRevision(host, directory),
    knows,
  ])
  let isApproved = false
  for (let look = 1, live = first; ; look++, live = await findFlag(host, session, key)) {
    const made = planOf(host, switching, live, declared)
    const isDone = made.changes.every(isSwitched) && made.blocked.length === 0
    if (isDone) host.log.info(`flag ${escapeText(key)} is ${states[verb]} already`)
    else {
      const deed = `turning flag ${key} ${states[verb]}`
      await presentDeed(host, flags, session, { plan: made, environment, deed })
    }
    if (!isDone && !isApproved) await requireApproval(host, verb, flags, made.changes)
    isApproved ||= !isDone
    const code = await runChanges(host, session, {
      command: verb,
      plan: { changes: made.changes, blocked: made.blocked, liveEdits: made.liveEdits },
      unchanged: 0,
      place: settings,
      unshared,
      flags,
      reason,
      mustKeep: true,
      revision,
      isUnrecorded: !isRecorded,
    })
    if (code === exitCode.stale && verb === 'disable' && look < mostLooks) {
      host.log.info(`flag ${escapeText(key)} was changed in the meantime; reading it again`)
      continue
    }
    if (made.blocked.length > 0) return exitCode.refused
    if (code === exitCode.done) noteWhatFollows(host, switching, declared, isRecorded)
    return code
  }
}

function planOf(
  { redaction }: Host,
  { verb, settings, session, flags }: Switching,
  live: Live,
  declared: DeclaredFlag,
): Plan {
  const { profile } = session.client.target
  const policy = withAddresses(resolvePolicy(settings.policy, flags), {
    declared: [`${kind.name}.${live.identity}`],
  })
  return planSwitch({ kind, live, turnsOn: verb === 'enable', policy, profile, declared, redaction })
}

async function findFlag(host: Host, { client }: Session, key: string): Promise<Live> {
  const found = await withProgress(host, 'looking for the flag', () =>
    lookUp(kind, key, { client, signal: host.stop }),
  )
  if ('live' in found) return found.live
  const near = didYouMean(key, found.names)
  const hint =
    near === undefined ? `; it has ${counted(found.names.length, 'flag')}` : `; did you mean "${near}"?`
  throw new CommandError(`"${key}" is not a flag of ${targetText(client.target)}${hint}`, exitCode.usage)
}

/** The key in a key or an address. A glob is refused: a switch is for one flag. */
function keyIn(named: string): string {
  const prefix = `${kind.name}.`
  const key = named.startsWith(prefix) ? named.slice(prefix.length) : named
  if (key === '') throw new CommandError('"" is not the key of a flag', exitCode.usage)
  if (isNameGlob(key)) {
    throw new CommandError(`"${key}" could be several flags; name one by its key`, exitCode.usage)
  }
  return key
}

const states: Readonly<Record<SwitchVerb, string>> = { disable: 'off', enable: 'on' }

/** Whether a folder is a repository or already has records. No files are written into other folders. */
async function keepsRecords({ directory, settingsFile }: RepositorySettings): Promise<boolean> {
  if (settingsFile !== undefined) return true
  return isThere(join(directory, stateFolder))
}

/** Warns about what the next plan will do to the flag, and if this switch is not recorded. */
function noteWhatFollows(
  host: Host,
  { verb, key, flags }: Switching,
  { active, source }: DeclaredFlag,
  isRecorded: boolean,
): void {
  const declaresIt = source ? `${placeOf(source)} declares it` : 'it is declared'
  if (verb === 'disable' && active === true) {
    const enable = commandAt(`vexil enable ${shellWord(key)}`, placeOptions(flags))
    host.log.info(`${declaresIt} on: it stays off until ${enable}`)
  }
  if (verb === 'enable' && active === false) host.log.info(`${declaresIt} off`)
  if (!isRecorded) host.log.warn(unrecorded(flags))
}

function unrecorded({ chdir = '.' }: Flags): string {
  const folder = chdir === '.' ? 'this folder' : `"${escapeText(chdir)}"`
  return `${folder} is not a repository, so this is not recorded: plans can read from the activity trail who did it, but not why`
}

/** The declaration of a flag in one environment, as far as the files can be read. */
export interface DeclaredFlag extends Pick<Desired, 'allow' | 'protect' | 'sensitive' | 'source'> {
  /** Whether it is declared to be on; undefined if that is not declared. */
  readonly active?: Json
}

/** Reads a flag's declaration. Unreadable files count as empty: no declaration prevents a switch. */
export async function readDeclaredFlag(
  host: Host,
  flags: Flags,
  { settingsFile }: RepositorySettings,
  key: string,
): Promise<DeclaredFlag> {
  // Any other folder may hold unrelated YAML.
  if (settingsFile === undefined) return {}
  const address = objectAddress(featureFlag.name, key)
  const written = await openWritten(host, flags).catch(() => undefined)
  if (!written) return {}
  const { declarations, protection } = written
  const declared = declarations.desired.find(each => each.address === address)
  const protect = protection.has({ address, kind: featureFlag.name, id: declared?.id })
  const { allow, sensitive, source, fields } = declared ?? {}
  const active = fields?.[switchField(featureFlag) ?? '']
  return { allow, source, sensitive, active, protect: protect || undefined }
}

/** In characters, since a plan shows the reason in one line. */
const longestReason = 300

/** The recorded reason of a switch: one line. Throws if it cannot be shown in every plan. */
export function reasonIn(given: string | undefined): string | undefined {
  const reason = given?.trim()
  if (reason === undefined) return undefined
  if (reason === '') throw unfit('is empty')
  if ([...reason].length > longestReason) throw unfit(`has more than ${longestReason} characters`)
  if (escapeText(reason) !== reason) throw unfit('has a line end or another control character')
  return reason
}

/** Refuses a reason that contains the key, because later plans show the reason. */
export function refuseKeyInReason({ secrets }: Host, reason: string | undefined): void {
  if (reason !== undefined && secrets.isIn(reason)) throw unfit('contains the key of the service')
}

function unfit(why: string): CommandError {
  return new CommandError(`--reason ${why}; give one line of text`, exitCode.usage)
}
