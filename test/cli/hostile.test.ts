import { describe, expect, it } from 'vitest'
import { anOrganization, useWorkspace } from '../support/workspace.ts'

/** Clears the screen, retitles the window, turns the reading direction, hides, ends the line. */
const evil = '\u001b[2J\u001b]0;pwned\u0007\u202egnp\u200b\u009b31m\u0085'
const trick = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

const world = anOrganization({
  name: `Org ${evil}`,
  roles: [{ id: '01900000-0000-0000-0000-0000000000aa', name: `role ${evil}` }],
  plugins: [{ name: `plugin ${evil}`, plugin_type: 'source', source: { [`a${evil}.ts`]: evil } }],
  projects: [
    {
      id: 1,
      name: 'Production',
      event_definitions: [{ name: `event ${evil}`, tags: ['ours'] }],
      feature_flags: [
        {
          key: 'known',
          name: `Name ${evil}`,
          tags: [`tag${evil}`],
          filters: {
            groups: [
              {
                properties: [{ key: `k${evil}`, value: [evil], type: 'person', operator: 'exact' }],
                rollout_percentage: 10,
              },
            ],
            payloads: { true: JSON.stringify(evil) },
          },
          role_access: [`role ${evil}`],
        },
        { key: `ours${evil}`, name: 'Nobody declared it', tags: ['ours'] },
      ],
    },
  ],
})

const workspace = useWorkspace(
  {
    'vexil.yaml': 'version: 1\nownership: { tag: ours, prune: owned }\n',
    'flags.yaml':
      'feature_flags: { known: { name: Ours, tags: [], filters: { groups: [ { rollout_percentage: 5 } ] }, role_access: [] } }\n',
  },
  { seed: world },
)
const { vexil, service, list } = workspace

describe('text from the service', () => {
  it.each([
    'plan',
    'plan --show-unchanged --prune never',
    'plan --json',
    'drift',
    'drift --json',
    'apply --auto-approve',
    'apply --auto-approve --json',
    'export --json',
    'call feature_flag.list',
    'call feature_flag.list --all',
    'call plugin.list',
    'call event_definition.list',
    'doctor',
    'claim --auto-approve',
  ])('never reaches the output of %s raw', async line => {
    const { stdout, stderr } = await vexil(line)
    expect(stdout + stderr).not.toMatch(trick)
    expect(`${stdout}${stderr}`.length).toBeGreaterThan(50)
  })

  it.each(['export', 'call event.list format=csv', 'call plugin.source id=1'])(
    'never moves the cursor of a terminal with %s',
    async line => {
      const written: string[] = []
      await fetch(`${service.url}/_sandbox/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ event: `e${evil}`, distinct_id: evil }),
      })
      const stdout = { isTerminal: true, write: (text: string) => void written.push(text) }
      expect((await vexil(line, { host: { stdout } })).code).toBe(0)
      expect(written.join('')).toContain('pwned')
      expect(written.join('')).not.toMatch(trick)
    },
  )

  it('is shown again from a saved plan without its tricks', async () => {
    await vexil('plan --out plan.json')
    for (const line of ['show plan.json', 'show plan.json --json']) {
      const { code, stdout } = await vexil(line)
      expect(code).toBe(0)
      expect(stdout).not.toMatch(trick)
    }
    expect((await vexil('apply plan.json')).stdout).not.toMatch(trick)
  })

  it('does not lead an export out of its folder', async () => {
    const { path } = workspace()
    const { code, stdout } = await vexil('export -d live')
    expect(code).toBe(0)
    expect(stdout).not.toMatch(trick)
    for (const line of stdout.trim().split('\n')) expect(line.startsWith(`wrote ${path}/live/`)).toBe(true)
    expect(await list('.')).toEqual(['flags.yaml', 'live', 'vexil.yaml'])
  })
})
