import type { Change } from '../../core/change.ts'
import { declarableKind } from '../../kinds/index.ts'
import { targetingField } from '../../model/kind.ts'
import { type JsonObject, pickMembers } from '../../model/text/json.ts'
import {
  diffLines,
  hunksOf,
  hunkTitle,
  type LineEdit,
  linesOf,
  withoutEnd,
} from '../../model/text/line-diff.ts'
import { escapeText } from '../../model/text/printable.ts'
import {
  filtersSideBySide,
  type GroupTypeNumbers,
  memberRows,
  type SideCell,
  type SideTable,
  withGroupTypesNamed,
} from '../../targeting/index.ts'

/** The full state before and after a change: plain data, escaped for display like the lines of a report. */
export interface Details {
  readonly tables: readonly SideTable[]
  readonly files: readonly FileDetails[]
}

export interface FileDetails {
  readonly name: string
  /** Shown instead of a difference, if the service does not show the current text. */
  readonly note?: string
  readonly hunks: readonly { readonly title: string; readonly lines: readonly LineEdit[] }[]
}

/** For one value or one file's difference. The number of omitted lines is shown. */
const mostLines = 60
const mostFileLines = 400

/** The two sides of a change; undefined if its summary is complete, as for a claim or a grant. */
export function detailsOf(change: Change, groupTypes: GroupTypeNumbers = {}): Details | undefined {
  const { files = {}, filesBefore, action } = change
  const hasAfter = action !== 'delete'
  const tables = [...targetingTables(change, hasAfter, groupTypes), ...fieldTable(change, hasAfter)]
  const sources = Object.keys(files)
    .sort()
    .map(name => fileDetails(name, filesBefore, files))
  const isEmpty = action === 'claim' || (tables.length === 0 && sources.length === 0)
  return isEmpty ? undefined : { tables: tables.map(shownTable), files: sources }
}

function targetingTables(
  { kind, before, after }: Change,
  hasAfter: boolean,
  groupTypes: GroupTypeNumbers,
): readonly SideTable[] {
  const targeting = targetingField(declarableKind(kind))
  if (targeting === undefined || !(targeting in before || targeting in after)) return []
  const [was, becomes] = [before[targeting], hasAfter ? after[targeting] : undefined].map(
    filters => filters && withGroupTypesNamed(filters, groupTypes),
  )
  return filtersSideBySide(was, becomes)
}

function fieldTable({ kind, before, after }: Change, hasAfter: boolean): readonly SideTable[] {
  const targeting = targetingField(declarableKind(kind))
  const others = (fields: JsonObject) => pickMembers(fields, (_, name) => name !== targeting)
  const rows = memberRows(others(before), hasAfter ? others(after) : {})
  return rows.length === 0 ? [] : [{ title: 'Fields', rows }]
}

function shownTable({ title, rows }: SideTable): SideTable {
  return {
    title,
    rows: rows.map(({ before, after, ...row }) => ({
      ...row,
      ...(before && { before: shownCell(before) }),
      ...(after && { after: shownCell(after) }),
    })),
  }
}

function shownCell({ name, lines, share, ...cell }: SideCell): SideCell {
  const more = lines.length - mostLines
  return {
    ...cell,
    name: escapeText(name),
    lines: [...lines.slice(0, mostLines).map(escapeText), ...(more > 0 ? [`… and ${more} more lines`] : [])],
    ...(share === undefined ? {} : { share: escapeText(share) }),
  }
}

type Files = NonNullable<Change['files']>

function fileDetails(path: string, before: Files | undefined, after: Files): FileDetails {
  const name = escapeText(path)
  if (before === undefined) {
    const note = after[path] === null ? 'removed' : 'overwritten'
    return { name, note: `${note}; the service does not show the current content`, hunks: [] }
  }
  const edits = diffLines(linesOf(before[path] ?? null), linesOf(after[path] ?? null))
  let room = mostFileLines
  const hunks = hunksOf(edits).flatMap(hunk => {
    const lines = hunk.edits.slice(0, Math.max(0, room)).map(shownEdit)
    room -= hunk.edits.length
    return lines.length === 0 ? [] : [{ title: hunkTitle(hunk), lines }]
  })
  return {
    name,
    hunks,
    ...(room < 0 ? { note: `${-room} more lines of this difference are not shown` } : {}),
  }
}

function shownEdit({ is, line }: LineEdit): LineEdit {
  const end = line.endsWith(withoutEnd) ? ' (without a line end)' : ''
  // A tab is part of source code, so it is not escaped.
  return { is, line: `${line.replace(withoutEnd, '').split('\t').map(escapeText).join('\t')}${end}` }
}
