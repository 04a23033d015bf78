import { env } from 'node:process'
import { startTests } from '@vitest/runner'
import { type RunnerTask, type RunnerTestFile, TestRunner } from 'vitest'
import { killedIn, readLines, writeLine } from './log.ts'

type Hits = Record<string, number>

const log = env.MUTATE_LOG ?? ''
const by = Number(env.MUTATE_BY)
const drawn = new Set(env.MUTATE_IDS?.split(' '))
/** What the changed code reads, and where it counts. */
const mutant = {
  activeMutant: undefined as string | undefined,
  hitCount: 0,
  hitLimit: 0,
  mutantCoverage: { static: {} as Hits, perTest: {} as Record<string, Hits> },
  currentTestId: undefined as string | undefined,
}
Object.assign(globalThis, { __stryker__: mutant })

/** Counts by tests, and ends a file with a mutant at the first test that fails. */
class Rerun extends TestRunner {
  #hasFailed = false

  override importFile(path: string) {
    // What is imported as a setup is evaluated again each time.
    return super.importFile(path, 'setup')
  }

  override async onBeforeRunTask(test: RunnerTask) {
    if (this.#hasFailed && mutant.activeMutant) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }

  override onBeforeTryTask(test: RunnerTask) {
    mutant.currentTestId = test.id
    super.onBeforeTryTask(test)
  }

  override onAfterRunTask(test: RunnerTask) {
    mutant.currentTestId = undefined
    this.#hasFailed ||= test.result?.state === 'fail'
    super.onAfterRunTask(test)
  }
}

/**
 * Runs each test file as it is, to see which mutants each of its tests reaches, and then again with each of these that
 * no file has killed yet. Nothing but the test file is loaded again, which makes hundreds of mutants cheap.
 */
export default class MutateRunner extends Rerun {
  override onCollectStart(file: RunnerTestFile) {
    Object.assign(mutant.mutantCoverage, { static: {}, perTest: {} })
    super.onCollectStart(file)
  }

  override async onAfterRunFiles(files: RunnerTestFile[] = []) {
    super.onAfterRunFiles()
    for (const file of files) await this.#tryMutants(file)
  }

  async #tryMutants({ filepath, name: file, result }: RunnerTestFile): Promise<void> {
    const { static: always, perTest } = { ...mutant.mutantCoverage }
    const hits: Hits = {}
    for (const each of [always, ...Object.values(perTest)])
      for (const [id, count] of Object.entries(each)) hits[id] = (hits[id] ?? 0) + count
    const isUsable = result?.state !== 'fail'
    const reached = isUsable ? Object.keys(hits).filter(id => drawn.has(id)) : []
    writeLine(log, { by, file, isUsable, reached })
    const killedBefore = killedIn(readLines(log))
    const killed: string[] = []
    for (const id of reached.filter(each => !killedBefore.has(each))) {
      writeLine(log, { by, file, trying: id })
      const limit = 1000 + 100 * (hits[id] ?? 0)
      const tests = always[id] ? undefined : Object.keys(perTest).filter(test => perTest[test]?.[id])
      // Tests of one file may build on each other: what fails alone has to fail among all as well.
      const isKilled =
        !(await this.#passes(filepath, id, limit, tests)) && !(await this.#passes(filepath, id, limit))
      if (isKilled) killed.push(id)
    }
    // A mutant may leave something behind that later ones fail at.
    const isClean = killed.length === 0 || (await this.#passes(filepath))
    if (!isClean) writeLine(log, { by, file, isUsable: false, reached: [] })
    writeLine(log, { by, file, killed: isClean ? killed : [] })
  }

  async #passes(filepath: string, id?: string, hitLimit = 0, testIds?: string[]): Promise<boolean> {
    const rerun = new Rerun(this.config)
    // Vitest gives both to the runner that it makes.
    Object.assign(rerun, { moduleRunner: Reflect.get(this, 'moduleRunner') })
    rerun.__setTraces(Reflect.get(this, '_otel'))
    // An endless loop throws at the limit.
    Object.assign(mutant, { activeMutant: id, hitCount: 0, hitLimit })
    const [file] = await startTests([{ filepath, testIds }], rerun)
    mutant.activeMutant = undefined
    return file?.result?.state !== 'fail'
  }
}
