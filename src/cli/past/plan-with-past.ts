import type { Plan } from '../../core/change.ts'
import type { Base, BaseField, BaseObject, GrantLists } from '../../core/live-edits/base.ts'
import type { Lineage } from '../../core/live-edits/verdict.ts'
import { type PlanInput, plan } from '../../core/plan/plan.ts'
import { type Ancestry, commitsTouching, forkOf } from '../../git/commits.ts'
import { type PastPlace, type ReadPast, readingPast } from './base.ts'
import { declaredBefore } from './declared-before.ts'
import { type Asked, askingLineage, pathspecs, shortCommit } from './past-declarations.ts'

/**
 * Makes a plan with what git knows about the recorded commits. The first plan shows what it asks for. If it
 * asks for more than the relations of commits, this reads the rest and makes the plan again.
 *
 * | the plan asks for                                  | this reads                                         |
 * |----------------------------------------------------|----------------------------------------------------|
 * | the relation of a commit to the planned one        | the history between them                           |
 * | the values that a diverged line began with         | the declarations where the two lines part          |
 * | whether a missing commit is behind                 | the declarations of the planned line, back in time |
 * | the old value of a field that both sides changed   | the declarations at the commit of its base         |
 */
export async function planWithPast(asked: PlanInput, place: PastPlace): Promise<Plan> {
  const { records = {} } = asked
  const { base = {}, grantLists = {} } = records
  const { head, askAncestry } = place
  const recorded = commitsIn(base, grantLists)
  // For a field without a base, the trail may have a value that the repository declared once.
  if (head === undefined || !askAncestry || (recorded.length === 0 && !records.authors)) return plan(asked)
  const ancestry = await askAncestry(recorded)
  const first = askingLineage(ancestry)
  const made = plan({ ...asked, records: { ...records, lineage: first.lineage } })
  noteRelations(first.asked, ancestry, place)
  const toMerge = fieldsToMerge(made, base)
  const { forks, declared } = first.asked
  if (forks.size + declared.length + toMerge.length === 0) return made
  const read = readingPast(asked, place)
  const files = pathspecs(place.past?.files ?? [])
  const commits = (line: string, most: number) => commitsTouching(place.git, line, files, most)
  const [digestAtFork, wasDeclared, withValues] = await Promise.all([
    readForks([...forks], head, place, read),
    declaredBefore(declared, { base, head, commits, read }),
    valuesOf(base, toMerge, read),
  ])
  return plan({
    ...asked,
    records: {
      ...records,
      base: withValues,
      lineage: { relationOf: first.lineage.relationOf, digestAtFork, wasDeclared },
    },
  })
}

/** The commits that a base is from. */
function commitsIn(base: Base, grantLists: GrantLists): string[] {
  const commits = new Set<string>()
  for (const list of Object.values(grantLists)) {
    if (list?.origin.revision) commits.add(list.origin.revision.commit)
  }
  for (const object of Object.values(base)) {
    if (object?.origin.revision) commits.add(object.origin.revision.commit)
    for (const field of Object.values(object?.fields ?? {})) {
      if (field?.origin?.revision) commits.add(field.origin.revision.commit)
    }
  }
  return [...commits]
}

/** Notes once why git does not know the relation of a commit to the planned one, if the plan asked for it. */
function noteRelations({ relations }: Asked, { relationOf, isShallow }: Ancestry, { note }: PastPlace): void {
  const asked = [...relations]
  const unknown = asked.filter(commit => relationOf(commit) === 'unknown')
  const missing = asked.filter(commit => relationOf(commit) === 'missing')
  if (isShallow && unknown.length > 0) {
    note(
      `this clone is shallow, so nobody can tell whether ${named(unknown)}, applied before, is part of what is planned; fetch the whole history: \`fetch-depth: 0\` in GitHub Actions, \`GIT_DEPTH: 0\` in GitLab CI, or \`git fetch --unshallow\``,
    )
  }
  if (missing.length > 0) {
    note(
      `this clone does not have ${named(missing)}, applied before; \`git fetch origin ${missing[0]}\` brings it, unless it was squashed or pruned`,
    )
  }
}

function named([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `commit ${shortCommit(first)}${more}`
}

interface ToMerge {
  readonly address: string
  readonly field: string
}

/** Fields that both sides have changed. Their old value may allow a merge, and shows what each side did. */
function fieldsToMerge({ liveEdits }: Plan, base: Base): ToMerge[] {
  return liveEdits.flatMap(({ address, fields }) =>
    fields.flatMap(({ field, treatment, isOnBothSides }) => {
      const known = base[address]?.fields[field]
      const isAsked = treatment === 'conflict' || isOnBothSides
      return isAsked && known && known.value === undefined ? [{ address, field }] : []
    }),
  )
}

/** The base with the values of some fields. A value counts only if it has the recorded digest. */
async function valuesOf(base: Base, wanted: readonly ToMerge[], read: ReadPast): Promise<Base> {
  const found = await Promise.all(
    wanted.map(async ({ address, field }) => {
      const object = base[address]
      const known = object?.fields[field]
      const commit = (known?.origin ?? object?.origin)?.revision?.commit
      const state = commit === undefined ? undefined : await read(commit)
      const isSame = known !== undefined && state?.digestsOf(address)?.[field] === known.digest
      const value = isSame ? state.valueOf(address, field) : undefined
      return object && known && value !== undefined ? [{ address, field, known: { ...known, value } }] : []
    }),
  )
  return found
    .flat()
    .reduce<Base>((all, { address, field, known }) => withField(all, address, field, known), base)
}

function withField(base: Base, address: string, field: string, known: BaseField): Base {
  const object = base[address]
  if (!object) return base
  const changed: BaseObject = { ...object, fields: { ...object.fields, [field]: known } }
  return { ...base, [address]: changed }
}

async function readForks(
  commits: readonly string[],
  head: string,
  { git }: PastPlace,
  read: ReadPast,
): Promise<Lineage['digestAtFork']> {
  const states = new Map(
    await Promise.all(
      commits.map(async commit => {
        const fork = await forkOf(git, head, commit)
        return [commit, fork === undefined ? undefined : await read(fork)] as const
      }),
    ),
  )
  return (commit, address, field) => states.get(commit)?.digestsOf(address)?.[field]
}
