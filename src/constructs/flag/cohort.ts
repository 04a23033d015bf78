import { knownText, made, notA, number, type Reader, text } from '../arguments/argument.ts'
import { markedForm } from '../engine/engine-marks.ts'
import { isReference } from '../synthesized/templates.ts'

/**
 * A cohort, by its id: the service's interface has no list of cohorts, so none can be found by its name.
 *
 * ```ts
 * const testers = Cohort.fromId(12, 'beta testers')
 * const release = [When.cohort(testers).at(50), When.notInCohort(testers).at(5)]
 * ```
 */
export class Cohort {
  /** The id of the cohort, as the address of its page ends; text where it is known only once a plan is made. */
  public readonly id: number | string
  /** What people call it. */
  public readonly name: string | undefined

  /** A cohort by its id. Its name is for those who read the code, and is sent nowhere. */
  public static fromId(id: number | string, name?: string): Cohort {
    return new Cohort(
      idOf(id, 'the id of a cohort'),
      name === undefined ? name : knownText(name, 'the name of a cohort'),
    )
  }

  private constructor(id: number | string, name: string | undefined) {
    this.id = id
    this.name = name
    Object.freeze(this)
  }
}

const cohort: Reader<Cohort> = made('id', 'a cohort; write Cohort.fromId(id, name) or its id')

/** A cohort's id, from the cohort or from the id itself. */
export const cohortId: Reader<number | string> = (value, name) => {
  const isId = typeof value !== 'object' || value === null || markedForm(value) !== undefined
  return isId ? idOf(value, name) : cohort(value, name).id
}

/** A number stays a number; the service accepts its text as well. */
function idOf(value: unknown, name: string): number | string {
  const id = typeof value === 'number' && !isReference(value) ? number(value, name) : text(value, name)
  if (isReference(id) || /^\d+$/.test(String(id))) return id
  const why =
    'the interface of the service lists no cohorts, so none is found by its name; its page has the id in its address'
  throw new Error(`${notA('the id of a cohort', id, name).message}: ${why}`)
}
