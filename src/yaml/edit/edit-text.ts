import { Lexer } from 'yaml'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { type ParsedYaml, parseYaml } from '../parse/parse-yaml.ts'
import { quote } from '../parse/quote.ts'
import { addEntry } from './add-entry.ts'
import { styleOf } from './file-style.ts'
import { removeEntry } from './remove-entry.ts'
import { entryLines } from './render.ts'
import { setValue } from './set-value.ts'
import { type Splice, splice } from './splice.ts'
import { type Step, stepsBetween } from './steps.ts'
import { type Collection, collectionOf, type Entry, entryNamed, readTree } from './yaml-tree.ts'

/** What a place of a file is to say; undefined: nothing. What is missing above it is added. */
export interface TextChange {
  readonly pointer: string
  readonly value: Json | undefined
}

export type EditedText = { readonly text: string } | NotEdited

/** Why nothing is changed, and what could not be. */
export interface NotEdited {
  readonly problem: Problem
  readonly pointer: string
}

/**
 * Changes values in the text of a file, and nothing else in it: comments, order, quotes and indentation stay, and so does each
 * line that says nothing of these values.
 *
 * | at the place stands            | so                                                              |
 * |--------------------------------|-----------------------------------------------------------------|
 * | a value                        | it is replaced; of a map or list, only what is different        |
 * | nothing                        | it is added, behind what comes before it                        |
 * | an alias, or it is in one      | the alias is written out with the change                        |
 * | what a merge key brings        | it is written beside the merge key                              |
 * | an anchor that is used, or in one | nothing: whatever uses it would change too. A problem        |
 *
 * Afterwards the text is read again, and must say exactly what it said with these changes.
 */
export function editText(file: string, text: string, changes: readonly TextChange[]): EditedText {
  const parsed = parseYaml(text, file)
  if (parsed.value === undefined) return { problem: unreadable(file), pointer: '' }
  const wanted = changes.reduce<Json>(
    (value, change) => assigned(value, segmentsOf(change.pointer), change.value),
    parsed.value,
  )
  let current = parsed
  const most = 2 * stepsBetween(parsed.value, wanted).length + spareRounds
  for (let round = 0; round < most; round += 1) {
    const steps = stepsBetween(current.value ?? null, wanted)
    if (steps.length === 0) return { text: current.text }
    const taken = takeSteps(current, onePerObject(steps), wanted)
    if ('problem' in taken) return taken
    const next = parseYaml(taken.text, file)
    const [step] = steps
    if (next.value === undefined || taken.text === current.text) return notPossible(current, step?.path ?? [])
    current = next
  }
  return notPossible(current, stepsBetween(current.value ?? null, wanted)[0]?.path ?? [])
}

/** A step can bring others to light: elements of a list come one at a time. */
const spareRounds = 500

/** A copy of a value that says something else at one place; its members keep their order. */
export function assigned(value: Json, path: readonly string[], member: Json | undefined): Json {
  const [name, ...inside] = path
  if (name === undefined) return member ?? null
  if (isJsonArray(value)) {
    const index = Number(name)
    return value.map((element, at) => (at === index ? assigned(element, inside, member) : element))
  }
  const object = isJsonObject(value) ? value : {}
  if (inside.length === 0 && member === undefined) {
    const { [name]: _removed, ...others } = object
    return others
  }
  return { ...object, [name]: assigned(object[name] ?? null, inside, member) }
}

/**
 * Of the steps in one object of a section the last: the others are looked for again when that is done. An alias comes behind its
 * anchor, and may have to go before that.
 */
function onePerObject(steps: readonly Step[]): Step[] {
  const seen = new Set<string>()
  return steps.toReversed().filter(({ path }) => {
    const object = pointerOf(...path.slice(0, 2))
    const isNew = !seen.has(object) && !seen.has(pointerOf(...path.slice(0, 1)))
    seen.add(object)
    return isNew
  })
}

function takeSteps(parsed: ParsedYaml, steps: readonly Step[], wanted: Json): EditedText {
  const { text } = parsed
  const root = collectionOf(readTree(text))
  const aliases = aliasesIn(text)
  const style = styleOf(text, root)
  const splices: Splice[] = []
  for (const step of steps) {
    if (!root) {
      if (parsed.value !== null || step.does !== 'set') return notPossible(parsed, step.path)
      const lines = Object.entries(isJsonObject(step.value) ? step.value : {}).flatMap(([name, value]) =>
        entryLines(`${name}:`, value, { column: 0, pointer: pointerOf(name), style }),
      )
      const open = text === '' || text.endsWith('\n') ? '' : style.lineBreak
      splices.push({
        start: text.length,
        end: text.length,
        text: open + lines.map(line => line + style.lineBreak).join(''),
      })
      continue
    }
    const found = findPlace(root, step)
    const used = found.anchors.find(name => aliases.has(name))
    if (used !== undefined) return inAnchor(parsed, found.path, used)
    const { collection, entry, path } = found
    const value =
      path.length === step.path.length && step.does === 'remove'
        ? undefined
        : getAt(wanted, pointerOf(...path))
    const pointer = pointerOf(...path)
    const target = { text, collection, pointer, style }
    if (value !== undefined && entry) splices.push(...setValue(target, entry, value))
    else if (value !== undefined) {
      const index =
        step.does === 'add' && path.length === step.path.length ? step.index : collection.entries.length
      const name = path.at(-1) ?? ''
      splices.push(...addEntry(target, { name, index: ownIndex(collection, index), value }))
    } else if (entry) splices.push(...removeEntry(text, collection, entry))
    else return merged(parsed, step.path)
  }
  return { text: splice(text, splices) }
}

/** Merged members are counted by whoever reads the values, and have no entry of their own. */
function ownIndex({ entries }: Collection, index: number): number {
  return Math.min(index, entries.length)
}

interface Place {
  readonly collection: Collection
  /** Undefined where nothing is written yet. */
  readonly entry?: Entry
  /** Shorter than that of the step where an alias or a merge key is in between: all of it is written there. */
  readonly path: readonly string[]
  /** The names of anchors around the place. */
  readonly anchors: readonly string[]
}

function findPlace(root: Collection, { path, does }: Step): Place {
  let collection = root
  const anchors: string[] = []
  for (const [depth, name] of path.entries()) {
    const isLast = depth === path.length - 1
    const here = path.slice(0, depth + 1)
    const entry = does === 'add' && isLast ? undefined : entryNamed(collection, name)
    if (!entry) return { collection, path: here, anchors }
    anchors.push(...entry.anchors)
    const inside = collectionOf(entry.value)
    // Not a map or list that stands here: an alias, or nothing yet.
    if (isLast || !inside) return { collection, entry, path: here, anchors }
    collection = inside
  }
  return { collection, path, anchors }
}

function aliasesIn(text: string): Set<string> {
  const names = new Set<string>()
  if (!text.includes('*')) return names
  for (const lexeme of new Lexer().lex(text)) if (lexeme.startsWith('*')) names.add(lexeme.slice(1))
  return names
}

function unreadable(file: string): Problem {
  return {
    code: 'not-edited',
    severity: 'error',
    message: 'this file cannot be read, so nothing in it is changed',
    hint: 'mend it first; `vexil validate` shows its problems',
    source: { file, line: 1, column: 1 },
  }
}

function inAnchor(parsed: ParsedYaml, path: readonly string[], name: string): NotEdited {
  return stuckAt(parsed, path, {
    code: 'in-anchor',
    message: `${quote(path.at(-1))} stands in the anchor &${name}, and what uses it would change too`,
    hint: `write it out where *${name} is used, or change it by hand`,
  })
}

function merged(parsed: ParsedYaml, path: readonly string[]): NotEdited {
  return stuckAt(parsed, path, {
    code: 'merged',
    message: `${quote(path.at(-1))} comes from a merge key, and cannot be taken out here`,
    hint: 'write the members out in place of "<<"',
  })
}

function notPossible(parsed: ParsedYaml, path: readonly string[]): NotEdited {
  return stuckAt(parsed, path, {
    code: 'not-edited',
    message: `${quote(path.at(-1) ?? '')} cannot be changed here without changing something else`,
    hint: 'change it by hand',
  })
}

function stuckAt(
  parsed: ParsedYaml,
  path: readonly string[],
  told: Pick<Problem, 'code' | 'message' | 'hint'>,
): NotEdited {
  const pointer = pointerOf(...path)
  return { problem: { ...told, severity: 'error', source: parsed.locate(pointer, 'key') }, pointer }
}
