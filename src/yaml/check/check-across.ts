import { type Declarations, type Desired, type LiveOnly, parentKey } from '../../core/desired.ts'
import { nameWithoutId } from '../../core/live.ts'
import { declarableKind, declarableKinds } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject } from '../../model/json/json.ts'
import { getAt, pointerOf } from '../../model/json/pointer.ts'
import { identityField, objectAddress, targetingField } from '../../model/kind.ts'
import { type Problem, type Source, unlessLive } from '../../model/problem.ts'
import { memberOfTag, tagMemberNames } from '../../model/tag-member.ts'
import { checkField } from '../../rules/check-field.ts'
import { checkManifest } from '../../rules/check-object.ts'
import { checkTagMember } from '../../rules/check-tag-member.ts'
import { strangeNames } from '../../targeting/check/check-variants.ts'
import { type FileDeclarations, type ObjectDeclaration, quoteWritten } from '../declaration.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { belongsTo, effectiveIn, layersIn, resolveRole } from '../resolve/effective.ts'
import { redact } from '../resolve/interpolate.ts'
import { numberIn } from '../resolve/names.ts'
import {
  type Placed,
  placeDesired,
  resolveDeclarations,
  roleAccessPointer,
  type TextOfFile,
} from '../resolve/resolve.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'
import { reporter, shownProblem } from './check-declaration.ts'
import { inEnvironments, unknownEnvironment, unknownNamesIn } from './check-environments.ts'
import { once, quote } from './problem-order.ts'

/** Objects and grants that are declared twice for one environment, in any files and any form. */
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

/** Skips the objects that no other declaration names, and that name no grants: nearly all. */
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

/** Declared values that a plugin's own files contradict, in any environment. */
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

/** Roles that are granted in an environment that does not know them. */
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

/** Names of cohorts and group types that an environment does not know although they are used in it. */
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

/** Names in `sensitive` that no payload has, in each environment: a mistake would show hidden values. */
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
      message: `sensitive names ${quote(name)}, which has no payload`,
      hint,
    }),
  )
}

/** Problems of the defaults in the settings, which fit their schema. */
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
        ? { code: problem.code, message: 'what the environment fills in here does not fit' }
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
        const hint = `write "${member.member}: ${member.value}" beside "tags"`
        return [
          problemAt(pointerOf('tags', at), {
            code: 'tag-conflict',
            message: `${quote(tag)} is what ${quote(member.member)} says`,
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
