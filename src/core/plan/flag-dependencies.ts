import { declarableKind, declarableKinds } from '../../kinds/index.ts'
import { type DeclarableKind, identityField, switchField, targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import type { Behaviour } from '../../services/differences.ts'
import { isFlagId } from '../../targeting/release.ts'
import { visible } from '../../targeting/value-words.ts'
import type { Block, Change, Outcome } from '../change.ts'
import type { Desired } from '../desired.ts'
import { type FlagLink, namesIn } from '../flag-links.ts'
import { blockedOutcome, parentBlocked } from './block.ts'
import type { ObjectContext } from './object-context.ts'

export interface DependencyInput {
  /** The live state of flags that conditions name, or whose conditions name others. */
  readonly links: readonly FlagLink[]
  readonly ensured: ObjectContext['ensured']
  readonly rules: Pick<Behaviour, 'filter_rules' | 'flag_dependencies'>
}

/**
 * Blocks changes that the service would refuse because of flags in conditions. The state after the plan
 * counts; a flag with a blocked change keeps its state.
 *
 * | the change                         | and then                                  | rule               |
 * |------------------------------------|-------------------------------------------|--------------------|
 * | writes conditions that name a flag | that flag does not exist                  | dependency_missing |
 * |                                    | the named flag has a blocked change       | parent_missing     |
 * |                                    | its own conditions lead back to the first | dependency_circle  |
 * | writes them, or turns the flag on  | the named flag is off after the plan      | dependency_off     |
 * | deletes a flag, or turns it off    | another flag that is on names it          | dependents         |
 *
 * Services before 2026 accept conditions on flags that are off. [service-today 2, 3]
 */
export function withoutRefused(outcomes: readonly Outcome[], input: DependencyInput): readonly Outcome[] {
  const isConcerned = input.links.length > 0 || outcomes.some(namesAny)
  const now = new Flags(input.links)
  let left = outcomes
  for (let isSettled = !isConcerned; !isSettled; ) {
    const look: Look = { now, after: now.after(changesOf(left)), ...input }
    // A new block may cause further blocks, so this repeats until nothing changes.
    const next = [forWhatItNames, forWhoNamesIt]
      .map(refusal => withBlocks(left, change => refusal(change, look)))
      .find(made => made !== left)
    isSettled = next === undefined
    left = next ?? left
  }
  return left
}

interface Look extends DependencyInput {
  readonly now: Flags
  readonly after: Flags
}

/** Replaces changes by blocks; returns the same outcomes if there are none. */
function withBlocks(
  outcomes: readonly Outcome[],
  refusal: (change: Change) => Block | undefined,
): readonly Outcome[] {
  const blocked = outcomes.map(outcome => {
    const block = outcome.is === 'change' ? refusal(outcome.change) : undefined
    if (outcome.is !== 'change' || !block) return outcome
    return blockedOutcome(outcome.change, block)
  })
  return blocked.every((outcome, index) => outcome === outcomes[index]) ? outcomes : blocked
}

function forWhoNamesIt(change: Change, { now, after, rules }: Look): Block | undefined {
  const { kind, id, action } = change
  if (rules.flag_dependencies === 'refused' || id === undefined) return undefined
  const turnsOff = turned(change) === false && now.find(kind, id)?.isOn === true
  const waiting = action === 'delete' || turnsOff ? after.waitingFor(change) : []
  return waiting.length > 0 ? dependents(waiting) : undefined
}

function forWhatItNames(change: Change, look: Look): Block | undefined {
  const { kind, id, identity, action } = change
  const { now, after, rules } = look
  const flag = action === 'delete' ? undefined : after.find(kind, id ?? identity)
  const isWritten = (targetingField(declarableKind(kind)) ?? '') in change.after
  if (!flag || !(isWritten || turned(change) === true)) return undefined
  if (isWritten) {
    const missing = flag.names.find(name => !after.find(kind, name))
    const circle = after.circleFrom(flag)
    if (missing !== undefined) return missingBlock(kind, missing, look)
    if (circle) return circular(circle)
  }
  if (rules.filter_rules !== '2026') return undefined
  const off = flag.names.find(
    name => after.find(kind, name)?.isOn === false && now.find(kind, name)?.isOn !== true,
  )
  return off === undefined ? undefined : dependencyOff(off, after.find(kind, off)?.isApart === true)
}

function turned({ kind, after }: Change) {
  return after[switchField(declarableKind(kind)) ?? '']
}

function missingBlock(kind: string, name: string, { ensured }: DependencyInput): Block {
  const address = `${kind}.${name}`
  const about = (why: string, remedy: string): Block => ({
    rule: 'dependency_missing',
    reason: `its conditions name the flag ${quote(name)}, which ${why}`,
    remedy,
  })
  if (isFlagId(name))
    return {
      ...about('', ''),
      reason: `its conditions name a flag by the id ${name}, and there is no such flag`,
      remedy: 'correct the id, or name the flag by its key',
    }
  switch (ensured(address)) {
    case 'present':
      return parentBlocked(address)
    case 'absent':
      return about('is declared absent', 'remove it from the conditions, or keep that flag')
    case 'skipped':
      return about('does not exist and is not part of this plan', `plan ${address} too`)
    case undefined:
      return about(
        'does not exist and is not declared',
        'declare that flag or correct the name; a flag that this key cannot see can be named by its id',
      )
  }
}

function dependencyOff(name: string, isApart: boolean): Block {
  if (isApart)
    return {
      rule: 'dependency_off',
      reason: `its conditions name the flag ${quote(name)}, which is archived and therefore off: the service refuses that`,
      remedy: `unarchive ${quote(name)} and turn it on, first or in the same plan`,
    }
  return {
    rule: 'dependency_off',
    reason: `its conditions name the flag ${quote(name)}, which is off: the service refuses that`,
    remedy: `turn ${quote(name)} on, first or in the same plan`,
  }
}

function circular(way: readonly string[]): Block {
  return { rule: 'dependency_circle', reason: circleText(way), remedy: circleRemedy }
}

function circleText(way: readonly string[]): string {
  return `its conditions lead back to it: ${way.map(visible).join(' -> ')}`
}

const circleRemedy = 'remove one of these flags from the conditions of the flag before it'

/** The largest number of names in a message. */
const mostNamed = 5

function dependents(waiting: readonly Flag[]): Block {
  const names = waiting.map(({ identity }) => visible(identity)).sort()
  const shown = names.slice(0, mostNamed).join(', ')
  const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  const isOne = names.length === 1
  return {
    rule: 'dependents',
    reason: `${isOne ? 'a flag that is on names' : 'flags that are on name'} it in conditions, so the service refuses this: ${shown}${rest}`,
    remedy: `remove it from ${isOne ? 'its' : 'their'} conditions or turn ${isOne ? 'that flag' : 'those flags'} off, first or in the same plan`,
  }
}

function changesOf(outcomes: readonly Outcome[]): Change[] {
  return outcomes.flatMap(outcome => (outcome.is === 'change' ? [outcome.change] : []))
}

function namesAny(outcome: Outcome): boolean {
  return (
    outcome.is === 'change' && namesIn(declarableKind(outcome.change.kind), outcome.change.after).length > 0
  )
}

function quote(name: string): string {
  return `"${visible(name)}"`
}

/**
 * Problems in references between declared flags: circles, each reported once, and numeric ids that may be
 * intended as keys.
 */
export function dependencyProblems(
  desired: readonly Desired[],
  isDeclared: (kind: string, key: string) => boolean,
): Problem[] {
  const present = desired.filter(({ ensure }) => ensure === 'present')
  const flags = present.map(one => ({ one, flag: flagOf(one) }))
  const graph = new Flags(
    [],
    flags.map(({ flag }) => flag),
  )
  const seen = new Set<string>()
  return flags.flatMap(({ one, flag }) => {
    const circle = graph.circleFrom(flag)
    const members = circle && [...new Set(circle)].sort().join(' ')
    const isNew = members !== undefined && !seen.has(members)
    if (isNew) seen.add(members)
    return [
      ...(circle && isNew ? [circleProblem(one, circle)] : []),
      ...flag.names
        .filter(name => isFlagId(name) && isDeclared(one.kind, name))
        .map(id => idWarning(one, id)),
    ]
  })
}

function flagOf({ kind, identity, id, fields }: Desired): Flag {
  const names = [...new Set(namesIn(declarableKind(kind), fields))]
  return { kind, identity, ...(id === undefined ? {} : { id }), isOn: true, names }
}

function circleProblem(one: Desired, circle: readonly string[]): Problem {
  return {
    ...about(one),
    code: 'flag-circle',
    severity: 'error',
    message: circleText(circle),
    hint: circleRemedy,
  }
}

function idWarning(one: Desired, id: string): Problem {
  return {
    ...about(one),
    code: 'flag-id',
    severity: 'warning',
    message: `a condition names a flag by "${visible(id)}", which is read as an id and not as the key of the flag that is declared as "${visible(id)}"`,
    hint: 'a flag whose key consists of digits can only be named by its id; give it another key, or write the id',
  }
}

function about({ address, source }: Desired): Pick<Problem, 'address' | 'source'> {
  return { address, ...(source ? { source } : {}) }
}

/**
 * Orders changes of flags whose conditions name each other. The service refuses conditions on a flag that is
 * missing or off, circles, and turning off a flag that others depend on. [service-today 2, 3]
 *
 * | the named flag is                       | its change goes                                |
 * |-----------------------------------------|------------------------------------------------|
 * | created, restored, turned on            | before those of flags that will name it        |
 * | deleted, turned off                     | after those of flags that name it now, or will |
 * | no longer naming another on a live path | before changes that would close a cycle        |
 * | changed in other fields                 | in any order                                   |
 */
export function inFlagOrder(outcomes: readonly Outcome[], links: readonly FlagLink[]): readonly Outcome[] {
  const changes = outcomes.flatMap(outcome => (outcome.is === 'change' ? [outcome.change] : []))
  const waits = declarableKinds.flatMap(kind => waitsOf(kind, changes, links))
  if (waits.length === 0) return outcomes
  const dependsOn = new Map<string, Set<string>>(
    changes.map(({ address, dependsOn: before }) => [address, new Set(before)]),
  )
  for (const { later, earlier } of waits) {
    // Two flags must not wait for each other; the first rule that applies decides.
    if (!reaches(dependsOn, earlier, later)) dependsOn.get(later)?.add(earlier)
  }
  return outcomes.map(outcome => {
    const all = outcome.is === 'change' ? dependsOn.get(outcome.change.address) : undefined
    if (outcome.is !== 'change' || all === undefined) return outcome
    return { is: 'change', change: { ...outcome.change, dependsOn: [...all] } }
  })
}

interface Wait {
  readonly later: string
  readonly earlier: string
}

/** A change, with the flags that its conditions name before and after. */
interface Naming {
  readonly change: Change
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Which changes wait for others. Only conditions name other flags. */
function waitsOf(kind: DeclarableKind, changes: readonly Change[], links: readonly FlagLink[]): Wait[] {
  const field = targetingField(kind)
  const flags = changes.filter(change => change.kind === kind.name)
  if (field === undefined || flags.length < 2) return []
  const live = new Map(links.filter(link => link.kind === kind.name).map(link => [link.id, link]))
  const naming = flags.map((change): Naming => {
    const before = change.id === undefined ? [] : (live.get(change.id)?.names ?? [])
    return { change, before, after: namesAfter(kind, change, before) }
  })
  const byName = new Map(naming.flatMap(each => namesOf(each.change).map(name => [name, each] as const)))
  return naming.flatMap(each => [
    ...each.after.flatMap(name => waitFor(byName.get(name)?.change, each.change, 'up')),
    ...[...each.before, ...each.after].flatMap(name =>
      waitFor(byName.get(name)?.change, each.change, 'down'),
    ),
    ...lettingGo(each, byName, [...live.values()]),
  ])
}

function namesAfter(kind: DeclarableKind, { action, after }: Change, before: readonly string[]) {
  if (action === 'delete') return []
  return (targetingField(kind) ?? '') in after ? namesIn(kind, after) : before
}

function waitFor(named: Change | undefined, naming: Change, which: 'up' | 'down'): Wait[] {
  if (named === undefined || named === naming || directionOf(named) !== which) return []
  return which === 'up'
    ? [{ later: naming.address, earlier: named.address }]
    : [{ later: named.address, earlier: naming.address }]
}

/** Changes that remove a reference on the live path from a flag back to this one. */
function lettingGo(
  { change, before, after }: Naming,
  byName: ReadonlyMap<string, Naming>,
  live: readonly FlagLink[],
): Wait[] {
  const added = after.filter(name => !before.includes(name))
  if (added.length === 0 || change.id === undefined) return []
  const own = namesOf(change)
  const linkOf = (name: string) => live.find(({ id, identity }) => id === name || identity === name)
  const seen = new Set(added)
  const waits: Wait[] = []
  let leadsBack = false
  // The loop also visits names that are added to the set while it runs.
  for (const name of seen) {
    const other = byName.get(name)
    const names = linkOf(name)?.names ?? []
    if (other && other.change !== change && names.some(next => !other.after.includes(next)))
      waits.push({ later: change.address, earlier: other.change.address })
    for (const next of names) {
      if (own.includes(next)) leadsBack = true
      else seen.add(next)
    }
  }
  return leadsBack ? waits : []
}

function directionOf({ kind, action, after }: Change): 'up' | 'down' | undefined {
  if (action === 'create' || action === 'restore') return 'up'
  if (action === 'delete') return 'down'
  const turned = switchField(declarableKind(kind))
  const becomes = turned === undefined ? undefined : after[turned]
  return becomes === true ? 'up' : becomes === false ? 'down' : undefined
}

/** Conditions name a flag by its key, or by its id. */
function namesOf({ identity, id }: Change): string[] {
  return id === undefined ? [identity] : [identity, id]
}

function reaches(dependsOn: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from])
  // The loop also visits names that are added to the set while it runs.
  for (const address of seen) for (const next of dependsOn.get(address) ?? []) seen.add(next)
  return seen.has(to)
}

interface Flag {
  readonly kind: string
  readonly id?: string
  readonly identity: string
  readonly isOn: boolean
  /** Whether it is archived. */
  readonly isApart?: boolean
  readonly names: readonly string[]
}

/** The state of all flags, by key and id. */
class Flags {
  readonly #byName = new Map<string, Flag>()
  readonly #naming = new Map<string, Flag[]>()
  readonly #links: readonly FlagLink[]

  constructor(links: readonly FlagLink[], living: Iterable<Flag> = links.filter(link => !link.isDeleted)) {
    this.#links = links
    for (const flag of living) {
      const { kind, id, identity, names } = flag
      // In conditions, a text of digits is always an id.
      if (!isFlagId(identity)) this.#byName.set(`${kind}#${identity}`, flag)
      if (id !== undefined) this.#byName.set(`${kind}#${id}`, flag)
      for (const name of names) {
        const naming = this.#naming.get(`${kind}#${name}`)
        if (naming) naming.push(flag)
        else this.#naming.set(`${kind}#${name}`, [flag])
      }
    }
  }

  after(changes: readonly Change[]): Flags {
    const links = new Map(this.#links.map(link => [`${link.kind}#${link.id}`, link]))
    const living = new Map<string, Flag>([...links].filter(([, link]) => !link.isDeleted))
    for (const change of changes) {
      if (targetingField(declarableKind(change.kind)) === undefined) continue
      const at = `${change.kind}#${change.id ?? change.address}`
      if (change.action === 'delete') living.delete(at)
      else living.set(at, afterChange(change, links.get(at)))
    }
    return new Flags(this.#links, living.values())
  }

  find(kind: string, name: string): Flag | undefined {
    return this.#byName.get(`${kind}#${name}`)
  }

  /** The flags that are on and name this one. */
  waitingFor({ kind, id, identity }: Change): Flag[] {
    const own = [...(isFlagId(identity) ? [] : [identity]), ...(id === undefined ? [] : [id])]
    const names = own.filter(name => (this.find(kind, name)?.id ?? id) === id)
    const naming = new Set(names.flatMap(name => this.#naming.get(`${kind}#${name}`) ?? []))
    return [...naming].filter(flag => flag.isOn && flag.identity !== identity)
  }

  /** The path of names on which a flag depends on itself. */
  circleFrom(start: Flag): string[] | undefined {
    const cameFrom = new Map<Flag, Flag>()
    const waiting = [start]
    for (const flag of waiting) {
      for (const name of flag.names) {
        const next = this.find(flag.kind, name)
        if (next === start) {
          const way = [start.identity]
          for (let at: Flag | undefined = flag; at && at !== start; at = cameFrom.get(at))
            way.unshift(at.identity)
          return [start.identity, ...way]
        }
        if (!next || cameFrom.has(next)) continue
        cameFrom.set(next, flag)
        waiting.push(next)
      }
    }
    return undefined
  }
}

function afterChange({ kind: name, id, identity, after }: Change, live: FlagLink | undefined): Flag {
  const kind = declarableKind(name)
  const [turned, key] = [after[switchField(kind) ?? ''], after[identityField(kind)]]
  const apart = after[kind.lifecycle.listedApart?.field ?? '']
  return {
    kind: name,
    ...(id === undefined ? {} : { id }),
    identity: typeof key === 'string' ? key : identity,
    isOn: typeof turned === 'boolean' ? turned : (live?.isOn ?? true),
    isApart: apart === undefined ? live?.isApart === true : apart === true,
    names: (targetingField(kind) ?? '') in after ? namesIn(kind, after) : (live?.names ?? []),
  }
}
