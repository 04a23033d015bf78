import pMap from 'p-map'
import { declarableKind } from '../kinds/index.ts'
import { switchField, targetingField } from '../model/kind.ts'
import type { Source } from '../model/problem.ts'
import { type HoldKind, type RetireStep, retireSteps } from '../model/removal.ts'
import type { JsonObject } from '../model/text/json.ts'
import { type KnownSwitch, valueForAll } from '../targeting/index.ts'
import { sentDigests } from './diff.ts'
import { endOf, isApply } from './live-edits/base-of-runs.ts'
import { hasWritten, type RunEntry, type RunRecord } from './record/run.ts'
import { type DeclaredObject, listRuns, type RunFile, readDeclared, readRun } from './record/run-folder.ts'
import { isSameTarget, type Target } from './target.ts'

/** The single value of a flag for everybody: false, true or the key of a variant. */
export type FlagValue = boolean | string

/** The progress of a flag in one environment, according to its declaration. */
export interface Standing {
  /** Undefined in a repository without environments. */
  readonly environment: string | undefined
  readonly declared: 'on' | 'off' | 'absent'
  /** Undefined if people get different values, or the value is unknown. */
  readonly value: FlagValue | undefined
}

/**
 * The steps that each kind of hold blocks. References in code do not block the removal of an absent
 * declaration: nobody gets the flag any more.
 */
const heldSteps: Readonly<Record<HoldKind, readonly RetireStep[]>> = {
  values: ['decide'],
  permanent: ['decide', 'code', 'off', 'absent'],
  live_edit: ['decide', 'off', 'absent', 'forget'],
  reference: ['code', 'off', 'absent'],
  protected: ['off', 'absent'],
  dependent: ['off', 'absent'],
  audience: ['off', 'absent', 'forget'],
  experiment: ['off', 'absent'],
  survey: ['off', 'absent'],
  feature: ['off', 'absent'],
  can_edit: ['off', 'absent'],
  blocked: ['off', 'absent', 'forget'],
  unapplied: ['off', 'absent', 'forget'],
  waiting: ['absent', 'forget'],
  elsewhere: ['forget'],
}

/** A reason why a flag cannot be removed yet. */
export interface Hold {
  readonly kind: HoldKind
  /** The environment; all environments if absent. */
  readonly environment?: string | undefined
  readonly place?: Source
  /** The address of another object that causes it. */
  readonly subject?: string
  readonly what: string
  readonly remedy: string
  /** Set if a permission allows the removal. */
  readonly isAllowed?: boolean
}

/** A check that could not be made, and why. */
export interface Unchecked {
  /** Undefined if the check is not about one environment. */
  readonly environment?: string | undefined
  /** The step whose completion it would have shown. */
  readonly step?: RetireStep
  readonly what: string
  readonly reason: string
}

/** The progress of removing a flag: the next step, and the environments that need it. */
export interface Progress {
  readonly step: RetireStep
  readonly environments: readonly (string | undefined)[]
  readonly holding: readonly Hold[]
}

/**
 * The next step of a removal: the earliest one that any environment lacks.
 *
 * | declared | everybody gets | code uses it | next     |
 * |----------|----------------|--------------|----------|
 * | on       | not the same   |              | `decide` |
 * | on, off  | the same       | yes          | `code`   |
 * | on       | the same       | no           | `off`    |
 * | off      | off            | no           | `absent` |
 * | absent   |                |              | `forget` |
 */
export function progressOf(standings: readonly Standing[], holds: readonly Hold[]): Progress {
  const isNamed = holds.some(({ kind, isAllowed }) => kind === 'reference' && !isAllowed)
  const steps = standings.map(standing => stepOf(standing, isNamed))
  const step = retireSteps.find(each => steps.includes(each)) ?? 'forget'
  const environments = standings.flatMap(({ environment }, index) =>
    steps[index] === step ? [environment] : [],
  )
  const isHere = ({ environment }: Hold) => environment === undefined || environments.includes(environment)
  const holding = holds.filter(hold => !hold.isAllowed && isHere(hold) && heldSteps[hold.kind].includes(step))
  return { step, environments, holding }
}

function stepOf({ declared, value }: Standing, isNamed: boolean): RetireStep {
  switch (declared) {
    case 'absent':
      return 'forget'
    case 'off':
      return isNamed ? 'code' : 'absent'
    case 'on':
      if (value === undefined) return 'decide'
      return isNamed ? 'code' : 'off'
  }
}

/** Merges equal entries of several environments, so that each is shown once. */
export function mergeAlike(
  holds: readonly Hold[],
  environments: readonly (string | undefined)[],
): readonly Hold[] {
  const byText = new Map<string, { readonly shared: Hold; readonly same: Hold[] }>()
  for (const hold of holds) {
    const { environment: _, ...shared } = hold
    const text = JSON.stringify(shared)
    const known = byText.get(text)
    if (known) known.same.push(hold)
    else byText.set(text, { shared, same: [hold] })
  }
  return [...byText.values()].flatMap(({ shared, same }) => {
    const isEverywhere = environments.every(name => same.some(({ environment }) => environment === name))
    return isEverywhere && environments.length > 1 ? [shared] : same
  })
}

export function valueName(value: FlagValue): string {
  return typeof value === 'string' ? `variant ${value}` : value ? 'on' : 'off'
}

/** An object that is declared with one value for everybody, or declared absent. */
export interface AskedObject {
  readonly address: string
  readonly kind: string
  readonly ensure: 'present' | 'absent'
  readonly known: KnownSwitch
  readonly value: boolean | string | undefined
}

export interface WrittenAt {
  readonly run: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Since when objects have their current state, according to recorded runs. */
export interface LastWritten {
  /** The newest run, by address, that created or deleted an object, or changed its value for people. */
  readonly written: ReadonlyMap<string, WrittenAt>
  /** The oldest apply, by address, that found the object as declared today, if unchanged since. */
  readonly found: ReadonlyMap<string, WrittenAt>
}

/** The number of newest runs that are searched. */
const mostRuns = 1000
/** The number of files that are read at a time. */
const together = 32

/**
 * Searches the runs of a target, the newest first, for changes of a flag's value.
 *
 * | a run has written                                     | result                          |
 * |-------------------------------------------------------|---------------------------------|
 * | the object: created, restored, deleted                | since that run                  |
 * | its switch or filters; before, people got             | since that run                  |
 * | another value, or different values                    |                                 |
 * | its switch or filters; before, everybody got the same | continue with the earlier state |
 * | anything else                                         | continue                        |
 *
 * A write with an unknown result counts as a write.
 */
export async function readLastWritten(
  directory: string,
  target: Target,
  asked: readonly AskedObject[],
): Promise<LastWritten> {
  const files = (await listRuns(directory)).slice(0, mostRuns)
  const open = new Map(asked.map(object => [object.address, object]))
  const written = new Map<string, WrittenAt>()
  let oldest: RunRecord | undefined
  for (let at = 0; at < files.length && open.size > 0; at += together) {
    for (const record of await readRecords(files.slice(at, at + together), target)) {
      if (isApply(record) && record.declared !== undefined) oldest = record
      for (const entry of record.entries) {
        const object = open.get(entry.change.address)
        if (!object || !(hasWritten(entry) || entry.outcome === 'already')) continue
        const before = valueBefore(object, entry)
        if (before) open.set(object.address, before)
        else {
          written.set(object.address, { run: record.run, at: endOf(record) })
          open.delete(object.address)
        }
      }
    }
  }
  return { written, found: oldest ? await foundBy(directory, oldest, asked, open) : new Map() }
}

async function readRecords(files: readonly RunFile[], target: Target): Promise<readonly RunRecord[]> {
  const readings = await pMap(files, readRun, { concurrency: together })
  return readings.flatMap(reading =>
    'record' in reading && isSameTarget(reading.record.target, target) ? [reading.record] : [],
  )
}

/** The object before a change, if everybody got one value; else undefined. */
function valueBefore(object: AskedObject, { change }: RunEntry): AskedObject | undefined {
  const { action, before, after } = change
  if (action === 'create' || action === 'restore' || action === 'delete') return undefined
  const kind = declarableKind(object.kind)
  const names = [switchField(kind) ?? '', targetingField(kind) ?? '']
  if (!names.some(name => name in after)) return object
  const known: KnownSwitch = { ...object.known, ...switchIn(names, before) }
  return object.ensure === 'present' && valueForAll(known) === object.value ? { ...object, known } : undefined
}

function switchIn([isOn = '', targeting = '']: readonly string[], fields: JsonObject): KnownSwitch {
  const { [isOn]: active, [targeting]: filters } = fields
  return {
    ...(typeof active === 'boolean' ? { active } : {}),
    ...(filters === undefined ? {} : { filters }),
  }
}

async function foundBy(
  directory: string,
  record: RunRecord,
  asked: readonly AskedObject[],
  open: ReadonlyMap<string, AskedObject>,
): Promise<ReadonlyMap<string, WrittenAt>> {
  const { declared } = await readDeclared(directory, record.declared ?? '')
  const out = new Set([
    ...record.blocked.map(({ address }) => address),
    ...record.notTargeted,
    ...(record.held ?? []).map(({ address }) => address),
    ...record.entries.map(({ change }) => change.address),
  ])
  const found = { run: record.run, at: endOf(record) }
  return new Map(
    asked.flatMap(object => {
      const { address } = object
      const then = declared && Object.hasOwn(declared, address) ? declared[address] : undefined
      const isFound = open.has(address) && !out.has(address) && then && isDeclaredSo(object, then)
      return isFound ? [[address, found] as const] : []
    }),
  )
}

/** Whether a table has today's declaration of an object's switch and filters. */
export function isDeclaredSo({ kind: name, ensure, known }: AskedObject, then: DeclaredObject): boolean {
  if ('ensure' in then) return ensure === 'absent'
  if (ensure === 'absent') return false
  const kind = declarableKind(name)
  const { active, filters } = known
  const [isOn, targeting] = [switchField(kind) ?? '', targetingField(kind) ?? '']
  const digests = sentDigests(kind, {
    ...(active === undefined ? {} : { [isOn]: active }),
    ...(filters === undefined ? {} : { [targeting]: filters }),
  })
  return Object.entries(digests).every(([field, digest]) => then.fields[field] === digest)
}
