import { describe } from 'vitest'
import { terraform } from '../acceptance/support/binary.ts'
import { engineScenes, recordEngine } from './record-engine.ts'
import { replay } from './replay.ts'

// What the real Terraform makes of the same configurations; see `recording.test.ts`.
if (terraform) {
  replay('engine', engineScenes, {
    commands: ['terraform plan', 'terraform apply', 'terraform destroy'],
    least: 10,
    codes: [0],
    record: recordEngine,
  })
} else describe.skip('what was recorded in engine: there is no terraform on the PATH', () => {})
