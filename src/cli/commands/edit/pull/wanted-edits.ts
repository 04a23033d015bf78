import type { Plan } from '../../../../core/change.ts'
import type { LiveEdit, LiveEditField, Treatment } from '../../../../core/live-edits/live-edit.ts'

/** What was changed in the product and is to be taken into the files, and what of it is not. */
export interface WantedEdits {
  readonly taken: readonly LiveEdit[]
  /** A line each. */
  readonly notes: readonly string[]
}

/**
 * Which live edits are taken into the files.
 *
 * | a field is             | it is taken                                                                           |
 * |------------------------|---------------------------------------------------------------------------------------|
 * | `held`, `reverted`     | yes                                                                                   |
 * | `conflict`             | yes: what is declared is given up, and told                                           |
 * | `merged`               | only of an object that is named: the next apply sends what both sides come to together |
 * | `behind`               | no: another commit declares it, which has to be taken into this line                  |
 */
export function wantedEdits({ liveEdits, blocked }: Plan, names: readonly string[]): WantedEdits {
  const told = liveEdits.map(edit => {
    const isNamed = names.some(name => name === edit.address || edit.address.endsWith(`.${name}`))
    const isTaken = ({ treatment }: LiveEditField) => take(treatment, isNamed)
    return { edit, fields: edit.fields.filter(isTaken), left: edit.fields.filter(each => !isTaken(each)) }
  })
  const renamed = blocked.filter(({ rule }) => rule === 'renamed_in_product')
  return {
    taken: told.flatMap(({ edit, fields }) => (fields.length === 0 ? [] : [{ ...edit, fields }])),
    notes: [
      ...told.flatMap(({ edit, left }) => left.map(field => leftNote(edit.address, field))),
      ...renamed.map(({ address, reason, remedy }) => `${address}: ${reason}; ${remedy}`),
    ],
  }
}

function take(treatment: Treatment, isNamed: boolean): boolean {
  switch (treatment) {
    case 'held':
    case 'reverted':
    case 'conflict':
      return true
    case 'merged':
      return isNamed
    case 'behind':
      return false
  }
}

function leftNote(address: string, { field, treatment, commit }: LiveEditField): string {
  if (treatment === 'merged')
    return `${address}: ${field} is merged by the next apply; name ${address} to take what is live alone`
  const name = commit?.slice(0, 12)
  return name === undefined
    ? `${address}: ${field} is as another commit declares it`
    : `${address}: ${field} is as commit ${name} declares it; take that into this line: \`git merge ${name}\``
}
