import { dirname, resolve } from 'node:path'
import type { Desired } from '../core/desired.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import type { StackConnection } from './declare/choose-target.ts'
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
}

/**
 * Reads several stacks as one: each after those that it depends on. They have to be for one place, since one plan is;
 * nothing is declared as long as one of them has an error.
 */
export async function loadStacks({ folders, ...options }: StacksOptions): Promise<LoadedStack> {
  const [first, ...others] = await inOrder(folders)
  if (first === undefined) return nothing
  if (others.length === 0) return loadStack({ ...options, folder: first })
  const stacks: LoadedStack[] = []
  for (const folder of [first, ...others]) stacks.push(await loadAmongOthers({ ...options, folder }))
  const apart = disagreements(stacks)
  // What is for several places may be declared in each of them.
  const together = apart.length > 0 ? apart : repeated(stacks)
  const problems = [...problemsOfAll(stacks), ...together]
  const isWhole = !hasErrors(problems)
  const all = stacks.map(({ declarations }) => declarations)
  const roleNames = new Map(all.flatMap(each => [...(each.roleNames ?? [])]))
  const desired = all.flatMap(each => each.desired)
  const declared = new Set(desired.map(({ address }) => address))
  const skipped = all.flatMap(each => each.skipped ?? []).filter(({ address }) => !declared.has(address))
  return {
    declarations: isWhole
      ? { desired, ownedGrants: [], roleNames, ...(skipped.length > 0 ? { skipped } : {}) }
      : { desired: [], ownedGrants: [] },
    connection: Object.assign({}, ...stacks.map(({ connection }) => connection)),
    problems,
    file: stacks.map(({ file }) => file).join(', '),
    texts: new Map(stacks.flatMap(({ texts }) => [...texts])),
    annotations: stacks.flatMap(({ annotations }) => annotations),
    lookUps: stacks.flatMap(({ lookUps }) => lookUps),
  }
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

/** Each folder once, behind those of the stacks that its manifest says it depends on, also by way of others. */
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

/** What is wrong with each, told once. That a variable is unknown is wrong only where no stack knows it. */
function problemsOfAll(stacks: readonly LoadedStack[]): readonly Problem[] {
  const isStranger = ({ code, message }: Problem) =>
    code === unknownVariable &&
    !stacks.every(({ problems }) => problems.some(each => each.code === code && each.message === message))
  // Such a variable is a slip of whoever gave it, and not of each stack.
  const keyOf = (problem: Problem) =>
    problem.code === unknownVariable ? problem.message : JSON.stringify(problem)
  // Of several stacks, the one that has a variable of nearly that name is meant.
  const isNear = (problem?: Problem) => problem?.hint?.startsWith('did you mean') === true
  const told = new Map<string, Problem>()
  for (const { problems } of stacks)
    for (const problem of problems) {
      const key = keyOf(problem)
      const isNearer = isNear(problem) && !isNear(told.get(key))
      if (!isStranger(problem) && (!told.has(key) || isNearer)) told.set(key, problem)
    }
  return [...told.values()]
}

const places = ['baseUrl', 'apiKey', 'profile', 'project', 'organization'] as const

function disagreements(stacks: readonly LoadedStack[]): readonly Problem[] {
  const placeOf = (connection: StackConnection) =>
    JSON.stringify(places.map(name => connection[name] ?? null))
  const declaring = stacks.filter(({ declarations }) => declarations.desired.length > 0)
  const [first] = declaring
  const other = declaring.find(({ connection }) => first && placeOf(connection) !== placeOf(first.connection))
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
