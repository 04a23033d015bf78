import { declarableKinds } from '../../../kinds/index.ts'
import { nextLine, type Splice, splice } from '../splice.ts'
import { type Collection, collectionOf, type Entry, entryNamed, readTree } from '../yaml-tree.ts'
import { isFirstInLine, linesBehind } from './lines-behind.ts'
import { memberOrder } from './member-order.ts'

/** A text with the members of each declaration, and of each of its overrides, in their order. The lines of a comment go with what is below them. */
export function orderMembers(text: string): string {
  const rankings = new Map(declarableKinds.map(kind => [kind.section, memberOrder(kind)]))
  // What stands inside of something that moves is put into order before it.
  const inside = splice(text, splicesIn(text, rankings, 'overrides'))
  return splice(inside, splicesIn(inside, rankings, 'objects'))
}

type Rankings = ReadonlyMap<string, (name: string) => number>

function splicesIn(text: string, rankings: Rankings, which: 'overrides' | 'objects'): Splice[] {
  const root = collectionOf(readTree(text))
  return (root?.entries ?? []).flatMap(section => {
    const rank = rankings.get(section.name)
    const objects = rank ? (collectionOf(section.value)?.entries ?? []) : []
    const owners =
      which === 'objects'
        ? objects
        : objects.flatMap(
            object =>
              collectionOf(entryNamed(collectionOf(object.value), 'environments')?.value)?.entries ?? [],
          )
    return rank ? owners.flatMap(owner => orderedIn(text, owner, rank)) : []
  })
}

function orderedIn(text: string, owner: Entry, rank: (name: string) => number): Splice[] {
  const members = collectionOf(owner.value)
  if (members?.form !== 'map') return []
  const ordered = members.entries.toSorted((left, right) => rank(left.name) - rank(right.name))
  if (ordered.every((entry, index) => entry === members.entries[index])) return []
  const inside = text.slice(members.start, members.end)
  // What an alias stands for has to come before it.
  if (hasOwnAlias(inside)) return []
  if (members.style === 'flow') return inFlow(text, members, ordered)
  return owner.key ? inBlock(text, owner, members, ordered) : behindDash(text, members, ordered)
}

function hasOwnAlias(text: string): boolean {
  const anchors = [...text.matchAll(/(?<![^\s[{,])&([^\s,[\]{}]+)/g)]
  return anchors.some(([, name = '']) => text.includes(`*${name}`))
}

/** One on several lines stays: whose its comments are cannot be told. */
function inFlow(text: string, members: Collection, ordered: readonly Entry[]): Splice[] {
  if (text.slice(members.start, members.end).includes('\n')) return []
  return exchanged(text, members, ordered)
}

/** The first member has the line of the dash. One with comments or empty lines in it stays. */
function behindDash(text: string, members: Collection, ordered: readonly Entry[]): Splice[] {
  const { entries } = members
  const isPlain = entries.every(({ end }, index) => {
    const gap = text.slice(end, entries[index + 1]?.start ?? nextLine(text, end))
    return /^[^\S\n]*(?:\n[^\S\n]*)?$/.test(gap)
  })
  return isPlain ? exchanged(text, members, ordered) : []
}

function exchanged(text: string, { entries }: Collection, ordered: readonly Entry[]): Splice[] {
  return entries.map((entry, index) => {
    const other = ordered[index] ?? entry
    return { start: entry.start, end: entry.end, text: text.slice(other.start, other.end) }
  })
}

function inBlock(text: string, owner: Entry, { entries }: Collection, ordered: readonly Entry[]): Splice[] {
  if (!entries.every(({ start }) => isFirstInLine(text, start))) return []
  const ends = entries.map(entry => linesBehind(text, entry))
  const places = entries.map((entry, index) => {
    const above = ends[index - 1] ?? nextLine(text, owner.head)
    // Empty lines part places, and do not move.
    const blank = /^(?:[^\S\n]*\n)*/.exec(text.slice(above, entry.start))?.[0].length ?? 0
    return { start: above + blank, end: ends[index] ?? entry.end }
  })
  return places.map((place, index) => {
    const from = places[entries.indexOf(ordered[index] as Entry)] ?? place
    return { ...place, text: text.slice(from.start, from.end) }
  })
}
