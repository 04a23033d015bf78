import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flagsPath } from '../../support/workspace.ts'
import type { Clone, Company, Person, Ran } from './company.ts'
import { deploys, reads } from './shop.ts'

/** Lines of output that the page shows. Each pattern has to match one at least. */
type Shown = readonly RegExp[]

/** In a file, this becomes that. */
type Edit = readonly [file: string, from: string, to: string]

type Work =
  | { readonly edit: Edit }
  | { readonly vexil: readonly string[]; readonly shows: Shown }
  | { readonly git: readonly string[] }

interface Merge {
  readonly plan?: Shown
  readonly apply?: Shown
}

interface LiveFlag {
  readonly id: number
  readonly key: string
  readonly active: boolean
  readonly filters: {
    readonly groups: readonly {
      readonly properties?: readonly { readonly value: unknown }[]
      readonly rollout_percentage: number
    }[]
  }
}

/** What people and pipelines do, each in a new clone. */
export class Month {
  readonly #company: Company
  readonly #page: string[]
  /** Who gets what of each flag. */
  #live: Readonly<Record<string, string>> = {}

  constructor(company: Company, introduction: string) {
    this.#company = company
    this.#page = [introduction]
  }

  text(): string {
    return `${this.#page.join('\n\n')}\n`
  }

  says(sentence: string): void {
    this.#page.push(sentence)
  }

  /** The page does not show these steps. */
  async withoutPage(steps: () => Promise<void>): Promise<void> {
    const shown = [...this.#page]
    await steps()
    this.#page.splice(0, this.#page.length, ...shown)
  }

  async day(day: number, title: string): Promise<void> {
    const { clock } = this.#company
    const startMs = Date.UTC(2026, 2, day, 9)
    const date = new Date(startMs).toLocaleDateString('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    })
    this.#page.push(`### ${date}: ${title}`)
    await clock.sleep(startMs - clock.now())
  }

  /** Days go by, or a part of one. */
  async waits(days: number): Promise<void> {
    await this.#company.clock.sleep(days * 86_400_000)
  }

  /** Who gets what has changed like this since the last step, and nothing else has. */
  async live(changed: Readonly<Record<string, string | undefined>>): Promise<void> {
    const list = (await this.#company.service.get(`${flagsPath}/?limit=100`)) as { results: LiveFlag[] }
    const expected = Object.entries({ ...this.#live, ...changed }).filter(([, who]) => who !== undefined)
    const found = list.results.map(flag => [flag.key, whoGets(flag)])
    deepEqual(Object.fromEntries(found), Object.fromEntries(expected))
    this.#live = Object.fromEntries(found)
  }

  /** Somebody sets both shares of the checkout in the product, whose screen sends all conditions. */
  async clicks({ id }: Person, germany: number, austria: number): Promise<void> {
    const { service } = this.#company
    const list = (await service.get(`${flagsPath}/?limit=100`)) as { results: LiveFlag[] }
    const flag = list.results.find(({ key }) => key === 'one_page_checkout')
    const groups = flag?.filters.groups.map((group, index) => ({
      ...group,
      rollout_percentage: [germany, austria][index],
    }))
    await service.send('PATCH', `${flagsPath}/${flag?.id}/`, { filters: { groups } }, id)
  }

  /** A command on somebody's laptop. */
  async types(
    who: Person,
    sentence: string | undefined,
    words: readonly string[],
    shows: Shown,
  ): Promise<void> {
    if (sentence !== undefined) this.says(sentence)
    await this.#runs(await this.#company.clone(who), words, shows)
  }

  /** A branch with some work. */
  async proposes(who: Person, sentence: string | undefined, work: Work): Promise<Clone> {
    const clone = await this.#company.clone(who)
    await clone.git('checkout', '--quiet', '-b', 'change')
    await this.works(clone, sentence, work)
    return clone
  }

  /** More work on a branch. */
  async works(clone: Clone, sentence: string | undefined, work: Work): Promise<void> {
    if (sentence !== undefined) this.says(sentence)
    if ('git' in work) {
      this.#shows(`git ${work.git.join(' ')}`, [])
      await clone.git(...work.git)
      return
    }
    if ('vexil' in work) await this.#runs(clone, work.vexil, work.shows)
    else await editFile(clone.folder, work.edit)
    await clone.git('commit', '--quiet', '--all', '--message', 'Change a flag')
  }

  /** The pipeline of a pull request. Its key can only read. */
  async plans({ git }: Clone, shows: Shown, code = 0): Promise<void> {
    await git('push', '--quiet', '--force', 'origin', 'HEAD:change')
    const pipeline = await this.#company.clone(reads, '--branch', 'change')
    await this.#reads(pipeline, ['plan', '--env', 'production'], shows, code)
  }

  /** The pipeline of a night. */
  async drifts(shows: Shown, code: number): Promise<void> {
    await this.#reads(await this.#company.clone(reads), ['drift', '--env', 'production'], shows, code)
  }

  async #reads(clone: Clone, words: readonly string[], shows: Shown, code: number): Promise<void> {
    const { requests } = await this.#runs(clone, words, shows, code, reads)
    deepEqual(
      requests.filter(line => !line.startsWith('GET ')),
      [],
    )
  }

  async merges(clone: Clone, shows: Merge = {}): Promise<void> {
    const branch = await clone.git('rev-parse', 'HEAD')
    await clone.git('checkout', '--quiet', 'main')
    await clone.git('merge', '--quiet', '--no-ff', '--message', 'Merge a pull request', branch)
    await clone.git('push', '--quiet', 'origin', 'main')
    await this.deploys(shows)
  }

  /** The pipeline of main. */
  async deploys({ plan = [], apply = [] }: Merge): Promise<void> {
    const pipeline = await this.#company.clone(deploys)
    await this.#runs(pipeline, ['plan', '--env', 'production', '--out', 'plan.json'], plan)
    await this.#runs(pipeline, ['apply', 'plan.json'], apply)
    for (const file of await readdir(pipeline.folder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) this.#isWithoutKey(await readFile(join(file.parentPath, file.name), 'latin1'))
  }

  async #runs(clone: Clone, words: readonly string[], shows: Shown, code = 0, keyOf?: Person): Promise<Ran> {
    const ran = await clone.vexil(words, keyOf)
    const text = this.#stable(`${ran.stderr}${ran.stdout}`, clone)
    this.#isWithoutKey(text)
    equal(ran.code, code, `${words.join(' ')}\n${text}`)
    const lines = text.split('\n')
    for (const pattern of shows)
      ok(
        lines.some(line => pattern.test(line)),
        `${words.join(' ')} prints ${pattern}:\n${text}`,
      )
    const shown = lines.filter(line => shows.some(pattern => pattern.test(line)))
    if (shown.length > 0) this.#shows(`vexil ${words.map(quoted).join(' ')}`, shown)
    return ran
  }

  /** Commands that follow each other share a block. */
  #shows(command: string, lines: readonly string[]): void {
    const before = this.#page.pop() ?? ''
    const text = [`$ ${command}`, ...lines, '```'].join('\n')
    if (before.endsWith('```')) this.#page.push(before.replace(/```$/, () => text))
    else this.#page.push(`${before}${before.startsWith('#') ? '\n\n' : '\n'}\`\`\`console\n${text}`)
  }

  /** Whatever differs from run to run has one name on the page. */
  #stable(text: string, { folder }: Clone): string {
    return text
      .replaceAll(this.#company.service.url, 'https://flags.example.com')
      .replaceAll(folder, '/shop')
      .replaceAll(/\b(\d{8}T\d{9}Z)-\d{8}\b/g, '$1')
  }

  #isWithoutKey(text: string): void {
    ok(!text.includes(this.#company.key), 'a key is shown')
  }

  /** No key is in what was pushed. */
  async ends(): Promise<void> {
    const clone = await this.#company.clone(reads)
    await clone.git('fetch', '--quiet', 'origin', 'refs/vexil/runs:refs/vexil/runs')
    const pushed = await clone.git('log', '--all', '--patch', '--format=%B')
    ok(pushed.includes('the bank is down'))
    this.#isWithoutKey(pushed)
  }
}

function whoGets({ active, filters }: LiveFlag): string {
  const shares = filters.groups.map(
    ({ properties = [], rollout_percentage }) => `${properties[0]?.value ?? 'all'} ${rollout_percentage}`,
  )
  return active ? shares.join(', ') : 'off'
}

function quoted(word: string): string {
  return word.includes(' ') ? `'${word}'` : word
}

async function editFile(folder: string, [file, from, to]: Edit): Promise<void> {
  const path = join(folder, file)
  const text = await readFile(path, 'utf8')
  equal(text.split(from).length, 2, `${file} has "${from}" once`)
  await writeFile(path, text.replace(from, to))
}
