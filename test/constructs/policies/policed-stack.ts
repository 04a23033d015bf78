import { type App, type IAspect, TerraformStack } from 'cdktf'
import { beforeEach } from 'vitest'
import { FeatureFlag, type FeatureFlagConfig } from '../../../src/constructs/generated/feature-flag/index.ts'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import { enforce, Flag, type FlagProps } from '../../../src/constructs/own-constructs.ts'
import { anApp, annotationsOf, synthesized } from '../a-stack.ts'
import { withoutRule } from './without-rule.ts'

/** A new stack for each test, for policies to look at. */
export function usePolicedStack() {
  let app: App
  let stack: TerraformStack

  beforeEach(() => {
    app = anApp()
    stack = new TerraformStack(app, 'production')
    new VexilProvider(stack, 'vexil', {})
  })

  return {
    app: () => app,
    stack: () => stack,
    /** What a policy says of a stack, and what that synthesizes to. */
    under(...policies: IAspect[]) {
      enforce(app, ...policies)
      const { resource } = synthesized(stack)
      return {
        said: annotationsOf(stack)
          .filter(line => !line.includes('not declared: if'))
          .map(withoutRule),
        resource,
      }
    },
    flag: (props: Omit<FlagProps, 'key'>) =>
      new Flag(stack, 'Checkout', { key: 'checkout', active: true, ...props }),
    generated: (config: Partial<FeatureFlagConfig>) =>
      new FeatureFlag(stack, 'Generated', { key: 'checkout', active: true, ...config }),
  }
}
