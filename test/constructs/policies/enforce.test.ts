import { join } from 'node:path'
import { App, TerraformStack } from 'cdktf'
import { Construct } from 'constructs'
import { beforeEach, describe, expect, it } from 'vitest'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import { enforce, Flag, NamePattern } from '../../../src/constructs/own-constructs.ts'
import { folderOfTest } from '../../support/folder.ts'
import { withoutRule } from './without-rule.ts'

const policy = () => new NamePattern({ flags: /^[a-z]+$/ })
const refused = 'flag "Bad": the key does not match /^[a-z]+$/'

let app: App
beforeEach(async () => {
  app = new App({ outdir: join(await folderOfTest({}), 'cdktf.out') })
})

function aStackWith(scope: Construct, id: string): TerraformStack {
  const stack = new TerraformStack(scope, id)
  new VexilProvider(stack, 'vexil', {})
  new Flag(new Construct(stack, 'Team'), 'Checkout', { key: 'Bad', active: false })
  return stack
}

/** The lines that say which construct is refused. */
function refusals(): string[] {
  try {
    app.synth()
  } catch (error) {
    return String(error)
      .split('\n')
      .filter(line => line.trim().startsWith('[') || line.includes('was created after'))
      .map(line => withoutRule(line.trim()))
  }
  return []
}

describe('enforce', () => {
  it('makes synthesis of any stack of an app fail, and names the path', () => {
    aStackWith(app, 'staging')
    aStackWith(app, 'production')
    enforce(app, policy())
    expect(refusals()).toEqual([`[staging/Team/Checkout] ${refused}`])
  })

  it('holds policies over one stack, or over a part of one', () => {
    aStackWith(app, 'staging')
    const production = aStackWith(app, 'production')
    enforce(new Construct(production, 'Empty'), policy())
    expect(refusals()).toEqual([])
    enforce(production, policy())
    expect(refusals()).toEqual([`[production/Team/Checkout] ${refused}`])
  })

  it('says once what is wrong in a stack inside of another', () => {
    const outer = new TerraformStack(app, 'outer')
    new VexilProvider(outer, 'vexil', {})
    aStackWith(outer, 'inner')
    enforce(app, policy())
    expect(refusals()).toEqual([`[outer/inner/Team/Checkout] ${refused}`])
  })

  it('refuses an app without stacks, and stacks that come too late', () => {
    expect(() => enforce(app, policy())).toThrow(
      'the app has no stacks yet: enforce policies after creating them, or on each of them',
    )
    new TerraformStack(app, 'empty')
    enforce(app, policy())
    aStackWith(app, 'late')
    expect(refusals().join()).toContain(
      '"late" was created after policies were enforced on the app: enforce policies last',
    )
  })
})
