import { type Declarations, type Desired, type LiveOnly, parentKey } from '../../core/desired.ts'
import { nameWithoutId } from '../../core/live.ts'
import { declarableKind, declarableKinds } from '../../kinds/index.ts'
import { memberOfTag, tagMemberNames } from '../../model/field.ts'
import { identityField, objectAddress, targetingField } from '../../model/kind.ts'
import { type Problem, type Source, unlessLive } from '../../model/problem.ts'
import { isJsonArray, isJsonObject } from '../../model/text/json.ts'
import { getAt, pointerOf } from '../../model/text/pointer.ts'
import { checkField, checkTagMember } from '../../rules/check-field.ts'
import { checkManifest } from '../../rules/check-object.ts'
import { strangeNames } from '../../targeting/check/filter-mistakes.ts'
import { conditionName } from '../../targeting/short/short-form.ts'
import {
  buildsOn,
  type FileDeclarations,
  type Layer,
  type ObjectDeclaration,
  quoteWritten,
} from '../declaration.ts'
import type { ParsedYaml } from '../read/parse-yaml.ts'
import { redact } from '../resolve/interpolate.ts'
import {
  type Audiences,
  belongsTo,
  effectiveIn,
  expandObject,
  layersIn,
  mostChained,
  propertiesIn,
  resolveRole,
  type ShortOptions,
} from '../resolve/layers.ts'
import { numberIn } from '../resolve/names.ts'
import {
  type Placed,
  placeDesired,
  resolveDeclarations,
  roleAccessPointer,
  type TextOfFile,
} from '../resolve/resolve.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'
import {
  type CheckOptions,
  checkShared,
  ownProblems,
  placeKey,
  reporter,
  type ServicesIn,
  shownProblem,
} from './check-declaration.ts'
import { inEnvironments, unknownEnvironment, unknownNamesIn } from './check-settings.ts'
import { once, quote } from './problem-order.ts'

/** Objects and grants that several files or forms declare for the same environment. */
export function checkDuplicates(files: readonly FileDeclarations[], settings: Settings): Problem[] {
  const mayRepeat = withoutUnique(files)
  const found = new Map<string, Problem>()
  for (const environment of environmentsOf(settings)) {
    const first = new Map<string, Placed<Desired>>()
    for (const placed of placeDesired(mayRepeat, environment, () => undefined)) {
      const { kind, identity } = placed.declared
      const name = `${kind}/${parentKey(placed.declared) ?? ''}/${identity}`
      const before = first.get(name)
      if (!before) first.set(name, placed)
      else found.set(inText(sourceOf(placed)), duplicate(placed, before))
    }
  }
  return [...found.values()]
}

/** Skips objects that no other declaration names and that have no grants, which are nearly all objects. */
function withoutUnique(files: readonly FileDeclarations[]): FileDeclarations[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { objects } of files)
    for (const { address } of objects) (seen.has(address) ? repeated : seen).add(address)
  return files.map(({ objects, grants }) => ({
    objects: objects.filter(object => repeated.has(object.address) || namesGrants(object)),
    grants,
  }))
}

function namesGrants({ base, environments }: ObjectDeclaration): boolean {
  if (base.roleAccess) return true
  for (const layer of environments.values()) if (layer.roleAccess) return true
  return false
}

function duplicate(placed: Placed<Desired>, before: Placed<Desired>): Problem {
  return {
    code: 'duplicate-declaration',
    severity: 'error',
    message: `this is also declared at ${inText(sourceOf(before))}`,
    hint: 'keep one of them, or limit each to other environments with "only"',
    source: sourceOf(placed),
    address: placed.declared.address,
  }
}

function sourceOf({ file, pointer, at }: Placed<Desired>): Source {
  return file.parsed.locate(pointer, at)
}

function inText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`
}

/** Declared values that contradict the plugin's own files, in any environment. */
export function checkManifests(
  declared: readonly FileDeclarations[],
  settings: Settings,
  textOfFile: TextOfFile,
): readonly Problem[] {
  const described = declared.map(({ objects }) => ({
    objects: objects.filter(({ kind, base, environments }) => {
      const file = kind.lifecycle.files?.manifest?.file
      return (
        file !== undefined &&
        [base, ...environments.values()].some(({ files }) => files?.[file] !== undefined)
      )
    }),
    grants: [],
  }))
  if (described.every(({ objects }) => objects.length === 0)) return []
  return once(
    environmentsOf(settings).flatMap(environment =>
      resolveDeclarations(described, environment, textOfFile).desired.flatMap(one =>
        manifestProblems(one).map(({ problem }) => unlessLive(problem)),
      ),
    ),
  )
}

/** The same problems on the objects that have them: a file that is live already gives no new problem. */
export function withManifestRules({ desired, ...others }: Declarations): Declarations {
  return {
    ...others,
    desired: desired.map(one => {
      const found = manifestProblems(one)
      return found.length === 0 ? one : { ...one, liveOnly: [...(one.liveOnly ?? []), ...found] }
    }),
  }
}

function manifestProblems({ address, source, ...desired }: Desired): LiveOnly[] {
  // Only a plugin with files can contain a manifest.
  if (desired.ensure === 'absent' || !desired.files) return []
  const kind = declarableKind(desired.kind)
  const fields = { ...desired.fields, [identityField(kind)]: nameWithoutId(desired) }
  return checkManifest(kind, fields, desired.files).map(({ code, severity, message, hint, requires }) => {
    const problem: Problem = {
      code,
      severity,
      address,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(source ? { source } : {}),
    }
    return { problem, requires }
  })
}

/** Roles with grants in an environment that does not define the roles. */
export function checkRoles(files: readonly FileDeclarations[], settings: Settings): Problem[] {
  const objects = files.flatMap(file => file.objects).filter(namesGrants)
  const grants = files.flatMap(file => file.grants)
  return inEnvironments(environmentsOf(settings), environment => {
    const unknown = unknownNamesIn(environment)
    const nested = objects.flatMap(declaration => {
      const { layer } = effectiveIn(declaration, environment) ?? {}
      return (layer?.roleAccess ?? []).map(({ role, pointer, at }) => {
        const { file, address } = declaration
        return { role, file, address, at, pointer: roleAccessPointer(declaration, layer) + pointer }
      })
    })
    const alone = grants
      .filter(grant => belongsTo(grant, environment.name))
      .map(({ file, kind, pointer, flag, role }) => {
        const address = objectAddress(kind.name, role, flag)
        return { role, file, address, at: 'value' as const, pointer: `${pointer}/role` }
      })
    return [...nested, ...alone].flatMap(({ role, file, address, at, pointer }) => {
      if (resolveRole(role, environment)) return []
      const shown = at === 'key' ? quote(role) : quoteWritten(file, pointer)
      const source = file.parsed.locate(pointer, at)
      return [{ ...unknown('role', role, shown), source, address: redact(address, file.secrets) }]
    })
  })
}

/** Names of cohorts and group types that are used in an environment that does not define them. */
export function checkNumbered(objects: readonly ObjectDeclaration[], settings: Settings): Problem[] {
  const named = objects.filter(({ base, environments }) =>
    [base, ...environments.values()].some(({ expanded }) => expanded?.names.length),
  )
  return inEnvironments(environmentsOf(settings), environment => {
    const unknown = unknownNamesIn(environment)
    return named.flatMap(declaration => {
      const used = effectiveIn(declaration, environment)?.layer.expanded?.names ?? []
      return used
        .filter(({ thing, name }) => numberIn(environment, thing, name) === undefined)
        .map(({ thing, name, pointer }) =>
          reporter(declaration)(pointer, shownProblem(declaration.file, unknown(thing, name), pointer)),
        )
    })
  })
}

/** Names in `sensitive` without a payload, in each environment: such a mistake would show hidden values. */
export function checkSensitive(objects: readonly ObjectDeclaration[], settings: Settings): Problem[] {
  const environments = environmentsOf(settings)
  const named = objects.filter(namesPayloads)
  return once(named.flatMap(one => environments.flatMap(each => problemsIn(one, each))))
}

function namesPayloads({ base, environments }: ObjectDeclaration): boolean {
  return [base, ...environments.values()].some(({ sensitive }) => isJsonArray(sensitive))
}

function problemsIn(declaration: ObjectDeclaration, environment: Environment): Problem[] {
  const { layer, ensure } = effectiveIn(declaration, environment) ?? {}
  const filters = layer?.fields[targetingField(declaration.kind) ?? '']
  if (ensure !== 'present' || !isJsonObject(filters) || !isJsonArray(layer?.sensitive)) return []
  const payloads = isJsonObject(filters.payloads) ? filters.payloads : {}
  const layers = layersIn(declaration, environment.name)
  const { pointer } = layers.find(({ sensitive }) => sensitive !== undefined) ?? declaration.base
  return strangeNames(layer.sensitive, payloads).map(({ index, name, hint }) =>
    reporter(declaration)(pointer + pointerOf('sensitive', index), {
      code: 'unknown-payload',
      severity: 'error',
      message: `sensitive names ${quote(name)}, for which there is no payload`,
      hint,
    }),
  )
}

/** Problems of the defaults in the settings that their schema does not report. */
export function checkDefaults(
  { defaults = [], environments }: Settings,
  parsed: ParsedYaml | undefined,
): Problem[] {
  const kind = declarableKinds.find(({ lifecycle }) => lifecycle.ownedBy !== undefined)
  if (!parsed || !kind) return []
  const field = kind.lifecycle.ownedBy ?? ''
  const names = environments.map(({ name }) => name)
  return defaults.flatMap((each, index) => {
    const problemAt = (inside: string, problem: Pick<Problem, 'code' | 'message' | 'hint'>): Problem => {
      const pointer = pointerOf('defaults', index) + inside
      const written = JSON.stringify(getAt(parsed.value ?? null, pointer) ?? null)
      // A value from the environment is never shown.
      const shown = written.includes('${env:')
        ? { code: problem.code, message: 'the value that the environment provides here is invalid' }
        : {
            code: problem.code,
            message: problem.message,
            ...(problem.hint === undefined ? {} : { hint: problem.hint }),
          }
      return { severity: 'error', ...shown, source: parsed.locate(pointer) }
    }
    const { only = [], tags = [] } = each
    return [
      ...tagMemberNames.flatMap(member => {
        const value = each[member]
        return value === undefined
          ? []
          : checkTagMember(kind, member, value).map(problem => problemAt(problem.pointer, problem))
      }),
      ...checkField(kind, field, [...tags]).map(problem =>
        problemAt(problem.pointer.replace(pointerOf(field), pointerOf('tags')), problem),
      ),
      ...tags.flatMap((tag, at) => {
        const member = memberOfTag(tag.trim().toLowerCase())
        if (!member) return []
        const hint = `write "${member.member}: ${member.value}" next to "tags"`
        return [
          problemAt(pointerOf('tags', at), {
            code: 'tag-conflict',
            message: `the tag ${quote(tag)} is the same as ${quote(member.member)}`,
            hint,
          }),
        ]
      }),
      ...only.flatMap((name, at) =>
        names.includes(name) ? [] : [problemAt(pointerOf('only', at), unknownEnvironment(name, names))],
      ),
    ]
  })
}

export interface AudienceOptions extends ShortOptions {
  readonly servicesIn: ServicesIn
  /** Whether there are unreadable files. An audience that looks unused may be used in one. */
  readonly isPartial: boolean
}

export interface CheckedAudiences extends Pick<CheckOptions, 'isReported'> {
  readonly problems: readonly Problem[]
  /** The audiences, each for the environments that use it. */
  readonly expanded: readonly ObjectDeclaration[]
}

/** Problems of audiences. Each is reported in the audience, not in each flag that uses it. */
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
    // Its names have to be known in the environments of flags that use the audience; without such flags, in
    // all environments.
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
    const hint = 'keep one of them, or rename one'
    return [reporter(one)(one.base.pointer, { code: 'duplicate-audience', message, hint }, 'key')]
  })
}

function badName(one: ObjectDeclaration): Problem[] {
  if (conditionName.test(one.identity)) return []
  const message = `${quote(one.identity)} cannot be the name of an audience`
  const hint = 'a name consists of small letters, digits, "_" and "-", and starts with a letter'
  return [reporter(one)(one.base.pointer, { code: 'audience-name', message, hint }, 'key')]
}

/** Audiences that build on themselves. Each cycle is reported once, at the entry that closes it. */
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
  const hint = 'let one of them declare its properties itself'
  return reporter(one)(`${pointer}/audience`, { code: 'audience-circle', message, hint })
}

function tooLong(one: ObjectDeclaration, { pointer }: Layer): Problem {
  const message = `this audience builds on a chain of more than ${mostChained} others`
  const hint = 'let one of them declare its properties itself'
  return reporter(one)(`${pointer}/audience`, { code: 'audience-chain', message, hint })
}

/** An audience without properties would mean everybody. */
function empties(one: ObjectDeclaration): Problem[] {
  const empty = layersOf(one).find(({ fields, expanded }) => {
    return expanded && !expanded.isBroken && propertiesIn(fields[expanded.field] ?? null).length === 0
  })
  if (!empty) return []
  const message = 'an audience without properties would mean everybody'
  const hint = 'declare its properties; for everybody, write a condition without an audience'
  return [reporter(one)(empty.pointer, { code: 'empty-audience', message, hint }, 'key')]
}

/** The audiences that flags use directly or through others, with the environments of those flags. */
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

/** Audiences that no flag uses, directly or through others. */
function unused(declared: readonly ObjectDeclaration[], used: ReadonlyMap<string, unknown>): Problem[] {
  return declared.flatMap(one => {
    if (used.has(one.identity)) return []
    const message = 'no flag uses this audience'
    const hint = `use it in a condition: { audience: ${one.identity} }; or remove it`
    return [
      reporter(one)(one.base.pointer, { code: 'unused-audience', severity: 'warning', message, hint }, 'key'),
    ]
  })
}

function layersOf({ base, environments }: ObjectDeclaration): readonly Layer[] {
  return environments.size === 0 ? [base] : [base, ...environments.values()]
}
