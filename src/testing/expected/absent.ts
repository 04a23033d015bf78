import type { Asymmetric } from './asymmetric.ts'

export class Absent implements Asymmetric {
  /** By this the test frameworks know how to print it. */
  readonly $$typeof = Symbol.for('jest.asymmetricMatcher')

  asymmetricMatch(actual: unknown): boolean {
    return actual === undefined || actual === null
  }

  toString(): string {
    return 'nothing'
  }

  toAsymmetricMatcher(): string {
    return 'nothing'
  }
}

/** Expects that an attribute is not set: `toHaveResource(Flag, { projectId: absent() })`. */
export function absent(): Asymmetric {
  return new Absent()
}
