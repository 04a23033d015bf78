import { declarableKind } from '../../../kinds/index.ts'
import { switchField, targetingField } from '../../../model/kind.ts'
import type { Behaviour } from '../../../services/index.ts'
import { isFlagId, visible } from '../../../targeting/index.ts'
import type { Block, Change, Outcome } from '../../change.ts'
import { type FlagLink, namesIn } from '../../flag-links.ts'
import { blockedOutcome, parentBlocked } from '../guards/block.ts'
import type { ObjectContext } from '../object/object-context.ts'
import { type Flag, Flags } from './flag-graph.ts'

export interface DependencyInput {
  /** What is live of flags that conditions name, or whose conditions name others. */
  readonly links: readonly FlagLink[]
  readonly ensured: ObjectContext['ensured']
  readonly rules: Pick<Behaviour, 'filter_rules' | 'flag_dependencies'>
}

/**
 * Blocks changes of flags that the service would refuse for what their conditions name, or for whose conditions name
 * them. What counts is how flags will be when the plan is carried out; a flag whose change is blocked stays as it is.
 *
 * | the change                           | and then                                  | rule               |
 * |--------------------------------------|-------------------------------------------|--------------------|
 * | writes conditions that name a flag   | there is no such flag                     | dependency_missing |
 * |                                      | the named flag has a blocked change       | parent_missing     |
 * |                                      | its own conditions lead back              | dependency_circle  |
 * | writes them, or turns the flag on    | the named flag was off, and stays off     | dependency_off     |
 * | deletes a flag, or turns it off      | another that is on names it               | dependents         |
 *
 * A flag that is off may be named on services before 2026. [service-today 2, 3]
 */
export function withoutRefused(outcomes: readonly Outcome[], input: DependencyInput): readonly Outcome[] {
  const isConcerned = input.links.length > 0 || outcomes.some(namesAny)
  const now = new Flags(input.links)
  let left = outcomes
  for (let isSettled = !isConcerned; !isSettled; ) {
    const look: Look = { now, after: now.after(changesOf(left)), ...input }
    // Whom others wait for is known once it is known which of those can be changed.
    const next = [forWhatItNames, forWhoNamesIt]
      .map(refusal => withBlocks(left, change => refusal(change, look)))
      .find(made => made !== left)
    isSettled = next === undefined
    left = next ?? left
  }
  return left
}

/** Flags as they are, and as they will be. */
interface Look extends DependencyInput {
  readonly now: Flags
  readonly after: Flags
}

/** The same outcomes where nothing is blocked. */
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
      reason: `its conditions name a flag by the id ${name}, which none has`,
      remedy: 'correct the id, or name the flag by its key',
    }
  switch (ensured(address)) {
    case 'present':
      return parentBlocked(address)
    case 'absent':
      return about('is declared absent', 'take it out of the conditions, or keep that flag')
    case 'skipped':
      return about('does not exist and is left out of this plan', `plan ${address} too`)
    case undefined:
      return about(
        'does not exist and is not declared',
        'declare that flag or correct the name; one that this key does not see can be named by its id',
      )
  }
}

function dependencyOff(name: string, isApart: boolean): Block {
  if (isApart)
    return {
      rule: 'dependency_off',
      reason: `its conditions name the flag ${quote(name)}, which is archived and therefore off: the service refuses that`,
      remedy: `take ${quote(name)} out of the archive and turn it on, first or in the same plan`,
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

export function circleText(way: readonly string[]): string {
  return `its conditions lead back to it: ${way.map(visible).join(' -> ')}`
}

export const circleRemedy = 'take one of these flags out of the conditions of the one before it'

/** As many as a line holds. */
const mostNamed = 5

function dependents(waiting: readonly Flag[]): Block {
  const names = waiting.map(({ identity }) => visible(identity)).sort()
  const shown = names.slice(0, mostNamed).join(', ')
  const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  const isOne = names.length === 1
  return {
    rule: 'dependents',
    reason: `${isOne ? 'a flag that is on names' : 'flags that are on name'} it in conditions, so the service refuses this: ${shown}${rest}`,
    remedy: `take it out of ${isOne ? 'its' : 'their'} conditions or turn ${isOne ? 'that one' : 'them'} off, first or in the same plan`,
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
