import { isJsonObject, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import { getAt, pointerOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import type { ObjectDeclaration } from '../declaration.ts'
import { declarationOverride } from '../declaration-override.ts'
import { editText, type TextChange } from './edit-text.ts'
import { limitedByDefault } from './limited-by-default.ts'
import { writtenIn, writtenOverrides, writtenShared } from './written-members.ts'

/** What a declaration is to say in one environment, member by member, in the words of files. */
export interface DeclarationChange {
  readonly declaration: ObjectDeclaration
  /** Undefined in a repository without environments. */
  readonly environment: string | undefined
  readonly wanted: JsonObject
  /** Where that is written: among the overrides of the environment, or in what all environments share. */
  readonly into: 'environment' | 'shared'
  /** What other environments are to say with it: their overrides say whatever is different from what is shared then. */
  readonly others?: ReadonlyMap<string, JsonObject>
}

/**
 * How an object is treated, which its environment decides alone: it never moves with what is declared of it. What is left alone
 * is not, as soon as something is declared of it.
 */
export const treatment: ReadonlySet<string> = new Set([
  'protect',
  'sensitive',
  'permanent',
  'allow',
  'live_edits',
  'ignore',
  'id',
  'skip',
])

/** A change and what became of it. */
export interface ToldChange extends DeclarationChange {
  /** `nothing`: it was said already. */
  readonly written: 'environment' | 'shared' | 'nothing'
  /** Why it is not written where it was to be. */
  readonly note?: string
}

export interface EditedFile {
  /** Relative to the repository. */
  readonly file: string
  readonly before: string
  readonly after: string
  /** Set where nothing is left in it: the file goes. */
  readonly isRemoved?: true
}

export type EditedDeclarations =
  | { readonly files: readonly EditedFile[]; readonly changes: readonly ToldChange[] }
  | { readonly problems: readonly Problem[] }

/**
 * The texts of files with declarations changed in them, each as narrowly as can be; nothing is written. At most one change for
 * an object. What is shared and stands in an anchor that others use is left, and an override says the difference.
 */
export function editDeclarations(changes: readonly DeclarationChange[]): EditedDeclarations {
  const edits = changes.map(editOf)
  const problems = edits.flatMap(edit => ('problem' in edit ? [edit.problem] : []))
  if (problems.length > 0) return { problems }
  const told = edits.flatMap(edit => ('problem' in edit ? [] : [edit]))
  const fileOf = ({ change }: ObjectEdit) => change.declaration.file.parsed.file
  const results = [...new Set(told.map(fileOf))].map(file =>
    editFile(
      file,
      told.filter(edit => fileOf(edit) === file),
    ),
  )
  const failed = results.flatMap(result => ('problem' in result ? [result.problem] : []))
  if (failed.length > 0) return { problems: failed }
  const edited = results.flatMap(result => ('problem' in result ? [] : [result]))
  return {
    files: edited.map(({ file }) => file).filter(({ before, after }) => before !== after),
    changes: edited.flatMap(({ edits: done }) =>
      done.map(({ change, texts, note }) => ({
        ...change,
        written: texts.length === 0 ? 'nothing' : change.into,
        ...(note === undefined ? {} : { note }),
      })),
    ),
  }
}

interface ObjectEdit {
  readonly change: DeclarationChange
  readonly texts: readonly TextChange[]
  readonly note?: string
}

type EditedText = { readonly file: EditedFile; readonly edits: readonly ObjectEdit[] }

function editFile(file: string, edits: readonly ObjectEdit[]): EditedText | { readonly problem: Problem } {
  const before = edits[0]?.change.declaration.file.parsed.text ?? ''
  const edited = editText(
    file,
    before,
    edits.flatMap(({ texts }) => texts),
  )
  if ('text' in edited) return { file: { file, before, after: edited.text }, edits }
  const blocked = edits.find(
    ({ change }) => change.into === 'shared' && edited.pointer.startsWith(change.declaration.base.pointer),
  )
  if (edited.problem.code !== 'in-anchor' || blocked?.change.environment === undefined) return edited
  const override = editOf({ ...blocked.change, into: 'environment' })
  if ('problem' in override) return edited
  const note = `${edited.problem.message}; the overrides of ${blocked.change.environment} say it instead`
  return editFile(
    file,
    edits.map(edit => (edit === blocked ? { ...override, note } : edit)),
  )
}

function editOf(change: DeclarationChange): ObjectEdit | { readonly problem: Problem } {
  const { declaration, environment, wanted, into, others = new Map<string, JsonObject>() } = change
  const { only, isOnlyByDefault } = declaration
  const listed = environment !== undefined && only !== undefined && !only.has(environment)
  if (listed && isOnlyByDefault) return { problem: limitedByDefault(declaration, environment) }
  const onlyToo = listed ? [{ pointer: at(declaration, 'only'), value: [...only.keys(), environment] }] : []
  const isSaid = (name: string | undefined, members: JsonObject) =>
    isEmpty(declarationOverride(declaration, writtenIn(declaration, name), members))
  const isSkipped = environment !== undefined && writtenOverrides(declaration, environment).skip === true
  const unsaid = [...others].filter(([name, members]) => !isSaid(name, members))
  if (isSaid(environment, wanted) && unsaid.length === 0 && !isSkipped) return { change, texts: onlyToo }
  const shared = writtenShared(declaration)
  if (into === 'environment' && environment !== undefined) {
    const overrides = overridesFor(declaration, shared, [[environment, wanted], ...unsaid])
    if ('problem' in overrides) return overrides
    return { change, texts: [...onlyToo, ...overrideTexts(declaration, overrides)] }
  }
  const here = writtenIn(declaration, environment)
  const carried = carriedOver(shared, withoutTreatment(here), withoutTreatment(wanted))
  const lays = (below: JsonObject) => declarationOverride(declaration, below, wanted) !== undefined
  const after = lays(carried) ? carried : { ...withoutTreatment(wanted), ...onlyTreatment(shared) }
  const texts = [...onlyToo, ...sharedTexts(declaration, shared, after)]
  const own = environment === undefined ? [] : [[environment, wanted] as const]
  const overrides = overridesFor(declaration, after, [...own, ...others])
  if ('problem' in overrides) return overrides
  return { change, texts: [...texts, ...overrideTexts(declaration, overrides)] }
}

/** What the overrides of environments have to say over what is shared. */
function overridesFor(
  declaration: ObjectDeclaration,
  shared: JsonObject,
  said: readonly (readonly [environment: string, members: JsonObject])[],
): Map<string, JsonObject> | { readonly problem: Problem } {
  const overrides = new Map<string, JsonObject>()
  for (const [name, members] of said) {
    const override = declarationOverride(declaration, shared, members)
    if (!override) return { problem: noOverride(declaration, name) }
    overrides.set(name, override)
  }
  return overrides
}

function withoutTreatment(members: JsonObject): JsonObject {
  return pickMembers(members, (_, name) => !treatment.has(name))
}

function onlyTreatment(members: JsonObject): JsonObject {
  return pickMembers(members, (_, name) => treatment.has(name))
}

/** A value with the differences of two others made in it, member by member. */
function carriedOver(into: JsonObject, old: JsonObject, wanted: JsonObject): JsonObject {
  const result = new Map(Object.entries(into))
  for (const name of new Set([...Object.keys(old), ...Object.keys(wanted)])) {
    const [below, was, becomes] = [into[name], old[name], wanted[name]]
    if (was !== undefined && becomes !== undefined && writeJson(was) === writeJson(becomes)) continue
    if (becomes === undefined) result.delete(name)
    else if (isJsonObject(below) && isJsonObject(was) && isJsonObject(becomes))
      result.set(name, carriedOver(below, was, becomes))
    else result.set(name, becomes)
  }
  const inOrder = Object.keys(wanted).filter(name => name in old)
  const isMoved = Object.keys(old)
    .filter(name => name in wanted)
    .some((name, index) => inOrder[index] !== name)
  // Conditions and variants stand in the order in which they count.
  const names = isMoved ? new Set([...Object.keys(wanted), ...result.keys()]) : result.keys()
  return Object.fromEntries(
    [...names].flatMap(name => (result.has(name) ? [[name, result.get(name) ?? null]] : [])),
  )
}

function isEmpty(override: JsonObject | undefined): boolean {
  return override !== undefined && Object.keys(override).length === 0
}

/** What is said alike stays as it is spelled. */
function sharedTexts(declaration: ObjectDeclaration, shared: JsonObject, wanted: JsonObject): TextChange[] {
  if (isEmpty(declarationOverride(declaration, shared, wanted))) return []
  const names = new Set([...Object.keys(shared), ...Object.keys(wanted)])
  return [...names]
    .filter(
      name =>
        writeJson(shared[name] ?? null) !== writeJson(wanted[name] ?? null) ||
        name in shared !== name in wanted,
    )
    .map(name => ({ pointer: at(declaration, name), value: wanted[name] }))
}

/** Overrides in place of those that are there; none of an environment where they would say nothing. */
function overrideTexts(
  declaration: ObjectDeclaration,
  overrides: ReadonlyMap<string, JsonObject>,
): TextChange[] {
  const pointer = at(declaration, 'environments')
  const all = getAt(declaration.file.parsed.value ?? null, pointer)
  const names = isJsonObject(all) ? Object.keys(all) : []
  const said = [...overrides].filter(([, override]) => !isEmpty(override))
  const left = names.filter(name => !overrides.has(name))
  if (said.length + left.length === 0) return names.length === 0 ? [] : [{ pointer, value: undefined }]
  return [
    ...said.map(([name, override]) => {
      const value = inOrderOf(writtenOverrides(declaration, name), override)
      return { pointer: at(declaration, 'environments', name), value }
    }),
    ...names
      .filter(name => overrides.has(name) && isEmpty(overrides.get(name)))
      .map(name => ({ pointer: at(declaration, 'environments', name), value: undefined })),
  ]
}

/** What is there already stays where it is. */
function inOrderOf(written: JsonObject, override: JsonObject): JsonObject {
  return pickMembers({ ...written, ...override }, (_, name) => name in override)
}

function at({ base }: ObjectDeclaration, ...inside: readonly string[]): string {
  return base.pointer + pointerOf(...inside)
}

function noOverride({ file, base, address }: ObjectDeclaration, environment: string): Problem {
  return {
    code: 'no-override',
    severity: 'error',
    message: `no overrides of ${environment} can say that: the order of conditions or variants is another one, or it is without something that is shared`,
    hint: 'write it into what is shared with --shared, or change it by hand',
    source: file.parsed.locate(base.pointer, 'key'),
    address,
  }
}
