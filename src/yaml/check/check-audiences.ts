import type { Problem } from '../../model/problem.ts'
import { conditionName } from '../../targeting/short/short-form.ts'
import { buildsOn, type Layer, type ObjectDeclaration } from '../declaration.ts'
import { belongsTo } from '../resolve/effective.ts'
import {
  type Audiences,
  expandObject,
  mostChained,
  propertiesIn,
  type ShortOptions,
} from '../resolve/short-layers.ts'
import type { Environment } from '../settings.ts'
import {
  type CheckOptions,
  checkShared,
  ownProblems,
  placeKey,
  reporter,
  type ServicesIn,
} from './check-declaration.ts'
import { quote } from './problem-order.ts'

export interface AudienceOptions extends ShortOptions {
  readonly servicesIn: ServicesIn
  /** Whether there are unreadable files: an audience that looks unused may be used there. */
  readonly isPartial: boolean
}

export interface CheckedAudiences extends Pick<CheckOptions, 'isReported'> {
  readonly problems: readonly Problem[]
  /** The audiences, each for the environments that use it. */
  readonly expanded: readonly ObjectDeclaration[]
}

/** Problems of audiences. Each is reported in the audience, and not again in each flag that names it. */
export function checkAudiences(
  objects: readonly ObjectDeclaration[],
  { servicesIn, isPartial, ...short }: AudienceOptions,
): CheckedAudiences {
  const { audiences, environments } = short
  const { declared } = audiences
  if (declared.length === 0) return { problems: [], expanded: [], isReported: () => false }
  const used = usedIn(objects, audiences, environments)
  const expanded = declared.map(one => {
    const names = [...(used.get(one.identity) ?? [])]
    // The names in it have to be known wherever flags use the audience; if none does, everywhere.
    return expandObject(
      names.length > 0 ? { ...one, only: new Map(names.map(name => [name, 0])) } : one,
      short,
    )
  })
  const reported = new Set(expanded.flatMap(one => ownProblems(one, servicesIn)))
  const isReported: CheckOptions['isReported'] = (place, problem) => reported.has(placeKey(place, problem))
  const checked = expanded.map(one => ({ one, problems: checkShared(one, { servicesIn, isReported }) }))
  return {
    isReported,
    expanded,
    problems: [
      ...duplicates(declared, audiences),
      ...declared.flatMap(badName),
      ...circles(declared, audiences),
      ...checked.flatMap(({ one, problems }) => [
        ...problems,
        ...(problems.some(({ severity }) => severity === 'error') ? [] : empties(one)),
      ]),
      ...(isPartial ? [] : unused(declared, used)),
    ],
  }
}

/** An audience that is declared in several files. Within one file, the parser reports it. */
function duplicates(declared: readonly ObjectDeclaration[], audiences: Audiences): Problem[] {
  return declared.flatMap(one => {
    const first = audiences.get(one.identity)
    if (!first || first === one) return []
    const { file, line, column } = first.file.parsed.locate(first.base.pointer, 'key')
    const message = `this audience is also declared at ${file}:${line}:${column}`
    const hint = 'keep one of them, or give one another name'
    return [reporter(one)(one.base.pointer, { code: 'duplicate-audience', message, hint }, 'key')]
  })
}

function badName(one: ObjectDeclaration): Problem[] {
  if (conditionName.test(one.identity)) return []
  const message = `${quote(one.identity)} cannot be the name of an audience`
  const hint = 'a name has small letters, digits, "_" and "-", and starts with a letter'
  return [reporter(one)(one.base.pointer, { code: 'audience-name', message, hint }, 'key')]
}

/** Audiences that build on themselves; each circle is reported once, at the entry that closes it. */
function circles(declared: readonly ObjectDeclaration[], audiences: Audiences): Problem[] {
  const problems: Problem[] = []
  const done = new Set<string>()
  const visit = (one: ObjectDeclaration, chain: readonly string[]): void => {
    const names = [...chain, one.identity]
    for (const layer of layersOf(one)) {
      const next = audiences.get(String(buildsOn(layer)))
      if (!next) continue
      const start = names.indexOf(next.identity)
      if (start !== -1) problems.push(circle(one, layer, [...names.slice(start), next.identity]))
      else if (done.has(next.identity)) continue
      else if (names.length > mostChained) problems.push(tooLong(one, layer))
      else visit(next, names)
    }
    done.add(one.identity)
  }
  for (const one of declared) if (!done.has(one.identity)) visit(one, [])
  return problems
}

function circle(one: ObjectDeclaration, { pointer }: Layer, names: readonly string[]): Problem {
  const message = `audiences build on one another in a circle: ${names.map(quote).join(' -> ')}`
  const hint = 'let one of them say its properties itself'
  return reporter(one)(`${pointer}/audience`, { code: 'audience-circle', message, hint })
}

function tooLong(one: ObjectDeclaration, { pointer }: Layer): Problem {
  const message = `this audience is built on through more than ${mostChained} others`
  const hint = 'let one of them say its properties itself'
  return reporter(one)(`${pointer}/audience`, { code: 'audience-chain', message, hint })
}

/** An audience without properties would mean everybody. */
function empties(one: ObjectDeclaration): Problem[] {
  const empty = layersOf(one).find(({ fields, expanded }) => {
    return expanded && !expanded.isBroken && propertiesIn(fields[expanded.field] ?? null).length === 0
  })
  if (!empty) return []
  const message = 'an audience without properties would be everybody'
  const hint = 'say its properties; for everybody, write a condition without an audience'
  return [reporter(one)(empty.pointer, { code: 'empty-audience', message, hint }, 'key')]
}

/** The audiences that flags name, and those that these build on, with the environments of those flags. */
function usedIn(
  objects: readonly ObjectDeclaration[],
  audiences: Audiences,
  environments: readonly Environment[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>()
  const use = (name: string, environment: string | undefined): void => {
    const known = used.get(name)
    if (known && (environment === undefined || known.has(environment))) return
    used.set(name, new Set([...(known ?? []), ...(environment === undefined ? [] : [environment])]))
    const one = audiences.get(name)
    if (one) for (const layer of layersOf(one)) use(String(buildsOn(layer)), environment)
  }
  for (const object of objects) {
    const named = layersOf(object).flatMap(({ expanded }) => expanded?.audiences ?? [])
    for (const { name } of named) use(name, undefined)
    if (named.length === 0) continue
    for (const { name: environment } of environments) {
      const layer = environment === undefined ? undefined : object.environments.get(environment)
      const { expanded } = layer?.expanded ? layer : object.base
      if (!belongsTo(object, environment) || layer?.skip) continue
      for (const { name } of expanded?.audiences ?? []) use(name, environment)
    }
  }
  return used
}

/** Audiences that no flag names, nor one that a flag names. */
function unused(declared: readonly ObjectDeclaration[], used: ReadonlyMap<string, unknown>): Problem[] {
  return declared.flatMap(one => {
    if (used.has(one.identity)) return []
    const message = 'no flag has this audience'
    const hint = `name it in a condition: { audience: ${one.identity} }; or remove it`
    return [
      reporter(one)(one.base.pointer, { code: 'unused-audience', severity: 'warning', message, hint }, 'key'),
    ]
  })
}

function layersOf({ base, environments }: ObjectDeclaration): readonly Layer[] {
  return environments.size === 0 ? [base] : [base, ...environments.values()]
}
