/** A program as a user would write it, which prints what it synthesizes. */
export function program(engine: string): string {
  return `
import { App, TerraformStack, Testing } from '${engine}'
import { DataVexilFeatureFlag, FeatureFlag as Named, featureFlag, VexilProvider } from 'vexil/${engine}'
import { EventDefinition, Flag, type FlagProps, Plugin, plugin, Role, Variants, When } from 'vexil/${engine}'
import { FeatureFlag, type FeatureFlagConfig } from 'vexil/${engine}/feature-flag'

const config: FeatureFlagConfig = { key: 'checkout', release: [{ rolloutPercentage: 25 }], tags: ['pay'] }
const stack = new TerraformStack(new App(), 'flags')
new VexilProvider(stack, 'vexil', { projectId: '1' })
const checkout: featureFlag.FeatureFlag = new FeatureFlag(stack, 'checkout', config)
new Named(stack, 'same', { key: 'same', name: checkout.key })
new DataVexilFeatureFlag(stack, 'legacy', { key: 'legacy' })

const props: FlagProps = {
  key: 'nav',
  active: true,
  variants: Variants.even('short', 'long'),
  release: [When.person('country').is('DE').at(25), When.everyone().at(5)],
}
const nav = new Flag(stack, 'Nav', props)
nav.grants.edit(Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support'))
const geo = new Plugin(stack, 'Geo', { name: 'geo', pluginType: 'source', source: { 'index.ts': 'export {}' } })
EventDefinition.named(stack, 'paid').tag('pay')
if (!(nav.resource instanceof FeatureFlag)) throw new Error('ours is over another class')
if (!(geo.resource instanceof plugin.Plugin) || Plugin.name !== 'Plugin') throw new Error('the names are mixed up')
if (Named !== FeatureFlag || featureFlag.FeatureFlag !== FeatureFlag) throw new Error('there are two of a class')
console.log(Testing.synth(stack))

// Never called: what matters is that the compiler sees it.
export function wrong(): void {
  // @ts-expect-error a key is text
  new FeatureFlag(stack, 'wrong', { key: 4 })
  // @ts-expect-error there is no such construct
  new featureFlag.FeatureFlagg(stack, 'wrong', { key: 'a' })
  // @ts-expect-error a share is a number
  When.everyone().at('5')
}
`
}

/** What it synthesizes, with whichever engine. */
export const programSynthesizes = {
  terraform: { required_providers: { vexil: { source: 'vexil/vexil', version: '~> 0.1' } } },
  provider: { vexil: [{ project_id: '1' }] },
  data: { vexil_feature_flag: { legacy: { key: 'legacy' } } },
  resource: {
    vexil_feature_flag: {
      checkout: { key: 'checkout', release: [{ rollout_percentage: 25 }], tags: ['pay'] },
      same: { key: 'same', name: '${vexil_feature_flag.checkout.key}' },
      nav: {
        key: 'nav',
        active: true,
        release: [
          { properties: [{ key: 'country', values: ['DE'] }], rollout_percentage: 25 },
          { rollout_percentage: 5 },
        ],
        variants: [
          { key: 'short', rollout_percentage: 50 },
          { key: 'long', rollout_percentage: 50 },
        ],
      },
    },
    vexil_feature_flag_role_access: {
      'nav--support': {
        feature_flag_id: '${vexil_feature_flag.nav.id}',
        role_id: '01900000-0000-0000-0000-0000000000aa',
      },
    },
    vexil_plugin: { geo: { name: 'geo', plugin_type: 'source', source: { 'index.ts': 'export {}' } } },
    vexil_event_definition: { paid: { name: 'paid', tags: ['pay'] } },
  },
}

/** A program as `vexil --app` runs it: two flags, a grant and a plugin. */
export function appProgram(engine: string): string {
  return `
import { App, TerraformStack } from '${engine}'
import { Flag, Plugin, Role, VexilProvider, When } from 'vexil/${engine}'
import { FeatureFlag } from 'vexil/${engine}/feature-flag'

const app = new App()
const stack = new TerraformStack(app, 'flags')
new VexilProvider(stack, 'vexil', { projectId: '1' })
new FeatureFlag(stack, 'checkout', { key: 'checkout', release: [{ rolloutPercentage: 25 }] })
const nav = new Flag(stack, 'Nav', { key: 'nav', active: true, release: [When.everyone().at(5)] })
nav.grants.edit(Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support'))
new Plugin(stack, 'Geo', { name: 'geo', pluginType: 'source', source: { 'index.ts': 'export {}' } })
app.synth()
`
}

/** A stack and an app of one engine with a construct that is made for another; prints what comes of it. */
export function mixedProgram(engine: string, constructs: string): string {
  return `
const { App, TerraformStack } = require('${engine}')
const { FeatureFlag } = require('vexil/${constructs}/feature-flag')

const app = new App()
try {
  new FeatureFlag(new TerraformStack(app, 'flags'), 'checkout', { key: 'checkout' })
  app.synth()
  console.log('synthesized')
} catch (error) {
  console.log(error.message)
}
`
}

/**
 * Runs `main.js` as jest does: every module is text that becomes a function in a realm of its own, with no word of ES
 * modules.
 */
export const jestLikeRunner = `
const { readFileSync } = require('node:fs')
const { createRequire, isBuiltin } = require('node:module')
const { dirname, join } = require('node:path')
const vm = require('node:vm')

const realm = vm.createContext({ console, process, Buffer, setTimeout, clearTimeout, URL })
realm.global = realm
const loaded = new Map()

function load(path) {
  const before = loaded.get(path)
  if (before !== undefined) return before.exports
  const module = { exports: {} }
  loaded.set(path, module)
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.json')) return (module.exports = JSON.parse(text))
  const resolved = createRequire(path)
  const require = name => (isBuiltin(name) ? resolved(name) : load(resolved.resolve(name)))
  require.resolve = resolved.resolve
  const names = ['module', 'exports', 'require', '__filename', '__dirname']
  vm.compileFunction(text, names, { filename: path, parsingContext: realm })
    .call(module.exports, module, module.exports, require, path, dirname(path))
  return module.exports
}

load(join(__dirname, 'main.js'))
`

/** Settings of the compiler, by the way of making a project that they are for. */
export const settings = {
  'ES modules': {
    type: 'module',
    compilerOptions: { module: 'nodenext' },
  },
  CommonJS: {
    type: 'commonjs',
    compilerOptions: { module: 'nodenext' },
  },
  'CommonJS, resolved without `exports` as the template of CDKTF does': {
    type: 'commonjs',
    compilerOptions: { module: 'commonjs', moduleResolution: 'bundler', resolvePackageJsonExports: false },
  },
}
