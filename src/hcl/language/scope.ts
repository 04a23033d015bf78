import type { FunctionRows } from '../functions/function-row.ts'
import type { Work } from '../limits.ts'
import { invalid } from '../values/refusal.ts'
import type { Typed } from '../values/typed.ts'
import { type Expression, namesOf, type Reference, referencesIn } from './expression.ts'

/** What runs a configuration. */
export type Engine = 'Terraform' | 'OpenTofu'

/** What the names of an expression stand for. */
export interface Scope {
  /** The value of the longest way that has one, and how many of its names that took. Refuses what has none. */
  find(names: readonly string[]): { readonly value: Typed; readonly taken: number }
  /** Refuses a reference to what is declared nowhere, by its text alone; what `find` refuses, where this is missing. */
  readonly requireDeclared?: (reference: Reference) => void
  /** The expressions in which everything is known to be declared. */
  readonly declared?: WeakSet<Expression>
  /** How much may still be done by what repeats itself; an expression begins with a new one where this is missing. */
  readonly work?: Work
  /** What would work the expression out otherwise, where that is known. */
  readonly engine?: Engine | undefined
  /** What functions of files look at; without it they are refused. */
  readonly files?: Files
  /** Functions beside those of the language, by the names that expressions call them by: `provider::vexil::rollout`. */
  readonly functions?: FunctionRows
  /** The name that was probably meant, where a function of some name is not known. */
  readonly suggest?: (name: string, known: readonly string[]) => string | undefined
  /** Whether the expression stands in a template that a function fills in. */
  readonly isInTemplate?: true
  /** Whether it has to be a constant, which calls no functions. */
  readonly isConstant?: true
}

/** The files that expressions may look at: those in the folder of the stack. Paths are relative to it, or absolute. */
export interface Files {
  /** The bytes of a file. Refuses what is not in the folder, is no file, or is too large. */
  read(path: string): Uint8Array
  /** Whether there is a file. Refuses to say so of what is not in the folder, and of folders. */
  exists(path: string): boolean
  /** The files under a folder that fit a pattern, relative to that folder. */
  find(folder: string, pattern: string): readonly string[]
}

/** Where nothing has a name. */
export const constants: Scope = {
  isConstant: true,
  find([name = '']) {
    throw invalid(`it refers to ${name}, and has to be a constant`)
  },
}

/** Refuses what is declared nowhere also where nobody comes to it, as within a `for` that has no rounds. */
export function requireDeclared(expression: Expression, scope: Scope): void {
  const { declared } = scope
  if (declared?.has(expression)) return
  for (const reference of referencesIn(expression)) {
    if (scope.requireDeclared) scope.requireDeclared(reference)
    else scope.find(namesOf(reference.root, reference.steps))
  }
  declared?.add(expression)
}

/** The names of a scope with a few more, which come before those. */
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
