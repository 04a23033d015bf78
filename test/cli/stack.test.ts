import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Problem } from '../../src/model/problem.ts'
import { useWorkspace } from '../support/workspace.ts'
import { app, cdktf, filledIn, flag, flags, main, synthesized } from './stack-app.ts'

const workspace = useWorkspace({})
const { vexil, service, write, read } = workspace

describe('vexil plan --app', () => {
  it('synthesizes, plans and applies, and then there is nothing to do', async () => {
    await write({ 'main.cjs': app({ shop: flags({ a: flag('from_app') }) }) })
    const planned = await vexil(['plan', ...main, '--detailed-exitcode'])
    expect(planned).toMatchObject({ code: 2, stderr: 'synthesizing\n' })
    expect(planned.stdout).toContain('+ flag from_app')
    expect(planned.stdout).toContain("Next: vexil apply --app 'node main.cjs'")
    expect(await vexil(['apply', ...main, '--auto-approve'])).toMatchObject({ code: 0 })
    const again = await vexil('plan --stack shop --detailed-exitcode')
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(await vexil('drift --stack cdktf.out/stacks/shop')).toMatchObject({ code: 0 })
  })

  it('keeps standard output to itself', async () => {
    await write({ 'main.cjs': app({ shop: flags({ a: flag('json') }) }) })
    const { stdout } = await vexil(['plan', ...main, '--json'])
    expect(JSON.parse(stdout).changes).toHaveLength(1)
  })

  it('asks which stack is meant where there are several', async () => {
    const two = { one: flags({ a: flag('one') }), two: flags({ a: flag('two') }) }
    await write({ 'main.cjs': app(two) })
    expect(await vexil(['plan', ...main])).toMatchObject({
      code: 64,
      stderr:
        'synthesizing\nvexil: "node main.cjs" has 2 stacks; choose one with --stack: one, two; or all with --stack "*"\n',
    })
    expect(await vexil(['plan', ...main, '--stack', 'tow'])).toMatchObject({
      code: 64,
      stderr: 'synthesizing\nvexil: "node main.cjs" has no stack "tow"; did you mean "two"?\n',
    })
    const chosen = await vexil(['plan', ...main, '--stack', 'two'])
    expect(chosen.stdout).toContain('+ flag two')
    for (const given of ['two', 'cdktf.out/stacks/two', 'cdktf.out/stacks/two/cdk.tf.json']) {
      expect((await vexil(['plan', '--stack', given])).stdout).toContain('+ flag two')
    }
    const flagsOf = async (pattern: string) => {
      const { stdout } = await vexil(['plan', '--stack', pattern])
      return stdout.match(/(?<=\+ flag )\w+/g)?.sort()
    }
    expect(await flagsOf('cdktf.out/stacks/*')).toEqual(['one', 'two'])
    expect(await flagsOf('./cdktf.out/stacks/t?o')).toEqual(['two'])
    expect(await flagsOf(`${workspace().path}/cdktf.out/stacks/*e`)).toEqual(['one'])
    for (const pattern of ['cdktf.out/stacks/[ot]*', 'cdktf.out/stacks/x*', 'cdktf.out/none/*']) {
      expect(await vexil(['plan', '--stack', pattern])).toMatchObject({
        code: 64,
        stderr: `vexil: "cdktf.out" has no stack "${pattern}"; there are one, two\n`,
      })
    }
    expect(await vexil('plan --stack cdktf.out')).toMatchObject({
      stderr: 'vexil: "cdktf.out" has 2 stacks; choose one with --stack: one, two; or all with --stack "*"\n',
    })
  })

  it('plans and applies several as one, those first that others need', async () => {
    const role = '01900000-0000-0000-0000-0000000000aa'
    const grants = {
      data: { terraform_remote_state: { base: { backend: 'local', config: { path: 'base.tfstate' } } } },
      'resource.vexil_feature_flag_role_access': {
        g: { feature_flag_id: filledIn('data.terraform_remote_state.base.outputs.id'), role_id: role },
      },
    }
    const base = flags(
      { a: flag('base_flag') },
      {
        'terraform.backend.local.path': 'base.tfstate',
        output: { id: { value: filledIn('vexil_feature_flag.a.id') } },
      },
    )
    const other = flags({ b: flag('other_flag') })
    await write(synthesized({ grants, base, other }))
    const all = await vexil(['plan', '--stack', '*'])
    expect(all).toMatchObject({ code: 0, stderr: '' })
    for (const line of ['+ flag base_flag', '+ flag other_flag', `base_flag`])
      expect(all.stdout).toContain(line)
    const two = await vexil(['plan', '--stack', 'ba?e', '--stack', 'other', '--json'])
    expect(JSON.parse(two.stdout).changes).toHaveLength(2)
    expect(await vexil(['apply', '--stack', 'grants', '--stack', 'b*', '--auto-approve'])).toMatchObject({
      code: 0,
    })
    const again = await vexil(['plan', '--stack', '*', '--json'])
    expect(JSON.parse(again.stdout).changes).toHaveLength(1)
  })

  it('plans all of several where a variable is that of one', async () => {
    const share = { variable: { name: { type: 'string' } } }
    const one = flags({ a: flag(filledIn('var.name')) }, share)
    await write(synthesized({ one, two: flags({ b: flag('other') }) }))
    const all = await vexil(['plan', '--stack', '*', '--var', 'name=given', '--json'])
    expect(JSON.parse(all.stdout).changes.map(({ address }: { address: string }) => address)).toEqual([
      'feature_flag.given',
      'feature_flag.other',
    ])
    const nowhere = await vexil(['plan', '--stack', '*', '--var', 'nmae=given'])
    expect(nowhere).toMatchObject({ code: 1, stdout: '' })
    expect(nowhere.stderr).toContain('the stack has no variable "nmae"')
  })

  it('names the stack of what is about none of its constructs, and a variable of nobody once', async () => {
    const variable = (name: string) => flags({ a: flag(name) }, { variable: { share: { type: 'number' } } })
    await write(synthesized({ one: variable('one'), two: variable('two') }))
    const { code, stderr } = await vexil(['plan', '--stack', '*', '--var', 'sahre=1'])
    expect({ code, lines: stderr.split('\n').filter(line => line.includes('share')) }).toEqual({
      code: 1,
      lines: [
        expect.stringMatching(/^cdktf\.out\/stacks\/one\/cdk\.tf\.json:1:1 var\.share: its value is missing/),
        expect.stringMatching(
          /^cdktf\.out\/stacks\/one\/cdk\.tf\.json:1:1 the stack has no variable "sahre"/,
        ),
        expect.stringMatching(/^cdktf\.out\/stacks\/two\/cdk\.tf\.json:1:1 var\.share: its value is missing/),
      ],
    })
  })

  it('says of which stack the variable is that is meant', async () => {
    const having = (name: string) =>
      flags({ a: flag(name) }, { variable: { [name]: { type: 'string', default: '' } } })
    await write(synthesized({ one: having('alpha'), two: having('beta_name') }))
    const { stderr } = await vexil(['plan', '--stack', '*', '--var', 'beta_nmae=1'])
    expect(stderr.split('\n')).toContain(
      'cdktf.out/stacks/two/cdk.tf.json:1:1 the stack has no variable "beta_nmae"; did you mean "beta_name"?',
    )
  })

  it('reads many stacks that all use one another', async () => {
    const names = Array.from({ length: 26 }, (_, index) => `s${String(index).padStart(2, '0')}`)
    const stackOf = (name: string, index: number) => {
      const state = (of: string) => ({ backend: 'local', config: { path: `${of}.tfstate` } })
      const used = names.slice(0, index)
      const outputs = used.map(each => filledIn(`data.terraform_remote_state.${each}.outputs.key`))
      return flags(
        { a: { ...flag(name), name: ['by', ...outputs].join(' ') } },
        {
          'terraform.backend.local.path': `${name}.tfstate`,
          output: { key: { value: filledIn('vexil_feature_flag.a.key') } },
          ...(used.length === 0
            ? {}
            : {
                data: { terraform_remote_state: Object.fromEntries(used.map(each => [each, state(each)])) },
              }),
        },
      )
    }
    await write(synthesized(Object.fromEntries(names.map((name, index) => [name, stackOf(name, index)]))))
    const { code, stdout } = await vexil('plan --stack s25 --json')
    expect([code, JSON.parse(stdout).changes.length]).toEqual([0, 1])
    expect(stdout).toContain(`by ${names.slice(0, 25).join(' ')}`)
  })

  it('gives variables to stacks whose outputs the planned one takes', async () => {
    const base = flags(
      { a: flag('base') },
      {
        'terraform.backend.local.path': 'base.tfstate',
        variable: { name: { type: 'string', default: 'left out' } },
        output: { name: { value: filledIn('var.name') } },
      },
    )
    const named = { ...flag('user'), name: filledIn('data.terraform_remote_state.base.outputs.name') }
    const user = flags(
      { b: named },
      { data: { terraform_remote_state: { base: { backend: 'local', config: { path: 'base.tfstate' } } } } },
    )
    await write(synthesized({ base, user }))
    const given = ['plan', '--stack', 'user', '--var', 'name=given']
    const { code, stdout } = await vexil(given)
    expect([code, stdout]).toEqual([0, expect.stringContaining('description: "given"')])
    const misspelt = await vexil('plan --stack user --var nmae=given')
    expect(misspelt.stderr).toContain('the stack has no variable "nmae"; did you mean "name"?')
  })

  it('refuses several that declare the same, or are for different places', async () => {
    const elsewhere = flags({ b: flag('b') }, { 'provider.vexil': [{ project_id: '7' }] })
    await write(synthesized({ one: flags({ a: flag('a') }), same: flags({ a: flag('a') }), elsewhere }))
    const same = await vexil('plan --stack one --stack same')
    expect(same).toMatchObject({ code: 1, stdout: '' })
    expect(same.stderr).toContain(
      'feature_flag.a: "cdktf.out/stacks/one/cdk.tf.json" also declares this object; remove one of them',
    )
    const places = await vexil('plan --stack one --stack elsewhere')
    expect(places.stderr).toContain(
      '"cdktf.out/stacks/one/cdk.tf.json" and "cdktf.out/stacks/elsewhere/cdk.tf.json" are for different projects or services; plan each of them separately: one --stack at a time',
    )
    const twice = flags({ a: flag('a') }, { 'provider.vexil': [{ project_id: '7' }] })
    await write(synthesized({ one: flags({ a: flag('a') }), twice }))
    const inEach = await vexil(['plan', '--stack', '*'])
    expect(inEach.stderr).toContain('are for different projects or services')
    expect(inEach.stderr).not.toContain('also declares this object')
    const checked = await vexil('validate --stack one --stack twice')
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    const unknown = await vexil(['plan', '--stack', 'one', '--stack', 'x*'])
    expect(unknown).toMatchObject({ code: 64 })
  })

  it('prints what the app says of its constructs', async () => {
    const more = `const { Annotations } = require(${JSON.stringify(cdktf)})
const stack = app.node.children[0]
Annotations.of(stack).addWarning('this is old')
Annotations.of(stack).addInfo('made by hand')`
    await write({ 'main.cjs': app({ shop: flags({ a: flag('noted') }) }, more) })
    const { code, stderr } = await vexil(['plan', ...main])
    expect(code).toBe(0)
    expect(stderr).toContain('warning: [shop] this is old\ninfo: [shop] made by hand\n')
  })

  it('tells the errors of all constructs, with their place and in each form, and plans nothing', async () => {
    const more = `const { Annotations } = require(${JSON.stringify(cdktf)})
const stack = app.node.children[0]
Annotations.of(stack).addError('not like this')
Annotations.of(stack).addError('nor like that')`
    await write({ 'main.cjs': app({ shop: flags({ a: flag('noted') }) }, more) })
    for (const command of ['plan', 'validate']) {
      const { code, stdout, stderr } = await vexil([command, ...main])
      expect(code).toBe(1)
      expect(stdout).not.toContain('noted')
      expect(stderr).toContain('[shop] not like this')
      expect(stderr).toContain('[shop] nor like that')
      expect(stderr).not.toContain('ended in')
    }
    const { stdout } = await vexil(['validate', '--json', ...main])
    expect(JSON.parse(stdout)).toMatchObject({
      problems: [
        { code: 'annotation', severity: 'error', message: '[shop] not like this' },
        { code: 'annotation', severity: 'error', message: '[shop] nor like that' },
      ],
    })
  })

  it('tells the app where to write, and what cdktf.json says of its context', async () => {
    const more = `require('fs').writeFileSync('seen.json', JSON.stringify([process.env.CDKTF_OUTDIR, app.node.tryGetContext('region')]))`
    await write({
      'main.cjs': app({ shop: flags({ a: flag('context') }) }, more),
      'cdktf.json': '{"app": "false", "output": "build/out", "context": {"region": "eu"}}',
    })
    await vexil(['plan', ...main])
    expect(JSON.parse(await read('seen.json'))).toEqual([join(workspace().path, 'build/out'), 'eu'])
    expect((await vexil('plan --stack shop')).stdout).toContain('+ flag context')
  })

  it('never takes for new what an earlier run has left', async () => {
    await write({ 'main.cjs': app({ shop: flags({ a: flag('stale') }) }) })
    await vexil(['plan', ...main])
    await write({ 'main.cjs': 'throw new Error("broken")' })
    const failed = await vexil(['plan', ...main])
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('vexil: "node main.cjs" ended in 1; nothing was read\n')
    await write({ 'main.cjs': '' })
    expect(await vexil(['plan', ...main])).toMatchObject({
      code: 1,
      stderr: `vexil: "node main.cjs" ended without an error but synthesized nothing into "${join(workspace().path, 'cdktf.out')}"; call app.synth(), and remove \`outdir\` from new App()\n`,
    })
  })
})

describe('vexil plan --stack', () => {
  it('says what there is not', async () => {
    await write({ 'vexil.yaml': 'version: 1\n' })
    expect(await vexil('plan --stack shop')).toMatchObject({
      code: 1,
      stderr:
        'vexil: there is no synthesized stack "shop"; name its folder, such as cdktf.out/stacks/NAME, or let --app "node main.js" synthesize it\n',
    })
  })

  it('takes what breaks a rule only where it is live already', async () => {
    const held = flags({ a: flag('held', { release: [{ rollout_percentage: 150 }] }) })
    await write(synthesized({ shop: held }))
    const refused = await vexil('plan --stack shop')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /^cdktf\.out\/stacks\/shop\/cdk\.tf\.json:1:1 vexil_feature_flag\.a\.release\[0\]\.rollout_percentage: 150 is not a percentage; write a number from 0 to 100\n\nvexil: 1 error\n$/,
    )
    const filters = { groups: [{ rollout_percentage: 150 }] }
    await service.send('POST', '/api/projects/1/feature_flags/', { key: 'held', filters })
    const stack = ['--stack', 'shop']
    expect((await vexil(['validate', ...stack])).code).toBe(0)
    expect(await vexil(['plan', ...stack, '--detailed-exitcode'])).toMatchObject({ code: 0 })
  })

  it('shows every problem with its place, and plans nothing', async () => {
    const broken = flags({
      a: flag(filledIn('uuid()')),
      b: flag('b', { release: [{ rollout_percentage: 500 }] }),
    })
    await write(synthesized({ shop: broken }))
    const { code, stdout, stderr } = await vexil('plan --stack shop')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(
      'vexil_feature_flag.a.key: function uuid(): is impure: it gives something else at every run',
    )
    expect(stderr).toContain('vexil_feature_flag.b.release[0].rollout_percentage: 500 is not a percentage')
    expect(stderr).toContain('vexil: 1 error\n')
    const validated = await vexil('validate --stack shop --json')
    expect(validated.code).toBe(1)
    expect(JSON.parse(validated.stdout)).toMatchObject({
      files: ['cdktf.out/stacks/shop/cdk.tf.json'],
      problems: [{ code: 'stack-unsupported' }, { code: 'stack-mistake' }],
    })
  })

  it('validates settings and stacks at once, also where the settings have errors', async () => {
    const broken = flags({ b: flag('b', { release: [{ rollout_percentage: 500 }] }) })
    await write({
      ...synthesized({ shop: broken }),
      'vexil.yaml': 'version: 1\nlimits: { delete: -1 }\n',
    })
    const { code, stdout } = await vexil('validate --stack shop --json', { env: {} })
    const { files, problems } = JSON.parse(stdout)
    expect({ code, files }).toEqual({ code: 1, files: ['vexil.yaml', 'cdktf.out/stacks/shop/cdk.tf.json'] })
    expect(problems.map(({ source, message }: Problem) => [source?.line, message])).toEqual([
      [2, '"delete" must be 0 or more, not -1'],
      [1, expect.stringContaining('500 is not a percentage')],
    ])
    expect(await vexil('plan --stack shop')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^vexil\.yaml:2:19 "delete" must be 0 or more/),
    })
  })

  it('validates without a service', async () => {
    await write(synthesized({ shop: flags({ a: { key: 'a' } }) }))
    const { code, stdout, stderr } = await vexil('validate --stack shop', { env: {} })
    expect([code, stdout]).toEqual([0, '1 file checked: 1 warning\n'])
    expect(stderr).toContain('warning: vexil_feature_flag.a.release: nothing limits who gets this flag')
  })

  it('takes variables from the command line and the environment', async () => {
    const stack = flags({ a: flag(filledIn('var.name')) }, { variable: { name: { type: 'string' } } })
    await write(synthesized({ shop: stack }))
    const named = await vexil('plan --stack shop --var name=given')
    expect(named.stdout).toContain('+ flag given')
    expect(named.stdout).toContain('Next: vexil apply --stack shop --var name=...\n')
    const { stdout } = await vexil('plan --stack shop', {
      env: {
        ...service.env,
        TF_VAR_name: 'env',
      },
    })
    expect(stdout).toContain('+ flag env')
    expect(await vexil('plan --stack shop --var name')).toMatchObject({
      code: 64,
      stderr: 'vexil: --var takes NAME=VALUE\n',
    })
  })

  it('leaves values out of the commands that it proposes, and takes what stands for them for none', async () => {
    const variable = { names: {}, pct: { type: 'number' } }
    const release = [{ rollout_percentage: filledIn('var.pct') }]
    const stack = flags({ a: flag('a', { release }), b: { key: 'b' } }, { variable })
    await write(synthesized({ shop: stack }))
    const given = ['--stack', 'shop', '--var', 'names={a={share=12}}', '--var', 'pct=7']
    const { stdout, stderr } = await vexil(['plan', ...given])
    const named = '--stack shop --var names=... --var pct=...'
    expect(stdout).toContain(`Next: vexil apply ${named}\n`)
    expect(stderr).toContain(`vexil validate ${named} shows`)
    expect(await vexil('apply --stack shop --var pct=...')).toMatchObject({
      code: 64,
      stderr: 'vexil: --var pct=... has no value yet; write it in place of the dots\n',
    })
  })

  it.each([
    [['--var', 'a=b'], '--var'],
    [['--provider', 'eu'], '--provider'],
    [['--engine', 'tofu'], '--engine'],
  ])('is what %j is for', async (given, name) => {
    await write({ 'vexil.yaml': 'version: 1\n' })
    expect(await vexil(['plan', ...given])).toMatchObject({
      code: 64,
      stderr: `vexil: ${name} is for a stack; name it with --stack or --app\n`,
    })
  })

  it('leaves YAML files aside, but not the settings', async () => {
    await write({
      ...synthesized({ shop: flags({ a: flag('only_this') }) }),
      'vexil.yaml': 'version: 1\nownership: { tag: ours }\n',
      'flags/other.yaml': 'feature_flags: { not_this: { active: false } }\n',
    })
    const { stdout } = await vexil('plan --stack shop')
    expect(stdout).toContain('+ flag only_this')
    expect(stdout).toContain('1 object gets the ownership tag ours')
    expect(stdout).not.toContain('not_this')
  })

  it('says that nothing is declared in words of its own', async () => {
    await write(synthesized({ shop: {} }))
    expect((await vexil('plan --stack shop')).stderr).toContain(
      '"cdktf.out/stacks/shop/cdk.tf.json" declares nothing for this place\n',
    )
  })

  it('protects, adopts and releases', async () => {
    const kept = flag('kept', { lifecycle: { prevent_destroy: true } })
    await write({
      ...synthesized({ shop: flags({ a: kept }) }),
      'vexil.yaml': 'version: 1\n',
    })
    await vexil('apply --stack shop --auto-approve')
    await write({ 'vexil.yaml': 'version: 1\nownership: { tag: ours }\n' })
    const claimed = await vexil('claim --stack shop --auto-approve')
    expect(claimed).toMatchObject({ code: 0 })
    expect(claimed.stdout).toContain('kept')
    const released = await vexil('unclaim --stack shop --auto-approve')
    expect(released).toMatchObject({ code: 0 })
    await write(synthesized({ shop: flags({ a: { ...kept, active: false } }) }))
    expect((await vexil('plan --stack shop')).stdout).toMatch(/kept[\s\S]*protect/)
  })

  it('adds the labels of the provider to those that are there', async () => {
    const flagsPath = '/api/projects/1/feature_flags'
    await service.send('POST', flagsPath, {
      key: 'labelled',
      tags: ['theirs'],
      filters: { groups: [{ rollout_percentage: 5 }] },
    })
    const provider = { vexil: [{ default_tags: ['iac'] }] }
    await write(synthesized({ shop: flags({ a: flag('labelled') }, { provider }) }))
    await vexil('apply --stack shop --auto-approve')
    const { results } = (await service.get(flagsPath)) as {
      results: { key: string; tags: string[] }[]
    }
    expect(results.find(({ key }) => key === 'labelled')?.tags.sort()).toEqual(['iac', 'theirs'])
    expect(await vexil('plan --stack shop --detailed-exitcode')).toMatchObject({
      code: 0,
    })
  })

  it('talks to an embedded stand-in as well', async () => {
    const provider = { vexil: [{ base_url: 'https://nowhere.invalid', project_id: '7' }] }
    await write(synthesized({ shop: flags({ a: flag('boxed') }, { provider }) }))
    const { code, stdout } = await vexil('apply --stack shop --sandbox --auto-approve', {
      env: {},
    })
    expect(code).toBe(0)
    expect(stdout).toContain('project 7')
    await rm(join(workspace().path, '.vexil'), { recursive: true, force: true })
  })
})
