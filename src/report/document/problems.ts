import type { Problem } from '../../model/problem.ts'
import type { ShownObject } from '../../model/shown-object.ts'

/** `vexil validate`. */
export interface ValidationDocument {
  readonly is: 'validation'
  readonly exitCode: number
  readonly files: readonly string[]
  readonly problems: readonly ToldProblem[]
  /** With `--show`: objects as they are declared for one environment. */
  readonly shown?: readonly ShownObject[]
}

/** A problem with what it takes to show it. */
export interface ToldProblem {
  readonly problem: Problem
  /** Its file, as seen from where the command runs. */
  readonly path?: string
  /** The line that it is about, and the one before. */
  readonly excerpt?: Excerpt
}

export interface Excerpt {
  readonly line: string
  readonly before?: string
}

/** Why any command failed. */
export interface FailureDocument {
  readonly is: 'failure'
  readonly exitCode: number
  /** One line; undefined where everything has been said already. */
  readonly line?: string
  readonly errors: readonly Fault[]
  /** The problems in files that are told together with it. */
  readonly problems: readonly ToldProblem[]
  /** The command that failed, and the environment that was asked for. */
  readonly command?: string
  readonly environment?: string
}

/** A problem in what a person wrote, or a failure of the command, in one shape. */
export type Fault = Omit<Problem, 'severity' | 'isOfWholeFile'> & {
  /** What the service answered, where it was the service that refused. */
  readonly status?: number
  readonly request?: string
}
