import { Refusal } from '../../hcl/index.ts'

import type { Problem, Source } from '../../model/problem.ts'

/** The place of a construct in the file. */
export type SourceOf = (constructPath: string | undefined) => Source | undefined

/** The subject of a problem: an address, a field of it, and its construct. */
export interface Subject {
  readonly address: string
  readonly path?: string | undefined
  /** Its place, if that is in the file of a module. */
  readonly source?: Source | undefined
  /** The common part of all instances of a block in a module: its address without their keys. */
  readonly origin?: string | undefined
}

/** A block or one of its objects, by its full address. */
export function subjectOf(address: string, { path, source, origin }: Omit<Subject, 'address'>): Subject {
  return { address, path, source, origin }
}

type Found = Pick<Problem, 'code' | 'message' | 'hint' | 'conditional'> & {
  readonly severity?: Problem['severity']
}

/** The problems found, each once: the instances of one resource usually share their problems. */
export class StackProblems {
  readonly #sourceOf: SourceOf
  readonly #whole: Source | undefined
  readonly #problems = new Map<string, Problem>()

  /** `whole` is the place of problems without a construct. */
  constructor(sourceOf: SourceOf, whole?: Source) {
    this.#sourceOf = sourceOf
    this.#whole = whole
  }

  get all(): readonly Problem[] {
    return [...this.#problems.values()]
  }

  add(place: Subject, problem: Found): void {
    this.#note(place, problem, `${place.path ?? ''} ${problem.message}`)
  }

  /** Removes problems that are reported in other words. */
  withdraw(isReported: (problem: Problem) => boolean): void {
    for (const [key, problem] of this.#problems) if (isReported(problem)) this.#problems.delete(key)
  }

  /** The problem as it would be recorded. */
  problemAt(place: Subject, { severity = 'error', ...problem }: Found): Problem {
    const source = this.sourceOf(place)
    if (source !== undefined) return { severity, ...problem, source }
    return this.#whole === undefined
      ? { severity, ...problem }
      : { severity, ...problem, source: this.#whole, isOfWholeFile: true }
  }

  /** The place for a person. */
  sourceOf({ path, source }: Omit<Subject, 'address'>): Source | undefined {
    return source ?? this.#sourceOf(path)
  }

  /** Runs some work for a field; a refusal is recorded, and then there is no result. */
  attempt<Result>(place: Subject, field: string, work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.refuse(place, field, error)
      return undefined
    }
  }

  refuse(place: Subject, field: string, { is, message, remedy }: Refusal): void {
    // The consequence of another refusal adds nothing new.
    if (is === 'consequence') return
    const where = fieldOf(place.address, field)
    const code = is === 'unsupported' ? 'stack-unsupported' : 'stack-invalid'
    const hint = remedy === undefined ? {} : { hint: remedy }
    // The first instance of a resource represents all of them.
    this.#note(
      place,
      { code, message: `${where}: ${message}`, ...hint },
      `${place.path ?? place.origin ?? place.address} ${field} ${message}`,
    )
  }

  #note(place: Subject, problem: Found, key: string): void {
    if (!this.#problems.has(key)) this.#problems.set(key, this.problemAt(place, problem))
  }
}

/** A field by its address: `vexil_feature_flag.checkout.release[0]`. */
export function fieldOf(address: string, field: string): string {
  return field === '' || field.startsWith('[') ? `${address}${field}` : `${address}.${field}`
}
