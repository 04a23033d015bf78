import { readFileSync } from 'node:fs'
import { TerraformStack } from 'cdktn'
import type { Construct } from 'constructs'
import { Plugin, VexilProvider } from 'vexil/cdktn'
import { environments, organization } from './environments.ts'

/** What all environments share: plugins belong to the organization. */
export class OrganizationStack extends TerraformStack {
  public constructor(scope: Construct, id: string) {
    super(scope, id)
    new VexilProvider(this, 'vexil', {
      projectId: environments.production.project,
      organizationId: organization,
    })
    new Plugin(this, 'MaskCardNumbers', {
      name: 'Mask card numbers',
      pluginType: 'source',
      description: 'Replaces whatever looks like a card number before an event is kept.',
      source: {
        'index.ts': readFileSync(new URL('sources/mask-card-numbers/index.ts', import.meta.url), 'utf8'),
      },
    })
  }
}
