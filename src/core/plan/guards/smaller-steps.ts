import { isJsonArray, isJsonObject } from '../../../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../../../model/kind.ts'
import { shellWord } from '../../../model/text/shell-word.ts'
import type { Widening } from '../../../targeting/index.ts'
import type { Desired } from '../../desired.ts'
import { commandAt } from '../command-at.ts'

export interface TooWide {
  readonly kind?: DeclarableKind
  readonly desired?: Desired
  readonly widest?: Widening
  readonly placeOptions?: string
}

/**
 * How to widen a flag by no more than a limit allows: with the command that writes the next step, where the conditions are
 * declared in YAML, which it edits. It counts conditions from 1, and needs no number of the only one.
 */
export function smallerSteps({ kind, desired, widest, placeOptions }: TooWide, limit: number): string {
  const filters = desired?.fields[(kind && targetingField(kind)) ?? '']
  const groups = filters !== undefined && isJsonObject(filters) ? filters.groups : undefined
  const isInYaml = /\.ya?ml$/i.test(desired?.source?.file ?? '')
  if (!desired || !widest || limit <= 0 || !isInYaml || filters === undefined) return 'go in smaller steps'
  const to = Number((widest.before + limit).toFixed(6))
  const condition =
    groups !== undefined && isJsonArray(groups) && groups.length > 1 ? ` --condition ${widest.index + 1}` : ''
  const command = `vexil ramp ${shellWord(desired.address)} --to ${to}${condition}`
  return `go in smaller steps: ${commandAt(command, placeOptions)} writes the first one`
}
