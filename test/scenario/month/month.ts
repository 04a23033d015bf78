import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Said, said } from '../live-edits/clones.ts'
import type { Clone, Company, Ran } from './company.ts'
import { type Changed, changedBy, type Leaves, liveLeaves } from './leaves.ts'
import { deploys, type Person, plans } from './people.ts'
import { type Environment, environments, flagsOf } from './shop.ts'
import type { Story } from './story.ts'

/** In a file, this becomes that. */
export type Edit = readonly [file: string, from: string, to: string]

/** Edits of files, or a command that makes them. */
export type Work = readonly Edit[] | { readonly vexil: Line; readonly code?: number } | Git

export interface Git {
  readonly git: readonly string[]
}

/** What is live afterwards, of what was not so before. */
export type Then = Partial<Record<Environment, Changed>>

/** What a plan leaves out afterwards, until something else is expected: `express_pay active held`. */
export type Left = Partial<Record<Environment, readonly string[]>>

export interface Expected {
  readonly code?: number
  readonly becomes?: Then
  readonly left?: Left
}

export type Line = string | readonly string[]

/** How a command ends in each environment that it is run for. */
export type Codes = Partial<Record<Environment, number>>

export interface Click {
  readonly environment: Environment
  readonly key: string
  readonly body: object
}

export interface Deployed {
  readonly plan?: number
  readonly apply?: number
  readonly becomes?: Changed
  readonly left?: readonly string[]
}

export type Deployments = Partial<Record<Environment, Deployed>>

/**
 * The language of the script: each call is one thing that somebody does, with what is expected of it. Whatever a call
 * does not name has to be as it was: after each of them every leaf of both environments is compared.
 */
export class Month {
  readonly #company: Company
  readonly #story: Story
  readonly #laptops = new Map<Person, Clone>()
  /** How often somebody has pushed to main or to a branch of its own, and up to which of these a laptop has fetched. */
  #pushed = 0
  readonly #fetched = new Map<Person, number>()
  readonly #live: Record<Environment, Leaves> = { staging: {}, production: {} }
  readonly #left: Record<Environment, readonly string[]> = { staging: [], production: [] }
  /** What the pipelines of the pull request under way have said. */
  #proposed: Partial<Record<Environment, string>> = {}
  #today = 0
  /** All that the service held when its leaves were compared last. */
  #content = ''

  constructor(company: Company, story: Story) {
    this.#company = company
    this.#story = story
  }

  /** A day of March, and what it is about; the first of April is 32. */
  async day(day: number, title: string): Promise<void> {
    this.#today = Date.UTC(2026, 2, day)
    const date = new Date(this.#today).toLocaleDateString('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    })
    this.#story.day(`${date}: ${title}`)
    await this.at('09:00')
  }

  /** Later on that day, in UTC. */
  async at(time: string): Promise<void> {
    const { clock } = this.#company
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const waitMs = this.#today + (hours * 60 + minutes) * 60_000 - clock.now()
    ok(waitMs >= 0, `${time} is over`)
    await clock.sleep(waitMs)
  }

  tells(sentence: string): void {
    this.#story.tells(sentence)
  }

  /** Somebody changes a flag in the product. */
  async clicks(who: Person, sentence: string, { environment, key, body }: Click, expected: Expected) {
    this.#story.tells(sentence)
    const id = await this.idOf(environment, key)
    await this.#company.service.send('PATCH', `${flagsOf(environment)}/${id}/`, body, who.id)
    await this.#expect(expected)
  }

  /** The id that the service has given to a flag. */
  async idOf(environment: Environment, key: string): Promise<number> {
    const list = await this.#company.service.get(`${flagsOf(environment)}/?limit=100`)
    const { results } = list as { results: { id: number; key: string }[] }
    const found = results.find(flag => flag.key === key)
    ok(found, `no flag ${key}`)
    return found.id
  }

  /** Somebody runs a command on a laptop, on main, with a key of their own. */
  async types(who: Person, sentence: string, line: Line, expected: Expected = {}): Promise<void> {
    this.#story.tells(sentence)
    await this.#types(await this.#onMain(who), line, expected)
  }

  /** A new branch with some work; the pipeline of the pull request plans it, with a key that can only read. */
  async proposes(who: Person, sentence: string, work: Work, codes: Codes, from = 'main'): Promise<void> {
    const laptop = await this.#upToDate(who)
    await laptop.git('checkout', '--quiet', '--no-track', '-B', branch, from)
    await this.amends(who, sentence, work, codes)
  }

  /** More work on the branch of the pull request. */
  async amends(who: Person, sentence: string, work: Work, codes: Codes): Promise<void> {
    this.#story.tells(sentence)
    const laptop = await this.#laptopOf(who)
    await this.#works(laptop, sentence, work)
    await laptop.git('push', '--quiet', '--force', 'origin', branch)
    await this.checks(who, codes)
  }

  /** The pipeline of the pull request under way. */
  async checks(who: Person, codes: Codes, ...options: readonly string[]): Promise<void> {
    const pipeline = await this.#pipeline(who, plans, '--branch', branch, ...options)
    this.#proposed = {}
    for (const environment of namesOf(codes)) {
      const ran = await this.#runs(pipeline, ['plan', '--env', environment], codes[environment])
      equal(ran.requests.filter(isWrite).length, 0)
      this.#proposed[environment] = planAlone(ran.stdout)
    }
    await this.leaves(pipeline)
    await this.#expect({})
  }

  /** The branch goes to main; a pipeline plans and applies it. */
  async merges(who: Person, sentence: string, deployed: Deployments): Promise<void> {
    const laptop = await this.#onMain(who)
    this.#story.tells(sentence)
    await laptop.git('merge', '--quiet', '--no-ff', '--message', sentence, branch)
    await this.#pushes(who, 'main')
    await this.deploys(who, deployed)
    this.#proposed = {}
  }

  /** The pipeline of a branch: it plans, saves the plan and applies it, with a key that can write. */
  async deploys(who: Person, deployed: Deployments, from = 'main'): Promise<void> {
    const pipeline = await this.#pipeline(who, deploys, '--branch', from)
    for (const environment of namesOf(deployed))
      await this.#deploys(pipeline, environment, deployed[environment] ?? {})
    await this.leaves(pipeline)
  }

  /** A pipeline of main that goes on later, with the objects that its clone had when it was made. */
  pipeline(who: Person): Promise<Clone> {
    return this.#company.clone({ person: who, pipelineOf: deploys })
  }

  async #deploys(pipeline: Clone, environment: Environment, deployed: Deployed): Promise<void> {
    const { plan = 0, apply = 0, becomes = {}, left } = deployed
    const words = ['plan', '--env', environment, '--out', 'plan.json']
    const planned = await this.#runs(pipeline, words, plan, false)
    equal(planned.requests.filter(isWrite).length, 0)
    const isAsProposed = this.#proposed[environment] === planAlone(planned.stdout)
    this.#story.command(words, isAsProposed ? { code: plan, stdout: asProposed, stderr: '' } : planned)
    const saved = said({ ...planned, stdout: await readFile(join(pipeline.folder, 'plan.json'), 'utf8') }, '')
    if (plan === 0) await this.#runs(pipeline, ['apply', 'plan.json'], apply)
    await this.#expect({
      becomes: { [environment]: becomes },
      ...(left ? { left: { [environment]: left } } : {}),
    })
    // A plan without changes is the one that comes after it.
    this.#isSettled(environment, saved.changes.length === 0 ? saved : await planOf(pipeline, environment))
  }

  /** The nightly pipeline looks for what was changed in the product. */
  async night(codes: Codes): Promise<void> {
    await this.at('23:00')
    const pipeline = await this.#pipeline(deploys, plans)
    for (const environment of namesOf(codes)) {
      const ran = await this.#runs(pipeline, ['drift', '--env', environment], codes[environment])
      equal(ran.requests.filter(isWrite).length, 0)
    }
    await this.leaves(pipeline)
  }

  async #types(clone: Clone, line: Line, { code = 0, ...expected }: Expected) {
    await this.#runs(clone, typeof line === 'string' ? line.split(' ') : line, code)
    await this.#expect(expected)
  }

  async #runs(clone: Clone, words: readonly string[], code = 0, isTold = true): Promise<Ran> {
    const ran = await clone.vexil(words)
    const { stable } = this.#company
    const [stdout, stderr] = [stable(ran.stdout), stable(ran.stderr)]
    this.#isWithoutKey(stdout + stderr)
    // What `call` answers is the flag as the service has it.
    const told = words[0] === 'call' ? '...' : stdout
    if (isTold) this.#story.command(words, { ...ran, stdout: told, stderr })
    equal(ran.code, code, `${words.join(' ')}\n${stderr}${stdout}`)
    return { ...ran, stdout, stderr }
  }

  /** A clone that is new, for a pipeline that somebody has started; it reads the objects of the remote where they are. */
  #pipeline(person: Person, pipelineOf: Person, ...options: readonly string[]): Promise<Clone> {
    return this.#company.clone({ person, pipelineOf }, '--shared', ...options)
  }

  /** A pipeline throws its clone away; no key was left in it. */
  async leaves({ folder }: Clone): Promise<void> {
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter(each => each.isFile()))
      this.#isWithoutKey(await readFile(join(file.parentPath, file.name), 'latin1'))
    await rm(folder, { recursive: true })
  }

  #isWithoutKey(text: string): void {
    // The keys of all others begin with the first one.
    ok(!text.includes(this.#company.key(plans)), 'a key is told')
  }

  async #onMain(person: Person): Promise<Clone> {
    const laptop = await this.#upToDate(person)
    await laptop.git('checkout', '--quiet', 'main')
    return laptop
  }

  /** The laptop of somebody who has fetched what others have pushed since. */
  async #upToDate(person: Person): Promise<Clone> {
    const laptop = await this.#laptopOf(person)
    if (this.#fetched.get(person) === this.#pushed) return laptop
    await laptop.git('checkout', '--quiet', 'main')
    await laptop.git('pull', '--quiet', '--ff-only')
    this.#fetched.set(person, this.#pushed)
    return laptop
  }

  async #pushes(person: Person, name: string): Promise<void> {
    const laptop = await this.#laptopOf(person)
    await laptop.git('push', '--quiet', 'origin', name)
    // Whoever pushes to main has all of it.
    this.#pushed++
    this.#fetched.set(person, this.#pushed)
  }

  async #laptopOf(person: Person): Promise<Clone> {
    const known = this.#laptops.get(person)
    if (known) return known
    const laptop = await this.#company.clone({ person })
    this.#laptops.set(person, laptop)
    this.#fetched.set(person, this.#pushed)
    return laptop
  }

  /** What is live of a flag. */
  leavesOf(environment: Environment, key: string): Leaves {
    return Object.fromEntries(
      Object.entries(this.#live[environment]).filter(([path]) => path.startsWith(`${key} `)),
    )
  }

  /** The name of a commit, as the laptop of somebody has it. */
  async commitOf(who: Person, revision: string): Promise<string> {
    return (await this.#onMain(who)).git('rev-parse', revision)
  }

  async #works(laptop: Clone, message: string, work: Work): Promise<void> {
    if ('git' in work) return this.#gits(laptop, work)
    if ('vexil' in work) await this.#types(laptop, work.vexil, { code: work.code ?? 0 })
    else for (const edit of work) await editFile(laptop.folder, edit)
    if (!('vexil' in work && work.vexil.includes('--commit')))
      await laptop.git('commit', '--quiet', '--all', '--message', message)
  }

  /** A command in a clone that somebody has at hand. */
  async runs(clone: Clone, sentence: string, line: Line | Git, expected: Expected = {}): Promise<void> {
    this.#story.tells(sentence)
    if (typeof line === 'object' && 'git' in line) await this.#gits(clone, line)
    else await this.#types(clone, line, expected)
  }

  /** A command on somebody's laptop, on the branch of the pull request under way. */
  async runsOnBranch(who: Person, sentence: string, line: Line, expected: Expected): Promise<void> {
    await this.runs(await this.#laptopOf(who), sentence, line, expected)
  }

  /** A branch of its own, beside pull requests. */
  async branches(who: Person, sentence: string, name: string, from: string, work: Git): Promise<void> {
    const laptop = await this.#onMain(who)
    this.#story.tells(sentence)
    await laptop.git('checkout', '--quiet', '--no-track', '-b', name, from)
    await this.#gits(laptop, work)
    await this.#pushes(who, name)
  }

  async #gits(clone: Clone, { git }: Git): Promise<void> {
    this.#story.git(git)
    await clone.git(...git)
  }

  async #expect({ becomes = {}, left = {} }: Expected): Promise<void> {
    const content = this.#company.service.sandbox.content()
    const isAsBefore = content === this.#content && Object.keys(becomes).length === 0
    this.#content = content
    for (const environment of environments) {
      this.#left[environment] = left[environment] ?? this.#left[environment]
      if (isAsBefore) continue
      const expected = changedBy(this.#live[environment], becomes[environment] ?? {})
      deepEqual(await liveLeaves(this.#company.service, environment), expected)
      this.#live[environment] = expected
    }
  }

  /** Both environments are as the repository says, whatever is on record; no key is in anything that was pushed. */
  async ends(): Promise<void> {
    const pipeline = await this.#pipeline(deploys, plans)
    for (const environment of environments) {
      deepEqual(this.#left[environment], [])
      const { changes, blocked } = await planOf(pipeline, environment, '--base', 'none')
      deepEqual({ changes, blocked }, { changes: [], blocked: [] })
    }
    await pipeline.git('fetch', '--quiet', 'origin', 'refs/vexil/runs:refs/vexil/runs')
    const runs = await pipeline.git('log', '--all', '--patch', '--format=%B')
    ok(runs.includes('the bank is down'))
    this.#isWithoutKey(runs)
    await this.leaves(pipeline)
  }

  /** After an apply there is nothing to do but for what is left out. */
  #isSettled(environment: Environment, { changes, blocked, edits }: Said): void {
    deepEqual(
      { environment, changes, left: [...edits, ...blocked] },
      { environment, changes: [], left: this.#left[environment] },
    )
  }
}

const branch = 'pull-request'

function namesOf(of: Partial<Record<Environment, unknown>>): Environment[] {
  return environments.filter(name => of[name] !== undefined)
}

async function planOf(
  pipeline: Clone,
  environment: Environment,
  ...options: readonly string[]
): Promise<Said> {
  return said(await pipeline.vexil(['plan', '--json', '--env', environment, ...options]), '')
}

function isWrite(line: string): boolean {
  return !line.startsWith('GET ')
}

const asProposed = '(as on the pull request)'

/** What a plan says beside the commit that it was made at, its age, and the command that comes next. */
function planAlone(text: string): string {
  return text
    .replace(/ at [0-9a-f]{12}\b/, '')
    .replace(/^measured from .*\n/m, '')
    .replaceAll(/\d+ (second|minute|hour|day)s? ago/g, 'ago')
    .replace(/ Next: .*/, '')
}

async function editFile(folder: string, [file, from, to]: Edit): Promise<void> {
  const path = join(folder, file)
  const text = await readFile(path, 'utf8')
  equal(text.split(from).length, 2, `${file} has "${from}" once`)
  await writeFile(
    path,
    text.replace(from, () => to),
  )
}
