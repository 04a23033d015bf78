import { record } from './record.ts'
import { replay } from './replay.ts'
import { scenes } from './scenes/index.ts'
import { stackScene } from './stack-scene.ts'

// What is declared as synthesized stacks; see `recording.test.ts`.
replay('stacks', scenes.map(stackScene), {
  commands: ['vexil validate', 'vexil plan', 'vexil plan --json', 'vexil apply', 'vexil drift', 'vexil undo'],
  codes: [0, 1, 3, 4, 5, 6, 64],
  record,
})
