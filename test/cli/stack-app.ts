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

/** What such a program synthesizes, for a command that only reads it. */
export function synthesized(
  stacks: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Readonly<Record<string, string>> {
  const described = Object.keys(stacks).map(name => [
    name,
    { name, workingDirectory: `stacks/${name}`, annotations: [], dependencies: [] },
  ])
  const texts = Object.entries(stacks).map(([name, parts]) => [
    `cdktf.out/stacks/${name}/cdk.tf.json`,
    JSON.stringify(unfolded(parts)),
  ])
  const manifest = { version: '0.21.0', stacks: Object.fromEntries(described) }
  return { 'cdktf.out/manifest.json': JSON.stringify(manifest), ...Object.fromEntries(texts) }
}

/** Parts under the paths that an override takes, put together. */
function unfolded(parts: Readonly<Record<string, unknown>>): object {
  const whole: Tree = {}
  for (const [path, value] of Object.entries(structuredClone(parts))) {
    const names = path.split('.')
    let at = whole
    for (const name of names.slice(0, -1)) {
      at[name] ??= {}
      at = at[name] as Tree
    }
    at[names.at(-1) ?? ''] = value
  }
  return whole
}

interface Tree {
  [name: string]: unknown
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
