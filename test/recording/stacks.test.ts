import { record } from './record.ts'
import { replay } from './replay.ts'
import { scenes } from './scenes/index.ts'
import { stackScene } from './stack-scene.ts'

// What is declared as synthesized stacks; see `recording.test.ts`.
replay('stacks', scenes.map(stackScene), {
  commands: ['validate', 'plan', 'plan --json', 'apply', 'drift', 'undo'],
  codes: [0, 1, 3, 4, 5, 6, 64],
  record,
})
