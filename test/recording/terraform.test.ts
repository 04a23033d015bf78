import { recordTerraform } from './record-terraform.ts'
import { replay } from './replay.ts'
import { scenes } from './scenes/index.ts'

// What is declared in Terraform's language, as the provider is asked for it; see `recording.test.ts`.
replay('terraform', scenes, {
  commands: ['terraform validate', 'terraform plan', 'terraform apply', 'terraform destroy'],
  codes: [0, 1],
  record: recordTerraform,
})
