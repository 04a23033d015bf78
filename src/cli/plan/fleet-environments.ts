import { messageOf } from '../../model/text/message-of.ts'
import type { Settings } from '../../yaml/index.ts'
import type { SeveralFlags } from '../command-options.ts'
import { CommandError } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { chooseEnvironments } from '../repository/choose-environments.ts'
import type { Source } from '../repository/declared-source.ts'
import { logFailure } from './failure.ts'
import type { Place } from './fleet.ts'
import type { ReconcileMode } from './reconcile-environment.ts'

type Environment = Settings['environments'][number]
type FleetFlags = SeveralFlags & { readonly mode: ReconcileMode }

/**
 * The environments of a fleet, as vexil.yaml declares them. After a mistake in it, those of its last good
 * version: their jobs fail, and somebody gets a message.
 */
export class FleetEnvironments {
  readonly #host: Host
  readonly #flags: FleetFlags
  readonly #source: Source
  readonly #stop: AbortSignal
  #settings: Settings | undefined
  #names: readonly string[] = []
  #reported: readonly string[] = []

  constructor(host: Host, flags: FleetFlags, source: Source, stop: AbortSignal) {
    this.#host = host
    this.#flags = flags
    this.#source = source
    this.#stop = stop
  }

  get names(): readonly string[] {
    return this.#names
  }

  get notify(): Settings['notify'] {
    return this.#settings?.notify
  }

  /** Throws for a mistake in vexil.yaml or in the command line. */
  async read(): Promise<Settings> {
    const { env, shard } = this.#flags
    const { directory: chdir } = await this.#source.at(undefined)
    const { names, settings } = await chooseEnvironments(this.#host, { env, shard, chdir })
    this.#names = names
    this.#settings = settings
    return settings
  }

  /** Fetches, and reads again. Returns the names that are gone. `inUse`: the commits of running jobs. */
  async update(inUse: Iterable<string>): Promise<readonly string[]> {
    const before = this.#names
    this.#reported = [
      await this.#once(() => this.#source.update(inUse)),
      await this.#once(() => this.read()),
    ].flatMap(message => message ?? [])
    return before.filter(name => !this.has(name))
  }

  /** Whether it is declared, as far as is known. */
  has(environment: string): boolean {
    return !this.#settings || this.#names.includes(environment)
  }

  /** The checkout of an environment; undefined if it is no longer declared. */
  async placeOf(environment: string): Promise<Place | undefined> {
    const { environments } = this.#settings ?? (await this.read())
    const found = environments.find(({ name }) => name === environment)
    if (!found) return undefined
    const first = environments.find(one => this.#names.includes(one.name) && isSamePlace(one, found))
    // They would undo the changes of each other, again and again.
    if (this.#flags.mode === 'apply' && first && first !== found)
      throw new CommandError(
        `it is the same place as "${first.name}"; give each its own project in vexil.yaml`,
      )
    return this.#source.at(found.revision)
  }

  /** Reports a mistake once, however long it lasts. Returns its message. */
  async #once(run: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await run()
      return undefined
    } catch (error) {
      const message = messageOf(error)
      if (!this.#reported.includes(message) && !this.#stop.aborted) await logFailure(this.#host, error)
      return message
    }
  }
}

function isSamePlace({ connection: one }: Environment, { connection: other }: Environment): boolean {
  return one.baseUrl === other.baseUrl && one.project === other.project
}
