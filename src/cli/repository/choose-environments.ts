import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { didYouMean, isNameGlob, listSome, nameGlob } from '../../model/text/names.ts'
import { escapeText } from '../../model/text/printable.ts'
import { loadSettings, type Settings } from '../../yaml/index.ts'
import { isForOne, type SeveralFlags } from '../command-options.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { refuseProblems } from './problems.ts'

/** The environments that a command line selects, in the order of vexil.yaml. */
export interface Chosen {
  readonly names: readonly string[]
  /** Set if one exact name was given: then the command behaves as for one environment. */
  readonly isOne?: true
  /** The selection in words: `prod-*, shard 2/8`. */
  readonly asked: string
  readonly settings: Settings
}

/** The environments of `--env` and `--shard`: all of them without `--env`. */
export async function chooseEnvironments(host: Host, flags: SeveralFlags): Promise<Chosen> {
  const { env, shard, chdir = '.' } = flags
  const part = shard === undefined ? undefined : parseShard(shard)
  const directory = resolve(host.directory, chdir)
  const { settings, settingsProblems, texts } = await loadSettings({ directory, env: host.env })
  const known = settings.environments.map(({ name }) => name)
  // Variables of other environments may be unset. With another error, environments might be missing here.
  const errors = settingsProblems.filter(
    ({ severity, code }) => severity === 'error' && code !== 'unset-variable' && code !== 'no-environment',
  )
  refuseProblems(host, errors, { directory, texts })
  const wanted = env === undefined ? [everyEnvironment] : [env].flat()
  const fitting = new Set(wanted.flatMap(each => fittingNames(each, known)))
  const names = known.filter(name => fitting.has(name) && isInShard(name, part))
  const isOne = typeof env === 'string' && known.includes(env) && !part
  const asked = [...wanted, ...(part ? [`shard ${shard}`] : [])].map(escapeText).join(', ')
  return { names, asked, settings, ...(isOne && { isOne }) }
}

/** The names for a command that lays environments side by side. Names without a pattern stay as given. */
export async function namesFor(host: Host, { env, shard, chdir }: SeveralFlags): Promise<readonly string[]> {
  const given = env === undefined ? [] : [env].flat()
  if (shard === undefined && given.every(name => isForOne({ env: name }))) return given
  const { names, asked } = await chooseEnvironments(host, { env, shard, chdir })
  if (names.length === 0) host.log.info(`no environment is in ${asked}`)
  return names
}

/** The word for all environments. An environment with this name wins. */
export const everyEnvironment = 'all'

function fittingNames(wanted: string, known: readonly string[]): readonly string[] {
  if (known.includes(wanted)) return [wanted]
  if (known.length === 0) throw usage('vexil.yaml has no environments')
  if (wanted === everyEnvironment) return known
  const found = isNameGlob(wanted) ? known.filter(nameGlob(wanted)) : []
  if (found.length > 0) return found
  const near = didYouMean(wanted, known)
  const hint = near === undefined ? `there are: ${listSome(known, 'and')}` : `did you mean "${near}"?`
  const what = isNameGlob(wanted) ? 'matches no environment' : 'is not an environment'
  throw usage(`"${wanted}" ${what}; ${hint}`)
}

interface Shard {
  readonly part: number
  readonly of: number
}

function parseShard(text: string): Shard {
  const [, part, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? []
  if (part !== undefined && of !== undefined && part >= 1 && part <= of) return { part, of }
  throw usage(`--shard takes a part and the number of parts, such as 2/8; not ${JSON.stringify(text)}`)
}

/** By a hash of the name: an environment stays in its shard when others are added or removed. */
function isInShard(name: string, shard: Shard | undefined): boolean {
  if (!shard) return true
  return createHash('sha256').update(name).digest().readUInt32BE() % shard.of === shard.part - 1
}

function usage(message: string): CommandError {
  return new CommandError(message, exitCode.usage)
}
