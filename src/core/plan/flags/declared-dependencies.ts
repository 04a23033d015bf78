import { declarableKind } from '../../../kinds/index.ts'
import type { Problem } from '../../../model/problem.ts'
import { isFlagId, visible } from '../../../targeting/index.ts'
import type { Desired } from '../../desired.ts'
import { namesIn } from '../../flag-links.ts'
import { circleRemedy, circleText } from './flag-dependencies.ts'
import { type Flag, Flags } from './flag-graph.ts'

/**
 * What is wrong with how declared flags name each other, whatever is live: circles, each told once, and texts of digits
 * that somebody may have meant as a key.
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
  const told = new Set<string>()
  return flags.flatMap(({ one, flag }) => {
    const circle = graph.circleFrom(flag)
    const members = circle && [...new Set(circle)].sort().join(' ')
    const isNew = members !== undefined && !told.has(members)
    if (isNew) told.add(members)
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
