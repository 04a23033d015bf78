import { App } from 'cdktn'
import { enforce, MaxRollout, NamePattern, ProtectActive, RequireOwnerTag } from 'vexil/cdktn'
import { environments } from './environments.ts'
import { OrganizationStack } from './organization-stack.ts'
import { ShopStack } from './shop-stack.ts'

/** All stacks, and what has to hold in each of them. */
export function shopApp(): App {
  const app = new App()
  new OrganizationStack(app, 'organization')
  for (const [name, environment] of Object.entries(environments)) new ShopStack(app, name, environment)

  const ceilings = Object.entries(environments).map(([name, { ceiling }]) => [name, ceiling] as const)
  enforce(
    app,
    new RequireOwnerTag(),
    new NamePattern({ flags: /^[a-z][a-z0-9_]*$/ }),
    new MaxRollout({ organization: 0, ...Object.fromEntries(ceilings) }, { everyoneOnly: true }),
    new ProtectActive(),
  )
  return app
}
