import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { app, filledIn, flag, flags, main, useFolders } from './stack-app.ts'

const { service, folder, run } = useFolders()

describe('vexil plan --app', () => {
  it('synthesizes, plans and applies, and then there is nothing to do', async () => {
    const directory = await folder({ 'main.cjs': app({ shop: flags({ a: flag('from_app') }) }) })
    const planned = await run(directory, ['plan', ...main, '--detailed-exitcode'])
    expect(planned).toMatchObject({ code: 2, stderr: 'synthesizing\n' })
    expect(planned.stdout).toContain('+ flag from_app')
    expect(planned.stdout).toContain("Next: vexil apply --app 'node main.cjs'")
    expect(await run(directory, ['apply', ...main, '--auto-approve'])).toMatchObject({ code: 0 })
    const again = await run(directory, ['plan', '--stack', 'shop', '--detailed-exitcode'])
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(await run(directory, ['drift', '--stack', 'cdktf.out/stacks/shop'])).toMatchObject({ code: 0 })
  })

  it('keeps standard output to itself', async () => {
    const directory = await folder({ 'main.cjs': app({ shop: flags({ a: flag('json') }) }) })
    const { stdout } = await run(directory, ['plan', ...main, '--json'])
    expect(JSON.parse(stdout).changes).toHaveLength(1)
  })

  it('asks which stack is meant where there are several', async () => {
    const two = { one: flags({ a: flag('one') }), two: flags({ a: flag('two') }) }
    const directory = await folder({ 'main.cjs': app(two) })
    expect(await run(directory, ['plan', ...main])).toMatchObject({
      code: 64,
      stderr: 'synthesizing\nvexil: "node main.cjs" has 2 stacks; choose one with --stack: one, two\n',
    })
    expect(await run(directory, ['plan', ...main, '--stack', 'tow'])).toMatchObject({
      code: 64,
      stderr: 'synthesizing\nvexil: "node main.cjs" has no stack "tow"; did you mean "two"?\n',
    })
    const chosen = await run(directory, ['plan', ...main, '--stack', 'two'])
    expect(chosen.stdout).toContain('+ flag two')
    for (const given of ['two', 'cdktf.out/stacks/two', 'cdktf.out/stacks/two/cdk.tf.json']) {
      expect((await run(directory, ['plan', '--stack', given])).stdout).toContain('+ flag two')
    }
    expect(await run(directory, ['plan', '--stack', 'cdktf.out'])).toMatchObject({
      stderr: 'vexil: "cdktf.out" has 2 stacks; choose one with --stack: one, two\n',
    })
  })

  it('tells the app where to write, and what cdktf.json says of its context', async () => {
    const more = `require('fs').writeFileSync('seen.json', JSON.stringify([process.env.CDKTF_OUTDIR, app.node.tryGetContext('region')]))`
    const directory = await folder({
      'main.cjs': app({ shop: flags({ a: flag('context') }) }, more),
      'cdktf.json': '{"app": "false", "output": "build/out", "context": {"region": "eu"}}',
    })
    await run(directory, ['plan', ...main])
    expect(JSON.parse(await readFile(join(directory, 'seen.json'), 'utf8'))).toEqual([
      join(directory, 'build/out'),
      'eu',
    ])
    expect((await run(directory, ['plan', '--stack', 'shop'])).stdout).toContain('+ flag context')
  })

  it('never takes for new what an earlier run has left', async () => {
    const directory = await folder({ 'main.cjs': app({ shop: flags({ a: flag('stale') }) }) })
    await run(directory, ['plan', ...main])
    await writeFile(join(directory, 'main.cjs'), 'throw new Error("broken")')
    const failed = await run(directory, ['plan', ...main])
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('vexil: "node main.cjs" ended in 1; nothing was read\n')
    await writeFile(join(directory, 'main.cjs'), '')
    expect(await run(directory, ['plan', ...main])).toMatchObject({
      code: 1,
      stderr: `vexil: "node main.cjs" ended well and synthesized nothing into "${join(directory, 'cdktf.out')}"; call app.synth(), and leave \`outdir\` out of new App()\n`,
    })
  })
})

describe('vexil plan --stack', () => {
  it('says what there is not', async () => {
    const directory = await folder({ 'vexil.yaml': 'version: 1\n' })
    expect(await run(directory, ['plan', '--stack', 'shop'])).toMatchObject({
      code: 1,
      stderr:
        'vexil: there is no synthesized stack "shop"; name its folder, such as cdktf.out/stacks/NAME, or let --app "node main.js" synthesize it\n',
    })
  })

  it('takes what breaks a rule only where it is live already', async () => {
    const held = flags({ a: flag('held', { release: [{ rollout_percentage: 150 }] }) })
    const directory = await folder({ 'main.cjs': app({ shop: held }) })
    const refused = await run(directory, ['plan', ...main])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /^synthesizing\nvexil_feature_flag\.a\.release\[0\]\.rollout_percentage: 150 is not a percentage; it goes from 0 to 100\n\nvexil: 1 error\n$/,
    )
    const filters = { groups: [{ rollout_percentage: 150 }] }
    await service().send('POST', '/api/projects/1/feature_flags/', { key: 'held', filters })
    const stack = ['--stack', 'shop']
    expect((await run(directory, ['validate', ...stack])).code).toBe(0)
    expect(await run(directory, ['plan', ...stack, '--detailed-exitcode'])).toMatchObject({ code: 0 })
  })

  it('shows every mistake with its place, and plans nothing', async () => {
    const broken = flags({
      a: flag(filledIn('uuid()')),
      b: flag('b', { release: [{ rollout_percentage: 500 }] }),
    })
    const directory = await folder({ 'main.cjs': app({ shop: broken }) })
    const { code, stdout, stderr } = await run(directory, ['plan', ...main])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(
      'vexil_feature_flag.a.key: function uuid() is not worked out here; compute it in TypeScript',
    )
    expect(stderr).toContain('vexil_feature_flag.b.release[0].rollout_percentage: 500 is not a percentage')
    expect(stderr).toContain('vexil: 1 error\n')
    const validated = await run(directory, ['validate', '--stack', 'shop', '--json'])
    expect(validated.code).toBe(1)
    expect(JSON.parse(validated.stdout)).toMatchObject({
      files: ['cdktf.out/stacks/shop/cdk.tf.json'],
      problems: [{ code: 'stack-unsupported' }, { code: 'stack-mistake' }],
    })
  })

  it('validates without a service', async () => {
    const directory = await folder({ 'main.cjs': app({ shop: flags({ a: { key: 'a' } }) }) })
    const { code, stdout, stderr } = await run(directory, ['validate', ...main], {})
    expect([code, stdout]).toEqual([0, '1 file checked: 1 warning\n'])
    expect(stderr).toContain('warning: vexil_feature_flag.a.release: nothing limits who gets this flag')
  })

  it('takes variables from the command line and the environment', async () => {
    const stack = flags({ a: flag(filledIn('var.name')) }, { variable: { name: { type: 'string' } } })
    const directory = await folder({ 'main.cjs': app({ shop: stack }) })
    const named = await run(directory, ['plan', ...main, '--var', 'name=given'])
    expect(named.stdout).toContain('+ flag given')
    expect(named.stdout).toContain("Next: vexil apply --app 'node main.cjs' --var name")
    const { stdout } = await run(directory, ['plan', '--stack', 'shop'], {
      ...service().env,
      TF_VAR_name: 'env',
    })
    expect(stdout).toContain('+ flag env')
    expect(await run(directory, ['plan', '--stack', 'shop', '--var', 'name'])).toMatchObject({
      code: 64,
      stderr: 'vexil: --var takes NAME=VALUE\n',
    })
  })

  it.each([
    [['--var', 'a=b'], '--var'],
    [['--provider', 'eu'], '--provider'],
  ])('is what %j is for', async (given, name) => {
    const directory = await folder({ 'vexil.yaml': 'version: 1\n' })
    expect(await run(directory, ['plan', ...given])).toMatchObject({
      code: 64,
      stderr: `vexil: ${name} is for a stack; name it with --stack or --app\n`,
    })
  })

  it('leaves YAML files aside, but not the settings', async () => {
    const directory = await folder({
      'main.cjs': app({ shop: flags({ a: flag('only_this') }) }),
      'vexil.yaml': 'version: 1\nownership: { tag: ours }\n',
      'flags/other.yaml': 'feature_flags: { not_this: { active: false } }\n',
    })
    const { stdout } = await run(directory, ['plan', ...main])
    expect(stdout).toContain('+ flag only_this')
    expect(stdout).toContain('tags +ours')
    expect(stdout).not.toContain('not_this')
  })

  it('says that nothing is declared in words of its own', async () => {
    const directory = await folder({ 'main.cjs': app({ shop: {} }) })
    expect((await run(directory, ['plan', ...main])).stderr).toContain(
      '"cdktf.out/stacks/shop/cdk.tf.json" declares nothing for this place\n',
    )
  })

  it('protects, adopts and releases', async () => {
    const kept = flag('kept', { lifecycle: { prevent_destroy: true } })
    const directory = await folder({
      'main.cjs': app({ shop: flags({ a: kept }) }),
      'vexil.yaml': 'version: 1\n',
    })
    await run(directory, ['apply', ...main, '--auto-approve'])
    await writeFile(join(directory, 'vexil.yaml'), 'version: 1\nownership: { tag: ours }\n')
    const adopted = await run(directory, ['adopt', '--stack', 'shop', '--auto-approve'])
    expect(adopted).toMatchObject({ code: 0 })
    expect(adopted.stdout).toContain('kept')
    const released = await run(directory, ['release', '--stack', 'shop', '--auto-approve'])
    expect(released).toMatchObject({ code: 0 })
    await writeFile(join(directory, 'main.cjs'), app({ shop: flags({ a: { ...kept, active: false } }) }))
    expect((await run(directory, ['plan', ...main])).stdout).toMatch(/kept[\s\S]*protect/)
  })

  it('adds the labels of the provider to those that are there', async () => {
    const flagsPath = '/api/projects/1/feature_flags'
    await service().send('POST', flagsPath, {
      key: 'labelled',
      tags: ['theirs'],
      filters: { groups: [{ rollout_percentage: 5 }] },
    })
    const provider = { vexil: [{ default_tags: ['iac'] }] }
    const directory = await folder({
      'main.cjs': app({ shop: flags({ a: flag('labelled') }, { provider }) }),
    })
    await run(directory, ['apply', ...main, '--auto-approve'])
    const { results } = (await service().get(flagsPath)) as { results: { key: string; tags: string[] }[] }
    expect(results.find(({ key }) => key === 'labelled')?.tags.sort()).toEqual(['iac', 'theirs'])
    expect(await run(directory, ['plan', '--stack', 'shop', '--detailed-exitcode'])).toMatchObject({
      code: 0,
    })
  })

  it('talks to an embedded stand-in as well', async () => {
    const provider = { vexil: [{ base_url: 'https://nowhere.invalid', project_id: '7' }] }
    const directory = await folder({ 'main.cjs': app({ shop: flags({ a: flag('boxed') }, { provider }) }) })
    const { code, stdout } = await run(directory, ['apply', ...main, '--sandbox', '--auto-approve'], {})
    expect(code).toBe(0)
    expect(stdout).toContain('project 7')
    await rm(join(directory, '.vexil'), { recursive: true, force: true })
  })
})
