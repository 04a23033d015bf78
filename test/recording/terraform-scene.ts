import type { Scene, Step } from './scene.ts'

/** The same scene with Terraform in place of the command line: an undo is a destroy, and there is no drift or export. */
export function terraformScene(scene: Scene, position: number): Scene {
  const steps = scene.steps.flatMap(asTerraform)
  const destroyed = steps.findIndex(step => 'terraform' in step && step.terraform === 'destroy')
  const changed: Step[] = position % 3 === 0 ? [{ terraform: 'apply changed' }] : []
  return {
    ...scene,
    steps: [{ terraform: 'validate' }, ...steps.slice(0, destroyed), ...changed, ...steps.slice(destroyed)],
  }
}

function asTerraform(step: Step): readonly Step[] {
  if (!('vexil' in step)) return 'write' in step ? [] : [step]
  const [command = ''] = step.vexil.split(' ')
  if (command === 'undo') return [{ terraform: 'destroy' }]
  if (command !== 'plan' && command !== 'apply') return []
  return step.vexil.includes('--json') ? [] : [{ terraform: command }]
}
