import { consequence, undeclared } from '../../cty/invalid-value.ts'
import { membersOf, nothing, object, ofText, type Typed } from '../../cty/typed.ts'
import { didYouMean, meantHint } from '../../model/text/did-you-mean.ts'
import type { Expressions } from '../language/expression-of.ts'
import type { Files } from '../language/functions/places/files.ts'
import type { Scope } from '../language/scope.ts'
import { type Expression, fixedSteps, type KnownStep, namesOf, type Step } from '../language/syntax.ts'
import type { Work } from '../language/work-limits.ts'
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
  /** The expressions in which everything is declared where those names mean something. */
  declaredWith(local: LocalNames): WeakSet<Expression>
  /** The value of an output of a module that it calls, or of all of them. */
  outputOf(module: string, output: string | undefined): { readonly value: Typed; readonly taken: number }
}

/** The names of a configuration. */
export function stackScope(
  module: Names,
  { work, files, folder }: Surroundings,
  local: LocalNames = {},
): Scope {
  const { workedOut, path } = module
  const means: LocalNames = { ...surroundingNames(folder, path), ...local }
  const requireAddress = (names: readonly string[]): string => {
    const address = addressOf(names)
    if (address === undefined) throw noSuchName(names)
    // What a module puts out is found out when it is called.
    const declared = names[0] === 'module' ? `module.${names[1]}` : address
    if (!workedOut.has(declared)) throw notDeclared(declared, workedOut)
    return address
  }
  return {
    work,
    files,
    declared: module.declaredWith(local),
    requireDeclared({ root, steps }) {
      if (Object.hasOwn(means, root)) return requirePart(root, means[root] ?? nothing, steps)
      const names = namesOf(root, steps)
      const address = requireAddress(names)
      module.requireInside(address, fixedSteps(steps.slice(partsIn(address) - 1)))
    },
    find(names) {
      const [root = '', name = '', output] = names
      if (Object.hasOwn(means, root)) return { value: means[root] ?? nothing, taken: 1 }
      const address = requireAddress(names)
      if (root === 'module') return module.outputOf(name, output)
      const value = workedOut.get(address)
      if (value === undefined) throw consequence()
      return { value, taken: partsIn(address) }
    },
  }
}

/** What is in these is known before anything is worked out; all of `self` is, but also as a whole. */
const partsOnly: ReadonlySet<string> = new Set(['path', 'terraform', 'each', 'count'])

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
function surroundingNames(folder: string, path: string): LocalNames {
  return {
    path: object([
      ['module', ofText(path)],
      ['root', ofText('.')],
      ['cwd', ofText(folder)],
    ]),
    terraform: object([['workspace', ofText('default')]]),
  }
}

/** What a reference is about; undefined where it is about nothing that a configuration declares. */
export function addressOf(names: readonly string[]): string | undefined {
  const [root = '', second, third] = names
  if (root === 'module' && third !== undefined) return `module.${second}.${third}`
  if (root === 'var' || root === 'local' || root === 'module')
    return second === undefined ? undefined : `${root}.${second}`
  if (root === 'data') return third === undefined ? undefined : `data.${second}.${third}`
  return isResourceType(root) && second !== undefined ? `${root}.${second}` : undefined
}

function partsIn(address: string): number {
  return address.split('.').length
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
