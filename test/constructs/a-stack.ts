import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, TerraformStack, Testing } from 'cdktf'
import type { FeatureFlagConfig } from '../../src/constructs/generated/feature-flag/index.ts'
import { Flag, type FlagProps } from '../../src/constructs/own-constructs.ts'

/** An app whose folder, which the engine makes at once, is not in this repository. Nothing is written into it here. */
export function anApp(): App {
  return new App({ outdir: join(tmpdir(), 'vexil-cdktf.out') })
}

/** An empty stack in an app of its own. */
export function aStack(id = 'flags'): TerraformStack {
  return new TerraformStack(anApp(), id)
}

/** What a stack synthesizes, as Terraform reads it. */
export function synthesized(stack: TerraformStack) {
  return JSON.parse(Testing.synth(stack))
}

/** The attributes of the one flag `checkout` that is declared with these properties. */
export function flagAttributes(
  props: Omit<FlagProps, 'key'>,
): Record<keyof FeatureFlagConfig | string, unknown> {
  const stack = aStack()
  new Flag(stack, 'Checkout', { key: 'checkout', ...props })
  return synthesized(stack).resource.vexil_feature_flag.checkout
}

/** What is said when such a flag is declared, and refused. */
export function refusal(props: Omit<FlagProps, 'key'>): string {
  try {
    new Flag(aStack(), 'Checkout', { key: 'checkout', ...props })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing is refused'
}

/** What is said of a stack once it is synthesized, in the same form. */
export function saidOf(stack: TerraformStack): string[] {
  Testing.synth(stack)
  return annotationsOf(stack)
}

/** The annotations of a stack, as `[path] level: message`. */
export function annotationsOf(stack: TerraformStack): string[] {
  return stack.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type.startsWith('@cdktf/'))
        .map(({ type, data }) => `[${node.path}] ${type.slice('@cdktf/'.length)}: ${data}`),
    )
}
