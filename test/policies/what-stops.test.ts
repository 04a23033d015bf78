import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const settings = (production: string) => `version: 1
environments:
  staging: { project: "1" }
  production: { project: "1"${production} }
ownership: { tag: ours }
`
const flag = 'feature_flags:\n  a: { active: true, filters: { groups: [{ rollout_percentage: 10 }] } }\n'
const bench = useWorkspace({ 'vexil.yaml': settings(''), 'flags.yaml': flag, 'code/a.js': "isOn('a')\n" })

/** Each command that reads declarations and neither checks nor applies them. */
const commands = [
  'drift -e staging',
  'pull -e staging',
  'ramp a --to 20 -e staging',
  'retire -e staging',
  'retire a --in code --offline --dry-run',
  'compare staging production',
  'refs code',
  'keys --ts',
  'evaluate a -e staging',
  'test -e staging',
  'claim a -e staging --auto-approve',
  'promote a --from staging --to production --dry-run',
]

const withoutTimes = (text: string) => text.replaceAll(/\d+( seconds?)?/g, '')

describe('an error of a policy, in an environment', () => {
  it('ends validate, plan and apply', async () => {
    expect(await bench().vexil('apply -e production --auto-approve')).toMatchObject({ code: 0 })
    await bench().write({ 'vexil.yaml': settings(', policies: { owner: error }') })
    for (const line of ['validate', 'plan -e production', 'apply -e production --auto-approve']) {
      const { code, stdout, stderr } = await bench().vexil(line)
      expect([line, code]).toEqual([line, 1])
      expect(stdout + stderr).toContain('policy owner')
    }
  })

  it.each(commands)('leaves `vexil %s` as it was, with a warning', async line => {
    expect(await bench().vexil('apply -e staging --auto-approve')).toMatchObject({ code: 0 })
    const before = await bench().vexil(line)
    await bench().write({ 'vexil.yaml': settings(', policies: { owner: error }'), 'flags.yaml': flag })
    const after = await bench().vexil(line)
    expect([after.code, withoutTimes(after.stdout)]).toEqual([before.code, withoutTimes(before.stdout)])
    expect(after.stderr).toMatch(/1 (policy problem|warning): (see )?vexil validate/)
  })
})

describe('an environment that is named twice', () => {
  it.each(['disable a', 'evaluate', 'pull', 'dev'])('is an error of `vexil %s`', async line => {
    const { code, stderr } = await bench().vexil(`${line} --env production --env staging`)
    expect(code).toBe(64)
    expect(stderr).toContain(
      "argument 'staging' is invalid. It is given twice, first as production; give it once.",
    )
  })

  it.each(['--base-url', '--project', '--organization', '--profile'])(
    'is an error, and so is its %s',
    async option => {
      const { code, stderr } = await bench().vexil(`plan ${option} 1 ${option} 2`)
      expect([code, stderr]).toEqual([64, expect.stringContaining('It is given twice, first as 1')])
    },
  )
})
