import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../src/model/version.ts'
import type { LocatedProblem, PlanDocument } from '../../src/report/document.ts'
import { type FormatName, render, reportFormats } from '../../src/report/formats.ts'
import { cli } from '../support/cli.ts'
import { aLiveEdit, aLiveEditField, treatments } from '../support/live-edits.ts'
import { richPlan } from '../support/rich-plan.ts'

/** As reviewers read them: `npx vitest run test/report/golden.test.ts -u` writes them anew. JSON has a schema of its own. */
const shown = reportFormats().filter(({ name }) => name !== 'json')

const golden = (name: string) => join(import.meta.dirname, 'golden', name)
/** What each change of the style or of the script of a page would change is left out, and digests, each run having others. */
const withoutVersion = (text: string) =>
  text
    .replaceAll(`"${version}"`, '"VERSION"')
    .replaceAll(/(<style>|<script>)[\s\S]*?(?=<\/style>|<\/script>)/g, '$1')
    .replaceAll(/sha256-[\w+/=]{44}/g, 'sha256-')
    .replaceAll(/\(sensitive [0-9a-f]{8}\)/g, '(sensitive DIGEST)')

describe('examples/gitops, with one step that goes too far', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vexil-golden-'))
    await cp(join(import.meta.dirname, '../../examples/gitops'), folder, { recursive: true })
    const flags = join(folder, 'flags/platform.yaml')
    const text = await readFile(flags, 'utf8')
    await writeFile(flags, text.replace('rollout_percentage: 50', 'rollout_percentage: 100'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is planned as a comment', async () => {
    const words = ['plan', '--env', 'production', '--sandbox', '--report', 'plan.md']
    const { code, stderr } = await cli(words, { directory: folder, env: {} })
    expect(code, stderr).toBe(0)
    const text = await readFile(join(folder, 'plan.md'), 'utf8')
    await expect(withoutVersion(text)).toMatchFileSnapshot(golden('gitops.md'))
  })
})

it('begins as the page about reports shows it', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/reports.md'), 'utf8')
  const [, shownThere = 'nothing'] = /```markdown\n([\s\S]*?)```/.exec(page) ?? []
  expect(await readFile(golden('gitops.md'), 'utf8')).toContain(`-->\n${shownThere}`)
})

describe('tests of flags, some of which do not pass', () => {
  const files = {
    'vexil.yaml': `version: 1
environments:
  staging: { project: "2" }
  production: { project: "1" }
`,
    'flags/checkout.yaml': `persons:
  ada: { distinct_id: ada, properties: { country: DE } }
feature_flags:
  checkout:
    active: true
    release:
      dach: { properties: { country: [DE, AT] }, variant: one_page }
      rest: { rollout_percentage: 50 }
    variants: { one_page: 50, classic: 50 }
    environments: { staging: { release: { rest: { rollout_percentage: 100 } } } }
    tests:
      - { person: ada, expect: one_page, because: dach }
      - { person: ada, expect: classic, env: staging }
      - { person: { properties: { country: FR } }, expect: false }
      - { person: { distinct_id: "@team | <b>", properties: { country: AT } }, expect: { value: one_page, payload: "\${env:PAYLOAD}" } }
  search: { active: true, rollout_percentage: 100, tests: [{ person: ada, expect: true, because: everyone }] }
  later: { active: true, rollout_percentage: 10 }
`,
  }
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vexil-golden-'))
    await mkdir(join(folder, 'flags'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const reports = shown.flatMap(({ extension }) => ['--report', `test${extension}`])
    const { code, stderr } = await cli(['test', '--coverage', '--min-coverage', '90', ...reports], {
      directory: folder,
      env: { PAYLOAD: 'out of the environment' },
    })
    expect(code, stderr).toBe(1)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(shown)('are told as $name', async ({ extension }) => {
    const text = await readFile(join(folder, `test${extension}`), 'utf8')
    expect(text).not.toContain('out of the environment')
    await expect(withoutVersion(text)).toMatchFileSnapshot(golden(`test${extension}`))
  })
})

function aWarning(flag: string, line: number): LocatedProblem {
  const message = `condition ${line} (everyone) goes to 80%; the ceiling is 75% | <b>@team</b>`
  return {
    path: 'infra/flags/checkout.yaml',
    problem: {
      ...{ code: 'max_rollout', severity: 'warning', address: `feature_flag.${flag}`, message },
      hint: 'lower the share',
      source: { file: 'flags/checkout.yaml', line, column: 5 },
    },
  }
}

describe('a plan with everything in it', () => {
  const plan = richPlan()
  const [first] = plan.changes
  const document: PlanDocument = {
    is: 'plan',
    plan: {
      ...plan,
      liveEdits: [
        ...plan.liveEdits,
        ...treatments.map(treatment => aLiveEdit(`was_${treatment}`, [aLiveEditField({ treatment })])),
        aLiveEdit(first?.identity ?? '', [aLiveEditField({ treatment: 'reverted' })]),
      ],
    },
    meta: {
      environment: 'production',
      commit: '4f2c1ab04f2c1ab04f2c1ab04f2c1ab04f2c1ab0',
      dirty: true,
      requests: 6,
      notes: ['the clone is shallow; `git fetch --unshallow` brings the rest'],
      now: Date.UTC(2026, 10, 22, 12),
      target: { baseUrl: 'https://flags.example.com', projectId: '2', profile: 'documented' },
    },
    saved: {},
    note: 'a note',
    warnings: [
      aWarning('checkout', 3),
      ...Array.from({ length: 11 }, (_, at) => aWarning('legacy_nav', at + 20)),
    ],
    next: 'vexil apply',
  }

  it.each(shown)('is told as $name', async ({ name, extension }) => {
    const text = await render(name as FormatName, document, { folder: 'infra', isReport: true })
    await expect(withoutVersion(text)).toMatchFileSnapshot(golden(`everything${extension}`))
  })
})
