import { dirname, resolve } from 'node:path'
import type { Desired } from '../core/desired.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import type { StackConnection } from './declare/to-declarations.ts'
import { placeText } from './evaluate/providers.ts'
import {
  type LoadedStack,
  loadAmongOthers,
  loadStack,
  type StackOptions,
  unknownVariable,
} from './load-stack.ts'
import { dependencyOrder } from './read/dependency-order.ts'
import { readManifest } from './read/manifest.ts'

export interface StacksOptions extends Omit<StackOptions, 'folder'> {
  /** The folders of the stacks, absolute. */
  readonly folders: readonly string[]
  /** Set if nothing is planned: then they may be for several places, and each place is checked separately. */
  readonly mayBeApart?: boolean
  /** One text for all targets of one place, after the surroundings have supplied what a stack leaves out. */
  readonly placeOf?: (stated: StackConnection) => string
}

/**
 * Reads several stacks as one, each after those that it depends on. For one plan they have to be for one
 * place; nothing is declared if one of them has an error.
 */
export async function loadStacks({
  folders,
  mayBeApart = false,
  placeOf = placeText,
  ...options
}: StacksOptions): Promise<LoadedStack> {
  const [first, ...others] = await inOrder(folders)
  if (first === undefined) return nothing
  if (others.length === 0) return loadStack({ ...options, folder: first })
  const stacks: LoadedStack[] = []
  for (const folder of [first, ...others]) stacks.push(await loadAmongOthers({ ...options, folder }))
  const places = byPlace(stacks, placeOf)
  const apart = mayBeApart ? [] : disagreements(places)
  // A declaration may occur in each of several places.
  const together = apart.length > 0 ? apart : places.flatMap(repeated)
  const problems = [...problemsOfAll(stacks), ...together]
  const isWhole = !hasErrors(problems)
  const declaredIn = (some: readonly LoadedStack[]) => (isWhole ? declarationsOf(some) : nothing.declarations)
  return {
    declarations: declaredIn(stacks),
    connection: connectionOf(stacks),
    problems,
    file: filesOf(stacks),
    texts: new Map(stacks.flatMap(({ texts }) => [...texts])),
    annotations: stacks.flatMap(({ annotations }) => annotations),
    lookUps: stacks.flatMap(({ lookUps }) => lookUps),
    places: places.map(some => ({
      declarations: declaredIn(some),
      connection: connectionOf(some),
      file: filesOf(some),
    })),
  }
}

function declarationsOf(stacks: readonly LoadedStack[]): LoadedStack['declarations'] {
  const all = stacks.map(({ declarations }) => declarations)
  const desired = all.flatMap(each => each.desired)
  const declared = new Set(desired.map(({ address }) => address))
  const skipped = all.flatMap(each => each.skipped ?? []).filter(({ address }) => !declared.has(address))
  const roleNames = new Map(all.flatMap(each => [...(each.roleNames ?? [])]))
  return { desired, ownedGrants: [], roleNames, ...(skipped.length > 0 ? { skipped } : {}) }
}

function connectionOf(stacks: readonly LoadedStack[]): StackConnection {
  return Object.assign({}, ...stacks.map(({ connection }) => connection))
}

function filesOf(stacks: readonly LoadedStack[]): string {
  return stacks.map(({ file }) => file).join(', ')
}

const nothing: LoadedStack = {
  declarations: { desired: [], ownedGrants: [] },
  connection: {},
  problems: [],
  file: '',
  texts: new Map(),
  annotations: [],
  lookUps: [],
}

/** Each folder once, after the stacks on which it depends by its manifest, even indirectly. */
async function inOrder(folders: readonly string[]): Promise<readonly string[]> {
  const wanted = new Set(folders.map(folder => resolve(folder)))
  const needs = new Map([...wanted].map(folder => [folder, new Set<string>()]))
  for (const output of new Set([...wanted].map(folder => dirname(dirname(folder))))) {
    const stacks = (await readManifest(output))?.stacks ?? []
    const byName = new Map(stacks.map(({ name, folder }) => [name, folder]))
    for (const { folder, dependencies } of stacks) {
      const needed = dependencies.flatMap(name => byName.get(name) ?? [])
      needs.set(folder, new Set([...(needs.get(folder) ?? []), ...needed]))
    }
  }
  return dependencyOrder(needs).order.filter(folder => wanted.has(folder))
}

/** The problems of all stacks, each once. An unknown variable is an error only if no stack has it. */
function problemsOfAll(stacks: readonly LoadedStack[]): readonly Problem[] {
  const isStranger = ({ code, message }: Problem) =>
    code === unknownVariable &&
    !stacks.every(({ problems }) => problems.some(each => each.code === code && each.message === message))
  // An unknown variable is a mistake in the command, and not in each stack.
  const keyOf = (problem: Problem) =>
    problem.code === unknownVariable ? problem.message : JSON.stringify(problem)
  // Of several stacks, the one with a variable of a similar name is probably meant.
  const isNear = (problem?: Problem) => problem?.hint?.startsWith('did you mean') === true
  const found = new Map<string, Problem>()
  for (const { problems } of stacks)
    for (const problem of problems) {
      const key = keyOf(problem)
      const isNearer = isNear(problem) && !isNear(found.get(key))
      if (!isStranger(problem) && (!found.has(key) || isNearer)) found.set(key, problem)
    }
  return [...found.values()]
}

/** The stacks that declare something, together with those for the same place. */
function byPlace(
  stacks: readonly LoadedStack[],
  placeOf: (stated: StackConnection) => string,
): readonly (readonly LoadedStack[])[] {
  const found = new Map<string, LoadedStack[]>()
  for (const stack of stacks) {
    if (stack.declarations.desired.length === 0) continue
    const place = placeOf(stack.connection)
    found.set(place, [...(found.get(place) ?? []), stack])
  }
  return [...found.values()]
}

function disagreements(places: readonly (readonly LoadedStack[])[]): readonly Problem[] {
  const [first, other] = places.map(([stack]) => stack)
  if (!first || !other) return []
  return [
    {
      code: 'several-targets',
      severity: 'error',
      message: `"${first.file}" and "${other.file}" are for different places`,
      hint: 'plan each by itself: one --stack at a time',
      source: { file: other.file, line: 1, column: 1 },
    },
  ]
}

function repeated(stacks: readonly LoadedStack[]): readonly Problem[] {
  const seen = new Map<string, string>()
  return stacks.flatMap(({ declarations, file }) =>
    declarations.desired.flatMap((desired: Desired): Problem[] => {
      const before = seen.get(desired.address)
      seen.set(desired.address, file)
      if (before === undefined) return []
      return [
        {
          code: 'duplicate-declaration',
          severity: 'error',
          message: `${desired.address}: "${before}" declares it too`,
          hint: 'keep one of them',
          ...(desired.source ? { source: desired.source } : {}),
        },
      ]
    }),
  )
}
