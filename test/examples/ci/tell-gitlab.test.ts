import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { packageRoot } from '../../support/built.ts'
import type { HostAnswer, HostRequest } from '../../support/pipelines/code-host.ts'
import { aFakeGitlab, type FakeGitlab } from '../../support/pipelines/gitlab/fake-gitlab.ts'
import { aRunner, type Runner } from '../../support/pipelines/runner.ts'

/** `examples/ci/gitlab/tell-gitlab.mjs` by itself: what it does when GitLab, or another pipeline, gets in its way. */

const token = 'glpat-of-the-project-0001'
const markers = { note: '<!-- vexil:plan:production -->', issue: '<!-- vexil:drift:production -->' }

let host: FakeGitlab
let runner: Runner

beforeEach(async () => {
  host = await aFakeGitlab(token)
  runner = await aRunner()
})

interface Telling {
  readonly pipeline?: number
  readonly code?: number
  readonly env?: Readonly<Record<string, string>>
}

async function tell(what: 'note' | 'issue', { pipeline = 10, code = 6, env = {} }: Telling = {}) {
  await writeFile(join(runner.folder, 'report.md'), `${markers[what]}\n### a report\n`)
  const words = what === 'note' ? '' : String(code)
  const script = join(packageRoot, 'examples/ci/gitlab/tell-gitlab.mjs')
  return runner.run(`node ${script} ${what} report.md ${words}`, {
    directory: runner.folder,
    env: {
      CI_API_V4_URL: `${host.url}/api/v4`,
      CI_PROJECT_ID: '1',
      CI_MERGE_REQUEST_IID: '7',
      CI_PIPELINE_ID: String(pipeline),
      CI_PIPELINE_URL: `https://gitlab.example.com/-/pipelines/${pipeline}`,
      CI_COMMIT_SHORT_SHA: '0123abcd',
      VEXIL_GITLAB_TOKEN: token,
      ...env,
    },
  })
}

const bodies = () => (host.notes.get('7') ?? []).map(({ body }) => body)
const writes = () => host.log.filter(line => !line.startsWith('GET'))

describe('the note of a merge request', () => {
  it('is found on a later page, and never taken for one that somebody has copied', async () => {
    for (let copy = 0; copy < 3; copy++) host.noteOfSomebody('7', `${markers.note}\ncopied`)
    await tell('note')
    await tell('note', { pipeline: 11 })
    expect(bodies()).toEqual([
      ...Array(3).fill(`${markers.note}\ncopied`),
      expect.stringContaining('[Pipeline 11](https://gitlab.example.com/-/pipelines/11), commit 0123abcd'),
    ])
  })

  it('stays as a newer pipeline wrote it', async () => {
    await tell('note', { pipeline: 12 })
    const told = await tell('note', { pipeline: 11 })
    expect(told).toEqual({ code: 0, log: 'a newer pipeline has written the note\n' })
    expect(bodies()).toEqual([expect.stringContaining('[Pipeline 12]')])
  })

  it('is one note where two pipelines write their first at once', async () => {
    await tell('note')
    const others = structuredClone(host.notes.get('7') ?? [])
    host.notes.clear()
    host.disturb(({ method }) => {
      // The other one has written after this one has looked.
      if (method === 'POST') host.notes.set('7', structuredClone(others))
      return undefined
    })
    await tell('note', { pipeline: 11 })
    expect(host.notes.get('7')?.map(({ id }) => id)).toEqual(others.map(({ id }) => id))
    expect(bodies()).toEqual([expect.stringContaining('[Pipeline 11]')])
  })
})

type Fault = (request: HostRequest) => HostAnswer | undefined
const isWrite = ({ method }: HostRequest) => method !== 'GET'

const faults: Readonly<Record<string, readonly [Fault, string]>> = {
  'a token that is not valid': [() => ({ status: 401 }), 'GitLab answered 401; VEXIL_GITLAB_TOKEN needs'],
  'a token that may not': [() => ({ status: 403 }), 'GitLab answered 403; VEXIL_GITLAB_TOKEN needs'],
  'a project that is not seen': [() => ({ status: 404 }), 'GitLab answered 404; VEXIL_GITLAB_TOKEN needs'],
  'a host that fails to write': [
    each => (isWrite(each) ? { status: 502 } : undefined),
    'GitLab answered 502',
  ],
  'an answer that leads elsewhere': [
    () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
    'redirect',
  ],
}

describe.each(['note', 'issue'] as const)('the %s', what => {
  it.each(Object.keys(faults))('is not written, and that is said, with %s', async name => {
    const [fault, said] = faults[name] ?? []
    host.disturb(fault)
    const told = await tell(what)
    // Drift that nobody is told of has to fail the job.
    expect(told.code).toBe(what === 'issue' ? 6 : 1)
    expect(told.log).toMatch(new RegExp(`^the ${what} was not written: `))
    expect(told.log).toContain(said)
    expect(told.log).not.toContain(token)
    // What may have been written is not written again.
    expect(writes().length).toBeLessThan(2)
  })

  it('is written after waiting as long as GitLab says, and where reading fails for once', async () => {
    const answers = [{ status: 429 }, { status: 503 }, undefined, undefined, { status: 429 }]
    host.disturb(() => {
      const answer = answers.shift()
      return answer && { ...answer, headers: { 'retry-after': '0' } }
    })
    expect((await tell(what)).code).toBe(0)
    expect(writes().filter(line => line.endsWith(' 201'))).toHaveLength(1)
  })

  it('is not written without a token', async () => {
    const told = await tell(what, { env: { VEXIL_GITLAB_TOKEN: '' } })
    expect(told).toEqual({
      code: what === 'issue' ? 6 : 0,
      log: `VEXIL_GITLAB_TOKEN is not set, so no ${what} is written\n`,
    })
    expect(host.log).toEqual([])
  })
})

describe('the issue of drift', () => {
  it('is one, is closed with a note when all is as declared again, and is another one later', async () => {
    expect((await tell('issue', { code: 0 })).log).toBe('as declared, and no issue is open\n')
    expect((await tell('issue')).log).toBe('opened issue #1\n')
    expect((await tell('issue', { pipeline: 11 })).log).toBe('updated issue #1\n')
    expect(host.issues[0]?.description).toContain('[Pipeline 11]')
    expect((await tell('issue', { code: 0 })).log).toBe('closed issue #1\n')
    expect(host.issues[0]?.notes.map(({ body }) => body)).toEqual([
      expect.stringContaining('as declared again'),
    ])
    expect((await tell('issue')).log).toBe('opened issue #2\n')
    expect(host.issues.map(({ state }) => state)).toEqual(['closed', 'opened'])
  })

  it('stays as it is where drift could not be told', async () => {
    await tell('issue')
    const before = host.log.length
    expect(await tell('issue', { code: 1 })).toEqual({ code: 1, log: '' })
    expect(host.log).toHaveLength(before)
  })
})
