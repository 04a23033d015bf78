import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { git } from '../git/repository.ts'
import { type Clone, cloneIn } from '../scenario/live-edits/clones.ts'
import { folderOfTest, writeFiles } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { flagsPath } from '../support/workspace.ts'

/**
 * What is declared or live of the one flag, place by place: whether it is there, whether it is on, and the share of each
 * country that has a condition. A flag that is not there has no other place.
 */
type State = Readonly<Record<string, boolean | number>>

const countries = ['AT', 'DE', 'FR'] as const
const country = fc.constantFrom(...countries)
const machine = fc.constantFrom('ada', 'bea', 'runner', 'other')
/** In minutes. The folder of a runner is thrown away after each run. */
const clocks = { ada: 0, bea: -10, runner: 60, other: 0 } as const
type Machine = keyof typeof clocks

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('edit' as const),
      change: fc.oneof(
        fc.record({ country, share: fc.constantFrom(10, 20, 50, 100, undefined) }),
        fc.record({ active: fc.boolean() }),
        fc.record({ exists: fc.boolean() }),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('click' as const),
      what: fc.oneof(country, fc.constantFrom('active', 'exists')),
    }),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('apply' as const), on: machine, back: fc.nat(1) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('disable' as const, 'enable' as const, 'undo' as const, 'undo' as const),
      on: machine,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom('pull' as const, 'revert' as const), on: machine }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const editOf = (share: fc.Arbitrary<10 | 20 | 50 | 100>) =>
  fc.record({ does: fc.constant('edit' as const), change: fc.record({ country, share }) })
const newest = fc.record({ does: fc.constant('apply' as const), on: machine, back: fc.constant(0) })

/** What few months have by chance: something is merged, taken back, and another condition is edited. */
const takenBack = fc.tuple(
  editOf(fc.constantFrom(20, 50, 100)),
  newest,
  fc.record({ does: fc.constantFrom('disable' as const, 'undo' as const, 'undo' as const), on: machine }),
  editOf(fc.constantFrom(10, 20, 50)),
  newest,
)

/** The shortest such month: what the undo took back may not come with the edit of the other country. */
const mergedAndTakenBack: readonly Step[] = [
  { does: 'edit', change: { country: 'AT', share: 50 } },
  { does: 'apply', on: 'other', back: 0 },
  { does: 'undo', on: 'other' },
  { does: 'edit', change: { country: 'FR', share: 10 } },
  { does: 'apply', on: 'other', back: 0 },
]

const month = fc
  .tuple(fc.option(takenBack, { nil: [] }), fc.array(step, { minLength: 5, maxLength: 8 }))
  .map(([known, others]): readonly Step[] => [...known, ...others])

function filtersOf(state: State): object {
  const groups = countries.flatMap(name => {
    const share = state[name]
    const properties = [{ key: 'country', type: 'person', operator: 'exact', value: [name] }]
    return share === undefined ? [] : [{ properties, rollout_percentage: share }]
  })
  return { groups }
}

interface Written {
  readonly ensure?: string
  readonly active?: boolean
  readonly filters?: { readonly groups?: readonly Group[] }
}
interface Group {
  readonly properties?: readonly { readonly value: readonly string[] | string }[]
  readonly rollout_percentage: number
}

function stateOf({ ensure, active = true, filters }: Written): State {
  if (ensure === 'absent') return { exists: false }
  const shares = (filters?.groups ?? []).map(({ properties: [property] = [], rollout_percentage }) => [
    [property?.value].flat()[0] ?? 'all',
    rollout_percentage,
  ])
  return { exists: true, active, ...Object.fromEntries(shares) }
}

/** What stands for a place that nothing is said of. */
const at = (state: State, place: string) => state[place] ?? 'none'
const places = (...states: readonly State[]) => [...new Set(states.flatMap(Object.keys))]

/** A month: one flag, a remote with the records, people and runners whose clocks differ, and whoever clicks. */
class Month {
  readonly log: string[] = []
  /** What was set outside of git, and no commit since has declared so: by place, the value and who may have set it. */
  readonly #outside = new Map<string, { readonly value: boolean | number | 'none'; readonly by: string }>()
  /** What each commit of main declares. */
  readonly #line: State[] = []
  readonly #commits: string[] = []
  #newest = -1
  #clicks = 0
  #id = 0
  #service: Service
  #isAllowed: boolean
  #machines: Readonly<Record<Machine, Clone>>

  private constructor(service: Service, isAllowed: boolean, machines: Readonly<Record<Machine, Clone>>) {
    this.#service = service
    this.#isAllowed = isAllowed
    this.#machines = machines
  }

  static async begin(service: Service, isAllowed: boolean): Promise<Month> {
    const root = await folderOfTest({})
    await git(root, 'init', '--quiet', '--bare', '--initial-branch', 'main', 'remote.git')
    const clone = async (name: Machine) => {
      await git(root, 'clone', '--quiet', `file://${root}/remote.git`, name)
      return cloneIn(join(root, name), service, clocks[name] * 60_000)
    }
    const machines = {
      ada: await clone('ada'),
      bea: await clone('bea'),
      runner: await clone('runner'),
      other: await clone('other'),
    }
    const month = new Month(service, isAllowed, machines)
    const settings = `version: 1\nruns: { ref: refs/vexil/runs }\n${isAllowed ? 'allow: [live_edit]\n' : ''}`
    await writeFiles(machines.ada.folder, { 'vexil.yaml': settings, '.gitignore': '.vexil/\n' })
    await month.#declare(machines.ada, { exists: true, active: true, DE: 10, FR: 20 })
    return month
  }

  async takes(taken: Step): Promise<void> {
    this.log.push(JSON.stringify(taken))
    switch (taken.does) {
      case 'edit':
        return this.#edit(taken.change)
      case 'click':
        return this.#click(taken.what)
      case 'apply':
        return this.#apply(taken.on, taken.back)
      case 'pull':
      case 'revert':
        return this.#follow(taken.does, taken.on)
      default:
        return this.#run(taken.does, taken.on)
    }
  }

  async #declare({ folder, ...clone }: Clone, state: State): Promise<void> {
    const flag = state.exists
      ? { active: state.active, filters: filtersOf(state), tags: [] }
      : { ensure: 'absent' }
    await clone.commit({ 'flags.yaml': stringify({ feature_flags: { checkout: flag } }) })
    await this.#pushed({ folder, ...clone })
  }

  /** A commit agrees with what is live in the places that it declares so. */
  async #pushed({ git: run }: Clone): Promise<void> {
    await run('push', '--quiet', 'origin', 'HEAD:main')
    this.#commits.push(await run('rev-parse', 'HEAD'))
    const { feature_flags } = parse(await run('show', 'HEAD:flags.yaml'))
    const declared = stateOf(feature_flags.checkout)
    this.#line.push(declared)
    for (const [place, { value }] of this.#outside)
      if (at(declared, place) === value) this.#outside.delete(place)
  }

  async #edit(change: object): Promise<void> {
    const { country: name, share, ...others } = change as Record<string, never>
    const declared = this.#line.at(-1) ?? {}
    const known = declared.exists ? declared : { exists: false, active: true, DE: 10, FR: 20 }
    const next: Record<string, boolean | number> = { ...known, ...others }
    if (name !== undefined && share === undefined) delete next[name]
    if (name !== undefined && share !== undefined) next[name] = share
    const ada = this.#machines.ada
    await this.#upToDate(ada)
    await this.#declare(ada, next)
  }

  async #upToDate({ git: run }: Clone, commit = 'origin/main'): Promise<void> {
    await run('fetch', '--quiet', 'origin')
    await run('checkout', '--quiet', '--force', '--detach', commit)
  }

  /** Only a flag that was deleted has no row; its id is known then. */
  async #live(): Promise<State> {
    const { results } = (await this.#service.get(`${flagsPath}/?limit=100`)) as {
      results: readonly (Written & { readonly id: number })[]
    }
    const [flag] = results
    if (flag) this.#id = flag.id
    return flag ? stateOf(flag) : { exists: false }
  }

  /** A share that nobody declares, so that no click is what some commit declares by chance. */
  async #click(what: string): Promise<void> {
    const live = await this.#live()
    if (this.#id === 0 || (!live.exists && what !== 'exists')) return
    this.#clicks += 1
    const next = what === 'active' ? { active: !live.active } : { [what]: 2 * this.#clicks + 1 }
    const body =
      what === 'exists'
        ? { deleted: live.exists }
        : { active: next.active ?? live.active, filters: filtersOf({ ...live, ...next }) }
    await this.#service.send('PATCH', `${flagsPath}/${this.#id}/`, body)
    this.#note('click', live, await this.#live())
  }

  /**
   * Whatever is otherwise now was set outside of git, but for what the newest commit declares so. Of a click back to what
   * the last apply declared nothing is on record: nobody can tell it from no click.
   */
  #note(by: string, before: State, after: State): void {
    const isClick = by === 'click' || by === 'enable'
    const agreed = [...this.#line.slice(-1), ...(isClick ? this.#line.slice(this.#newest).slice(0, 1) : [])]
    if (before.exists !== after.exists) this.#outside.clear()
    for (const place of before.exists === after.exists ? places(before, after) : ['exists']) {
      const value = at(after, place)
      if (value === at(before, place)) continue
      // Who allows live edits for good has every field that somebody clicks in set to what is declared.
      if (this.#isAllowed && by !== 'undo' && by !== 'disable') {
        const isShare = place !== 'active' && place !== 'exists'
        for (const each of isShare ? places(before, after) : [place]) {
          if (!isShare || (each !== 'active' && each !== 'exists')) this.#outside.delete(each)
        }
      } else if (agreed.some(each => at(each, place) === value)) this.#outside.delete(place)
      else if (after.exists || place === 'exists') this.#outside.set(place, { value, by })
    }
  }

  async #run(verb: 'disable' | 'enable' | 'undo', name: Machine): Promise<void> {
    const on = this.#machines[name]
    await this.#upToDate(on)
    const before = await this.#live()
    const words = {
      disable: 'disable checkout --reason incident',
      enable: 'enable checkout',
      undo: 'undo last',
    }
    const { code } = await on.vexil(`${words[verb]} --auto-approve`)
    const after = await this.#live()
    this.log.push(`  ${verb} ${code} ${JSON.stringify(after)}`)
    this.#note(verb, before, after)
  }

  async #follow(does: 'pull' | 'revert', name: Machine): Promise<void> {
    const on = this.#machines[name]
    await this.#upToDate(on)
    if (does === 'revert') {
      if (this.#commits.length < 2) return
      await on.git('checkout', 'HEAD~1', '--', 'flags.yaml')
      await on.commit({})
      return this.#pushed(on)
    }
    const { code } = await on.vexil('pull checkout')
    this.log.push(`  pull ${code}`)
    await on.commit({})
    await this.#pushed(on)
  }

  /** A runner applies the newest commit, or one before it. */
  async #apply(name: Machine, back: number): Promise<void> {
    const on = this.#machines[name]
    const index = Math.max(0, this.#commits.length - 1 - back)
    await this.#upToDate(on, this.#commits[index])
    if (name === 'runner' || name === 'other')
      await rm(join(on.folder, '.vexil'), { recursive: true, force: true })
    const before = await this.#live()
    for (const time of ['first', 'second']) {
      const from = await this.#live()
      const { code, stdout, stderr } = await on.apply()
      const after = await this.#live()
      this.log.push(`  ${code} ${JSON.stringify(after)} outside ${JSON.stringify([...this.#outside])}`)
      expect([0, 3, 5], stdout + stderr).toContain(code)
      this.#judge(index < this.#newest ? from : before, after, this.#line[index] ?? {}, index)
      if (time === 'second' || index < this.#newest) expect(after).toEqual(from)
      if (code !== 5) this.#newest = Math.max(this.#newest, index)
    }
  }

  #judge(before: State, after: State, declared: State, index: number): void {
    for (const place of places(before, after, declared)) {
      const [was, is] = [at(before, place), at(after, place)]
      // Nobody gets what no side has asked for.
      if (after.exists || place === 'exists') expect([place, was, at(declared, place)].slice(1)).toContain(is)
      const outside = this.#outside.get(place)
      if (!outside || was !== outside.value) continue
      // With its flag goes what undo and disable have set, and nothing else.
      const isGone = !after.exists && place !== 'exists' && declared.exists === false
      if (isGone && (this.#isAllowed || outside.by === 'undo' || outside.by === 'disable')) continue
      expect(`${place} ${is} of ${index}`).toBe(`${place} ${was} of ${index}`)
    }
    if (before.exists !== after.exists) this.#outside.clear()
  }
}

it('what was set outside of git is never written over unseen, whatever the clocks of a month say', async () => {
  let applied = 0
  await fc.assert(
    fc.asyncProperty(month, fc.boolean(), async (steps, isAllowed) => {
      const service = await startService()
      const month = await Month.begin(service, isAllowed)
      try {
        await month.takes({ does: 'apply', on: 'other', back: 0 })
        for (const each of steps) await month.takes(each)
        applied += steps.filter(({ does }) => does === 'apply').length
      } catch (error) {
        throw new Error(`after\n${month.log.join('\n')}`, { cause: error })
      } finally {
        await service.close()
      }
    }),
    { numRuns: rounds(100), examples: [[mergedAndTakenBack, false]] },
  )
  expect(applied).toBeGreaterThan(0)
})
