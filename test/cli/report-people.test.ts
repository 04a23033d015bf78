import { describe, expect, it } from 'vitest'
import { commitAll, git, gitEnv } from '../git/repository.ts'
import { useWorkspace } from '../support/workspace.ts'

const flags = `feature_flags:
  checkout:
    active: true
    owner: payments
    rollout_percentage: 5
    role_access: [support]
  search:
    active: true
    rollout_percentage: 5
`
const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\n',
  'flags.yaml': flags,
})
const { vexil, service, write, read } = workspace

/** Commits everything as somebody. */
async function commitAs(name: string): Promise<string> {
  const { path } = workspace()
  await git(path, 'add', '--all')
  await git(path, 'commit', '--quiet', '--author', `${name} <a@example.com>`, '--message', 'Change')
  return (await git(path, 'rev-parse', 'HEAD')).trim()
}

async function reported(options = '') {
  const { code, stderr } = await vexil(
    `plan --report r.md --report r.html --report r.json ${options}`.trim(),
    {
      env: { ...service.env, ...gitEnv },
    },
  )
  expect(code, stderr).toBe(0)
  const markdown = await read('r.md')
  const rowOf = (name: string) => markdown.split('\n').find(row => row.includes(`\`${name}\``)) ?? ''
  return { rowOf, html: await read('r.html'), json: JSON.parse(await read('r.json')) }
}

describe('a report of a plan', () => {
  it('says who answers for a change, and who last changed its declaration in git', async () => {
    const { path } = workspace()
    await write({ '.gitignore': 'r.*\n' })
    await commitAll(path)
    await write({ 'flags.yaml': flags.replace(/5\n$/, '10\n') })
    const commit = await commitAs('@ada | & co')
    const { rowOf, html, json } = await reported()
    const [row, date] =
      / by @ada \| & co, (\d{4}-\d\d-\d\d), /.exec(html.replaceAll('>', '> ').replaceAll('&#38;', '&')) ?? []
    expect(row).toBeDefined()
    expect(rowOf('flag search')).toContain(
      `flags.yaml:7\`<br>\`by @ada \\| & co, ${date}, ${commit.slice(0, 8)}\``,
    )
    expect(rowOf('flag checkout')).toContain('owner payments')
    expect(rowOf('flag checkout')).not.toContain('@ada')
    // A grant is its flag's.
    expect(json.owners).toEqual({
      'feature_flag.checkout': ['payments'],
      'feature_flag_role_access.checkout:support': ['payments'],
    })
  })

  it('names nobody where the folder is another than the commit', async () => {
    const { path } = workspace()
    await write({ '.gitignore': 'r.*\n' })
    await commitAll(path)
    await write({ 'flags.yaml': `${flags}    name: Search\n` })
    const { html } = await reported()
    expect(html).not.toContain('class="chip">by ')
    expect(html).toContain('class="chip">owner payments')
  })
})

/** With a password, as a pipeline sets it. */
const remote = ['remote', 'add', 'origin', 'https://ci:s3cret@github.com/acme/flags.git'] as const

describe('a page of a plan', () => {
  it('links files to their code host, if they are there as planned', async () => {
    const { path } = workspace()
    await write({ '.gitignore': 'r.*\n' })
    const commit = await commitAll(path)
    await git(path, ...remote)
    const { html } = await reported()
    const blob = `https://github.com/acme/flags/blob/${commit}`
    expect(html).toContain(`<p class="place"><a href="${blob}/flags.yaml#L2">flags.yaml:2</a></p>`)
    expect(html).not.toContain('s3cret')
    await write({ 'flags.yaml': `${flags}    name: Search\n` })
    expect((await reported()).html).toContain('<p class="place">flags.yaml:2</p>')
  })
})

describe.each<[string, string, boolean]>([
  ['of a plan that was saved', 'show plan.json --report r.md --report r.html', true],
  ['of the apply of such a plan', 'apply plan.json --report r.md --report r.html', true],
  ['of an apply', 'apply --auto-approve --report r.md --report r.html', true],
  ['of drift', 'drift --report r.md --report r.html', true],
  ['at a terminal', 'plan', false],
])('a report %s', (_, line, isReport) => {
  it('names who answers and who asked for it, where the folder is the commit', async () => {
    const { path } = workspace()
    const env = { ...service.env, ...gitEnv }
    await write({ '.gitignore': 'r.*\nplan.json\n.vexil\n' })
    const commit = await commitAll(path)
    await git(path, ...remote)
    await vexil('plan --out plan.json', { env })
    const { stdout } = await vexil(line, { env })
    const told = isReport ? [await read('r.md'), await read('r.html')] : []
    for (const text of told) {
      expect(text).toMatch(new RegExp(`Ada, \\d{4}-\\d\\d-\\d\\d, ${commit.slice(0, 8)}`))
      expect(text).toContain('owner payments')
    }
    expect(stdout).not.toContain('Ada, ')
    if (isReport)
      expect(told[1]).toContain(`href="https://github.com/acme/flags/blob/${commit}/flags.yaml#L2"`)
  })
})

describe('a report of a plan that was saved elsewhere', () => {
  it('names nobody by lines that are others', async () => {
    const { path } = workspace()
    const env = { ...service.env, ...gitEnv }
    await write({
      '.gitignore': 'r.*\nplan.json\n.vexil\n',
      'flags.yaml': '# here\n\n\n\n\n\n# something else\n',
      'in/vexil.yaml': 'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\n',
      'in/flags.yaml': flags,
    })
    await commitAll(path)
    await vexil('plan -C in --out plan.json', { env })
    await git(path, ...remote)
    await vexil('show plan.json --report r.md --report r.html', { env })
    expect(await read('r.md')).toContain('flag checkout')
    expect(await read('r.md')).not.toContain('Ada, ')
    expect(await read('r.html')).not.toContain('github.com')
  })
})
