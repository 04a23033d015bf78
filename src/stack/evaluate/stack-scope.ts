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

/** What has been worked out, by address; undefined for what is refused, or not yet come to. */
export type WorkedOut = ReadonlyMap<string, Typed | undefined>

/** The names that mean something only inside of one instance: `each`, `count`, `self`. */
export type LocalNames = Readonly<Record<string, Typed>>

/** What expressions of a stack share beside its names. */
export interface Surroundings {
  readonly work: Work
  readonly files: Files
  /** The folder that Terraform would be run in, absolute. */
  readonly folder: string
  readonly engine: Engine | undefined
}

/** What values are worked out with. */
export interface Means {
  readonly scope: Scope
  readonly expressions: Expressions
  readonly problems: StackProblems
}

/** What the names of a stack, or of a module, come to. */
export interface Names {
  readonly workedOut: WorkedOut
  /** Its folder from that of the stack. */
  readonly path: string
  /** Throws a refusal where such a way leads to nothing that a resource or a data source has. */
  requireInside(address: string, steps: readonly KnownStep[]): void
  /** Remembers expressions in which everything is declared, where those names mean something. */
  knownDeclared(local: LocalNames): WeakSet<Expression> | undefined
  /** The value of an output of a module that it calls, or of all of them. */
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
    // What a module puts out is found out when it is called.
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

/** Names of which only a part can be taken; `self` may be taken as a whole too. */
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

/** What every configuration can name. A stack is a module at the top, which Terraform runs in its own folder. */
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

/** What a reference is about, and how many of its names say so. */
interface Addressed {
  readonly address: string
  readonly taken: number
}

/** What a reference is about; undefined where it is about nothing that a configuration declares. */
export function addressIn(names: readonly string[]): Addressed | undefined {
  const [root = '', ...inside] = names
  // Terraform takes the word before a resource, whose type could be mistaken for another name.
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
