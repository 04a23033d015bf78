import type { PlanMeta } from '../core/plan-file.ts'
import { targetText } from '../core/target.ts'
import { padColumns } from '../model/columns.ts'
import { escapeText } from '../model/escape-text.ts'
import type { Source } from '../model/problem.ts'
import { placeOf } from './names.ts'
import type { Style } from './style.ts'

/** Where the places begin; a longer name pushes its own to the right. */
const nameColumns = 48

/** The name on the left, the place in its file on the right of it. */
export function titled(sign: string, name: string, source: Source | undefined, style: Style): string {
  const place = placeOf(source)
  return place === ''
    ? `  ${sign} ${name}`
    : `  ${sign} ${padColumns(name, nameColumns)}  ${style.dim(place)}`
}

/** What a plan is about: `production (project 1, https://app.example.com)`. */
export function placeWords({ target, environment }: Pick<PlanMeta, 'target' | 'environment'>): string {
  const place = escapeText(targetText(target))
  return environment === undefined ? place : `${escapeText(environment)} (${place})`
}
