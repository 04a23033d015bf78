import { configurationOf, type Plain, type PlainObject, terraformJson } from './configuration.ts'
import type { Scene, Step } from './scene.ts'

const folder = 'cdktf.out/stacks/flags'

/** The same scene with a synthesized stack in place of YAML files. */
export function stackScene(scene: Scene, position: number): Scene {
  const stack = JSON.stringify(
    merged(terraformJson(configurationOf(scene, position)), scene.stack ?? {}),
    null,
    2,
  )
  // Some start the app that synthesizes; this one writes down what it was made with.
  const isApp = position % 20 === 0
  const given = isApp ? '--app "node synthesize.cjs"' : '--stack flags'
  return {
    ...scene,
    ...(isApp ? { env: { PATH: process.env.PATH, ...scene.env } } : {}),
    files: {
      ...scene.files,
      [isApp ? 'synthesized.json' : `${folder}/cdk.tf.json`]: stack,
      ...(isApp ? { 'synthesize.cjs': app } : { 'cdktf.out/manifest.json': manifest }),
    },
    steps: scene.steps.flatMap(step => onStack(step, given)),
  }
}

function merged(one: PlainObject, other: PlainObject): PlainObject {
  const isObject = (json: Plain | undefined): json is PlainObject =>
    typeof json === 'object' && json !== null && !Array.isArray(json)
  const members = Object.entries(other).map(([name, member]) => {
    const own = one[name]
    return [name, isObject(own) && isObject(member) ? merged(own, member) : member] as const
  })
  return { ...one, ...Object.fromEntries(members) }
}

/** A step with the stack; an export knows none, and what is written is YAML. */
function onStack(step: Step, given: string): readonly Step[] {
  if ('write' in step) return []
  if (!('vexil' in step)) return [step]
  const [command = ''] = step.vexil.split(' ')
  if (['validate', 'plan', 'apply', 'drift'].includes(command) && !step.vexil.includes('.json'))
    return [{ vexil: `${step.vexil} ${given}` }]
  return command === 'undo' ? [step] : []
}

const manifest = JSON.stringify({
  version: '0.21.0',
  stacks: { flags: { name: 'flags', annotations: [], dependencies: [], workingDirectory: 'stacks/flags' } },
})

const app = `
const { copyFileSync, mkdirSync, writeFileSync } = require('node:fs')
const out = process.env.CDKTF_OUTDIR
mkdirSync(out + '/stacks/flags', { recursive: true })
copyFileSync('synthesized.json', out + '/stacks/flags/cdk.tf.json')
writeFileSync(out + '/manifest.json', ${JSON.stringify(manifest)})
console.log('synthesized')
`
