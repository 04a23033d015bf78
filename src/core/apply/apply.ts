import pMap from 'p-map'
import { type Client, isPendingApproval } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { type Runtime, within } from '../../model/runtime.ts'
import type { Change } from '../change.ts'
import { canonicalIdentity, type Live } from '../live.ts'
import { type FindShadowed, shadowFinder } from '../read/find-soft-deleted.ts'
import { liveIn } from '../read/read-record.ts'
import type { ApplyEvent } from './apply-event.ts'
import { perform } from './perform.ts'
import { orFailed, sameFields } from './performed.ts'

export interface ApplyOptions {
  readonly changes: readonly Change[]
  readonly client: Client
  readonly runtime: Runtime
  readonly parallelism: number
  /**
   * Awaited before an event is passed on. If it fails, running changes finish, no others start, and the apply
   * throws a `JournalError`.
   */
  readonly record: (event: ApplyEvent) => Promise<void>
  /** Checks all objects first, and writes nothing if a change cannot be carried out as planned. */
  readonly allOrNothing?: boolean
  /** When aborted, no further change starts. Running changes are finished. */
  readonly stop?: AbortSignal
  /** When aborted, running requests are cut off. */
  readonly abort?: AbortSignal
}

/**
 * Carries out changes with bounded parallelism. A change waits for its dependencies. If a change fails, its
 * dependents are skipped and all others continue. Each event is recorded before anything else happens.
 *
 * Leaving the loop early stops the run like `stop`, and waits until it has ended. Events that the reader did
 * not wait for are only in the record.
 */
export async function* apply(options: ApplyOptions): AsyncGenerator<ApplyEvent> {
  const queue = new EventQueue<ApplyEvent>()
  const leaving = new AbortController()
  const stop = AbortSignal.any([leaving.signal, ...(options.stop ? [options.stop] : [])])
  const running = runAll({ ...options, stop }, queue).finally(() => queue.close())
  // It may fail while the reader is busy with an event; the failure is still awaited below.
  running.catch(() => {})
  try {
    yield* queue
  } finally {
    leaving.abort()
    await running
  }
}

async function runAll(options: ApplyOptions, queue: EventQueue<ApplyEvent>): Promise<void> {
  const run: Run = {
    log: new RunLog(options.record, queue),
    findShadowed: shadowFinder({ client: options.client, signal: options.abort }),
    ids: new Map(),
    created: new Set(),
    failed: new Set(),
  }
  const obstacles = options.allOrNothing ? await preflight(options) : none
  if (obstacles.size > 0) await reportObstacles(options.changes, obstacles, run.log)
  else await runWaves(options, run)
  if (run.log.failure !== undefined) throw new JournalError(run.log.failure)
}

const none: ReadonlyMap<string, Obstacle> = new Map()

async function runWaves(options: ApplyOptions, run: Run): Promise<void> {
  for (const wave of wavesOf(options.changes)) {
    await pMap(
      wave,
      async change => {
        const outcome = await runOne(change, options, run)
        if (outcome === undefined) run.failed.add(change.address)
        else run.ids.set(change.address, outcome)
      },
      { concurrency: options.parallelism },
    )
  }
}

/** Starts no change: possible changes are reported as skipped. */
async function reportObstacles(
  changes: readonly Change[],
  obstacles: ReadonlyMap<string, Obstacle>,
  log: RunLog,
): Promise<void> {
  for (const { address, action } of changes) {
    const obstacle = obstacles.get(address)
    if (obstacle?.is === 'stale') {
      await log.ended({ type: 'change_stale', address, action, reason: obstacle.reason })
    } else if (obstacle) {
      await log.ended({ type: 'change_failed', address, action, error: obstacle.error })
    } else {
      const reason = 'nothing is written unless all changes can be made'
      await log.ended({ type: 'change_skipped', address, action, reason, cause: 'all_or_nothing' })
    }
  }
}

interface Run {
  readonly log: RunLog
  readonly findShadowed: FindShadowed
  /** The ids of finished objects, by address. */
  readonly ids: Map<string, string>
  /** Addresses of objects that this run has created. */
  readonly created: Set<string>
  readonly failed: Set<string>
}

/** Runs one change; returns its id when it is done. */
async function runOne(
  change: Change,
  { client, runtime, stop, abort }: ApplyOptions,
  { log, findShadowed, ids, created, failed }: Run,
): Promise<string | undefined> {
  const { address, action } = change
  const skip = skipped(change, { isUnrecorded: log.failure !== undefined, isStopped: stop?.aborted, failed })
  if (skip) {
    await log.ended({ type: 'change_skipped', address, action, ...skip })
    return undefined
  }
  const startedAt = runtime.now()
  let attempts = 0
  const attributes = { 'vexil.address': address, 'vexil.action': action }
  const performed = await within(runtime, `${action} ${change.kind}`, { attributes }, async span => {
    const outcome = await orFailed(async () => {
      await log.beginning({ type: 'change_start', address, action })
      return perform(change, {
        client,
        runtime,
        signal: abort,
        idOf: dependency => ids.get(dependency),
        isNew: dependency => created.has(dependency),
        findShadowed,
        async attempting(attempt) {
          await log.beginning({ type: 'change_attempt', address, ...attempt })
          attempts++
        },
      })
    })
    span.set({ 'vexil.outcome': outcome.is })
    if (outcome.is !== 'done') span.fail(outcome.is)
    return outcome
  })
  if (performed.is === 'failed') {
    const { error } = performed
    // Nothing was sent, so the change did not begin.
    const isUnbegun = isNotOnRecord(error) && attempts === 0
    if (isUnbegun) await log.ended({ type: 'change_skipped', address, action, ...unrecorded })
    else if (isPendingApproval(error)) {
      const { changeRequest, detail = 'it needs approval first' } = error
      await log.ended({ type: 'change_pending', address, action, reason: detail, changeRequest })
    } else await log.ended({ type: 'change_failed', address, action, error })
    return undefined
  }
  if (performed.is === 'stale') {
    const { is: _, written: __, ...what } = performed
    await log.ended({ type: 'change_stale', address, action, ...what })
    return undefined
  }
  const { id, already, notKept, changedBeside } = performed
  if (action === 'create' && !already) created.add(address)
  await log.ended({
    type: 'change_done',
    address,
    action,
    id,
    already,
    notKept,
    ...(changedBeside === undefined ? {} : { changedBeside }),
    elapsedMs: runtime.now() - startedAt,
  })
  return id
}

/** Why a change is skipped after the journal has failed. */
const notOnRecord = 'the journal cannot be written'

type Skip = Pick<ApplyEvent & { readonly type: 'change_skipped' }, 'reason' | 'cause'>

const unrecorded: Skip = { reason: notOnRecord, cause: 'record' }

/** The reason if a change must not start. */
function skipped(
  { dependsOn }: Change,
  run: {
    readonly isUnrecorded: boolean
    readonly isStopped: boolean | undefined
    readonly failed: ReadonlySet<string>
  },
): Skip | undefined {
  if (run.isUnrecorded) return unrecorded
  const missing = dependsOn.find(dependency => run.failed.has(dependency))
  if (missing !== undefined) return { reason: `${missing} was not done`, cause: 'dependency' }
  return run.isStopped ? { reason: 'the run was stopped', cause: 'stopped' } : undefined
}

/**
 * Groups changes into waves: each change is in a later wave than its dependencies. The loop handles any
 * depth, and dependencies that are not in the plan.
 */
function wavesOf(changes: readonly Change[]): Change[][] {
  const waves: Change[][] = []
  let rest = [...changes]
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ address }) => address))
    const ready = rest.filter(({ dependsOn }) => !dependsOn.some(address => waiting.has(address)))
    if (ready.length === 0) throw new RangeError('changes depend on each other in a circle')
    waves.push(ready)
    const done = new Set(ready)
    rest = rest.filter(change => !done.has(change))
  }
  return waves
}

/** Hands values from several writers to one reader, in the order of writing. */
class EventQueue<T> implements AsyncIterable<T> {
  #waiting: T[] = []
  #isClosed = false
  #wake: () => void = () => {}

  push(value: T): void {
    this.#waiting.push(value)
    this.#wake()
  }

  /** Ends the reading once everything that was written has been read. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const values = this.#waiting
      this.#waiting = []
      yield* values
      if (this.#waiting.length > 0) continue
      if (this.#isClosed) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}

/** Whether an action did not happen because it could not be recorded first. */
function isNotOnRecord(error: unknown): boolean {
  return error instanceof NotOnRecord
}

/** The events of a run, recorded first and then passed to the reader; after a failure, only to the reader. */
class RunLog {
  readonly #record: (event: ApplyEvent) => Promise<void>
  readonly #queue: EventQueue<ApplyEvent>
  #failure: unknown

  constructor(record: (event: ApplyEvent) => Promise<void>, queue: EventQueue<ApplyEvent>) {
    this.#record = record
    this.#queue = queue
  }

  /** The error of the journal; undefined if there was none. */
  get failure(): unknown {
    return this.#failure
  }

  /** Records an action that is about to happen. If that fails, the action must not happen. */
  async beginning(event: ApplyEvent): Promise<void> {
    await this.#write(event)
    if (this.#failure !== undefined) throw new NotOnRecord()
    this.#queue.push(event)
  }

  /** Records an action that has happened. The reader gets it even if that fails. */
  async ended(event: ApplyEvent): Promise<void> {
    await this.#write(event)
    this.#queue.push(event)
  }

  async #write(event: ApplyEvent): Promise<void> {
    if (this.#failure !== undefined) return
    try {
      await this.#record(event)
    } catch (error) {
      this.#failure ??= error ?? notOnRecord
    }
  }
}

/** Thrown instead of an action that must not happen before it is recorded. */
class NotOnRecord extends Error {
  constructor() {
    super(notOnRecord)
  }
}

/** The journal of a run failed during the run. Requests sent by then were waited for. */
class JournalError extends Error {
  override readonly name = 'JournalError'

  constructor(cause: unknown) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    super(
      `the journal cannot be written (${why}): running changes were finished and no others were started; fix this, then run the same command again`,
      { cause },
    )
  }
}

export interface PreflightOptions {
  readonly changes: readonly Change[]
  readonly client: Client
  readonly runtime: Runtime
  readonly parallelism: number
  /** When aborted, no further change is checked. */
  readonly stop?: AbortSignal
  readonly abort?: AbortSignal
}

/** Why a change cannot be carried out now. */
type Obstacle =
  | { readonly is: 'stale'; readonly reason: string }
  | { readonly is: 'failed'; readonly error: unknown }

/**
 * Checks whether changes can be carried out now; writes nothing. Each change runs up to its first write, so
 * this checks exactly what an apply checks. Changes that wait for others are not checked: their objects do
 * not exist yet.
 *
 * | before the first write      | means                 |
 * |-----------------------------|-----------------------|
 * | a write is next             | it can be carried out |
 * | nothing has to be written   | it can be carried out |
 * | the object has changed      | it cannot: stale      |
 * | another object has the name | it cannot: stale      |
 * | the service fails           | unknown: failed       |
 */
async function preflight(options: PreflightOptions): Promise<ReadonlyMap<string, Obstacle>> {
  const { changes, parallelism, stop } = options
  const addresses = new Set(changes.map(({ address }) => address))
  const isFirst = ({ dependsOn }: Change) => !dependsOn.some(address => addresses.has(address))
  const findTaken = takenFinder(options)
  const findShadowed = shadowFinder({ client: options.client, signal: options.abort })
  const found = await pMap(
    changes.filter(isFirst),
    async change => {
      if (stop?.aborted) return []
      const obstacle = await obstacleTo(change, { ...options, findShadowed, findTaken })
      return obstacle ? [[change.address, obstacle] as const] : []
    },
    { concurrency: parallelism },
  )
  return new Map(found.flat())
}

interface Looking extends PreflightOptions {
  readonly findShadowed: ReturnType<typeof shadowFinder>
  readonly findTaken: FindTaken
}

async function obstacleTo(
  change: Change,
  { client, runtime, abort, findShadowed, findTaken }: Looking,
): Promise<Obstacle | undefined> {
  // A preflight always reads the object, even if the service would compare it later.
  const { version: _, ...unseen } = change
  const performed = await perform(unseen, {
    client,
    runtime,
    signal: abort,
    idOf: () => undefined,
    isNew: () => false,
    findShadowed,
    async attempting() {
      throw new FirstWrite()
    },
  })
  if (performed.is === 'done') return undefined
  if (performed.is === 'failed' && performed.error instanceof FirstWrite)
    return takenBefore(change, findTaken)
  return performed
}

/** Thrown instead of the first write of a change. */
class FirstWrite extends Error {}

/** A creation notices a taken name only when it is refused, so this reads the list. */
async function takenBefore(change: Change, findTaken: FindTaken): Promise<Obstacle | undefined> {
  const kind = declarableKind(change.kind)
  if (change.action !== 'create' || kind.identity.by !== 'field') return undefined
  try {
    const live = await findTaken(kind, change.identity)
    if (!live || sameFields(kind, change.after, live.record)) return undefined
    return { is: 'stale', reason: `it exists with id ${live.id} and is not as planned` }
  } catch (error) {
    return { is: 'failed', error }
  }
}

type FindTaken = (kind: DeclarableKind, identity: string) => Promise<Live | undefined>

/** Reads each list once for all changes that create its objects. */
function takenFinder({ client, abort: signal, changes }: PreflightOptions): FindTaken {
  const created = new Set(changes.map(({ kind, identity }) => nameIn(declarableKind(kind), identity)))
  const lists = new Map<string, Promise<ReadonlyMap<string, Live>>>()
  const read = async (kind: DeclarableKind) => {
    const living = new Map<string, Live>()
    for await (const live of liveIn(kind, client.list(kind.name, { signal }))) {
      const name = nameIn(kind, live.identity)
      if (!live.isSoftDeleted && created.has(name)) living.set(name, live)
    }
    return living
  }
  return async (kind, identity) => {
    const list = lists.get(kind.name) ?? read(kind)
    lists.set(kind.name, list)
    return (await list).get(nameIn(kind, identity))
  }
}

function nameIn(kind: DeclarableKind, identity: string): string {
  return `${kind.name}/${canonicalIdentity(kind, identity)}`
}
