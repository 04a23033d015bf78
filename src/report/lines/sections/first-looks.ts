import type { Item, Lead, Report, Section, SectionKind } from '../report.ts'

/** So many things to look at first are told before anything else. */
const mostLeads = 10

/** So many names of a section are listed before anything else. */
const mostNames = 3

/** What a person who reads no further has to know of: what it does to people, and what is not going to be as declared. */
export interface FirstLooks {
  readonly leads: readonly Lead[]
  /** How many more leads there are: each is told with its change. */
  readonly moreLeads: number
  /** Sections that nobody may pass over. */
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

/** Whether a risk is told as loudly as can be. */
export function isGreat(risk: Section['risk']): boolean {
  return risk === 'critical' || risk === 'high'
}

const heldBack: ReadonlySet<SectionKind> = new Set(['lost', 'blocked', 'conflict', 'held'])
