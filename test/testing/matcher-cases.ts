import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Annotations, App, TerraformOutput, TerraformStack, Testing } from 'cdktf'
import {
  DataVexilFeatureFlag,
  enforce,
  Flag,
  RequireOwnerTag,
  VexilProvider,
  When,
} from '../../src/constructs/index.ts'
import type { matchers } from '../../src/testing/index.ts'
import { anApp } from '../constructs/a-stack.ts'
import { growth } from './shop.ts'

/** A stack with something of all that there is a matcher for. */
export function aWholeApp(app: App = anApp()): TerraformStack {
  const stack = new TerraformStack(app, 'shop')
  new VexilProvider(stack, 'vexil', { projectId: '7', apiKey: 'phx_do_not_show' })
  const flags = ['checkout_v2', 'gift_wrap'].map(
    key =>
      new Flag(stack, key, { key, active: true, release: [When.everyone().at(5)], tags: ['owner-shop'] }),
  )
  for (const flag of flags) flag.grants.edit(growth)
  Flag.fromKey(stack, 'Theirs', 'dark_mode', { projectId: '3' })
  new TerraformOutput(stack, 'checkout', { value: flags[0]?.id, description: 'The flag' })
  Annotations.of(stack.node.findChild('gift_wrap')).addWarning('nobody has it yet')
  return stack
}

/** What `expect` has in a test framework, of which the matchers are added. */
export type Expect = (subject: unknown) => Matchers & { readonly not: Matchers }
type Matchers = Readonly<Record<string, (...given: unknown[]) => unknown>>

/** Arguments that hold of the stack, arguments that do not, and what the failures say. */
export interface MatcherCase {
  readonly met: readonly unknown[]
  readonly unmet: readonly unknown[]
  /** Where the unmet ones are expected. */
  readonly message: string
  /** Where the met ones are expected not to be. */
  readonly notMessage: string
}

export const cases: Readonly<Record<keyof typeof matchers, readonly MatcherCase[]>> = {
  toHaveResource: [
    {
      met: [Flag, { key: 'checkout_v2' }],
      unmet: [Flag, { key: 'checkout_v2', active: false }],
      message:
        'expected a vexil_feature_flag with these attributes; of 2, vexil_feature_flag.checkout_v2 is the closest:\n' +
        '  /active: expected false, got true',
      notMessage: 'expected no vexil_feature_flag like vexil_feature_flag.checkout_v2, but the stack has it',
    },
    {
      met: [Flag, { active: true }, { times: 2 }],
      unmet: [Flag, { active: true }, { times: 3 }],
      message:
        'expected 3 vexil_feature_flag, got 2, vexil_feature_flag.checkout_v2, vexil_feature_flag.gift_wrap; the stack has no others',
      notMessage: 'expected another number, but the stack has 2 vexil_feature_flag: ',
    },
    {
      met: ['vexil_feature_flag', { key: 'gift_wrap' }, { times: 1, stack: 'shop' }],
      unmet: ['vexil_feature_flag', {}, { times: 1 }],
      message: 'expected 1 vexil_feature_flag like this, got 2: vexil_feature_flag.checkout_v2, ',
      notMessage: '1 vexil_feature_flag: vexil_feature_flag.gift_wrap',
    },
  ],
  toHaveNoResource: [
    {
      met: [Flag, { active: false }],
      unmet: [Flag, { active: true }],
      message:
        'expected no vexil_feature_flag like vexil_feature_flag.checkout_v2, vexil_feature_flag.gift_wrap',
      notMessage: 'is the closest:\n  /active: expected false, got true',
    },
  ],
  toHaveResourceCount: [
    {
      met: [Flag, 2],
      unmet: [Flag, 1, { active: true }],
      message: 'expected 1 vexil_feature_flag like this, got 2: ',
      notMessage: 'expected another number, but the stack has 2 vexil_feature_flag: ',
    },
  ],
  toHaveDataSource: [
    {
      met: [DataVexilFeatureFlag, { key: 'dark_mode', projectId: '3' }],
      unmet: ['vexil_feature_flag', { key: 'dark' }],
      message: '/key: expected "dark", got "dark_mode"',
      notMessage: 'expected no data.vexil_feature_flag like data.vexil_feature_flag.dark_mode',
    },
  ],
  toHaveProvider: [
    {
      met: [VexilProvider, { projectId: '7' }],
      unmet: ['vexil', { projectId: '7', apiKey: 'phx_other' }],
      message: '/api_key: expected another value than the current one, which is sensitive',
      notMessage: 'expected no provider.vexil like provider.vexil, but the stack has it',
    },
    {
      met: ['vexil'],
      unmet: ['random'],
      message: 'expected a provider.random, but the stack has only provider.vexil',
      notMessage: 'but the stack has it',
    },
  ],
  toHaveOutput: [
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what the stack has.
      met: ['checkout', { value: '${vexil_feature_flag.checkout_v2.id}', description: 'The flag' }],
      unmet: ['chekout'],
      message: 'expected an output "chekout", but the stack has none; did you mean "checkout"?',
      notMessage: 'expected no output "checkout" like output.checkout, but the stack has it',
    },
  ],
  toHaveGrant: [
    {
      met: ['checkout_v2', growth],
      unmet: ['dark_mode', growth.id],
      message: '/flag: expected "dark_mode", got "checkout_v2"',
      notMessage: 'expected no grant like vexil_feature_flag_role_access.checkout_v2--growth_team',
    },
    {
      met: [{ key: 'gift_wrap' }, growth.id, { times: 1 }],
      unmet: ['gift_wrap', growth, { accessLevel: 'viewer' }],
      message: '/access_level: expected "viewer", got nothing',
      notMessage: 'but the stack has 1 grant: ',
    },
  ],
  toHaveAnnotation: [
    {
      met: ['warning', 'nobody has it', { at: 'shop/gift_wrap' }],
      unmet: ['error', /^nobody/],
      message:
        'expected an error with /^nobody/; there are others:\n  [shop/gift_wrap] warning: nobody has it yet',
      notMessage:
        'expected no warning with "nobody has it" at "shop/gift_wrap", but there is one:\n  [shop/gift_wrap]',
    },
    {
      met: ['warning', undefined, { times: 1, stack: 'shop', at: /wrap$/ }],
      unmet: ['warning', undefined, { times: 2 }],
      message: 'expected 2 annotations: warning; got 1:\n  [shop/gift_wrap] warning',
      notMessage: 'expected another number of annotations: warning at /wrap$/; got 1:',
    },
  ],
  toHaveNoAnnotation: [
    {
      met: ['error'],
      unmet: [],
      message: 'expected no annotation, but there is one:\n  [shop/gift_wrap] warning: nobody has it yet',
      notMessage: 'expected an error; there are others:',
    },
  ],
  toPlan: [
    {
      met: [{ create: 4 }],
      unmet: [{ create: 1 }],
      message: 'expected create: 1, got ',
      notMessage: 'the plan is not as expected',
    },
  ],
}

/** The ways in which a test can have such a stack. The text of one has no annotations. */
export const subjects: Readonly<Record<string, () => unknown>> = {
  'a stack': () => aWholeApp(),
  'an app': () => aWholeApp().node.root,
  'the text of a stack': () => Testing.synth(aWholeApp()),
  'the folder of an app': synthesizedFolder,
  'the folder of a stack': () => join(synthesizedFolder(), 'stacks/shop'),
}

const folders: string[] = []

function synthesizedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vexil-matchers-'))
  folders.push(folder)
  const app = new App({ outdir: folder })
  aWholeApp(app)
  app.synth()
  return folder
}

/** Removes what the subjects have written. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
}

/** The same app, of which a policy says that something is wrong. */
export function anUnownedApp(): TerraformStack {
  const stack = aWholeApp()
  new Flag(stack, 'Unowned', { key: 'unowned' })
  enforce(stack, new RequireOwnerTag())
  return stack
}
