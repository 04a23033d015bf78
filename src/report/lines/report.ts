import type { Risk } from '../../core/change.ts'
import type { Source } from '../../model/problem.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { Authors, Document, ShownPlan } from '../document.ts'
import { joinPieces } from '../format.ts'

/**
 * A plan, a saved plan, a run, drift, a comparison or the history for people, without a form: `reportOf`
 * makes one of a document, and text, Markdown and other forms for people are written from it.
 *
 * A renderer gets these members, in the order for people:
 *
 * | member     | is                                                                                          |
 * |------------|---------------------------------------------------------------------------------------------|
 * | `place`    | the environment, the target and the commit, for those who keep reports apart                |
 * | `headline` | whether it is safe, and what it is about                                                    |
 * | `alerts`   | what people must see: above everything that could push it out of sight                      |
 * | `leads`    | what to look at first, with its reason: for those who read no further                       |
 * | `reading`  | how it was made, a line each; it influences no decision                                     |
 * | `sections` | items, the riskiest first; what is blocked, held and drifted is apart, with its remedies    |
 * | `notes`    | sentences beside them                                                                       |
 * | `asides`   | what hindered it: the command prints it apart from its result, a file contains it here      |
 * | `counts`   | how many of each: one list, from one counter                                                |
 * | `closing`  | sentences after them                                                                        |
 * | `people`   | the owners of objects, and who made their changes: beside each, not in its lines            |
 * | `next`     | the command to run next                                                                     |
 *
 * Texts are escaped for terminals already: they have no line ends, control characters or marks of direction.
 * They may have anything else, so a renderer escapes what has a meaning in its own form. A tone alone carries
 * no meaning. Many equal objects are one item; with `isVerbose` a report has an item for each.
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
  /** The greatest risk of its changes, if it has any. */
  readonly risk?: Risk
  readonly next?: string
  /** The owners of objects, and who made their changes, by address. */
  readonly people?: ReadonlyMap<string, People>
}

export interface People {
  readonly owners: readonly string[]
  /** Who last changed its declaration, and in which commit: `Ada Lovelace, 2026-11-21, 4f2c1ab0`. */
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
  /** `HIGH risk`, `No changes`, `Drift`. It begins with the name of the risk if there is one. */
  readonly verdict: string
  readonly risk?: Risk
  /** What it is about. */
  readonly about: string
  /** The same in its parts, for a form that has a title of its own. */
  readonly parts?: HeadlineParts
}

export interface HeadlineParts {
  /** `Plan for`, `Undo of run 20261121T020000Z-1f2e3d4c in`. */
  readonly what: string
  /** The environment, or the name of the plan's target; if neither is known, the place is named. */
  readonly name?: string
  /** `project 1`, `https://flags.example.com` or that the sandbox of this folder answers. */
  readonly place: readonly string[]
  /** The service that answers, and when it was made: it influences no decision. */
  readonly faint: readonly string[]
}

/** Something to look at first. */
export interface Lead {
  readonly risk: Risk
  readonly about: Mention
  readonly reason: string
  /** The objects that the reason names, in order. */
  readonly objects?: readonly Mention[]
}

/** An object, or another named thing, by its name in texts. */
export interface Mention {
  readonly name: string
  /** The object that shows it: its own one, or the one that it belongs to. */
  readonly addresses: readonly string[]
}

export type Tone = 'plain' | 'faint' | 'good' | 'caution' | 'bad'

/** Words with one tone. */
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
  /** Empty for one that speaks for itself. */
  readonly title: string
  /** For `changes`: the risk of every item. */
  readonly risk?: Risk
  /** The headings for the cells of its items. */
  readonly columns?: readonly string[]
  /** The counts for a form that folds it, if they are not one number: `1 unchanged, 2 already absent`. */
  readonly counts?: string
  readonly items: readonly Item[]
}

/** An object, or several that are shown together. */
export interface Item {
  /** Of one object alone. */
  readonly address?: string
  /** `+`, `~`, `-` and so on; each meaning is in words as well. */
  readonly sign?: Toned
  /** `flag checkout_v2`; of several, how many. */
  readonly name: string
  /** Its result: `created`, `failed`. */
  readonly became?: Toned
  /** Why, as a part of the same sentence. */
  readonly because?: string
  /** The words after the name: `update blocked by delete_limit`. */
  readonly remark?: string
  readonly source?: Source
  /** Its file relative to the working directory, if known; `source` is relative to the declarations. */
  readonly path?: string
  /** The rule that blocks it, or the code of a problem. */
  readonly rule?: string
  /** Its test result, if it differs from that of its section: see `resultOf`. */
  readonly result?: Result
  readonly alert?: string
  readonly cells?: readonly string[]
  readonly lines: readonly Line[]
}

export type Result = 'passed' | 'failed' | 'skipped'

/**
 * What a line is: `why` gives a reason, `would` shows what a blocked change would do, `remedy` is one
 * possible next step, `names` are some of the objects of the item.
 */
export type LineKind = 'detail' | 'why' | 'would' | 'remedy' | 'names'

export interface Line {
  readonly is: LineKind
  /** How far below the others: a detail of a detail has 1. */
  readonly depth?: number
  readonly words: readonly Toned[]
  /** The place of its own declaration, if it is shown with another object. */
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

/** Whether each object is shown separately, and when it is shown: see `Heading`. */
export interface Manner {
  readonly isVerbose?: boolean
  /** Whether a plan lists what is unchanged, however much it is. */
  readonly showsUnchanged?: boolean
  /** For reviewers: a medium risk shows its reason too, and a few unchanged objects show their names. */
  readonly isForReview?: boolean
  /** Whether new grants are shown with their flag if that changes as well. */
  readonly foldsGrants?: boolean
  /** Whether a plan omits warnings of `validate`: a code host has them already, and would show them twice. */
  readonly leavesOutWarnings?: boolean
  readonly now?: number | undefined
}

/** The owners of objects in a plan, and who made their changes, as far as either is known. */
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

/** The author of all shown declarations, if that is one person in one commit. Then it is shown only once. */
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

/** The owners of an object and, unless that is shown once for all, who made its change. */
export function peopleBeside({ owners, askedBy }: People, forAll: string | undefined): string[] {
  return [
    ...owners.map(owner => `owner ${owner}`),
    ...(askedBy === undefined || askedBy === forAll ? [] : [`by ${askedBy}`]),
  ]
}

/** The number of things to look at first that are shown before anything else. */
const mostLeads = 10

/** The number of names of a section that are listed before anything else. */
const mostNames = 3

/** What a person who reads no further has to know of: what it does to people, and what is not going to be as declared. */
export interface FirstLooks {
  readonly leads: readonly Lead[]
  /** How many more leads there are: each is shown with its change. */
  readonly moreLeads: number
  /** Sections that people must read. */
  readonly sections: readonly SectionLook[]
}

export interface SectionLook {
  readonly section: Section
  /** `2 blocked (not applied)`. */
  readonly count: { readonly number: number; readonly what: string }
  /** The first of its items, and how many more there are. */
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

/** Whether a risk is shown with the strongest emphasis. */
export function isGreat(risk: Section['risk']): boolean {
  return risk === 'critical' || risk === 'high'
}

const heldBack: ReadonlySet<SectionKind> = new Set(['lost', 'blocked', 'conflict', 'held'])

/** An item on one line, without its sign and its place. */
export function itemWords({ name, became, because }: Item): string {
  const end = became === undefined ? '' : ` ${became.text}`
  return `${name}${end}${because === undefined ? '' : `: ${because}`}`
}

/** A line with a word for its kind. */
export function lineWords({ is, words }: Line): string {
  const text = joinPieces(words)
  if (is === 'would') return `would: ${text}`
  return is === 'remedy' ? `to go on: ${text}` : text
}

/** The file of an item relative to the working directory; undefined without a place. */
export function pathOf({ path, source }: Item, folder = ''): string | undefined {
  if (path !== undefined || source === undefined) return path
  return folder === '' ? source.file : `${folder}/${source.file}`
}

/** The test result of an item: everything that keeps live state from being as declared has failed. */
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
