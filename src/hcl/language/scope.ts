import type { FunctionRows } from '../functions/function-row.ts'
import type { Work } from '../limits.ts'
import { invalid } from '../values/refusal.ts'
import type { Typed } from '../values/typed.ts'
import { type Expression, namesOf, type Reference, referencesIn } from './expression.ts'

/** The engine that runs a configuration. */
export type Engine = 'Terraform' | 'OpenTofu'

/** The meaning of names in an expression. */
export interface Scope {
  /** The value of the longest path that has one, and the number of names used. Refuses if there is none. */
  find(names: readonly string[]): { readonly value: Typed; readonly taken: number }
  /** Refuses an undeclared reference by its text alone; if this is missing, `find` refuses it. */
  readonly requireDeclared?: (reference: Reference) => void
  /** The expressions whose references are known to be declared. */
  readonly declared?: WeakSet<Expression>
  /** The remaining work for repetitions; if it is missing, each expression starts with a new limit. */
  readonly work?: Work
  /** The engine that would otherwise evaluate the expression, if known. */
  readonly engine?: Engine | undefined
  /** The files for file functions; without it they are refused. */
  readonly files?: Files
  /** Functions besides those of the language, by the names in expressions: `provider::vexil::rollout`. */
  readonly functions?: FunctionRows
  /** The name that was probably meant, if a function is unknown. */
  readonly suggest?: (name: string, known: readonly string[]) => string | undefined
  /** Whether the expression is in a template that a function fills in. */
  readonly isInTemplate?: true
  /** Whether it has to be a constant, which calls no functions. */
  readonly isConstant?: true
}

/** The files that expressions may read: those in the stack's folder. Paths may be relative to it. */
export interface Files {
  /** The bytes of a file. Refuses paths outside the folder, non-files, and files that are too large. */
  read(path: string): Uint8Array
  /** Whether a file exists. Refuses paths outside the folder, and folders. */
  exists(path: string): boolean
  /** The files below a folder that match a pattern, relative to that folder. */
  find(folder: string, pattern: string): readonly string[]
}

/** A scope without names. */
export const constants: Scope = {
  isConstant: true,
  find([name = '']) {
    throw invalid(`it refers to ${name}, and has to be a constant`)
  },
}

/** Refuses undeclared names even in parts that are never evaluated, such as a `for` without rounds. */
export function requireDeclared(expression: Expression, scope: Scope): void {
  const { declared } = scope
  if (declared?.has(expression)) return
  for (const reference of referencesIn(expression)) {
    if (scope.requireDeclared) scope.requireDeclared(reference)
    else scope.find(namesOf(reference.root, reference.steps))
  }
  declared?.add(expression)
}

/** A scope with a few more names, which hide the others. */
export function withNames(scope: Scope, names: ReadonlyMap<string, Typed>, work: Work): Scope {
  return {
    ...scope,
    work,
    find(way) {
      const own = names.get(way[0] ?? '')
      return own === undefined ? scope.find(way) : { value: own, taken: 1 }
    },
  }
}
