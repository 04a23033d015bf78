import type { Base, Lineage } from '../../core/live-edits/verdict.ts'
import type { commitsTouching } from '../../git/commits.ts'
import type { AskedField, ReadPast } from './past-declarations.ts'

/** How many commits that touch declarations are read, back from the planned one. */
export const mostLookedAt = 50

interface Asking {
  readonly base: Base
  readonly head: string
  /** The newest commits of a line that touch declarations; undefined if git cannot list them. */
  readonly commits: (line: string, most: number) => ReturnType<typeof commitsTouching>
  readonly read: ReadPast
}

/**
 * Whether earlier commits of the planned branch declared fields with the base's value or, since the commit of
 * the base, with the live value. Reads commits that touch declarations, the newest first.
 *
 * | commits that declare the field with this value                 | answer  |
 * |----------------------------------------------------------------|---------|
 * | one exists                                                     | yes     |
 * | none since the run of the base, nor just before it             | no      |
 * | none in the complete history                                   | no      |
 * | none in the first `mostLookedAt`; unreadable; no answer of git | unknown |
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
  { base, head, commits: list, read }: Asking,
): Promise<ReadonlyMap<AskedField, boolean>> {
  const answers = new Map<AskedField, boolean>()
  const commits = await list(since === undefined ? head : `${since}..${head}`, mostLookedAt + 1)
  if (!commits) return answers
  const open = () => asked.filter(one => !answers.has(one))
  for (const { commit, at } of commits.slice(0, mostLookedAt)) {
    if (open().length === 0) return answers
    const state = await read(commit, { isKept: false })
    if (!state) return answers
    for (const one of open()) {
      if (state.digestsOf(one.address)?.[one.field] === one.digest) answers.set(one, true)
      // With `since`, git has selected the commits. Otherwise the time of the run limits the search.
      else if (since === undefined && at < runOf(base, one)) answers.set(one, false)
    }
  }
  if (commits.length <= mostLookedAt) for (const one of open()) answers.set(one, false)
  return answers
}

/** When the run of a field's base ended, in milliseconds since 1970. */
function runOf(base: Base, { address, field }: AskedField): number {
  const object = base[address]
  return (object?.fields[field]?.origin ?? object?.origin)?.at ?? Number.NEGATIVE_INFINITY
}

function keyOf({
  address,
  field,
  digest,
  since = '',
}: Omit<AskedField, 'since'> & { readonly since?: string | undefined }): string {
  return JSON.stringify([address, field, digest, since])
}
