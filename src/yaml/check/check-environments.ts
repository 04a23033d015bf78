import { pointerOf } from '../../model/json/pointer.ts'
import { objectAddress } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { Suggestions } from '../../model/text/did-you-mean.ts'
import { listSome } from '../../model/text/list-names.ts'
import {
  type DeclarationFile,
  type FileDeclarations,
  type ObjectDeclaration,
  quoteWritten,
} from '../declaration.ts'
import { redact } from '../resolve/interpolate.ts'
import type { Environment, Settings } from '../settings.ts'
import { quote } from './problem-order.ts'

/** Environments that declarations name and the settings do not know. */
export function checkEnvironmentNames(files: readonly FileDeclarations[], settings: Settings): Problem[] {
  const names = settings.environments.map(({ name }) => name)
  const known = new Set(names)
  const suggestions = new Suggestions(names)
  const [objects, grants] = [files.flatMap(file => file.objects), files.flatMap(file => file.grants)]
  const check = (
    file: DeclarationFile,
    address: string,
    name: string,
    pointer: string,
    at: 'key' | 'value',
  ) =>
    known.has(name)
      ? []
      : [
          {
            ...unknownEnvironment(name, names, {
              shown: at === 'value' ? quoteWritten(file, pointer) : quote(name),
              suggestions,
            }),
            source: file.parsed.locate(pointer, at),
            address: redact(address, file.secrets),
          },
        ]
  const listed = [
    ...objects
      .filter(isLimited)
      .map(({ file, address, only, base }) => ({ file, address, only, pointer: base.pointer })),
    ...grants.filter(isLimited).map(({ file, kind, only, pointer, flag, role }) => ({
      file,
      address: objectAddress(kind.name, role, flag),
      only,
      pointer,
    })),
  ]
  return [
    ...listed.flatMap(({ file, address, only = new Map<string, number>(), pointer }) =>
      [...only].flatMap(([name, index]) => check(file, address, name, `${pointer}/only/${index}`, 'value')),
    ),
    ...objects
      .filter(({ environments }) => environments.size > 0)
      .flatMap(({ file, address, base, environments }) =>
        [...environments.keys()].flatMap(name =>
          check(file, address, name, base.pointer + pointerOf('environments', name), 'key'),
        ),
      ),
  ]
}

/** A limit from the settings is reported at its place there. */
function isLimited({ only, isOnlyByDefault }: Pick<ObjectDeclaration, 'only' | 'isOnlyByDefault'>): boolean {
  return only !== undefined && isOnlyByDefault !== true
}

interface UnknownName {
  /** The name in the form for messages. */
  readonly shown?: string
  /** Similar names, from all the names that may be meant. */
  readonly suggestions?: Suggestions
}

/** Reports that there is no such environment, and lists the existing ones. */
export function unknownEnvironment(
  name: string,
  names: readonly string[],
  { shown = quote(name), suggestions = new Suggestions(names) }: UnknownName = {},
): Problem {
  const listed = names.length === 0 ? 'vexil.yaml declares none' : `there are: ${listSome(names, 'and')}`
  return {
    code: 'unknown-environment',
    severity: 'error',
    message: `${shown} is not an environment`,
    hint: suggestions.hint(name, listed),
  }
}

/** Problems of each environment, each once: with the environments that have it, unless all do. */
export function inEnvironments(
  environments: readonly Environment[],
  find: (environment: Environment) => readonly Problem[],
): Problem[] {
  const found = new Map<string, { readonly problem: Problem; readonly names: Set<string> }>()
  for (const environment of environments)
    for (const problem of find(environment)) {
      // A hint may list what one of them has.
      const key = JSON.stringify({ ...problem, hint: undefined })
      const known = found.get(key) ?? { problem, names: new Set() }
      found.set(key, known)
      known.names.add(environment.name ?? '')
    }
  return [...found.values()].map(({ problem, names }) =>
    names.size === environments.length
      ? problem
      : { ...problem, message: `in ${listSome([...names], 'and')}, ${problem.message}` },
  )
}

const namedThings = {
  role: { code: 'unknown-role', more: 'a UUID works too' },
  cohort: { code: 'unknown-cohort', more: 'its number works too' },
  'group type': { code: 'unknown-group-type', more: 'its number works too, as group_type_index' },
} as const

type NamedThing = keyof typeof namedThings

/** Reports names of things that an environment does not know. What it knows is listed once. */
export function unknownNamesIn({ roles, cohorts, groupTypes }: Environment) {
  const known = new Map<NamedThing, { readonly suggestions: Suggestions; readonly listed: string }>()
  const listOf = (thing: NamedThing) => {
    const all = { role: roles, cohort: cohorts, 'group type': groupTypes }
    const names = Object.keys(all[thing])
    const listed =
      names.length === 0 ? `vexil.yaml names no ${thing}s` : `there are: ${listSome(names, 'and')}`
    return { suggestions: new Suggestions(names), listed: `${listed}; ${namedThings[thing].more}` }
  }
  return (thing: NamedThing, name: string, shown = quote(name)): Problem => {
    const { suggestions, listed } = known.get(thing) ?? listOf(thing)
    known.set(thing, { suggestions, listed })
    return {
      code: namedThings[thing].code,
      severity: 'error',
      message: `${shown} is not a ${thing}`,
      hint: suggestions.hint(name, listed),
    }
  }
}

export type Choice = { readonly environment: Environment } | { readonly problem: Problem }

/**
 * The chosen environment: the requested one or, without a request, the only one. If there are several, it is
 * the fallback, if there is one.
 */
export function chooseEnvironment(
  { environments, shared }: Settings,
  wanted: string | undefined,
  fallback?: string,
): Choice {
  const names = environments.map(({ name }) => name)
  if (wanted !== undefined) {
    const environment = environments.find(({ name }) => name === wanted)
    return environment ? { environment } : { problem: unknownEnvironment(wanted, names) }
  }
  if (environments.length < 2) return { environment: environments[0] ?? shared }
  const taken = environments.find(({ name }) => name === fallback)
  if (taken) return { environment: taken }
  return {
    problem: {
      code: 'no-environment',
      severity: 'error',
      message: `there are ${names.length} environments, and none was chosen`,
      hint: `choose one with --env: ${listSome(names)}`,
    },
  }
}
