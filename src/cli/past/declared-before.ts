import type { Base } from '../../core/live-edits/base.ts'
import type { Lineage } from '../../core/live-edits/verdict.ts'
import { commitsTouching } from '../../git/commits.ts'
import type { PastPlace, ReadPast } from './base.ts'
import type { AskedField } from './past-declarations.ts'

/** So many commits that touch declarations are looked at, back from the one that is planned. */
export const mostLookedAt = 50

interface Asking {
  readonly base: Base
  readonly head: string
  readonly place: PastPlace
  readonly read: ReadPast
}

/**
 * Whether the planned line has declared fields before as their bases have them, or, since the commit of a base, as they
 * are live. Its commits are looked at one by one, those that touch files of declarations, the newest first.
 *
 * | a commit declares the field so                                                           | answer    |
 * |------------------------------------------------------------------------------------------|-----------|
 * | yes                                                                                      | yes       |
 * | none of those since the run of the base, and not the one before that run either          | no        |
 * | none of all that there are                                                               | no        |
 * | none of the first `mostLookedAt`; one cannot be read; git cannot list them               | not known |
 */
export async function declaredBefore(
  asked: readonly AskedField[],
  asking: Asking,
): Promise<Lineage['wasDeclared']> {
  const answers = new Map<string, boolean>()
  for (const since of new Set(asked.map(each => each.since))) {
    const together = asked.filter(each => each.since === since)
    for (const [one, answer] of await answersSince(since, together, asking)) answers.set(keyOf(one), answer)
  }
  return (address, field, digest, since) => answers.get(keyOf({ address, field, digest, since }))
}

async function answersSince(
  since: string | undefined,
  asked: readonly AskedField[],
  { base, head, place, read }: Asking,
): Promise<ReadonlyMap<AskedField, boolean>> {
  const answers = new Map<AskedField, boolean>()
  const files = pathspecs(place.past?.files ?? [])
  const line = since === undefined ? head : `${since}..${head}`
  const commits = await commitsTouching(place.git, line, files, mostLookedAt + 1)
  if (!commits) return answers
  const open = () => asked.filter(one => !answers.has(one))
  for (const { commit, at } of commits.slice(0, mostLookedAt)) {
    if (open().length === 0) return answers
    const state = await read(commit, { isKept: false })
    if (!state) return answers
    for (const one of open()) {
      if (state.digestsOf(one.address)?.[one.field] === one.digest) answers.set(one, true)
      // Of commits since another one git knows which they are; clocks may say something else.
      else if (since === undefined && at < runOf(base, one)) answers.set(one, false)
    }
  }
  if (commits.length <= mostLookedAt) for (const one of open()) answers.set(one, false)
  return answers
}

/** When the run ended that the base of a field is of, in milliseconds since 1970. */
function runOf(base: Base, { address, field }: AskedField): number {
  const object = base[address]
  return (object?.fields[field]?.origin ?? object?.origin)?.at ?? Number.NEGATIVE_INFINITY
}

/** Files of declarations, also of those that are no more; and what is read today under another ending. */
export function pathspecs(files: readonly string[]): string[] {
  const others = files.filter(file => !/\.ya?ml$/.test(file)).map(file => `:(literal)${file}`)
  return [':(glob)**/*.yaml', ':(glob)**/*.yml', ...others, ':(exclude,glob)**/node_modules/**']
}

function keyOf({
  address,
  field,
  digest,
  since = '',
}: Omit<AskedField, 'since'> & { readonly since?: string | undefined }): string {
  return JSON.stringify([address, field, digest, since])
}
