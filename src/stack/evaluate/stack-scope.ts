import {
  consequence,
  type Engine,
  type Expression,
  type Files,
  fixedSteps,
  type KnownStep,
  membersOf,
  namesOf,
  nothing,
  object,
  ofText,
  type Scope,
  type Step,
  type Typed,
  undeclared,
  type Work,
} from '../../hcl/index.ts'

import { didYouMean, meantHint } from '../../model/text/did-you-mean.ts'
import type { Expressions } from '../read/expression-of.ts'
import { providerFunctions } from './provider-functions.ts'
import type { StackProblems } from './stack-problems.ts'

/** All evaluated values, by address; undefined for refused ones and those that come later. */
export type WorkedOut = ReadonlyMap<string, Typed | undefined>

/** The names that exist only inside one instance: `each`, `count`, `self`. */
export type LocalNames = Readonly<Record<string, Typed>>

/** What the expressions of a stack share besides its names. */
export interface Surroundings {
  readonly work: Work
  readonly files: Files
  /** The folder in which Terraform would run, absolute. */
  readonly folder: string
  readonly engine: Engine | undefined
}

/** The means to evaluate values. */
export interface Means {
  readonly scope: Scope
  readonly expressions: Expressions
  readonly problems: StackProblems
}

/** The names of a stack or of a module, with their values. */
export interface Names {
  readonly workedOut: WorkedOut
  /** Its folder, relative to the stack's folder. */
  readonly path: string
  /** Throws a refusal if the path leads to nothing that the resource or data source has. */
  requireInside(address: string, steps: readonly KnownStep[]): void
  /** Remembers expressions in which everything is declared, if those names exist there. */
  knownDeclared(local: LocalNames): WeakSet<Expression> | undefined
  /** The value of an output of a called module, or of all its outputs. */
  outputOf(module: string, output: string | undefined): { readonly value: Typed; readonly taken: number }
}

/** The names of a configuration. */
export function stackScope(
  module: Names,
  { work, files, folder, engine }: Surroundings,
  local: LocalNames = {},
): Scope {
  const { workedOut, path } = module
  const means: LocalNames = { ...surroundingNames(folder, path, engine), ...local }
  const requireAddress = (names: readonly string[]): Addressed => {
    const addressed = addressIn(names)
    if (addressed === undefined) throw noSuchName(names)
    // The outputs of a module are evaluated when it is called.
    const declared = names[0] === 'module' ? `module.${names[1]}` : addressed.address
    if (!workedOut.has(declared)) throw notDeclared(declared, workedOut)
    return addressed
  }
  return {
    work,
    files,
    engine,
    functions: providerFunctions,
    suggest: didYouMean,
    declared: module.knownDeclared(local),
    requireDeclared({ root, steps }) {
      if (Object.hasOwn(means, root)) return requirePart(root, means[root] ?? nothing, steps)
      const { address, taken } = requireAddress(namesOf(root, steps))
      module.requireInside(address, fixedSteps(steps.slice(taken - 1)))
    },
    find(names) {
      const [root = '', name = '', output] = names
      if (Object.hasOwn(means, root)) return { value: means[root] ?? nothing, taken: 1 }
      const { address, taken } = requireAddress(names)
      if (root === 'module') return module.outputOf(name, output)
      const value = workedOut.get(address)
      if (value === undefined) throw consequence()
      return { value, taken }
    },
  }
}

/** Names that need an attribute; only `self` may be used as a whole too. */
const partsOnly: ReadonlySet<string> = new Set(['path', 'terraform', 'tofu', 'each', 'count'])

function requirePart(root: string, value: Typed, [step]: readonly Step[]): void {
  const known = [...(membersOf(value)?.members.keys() ?? [])]
  if (step?.is === 'name') {
    if (known.includes(step.name)) return
    const listed = `there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`
    throw undeclared(
      `${root} has no attribute ${JSON.stringify(step.name)}`,
      meantHint(step.name, known, listed),
    )
  }
  if (partsOnly.has(root))
    throw undeclared(`${root} is nothing by itself`, `write what of it is meant: ${root}.${known[0]}`)
}

/** The names that every configuration has. A stack is the root module, which Terraform runs in its folder. */
function surroundingNames(folder: string, path: string, engine: Engine | undefined): LocalNames {
  const run = object([['workspace', ofText('default')]])
  return {
    path: object([
      ['module', ofText(path)],
      ['root', ofText('.')],
      ['cwd', ofText(folder)],
    ]),
    terraform: run,
    ...(engine === 'OpenTofu' ? { tofu: run } : {}),
  }
}

/** The subject of a reference, and how many of its names identify it. */
interface Addressed {
  readonly address: string
  readonly taken: number
}

/** The subject of a reference; undefined if a configuration cannot declare it. */
export function addressIn(names: readonly string[]): Addressed | undefined {
  const [root = '', ...inside] = names
  // Terraform accepts this prefix for a resource whose type could be taken for another name.
  if (root === 'resource') {
    const named = isResourceType(inside[0] ?? '') ? addressIn(inside) : undefined
    return named && { ...named, taken: named.taken + 1 }
  }
  const count = namesTaken(names)
  if (count === undefined || names.length < count) return undefined
  return { address: names.slice(0, count).join('.'), taken: count }
}

export function addressOf(names: readonly string[]): string | undefined {
  return addressIn(names)?.address
}

function namesTaken([root = '', _name, output]: readonly string[]): number | undefined {
  if (root === 'module') return output === undefined ? 2 : 3
  if (root === 'data') return 3
  return root === 'var' || root === 'local' || isResourceType(root) ? 2 : undefined
}

function isResourceType(root: string): boolean {
  return root.includes('_')
}

function noSuchName(names: readonly string[]) {
  const [root = ''] = names
  const whole = names.join('.')
  switch (root) {
    case 'undefined':
      return undeclared(
        'it refers to undefined, which an engine writes for an empty text, zero and a missing value',
        'compare with Op.eq(value, Fn.rawString("")) or compute the answer in TypeScript',
      )
    case 'each':
    case 'count':
    case 'self':
      return undeclared(`${whole} means nothing here`, `use it where ${whereItMeans[root]}`)
    default:
      return undeclared(
        `it refers to ${whole}, and nothing is called so`,
        'where text is meant, write $${ for ${: text.replace(/([$%])\\{/g, "$1$1{")',
      )
  }
}

const whereItMeans = {
  each: 'there is a for_each',
  count: 'there is a count',
  self: 'a postcondition is',
} as const

function notDeclared(address: string, workedOut: WorkedOut) {
  const near = didYouMean(address, [...workedOut.keys()])
  return undeclared(
    `it refers to ${address}, which is not declared`,
    near === undefined ? 'declare it in this stack' : `did you mean ${near}?`,
  )
}
