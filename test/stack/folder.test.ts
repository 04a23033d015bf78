import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Annotations, App, TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../src/constructs/generated/feature-flag-role-access/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { problemLine } from '../../src/report/line-text.ts'
import { loadStack } from '../../src/stack/index.ts'
import { supportRole } from '../support/builders.ts'
import { inFolder } from '../support/folder.ts'
import { load, problemsOf } from './load.ts'

const off = { active: false }
const build = (stack: TerraformStack) => {
  new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
}

/** Reads one stack of an app. */
async function read(output: string, name: string) {
  const stack = await loadStack({
    folder: join(output, 'stacks', name),
    directory: output,
    variables: new Map(),
    env: {},
  })
  return { ...stack, lines: stack.problems.map(problemLine) }
}

describe('the folder of a stack', () => {
  it.each([
    ...['main.tofu', 'main.tofu.json', 'override.tofu.json', 'x_override.tofu', 'cdk.tofu.json'].map(
      (name): [string, string, string] => [
        name,
        '{}',
        `stacks/flags/${name}:1:1 only OpenTofu reads this file; select the engine of the stack: --engine tofu, or --engine terraform`,
      ],
    ),
    [
      'terraform.tfvars',
      'a = 1',
      'stacks/flags/terraform.tfvars:1:1 Vexil reads variables only from JSON files; convert it to terraform.tfvars.json, or use --var',
    ],
    [
      'x.auto.tfvars',
      'a = 1',
      'stacks/flags/x.auto.tfvars:1:1 Vexil reads variables only from JSON files; convert it to x.auto.tfvars.json, or use --var',
    ],
    [
      'terraform.tfvars.json',
      '[1]',
      'stacks/flags/terraform.tfvars.json:1:1 this file is not a JSON object; write a JSON object such as {"name": value}',
    ],
  ])('with %s is refused', async (name, text, line) => {
    const { problems } = await load(build, { files: { [name]: text } })
    expect(problems.map(problemLine)).toEqual([line])
  })

  it('that cannot be listed is refused, since nobody knows which files give variables', async () => {
    await inFolder({ 'stacks/other': '' }, async output => {
      await symlink('flags', join(output, 'stacks/flags'))
      const { lines } = await read(output, 'flags')
      expect(lines).toContain(
        'stacks/flags:1:1 this folder cannot be listed (ELOOP); make the folder readable, so that Vexil finds the files with variables',
      )
    })
  })

  it('may hold what Terraform does not read as configuration', async () => {
    const files = {
      'terraform.tfstate': '{}',
      '.terraform.lock.hcl': '',
      'README.md': '',
      '.hidden.tf': '{',
      'main.tf~': '{',
    }
    expect(await problemsOf(build, { files })).toEqual([])
  })

  it('without a stack, or with something else in its place, says so', async () => {
    await inFolder({}, async output => {
      const folder = join(output, 'stacks', 'x')
      const line = async () => (await read(output, 'x')).lines
      expect(await line()).toEqual([
        'stacks/x/cdk.tf.json:1:1 there is no synthesized stack in "x"; run the app first, or use --app to run it',
      ])
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'cdk.tf'), '')
      expect(await line()).toContain(
        'stacks/x/cdk.tf.json:1:1 the stack was synthesized as HCL; synthesize the stack as JSON: remove --hcl and hclOutput',
      )
      await rm(join(folder, 'cdk.tf'))
      for (const [text, message] of [
        ['{', 'this file is not JSON; synthesize the stack again'],
        [
          '{"resource": 1e99999}',
          'a number of so many digits; compute it in TypeScript, or run this stack with Terraform',
        ],
        ['{"locals": {"a": 1, "a": 2}}', '"a" is used twice in one object; remove one of them'],
      ] as const) {
        await writeFile(join(folder, 'cdk.tf.json'), text)
        expect(await line()).toEqual([`stacks/x/cdk.tf.json:1:1 ${message}`])
      }
      await writeFile(join(folder, 'cdk.tf.json'), '[1]')
      expect(await line()).toEqual([
        'stacks/x/cdk.tf.json:1:1 this is a list of JSON, not a synthesized stack; synthesize the stack again',
      ])
    })
  })

  it('tells what the app itself has to say', async () => {
    const lines = await problemsOf(stack => {
      build(stack)
      Annotations.of(stack).addWarning('mind this')
    })
    expect(lines).toEqual(['warning: [flags] mind this'])
  })
})

describe('a stack that uses another of the same app', () => {
  async function twoStacks<Result>(
    use: (output: string) => Promise<Result>,
    second: (stack: TerraformStack, flag: FeatureFlag) => void,
    project = '1',
  ) {
    return inFolder({}, async output => {
      const app = new App({ outdir: output, skipValidation: true })
      const first = new TerraformStack(app, 'first')
      new VexilProvider(first, 'vexil', { projectId: '1' })
      const flag = new FeatureFlag(first, 'flag', { key: 'flag', name: 'Name', ...off })
      const other = new TerraformStack(app, 'second')
      new VexilProvider(other, 'vexil', { projectId: project })
      second(other, flag)
      app.synth()
      return use(output)
    })
  }

  it('refers to its flags and values', async () => {
    const { lines, declarations } = await twoStacks(
      output => read(output, 'second'),
      (stack, flag) => {
        new FeatureFlagRoleAccess(stack, 'grant', { featureFlagId: flag.id, roleId: supportRole })
        new FeatureFlag(stack, 'after', { key: `${flag.key}-after`, ...off })
      },
    )
    expect(lines).toEqual([])
    expect(declarations.desired.map(({ identity, parent }) => [identity, parent])).toEqual([
      ['flag-after', undefined],
      [supportRole, { key: 'flag' }],
    ])
  })

  it('cannot use what only the service knows of it', async () => {
    const { lines } = await twoStacks(
      output => read(output, 'second'),
      (stack, flag) => {
        new FeatureFlag(stack, 'after', { key: 'after', name: flag.createdAt, ...off })
      },
    )
    expect(lines).toEqual([
      expect.stringContaining(
        'vexil_feature_flag.after.name: it comes from vexil_feature_flag.flag.created_at, which only the service knows',
      ),
    ])
  })

  it('grants none of its flags from another project', async () => {
    const { lines } = await twoStacks(
      output => read(output, 'second'),
      (stack, flag) => {
        new FeatureFlagRoleAccess(stack, 'grant', { featureFlagId: flag.id, roleId: supportRole })
      },
      '2',
    )
    expect(lines).toEqual([expect.stringContaining('is a flag of another project or service')])
  })

  it('needs it to be there', async () => {
    const { lines } = await twoStacks(
      async output => {
        await rm(join(output, 'stacks', 'first'), { recursive: true })
        return read(output, 'second')
      },
      (stack, flag) => {
        new FeatureFlag(stack, 'after', { key: flag.key, ...off })
      },
    )
    expect(lines).toEqual([
      'stacks/second/cdk.tf.json:1:1 data.terraform_remote_state.cross-stack-reference-input-first: it reads the state of a stack that is not in this app; pass the value as a variable, or run this stack with Terraform',
    ])
  })

  it('hears what is wrong with another one once, however many read that', async () => {
    const lines = await inFolder({}, async output => {
      const app = new App({ outdir: output, skipValidation: true })
      const [first, ...others] = ['first', 'left', 'right', 'last'].map(name => {
        const stack = new TerraformStack(app, name)
        new VexilProvider(stack, 'vexil', { projectId: '1' })
        return stack
      })
      const flag = (stack: TerraformStack | undefined, key: string) =>
        new FeatureFlag(stack!, 'flag', { key, ...off })
      const one = flag(first, 'one')
      one.addOverride('lifecycle.precondition', [{ condition: false, error_message: 'not today' }])
      const [left, right] = [flag(others[0], `${one.key}-left`), flag(others[1], `${one.key}-right`)]
      flag(others[2], `${left.key}-${right.key}`)
      app.synth()
      return (await read(output, 'last')).lines
    })
    expect(lines).toEqual([expect.stringContaining('vexil_feature_flag.flag.precondition[0]: not today')])
  })

  it('is worked out once, however many ways lead to it', async () => {
    const desired = await inFolder({}, async output => {
      const app = new App({ outdir: output, skipValidation: true })
      const flags: FeatureFlag[] = []
      for (const index of Array.from({ length: 24 }).keys()) {
        const stack = new TerraformStack(app, `stack-${index}`)
        new VexilProvider(stack, 'vexil', { projectId: '1' })
        const name = flags.slice(-2).map(({ key }) => key)
        flags.push(new FeatureFlag(stack, 'flag', { key: `flag-${index}`, name: name.join(), ...off }))
      }
      app.synth()
      return (await read(output, 'stack-23')).declarations.desired
    })
    expect(desired).toMatchObject([{ identity: 'flag-23', fields: { name: 'flag-21,flag-22' } }])
  })
})
