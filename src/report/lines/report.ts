import type { Risk } from '../../core/change.ts'
import type { Source } from '../../model/problem.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { Authors, Document, ShownPlan } from '../document.ts'
import { joinPieces } from '../format.ts'

/**
 * A plan, a saved plan, a run, drift, a comparison or the history for people, without a format. `reportOf`
 * builds a report from a document, and text, Markdown and other formats for people render it.
 *
 * A renderer gets these members, in the order for people:
 *
 * | member     | is                                                                                       |
 * |------------|------------------------------------------------------------------------------------------|
 * | `place`    | the environment, the target and the commit, for those who keep reports apart             |
 * | `headline` | whether it is safe, and what it is about                                                 |
 * | `alerts`   | what people must see: above everything that could push it out of sight                   |
 * | `leads`    | what to look at first, with its reason: for those who read no further                    |
 * | `reading`  | how it was made, a line each; it influences no decision                                  |
 * | `sections` | items, the riskiest first; what is blocked, held and drifted is apart, with its remedies |
 * | `notes`    | sentences beside them                                                                    |
 * | `asides`   | what hindered it: the command prints it apart from its result, a file contains it here   |
 * | `counts`   | how many of each: one list, from one counter                                             |
 * | `closing`  | sentences after them                                                                     |
 * | `people`   | the owners of objects, and who made their changes: beside each, not in its lines         |
 * | `next`     | the command to run next                                                                  |
 *
 * Texts are already escaped for terminals: they have no line ends, control characters or direction marks.
 * They may have anything else, so a renderer escapes what has a meaning in its own format. A tone alone
 * carries no meaning. Many equal objects are one item; with `isVerbose` each object is a separate item.
 */
export interface Report {
  readonly is: Document['is']
  readonly place: ReportPlace
  readonly headline?: Headline
  readonly alerts: readonly string[]
  readonly leads?: readonly Lead[]
  readonly reading?: readonly string[]
  readonly sections: readonly Section[]
  readonly notes: readonly string[]
  readonly asides?: readonly string[]
  readonly counts: readonly Toned[]
  readonly closing: readonly string[]
  /** The highest risk of the changes; undefined if there are none. */
  readonly risk?: Risk
  readonly next?: string
  /** The owners of objects and the authors of their changes, by address. */
  readonly people?: ReadonlyMap<string, People>
  /** The address of a file on a code host, with `{file}` and `{line}` in it. */
  readonly sourceUrl?: string
}

export interface People {
  readonly owners: readonly string[]
  /** The last author and commit of the declaration: `Ada Lovelace, 2026-11-21, 4f2c1ab0`. */
  readonly askedBy?: string
}

export interface ReportPlace {
  readonly environment?: string
  /** `project 1, https://flags.example.com`. */
  readonly target?: string
  readonly commit?: string
  /** Whether the folder differed from that commit. */
  readonly dirty?: boolean
}

export interface Headline {
  /** `HIGH risk`, `No changes`, `Drift`. It starts with the risk if there is one. */
  readonly verdict: string
  readonly risk?: Risk
  readonly about: string
  /** The headline in parts, for a format with its own title. */
  readonly parts?: HeadlineParts
}

export interface HeadlineParts {
  /** `Plan for`, `Undo of run 20261121T020000Z-1f2e3d4c in`. */
  readonly what: string
  /** The environment, or the name of the plan's target. If neither is known, the address. */
  readonly name?: string
  /** `project 1`, `https://flags.example.com`, or that the sandbox of this folder is used. */
  readonly place: readonly string[]
  /** The API profile and the time of the plan. No decision depends on them. */
  readonly faint: readonly string[]
}

/** Something to read first. */
export interface Lead {
  readonly risk: Risk
  readonly about: Mention
  readonly reason: string
  /** The objects that the reason mentions, in order. */
  readonly objects?: readonly Mention[]
}

/** The name of an object, or of another thing, in texts. */
export interface Mention {
  readonly name: string
  /** The addresses of the objects to link to: the object itself, or the object that it belongs to. */
  readonly addresses: readonly string[]
}

export type Tone = 'plain' | 'faint' | 'good' | 'caution' | 'bad'

export interface Toned {
  readonly text: string
  readonly tone?: Tone
}

/**
 * What the items of a section are.
 *
 * | kind           | items                                                                    |
 * |----------------|--------------------------------------------------------------------------|
 * | `changes`      | what will be done, all of one risk                                       |
 * | `lost`         | what was changed in the product, and is written over or merged           |
 * | `blocked`      | what a rule prevents                                                     |
 * | `conflict`     | changed on both sides                                                    |
 * | `held`         | changed in the product, or declared by another commit; stays as it is    |
 * | `drift`        | live values that differ from the declared ones                           |
 * | `not_compared` | what the service does not store or does not show                         |
 * | `unchanged`    | as declared                                                              |
 * | `events`       | the result of each change of a run                                       |
 * | `comparison`   | objects in several environments: the section has columns, an item cells  |
 * | `runs`         | recorded runs                                                            |
 * | `outcomes`     | the result of a run for each object                                      |
 * | `tests`        | tests of flags that did not pass                                         |
 * | `passed_tests` | tests of flags that did                                                  |
 * | `coverage`     | flags that tests do not fully reach                                      |
 * | `problems`     | what people should correct, and why a command failed                     |
 */
export type SectionKind = keyof typeof results

export interface Section {
  readonly is: SectionKind
  /** Empty if the section needs no title. */
  readonly title: string
  /** For `changes`: the risk of every item. */
  readonly risk?: Risk
  /** The column headings for the cells of items. */
  readonly columns?: readonly string[]
  /** The headings of names and of lines, if they are not those of a comparison. */
  readonly heads?: readonly [names: string, lines: string]
  /** For a format that folds the section, if one number is not enough: `1 unchanged, 2 already absent`. */
  readonly counts?: string
  readonly items: readonly Item[]
}

/** One object, or several objects that are shown together. */
export interface Item {
  /** Only for a single object. */
  readonly address?: string
  /** `+`, `~`, `-` and so on. The text carries each meaning too. */
  readonly sign?: Toned
  /** `flag checkout_v2`; for several objects, their number. */
  readonly name: string
  /** The result of the change: `created`, `failed`. */
  readonly became?: Toned
  /** The reason, as part of the same sentence. */
  readonly because?: string
  /** Words after the name: `update blocked by delete_limit`. */
  readonly remark?: string
  readonly source?: Source
  /** The path from the working directory, if known. `source` is relative to the declarations. */
  readonly path?: string
  /** The blocking rule, or the code of a problem. */
  readonly rule?: string
  /** The test result, if it differs from the section's result: see `resultOf`. */
  readonly result?: Result
  readonly alert?: string
  readonly cells?: readonly string[]
  /** The indexes of cells that differ from the others. */
  readonly differing?: readonly number[]
  readonly lines: readonly Line[]
}

export type Result = 'passed' | 'failed' | 'skipped'

/**
 * The kind of a line. `why` gives a reason, `would` shows what a blocked change would do, `remedy` is one
 * possible next step, `names` lists some objects of the item.
 */
export type LineKind = 'detail' | 'why' | 'would' | 'remedy' | 'names'

export interface Line {
  readonly is: LineKind
  /** The indent level. Details of a detail have 1. */
  readonly depth?: number
  readonly words: readonly Toned[]
  /** The position of the line's own declaration, if it is shown with another object. */
  readonly source?: Source
}

export function aLine(is: LineKind, text: string, { tone, depth }: LineManner = {}): Line {
  const words = [{ text, ...(tone === undefined ? {} : { tone }) }]
  return { is, words, ...(depth === undefined ? {} : { depth }) }
}

interface LineManner {
  readonly tone?: Tone
  readonly depth?: number
}

/** Display options. `now`: see `Heading`. */
export interface Manner {
  readonly isVerbose?: boolean
  /** Whether a plan lists all unchanged objects, however many there are. */
  readonly showsUnchanged?: boolean
  /** For reviewers: a medium risk also shows its reason, and a few unchanged objects show their names. */
  readonly isForReview?: boolean
  /** Whether new grants are shown with their flag if the flag also changes. */
  readonly foldsGrants?: boolean
  /** Whether a plan omits warnings of `validate`. A code host already has them and would show them twice. */
  readonly leavesOutWarnings?: boolean
  readonly now?: number | undefined
}

/** The known owners of objects in a plan, and the authors of their changes. */
export function peopleOf(
  { owners = {} }: Pick<ShownPlan, 'owners'>,
  authors: Authors = new Map(),
): ReadonlyMap<string, People> {
  const addresses = new Set([...Object.keys(owners), ...authors.keys()])
  return new Map(
    [...addresses].map(address => {
      const author = authors.get(address)
      const when = author && new Date(author.at).toISOString().slice(0, 10)
      const askedBy = author && escapeText(`${author.name}, ${when}, ${author.commit.slice(0, 8)}`)
      return [address, { owners: (owners[address] ?? []).map(escapeText), ...(askedBy ? { askedBy } : {}) }]
    }),
  )
}

/** The author of all shown declarations, if author and commit are the same: shown only once. */
export function declaredByAll({
  sections,
  people = new Map<string, People>(),
}: Pick<Report, 'sections' | 'people'>): string | undefined {
  const authors = sections
    .filter(({ is }) => is === 'changes' || is === 'events')
    .flatMap(({ items }) => items.map(({ address = '' }) => people.get(address)?.askedBy))
  const [first] = authors
  return authors.length > 1 && authors.every(author => author === first) ? first : undefined
}

/** The owners and the author of an object, without an author who is shown once for all objects. */
export function peopleBeside({ owners, askedBy }: People, forAll: string | undefined): string[] {
  return [
    ...owners.map(owner => `owner ${owner}`),
    ...(askedBy === undefined || askedBy === forAll ? [] : [`by ${askedBy}`]),
  ]
}

/** The largest number of leads at the top. */
const mostLeads = 10

/** The number of names per section at the top. */
const mostNames = 3

/** For people who read only the top: effects on people, and objects that stay unlike their declarations. */
export interface FirstLooks {
  readonly leads: readonly Lead[]
  /** The number of omitted leads. Each is shown with its change. */
  readonly moreLeads: number
  /** Sections that people must read. */
  readonly sections: readonly SectionLook[]
}

export interface SectionLook {
  readonly section: Section
  /** `2 blocked (not applied)`. */
  readonly count: { readonly number: number; readonly what: string }
  /** The first items, and how many more there are. */
  readonly items: readonly Item[]
  readonly more: number
}

export function firstLooks({ leads, sections }: Pick<Report, 'leads' | 'sections'>): FirstLooks {
  return {
    leads: (leads ?? []).slice(0, mostLeads),
    moreLeads: Math.max(0, (leads?.length ?? 0) - mostLeads),
    sections: sections.flatMap(section => {
      const { is, risk, title, items } = section
      const isRisky = leads === undefined && is === 'changes' && isGreat(risk)
      if (items.length === 0 || !(isRisky || heldBack.has(is))) return []
      const what = title.replace(/^[^(]*/, words => words.toLowerCase())
      return [
        {
          section,
          count: { number: items.length, what },
          items: items.slice(0, mostNames),
          more: Math.max(0, items.length - mostNames),
        },
      ]
    }),
  }
}

/** Whether a risk gets the strongest emphasis. */
export function isGreat(risk: Section['risk']): boolean {
  return risk === 'critical' || risk === 'high'
}

const heldBack: ReadonlySet<SectionKind> = new Set(['lost', 'blocked', 'conflict', 'held'])

/** An item on one line, without its sign and position. */
export function itemWords({ name, became, because }: Item): string {
  const end = became === undefined ? '' : ` ${became.text}`
  return `${name}${end}${because === undefined ? '' : `: ${because}`}`
}

/** A line that starts with a word for its kind. */
export function lineWords({ is, words }: Line): string {
  const text = joinPieces(words)
  if (is === 'would') return `would: ${text}`
  return is === 'remedy' ? `to go on: ${text}` : text
}

/** The path of an item's file relative to the working directory; undefined if unknown. */
export function pathOf({ path, source }: Item, folder = ''): string | undefined {
  if (path !== undefined || source === undefined) return path
  return folder === '' ? source.file : `${folder}/${source.file}`
}

/** Everything that keeps an object different from its declaration counts as failed. */
export function resultOf({ is }: Section, { result }: Item): Result {
  return result ?? results[is]
}

const results = {
  changes: 'passed',
  lost: 'passed',
  blocked: 'failed',
  conflict: 'failed',
  held: 'skipped',
  drift: 'failed',
  not_compared: 'skipped',
  unchanged: 'passed',
  events: 'passed',
  comparison: 'passed',
  runs: 'passed',
  outcomes: 'passed',
  tests: 'failed',
  passed_tests: 'passed',
  coverage: 'passed',
  problems: 'failed',
} as const satisfies Readonly<Record<string, Result>>
