import { createRequire } from 'node:module'

/** Where the engine is that such programs load. */
export const cdktf = createRequire(import.meta.url).resolve('cdktf')

/** A program that synthesizes stacks, each from its own parts of a configuration. */
export function app(stacks: Readonly<Record<string, unknown>>, more = ''): string {
  return `
const { App, TerraformStack } = require(${JSON.stringify(cdktf)})
const app = new App()
for (const [name, parts] of Object.entries(${JSON.stringify(stacks)})) {
  const stack = new TerraformStack(app, name)
  for (const [part, value] of Object.entries(parts)) stack.addOverride(part, value)
}
${more}
console.log('synthesizing')
app.synth()
`
}

/** How a command runs such a program that is called `main.cjs`. */
export const main = ['--app', 'node main.cjs']

export function flag(key: string, over: object = {}) {
  return { key, active: true, release: [{ rollout_percentage: 5 }], ...over }
}

export function flags(all: Readonly<Record<string, object>>, more: object = {}) {
  return { resource: { vexil_feature_flag: all }, ...more }
}

export function filledIn(expression: string): string {
  return `\${${expression}}`
}
