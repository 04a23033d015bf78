import { declarableKind } from '../../../kinds/index.ts'
import type { Json } from '../../../model/json/json.ts'
import type { DeclarableKind } from '../../../model/kind.ts'
import type { Problem } from '../../../model/problem.ts'
import type { Block, Change } from '../../change.ts'
import type { Declarations, Desired } from '../../desired.ts'
import type { Snapshot } from '../../read/snapshot.ts'

/**
 * A declaration with the level that it means. One that gives none means what a grant has always been: leave to edit.
 *
 * | declared | the service has levels | it has none  | nobody knows yet             |
 * |----------|------------------------|--------------|------------------------------|
 * | a level  | that                   | a problem    | that, or the change fails    |
 * | none     | the assumed one        | none         | whatever turns out to be so  |
 */
export function withLevel(
  { fields, lifecycle }: DeclarableKind,
  desired: Desired,
  { hasLevels }: Pick<Snapshot, 'hasLevels'>,
): Desired {
  const level = lifecycle.levels?.field
  if (level === undefined || !hasLevels || desired.ensure === 'absent') return desired
  return { ...desired, fields: { [level]: fields[level]?.assumed ?? null, ...desired.fields } }
}

/** Whether a new grant lets its role edit: levels are listed from the least to the most. */
export function givesLeaveToEdit({ kind: name, after }: Pick<Change, 'kind' | 'after'>): boolean {
  const { fields, lifecycle } = declarableKind(name)
  const field = fields[lifecycle.levels?.field ?? '']
  const level = after[lifecycle.levels?.field ?? '']
  if (level === undefined || field?.type !== 'string') return true
  const levels: readonly (Json | undefined)[] = field.oneOf ?? []
  return levels.indexOf(level) >= levels.indexOf(field.assumed)
}

/** Whether a declaration gives a level where the service has none. */
export function hasLevelInVain(
  { lifecycle }: DeclarableKind,
  { fields, ensure }: Desired,
  { hasLevels }: Pick<Snapshot, 'hasLevels'>,
): boolean {
  const { levels } = lifecycle
  return levels !== undefined && hasLevels === false && ensure === 'present' && levels.field in fields
}

/** Levels that are declared where the service has none: no plan is made with them. */
export function levelProblems({ desired }: Declarations, snapshot: Snapshot): Problem[] {
  return desired
    .filter(one => hasLevelInVain(declarableKind(one.kind), one, snapshot))
    .map(({ address, source }) => ({
      code: 'no-levels',
      severity: 'error',
      message: noLevels.reason,
      hint: noLevels.remedy,
      address,
      ...(source ? { source } : {}),
    }))
}

export const noLevels: Block = {
  rule: 'invalid',
  reason: 'a level is declared, and this service gives roles none: a role may edit a flag, or it may not',
  remedy: 'leave the level out, or limit the declaration to the environments whose service has levels',
}
